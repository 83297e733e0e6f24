"""A long conversation replayed: every turn of it sent as fast as the client reads."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

from tests.bench import updates
from tests.bench.processor import resident
from tests.bench.program import Program, program
from tests.bench.rows import Row

SHORT, LONG = 1_000, 10_000
GOAL, FLAT, MEMORY_GOAL = 5.0, 1.5, 200.0


def run() -> Iterator[Row]:
    """Seconds to the last turn on the screen; CPU for a turn, beside that of a short replay."""
    with program() as running:
        short = _replay(SHORT, running)[1]
    with program() as running:
        shown, spent = _replay(LONG, running)
        yield Row(f"{LONG:,} turns: to the last on the screen", shown, "s", goal=GOAL)
        yield Row("CPU, beside plain parsing", spent, "s", _parse(LONG))
        yield Row("CPU for a turn", spent / LONG * 1e3, "ms", short / SHORT * 1e3, FLAT)
        yield Row("in memory", resident(running.terminal.pid), "MB", goal=MEMORY_GOAL)


def _replay(count: int, running: Program) -> tuple[float, float]:
    before = running.terminal.cpu
    shown = running.do(f"turns {count}", "end")
    running.terminal.pump(1.0)
    return shown - running.noted("first")[0]["at"], running.terminal.cpu - before


def _parse(count: int) -> float:
    lines = [updates.line(update) for update in updates.turns(count)]
    start = time.process_time()
    for line in lines:
        json.loads(line)
    return time.process_time() - start
