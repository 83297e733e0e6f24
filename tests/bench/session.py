"""A session of 10,000 entities beside one of 100: opening it, a frame of it, another width for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from tests.bench.program import terminal
from tests.bench.rows import Row
from tests.bench.shown import END, FRAMES, PACE, SETTLE

OPEN_GOAL, FLAT, RESIZE_GOAL = 0.5, 1.2, 100.0


class Cost(NamedTuple):
    """Of one session."""

    opened: float
    opened_cpu: float
    frame: float
    resize: float
    resident: float


def run() -> Iterator[Row]:
    """Each figure beside that of the short session."""
    short, long = _cost(100), _cost(10_000)
    yield Row("open 10,000 entities: time to the picture", long.opened, "s", goal=OPEN_GOAL)
    yield Row("open: CPU", long.opened_cpu, "s", short.opened_cpu)
    yield Row("a streamed frame: CPU", long.frame * 1e3, "ms", short.frame * 1e3, FLAT)
    yield Row("another width: CPU", long.resize * 1e3, "ms", short.resize * 1e3)
    yield Row("in memory", long.resident, "MB", short.resident)


def _cost(count: int) -> Cost:
    with TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.touch()
        with terminal("-m", "tests.bench.shown", str(count), env={"BENCH_LOG": str(log)}) as child:
            shown = child.wait_for(END, 90.0)
            child.pump(FRAMES * PACE * 1.3 + 3 * SETTLE)
            facts = {fact["event"]: fact for fact in _facts(log)}
            before = child.cpu
            child.resize((97, 40))
            child.pump(SETTLE)
            resize = child.cpu - before
            opening, streaming, streamed = facts["open"], facts["streaming"], facts["streamed"]
            return Cost(
                opened=shown - opening["at"],
                opened_cpu=streaming["cpu"] - opening["cpu"],
                frame=(streamed["cpu"] - streaming["cpu"]) / FRAMES,
                resize=resize,
                resident=streamed["resident"],
            )


def _facts(log: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
