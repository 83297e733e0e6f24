"""A text that grows to 400 kB in 10,000 chunks, at 1,000 a second: the last tenth beside the first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from tests.bench.program import program
from tests.bench.rows import Row

GOAL = 1.2
CHUNKS, WIDTH, RATE = 10_000, 40, 1000


def run() -> Iterator[Row]:
    """CPU of the program for a thousand chunks, its frames included."""
    for kind in ("message", "thought", "terminal"):
        with program() as running:
            running.do(f"stream {kind} {WIDTH} {RATE} {CHUNKS}", "end", 240.0)
            marks = [fact["cpu"] for fact in (*running.noted("first"), *running.noted("tenth"))]
            tenths = [after - before for before, after in pairwise(marks)]
            yield Row(f"{kind}: CPU of the last tenth", tenths[-1] * 1e3, "ms", tenths[0] * 1e3, GOAL)
            yield Row(f"{kind}: CPU of one chunk, frames included", sum(tenths) / CHUNKS * 1e6, "µs")
