"""The longest turn of the event loop over content that is monstrous: nobody's key waits longer than that."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.monsters import DONE, MONSTERS
from tests.bench.program import terminal
from tests.bench.rows import Row

GOAL = 100.0
ROUNDS = 2
"""The least of so many is taken: the machine may have been busy with something else."""


def run() -> Iterator[Row]:
    """Milliseconds of CPU of the longest turn while each is opened, resized, moved in and searched."""
    for name in MONSTERS:
        rounds = [_longest(name) for _ in range(ROUNDS)]
        for act in rounds[0]:
            yield Row(f"{name}: {act}", min(one[act] for one in rounds), "ms", goal=GOAL)


def _longest(name: str) -> dict[str, float]:
    with TemporaryDirectory() as folder:
        log = Path(folder, "log")
        with terminal("-m", "tests.bench.monsters", name, env={"BENCH_LOG": str(log)}) as child:
            child.wait_for(DONE, 400.0)
            longest: dict[str, float] = json.loads(log.read_text(encoding="utf-8"))
            return longest
