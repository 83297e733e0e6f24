"""A model's pace: 20 B chunks at 50/s while the end is followed, other things that stream, nothing at all."""

from __future__ import annotations

from collections.abc import Iterator

from tests.bench.program import Program, program
from tests.bench.rows import Row

WIDTH, RATE, SECONDS = 20, 50, 12
SHARE, LATE, BYTES = 8.0, 0.15, 8.0
OTHERS = (("thought", 20, 50), ("terminal", 60, 50), ("call", 20, 20))
"""What else streams, in pieces of how many characters, how many of them a second."""
WAITING = 0.5
"""Goal for the share of a core while the agent works and says nothing: only a clock runs."""


def run() -> Iterator[Row]:
    """CPU share, bytes to the terminal for one byte of text, lateness of the end; the same at idle."""
    with program() as running:
        yield from _idle(running)
        running.terminal.pump(0.5)
        before = running.terminal.drawn
        shown = running.do(f"live message {WIDTH} {RATE} {RATE * SECONDS}", "end")
        (first,), (last,) = running.noted("first"), running.noted("last")
        share = _share(running)
        drawn = sum(len(data) for at, data in running.terminal.reads if first["at"] <= at <= shown)
        yield Row("share of a core", share, "%", goal=SHARE)
        yield Row("bytes drawn for a byte of text", drawn / (WIDTH * RATE * SECONDS), "B", goal=BYTES)
        yield Row("the last chunk is on the screen after", shown - last["at"], "s", goal=LATE)
        running.terminal.pump(2.0)
        assert running.terminal.drawn > before
        yield from _idle(running)
        for kind, width, rate in OTHERS:
            running.forget()
            running.do(f"live {kind} {width} {rate} {rate * SECONDS}", f"end-{kind}")
            yield Row(f"{kind}, {width} B {rate} times a second", _share(running), "%", goal=SHARE)
        running.forget()
        running.do(f"work {SECONDS}", "end-work")
        yield Row("working without a word", _share(running), "%", goal=WAITING)


def _share(running: Program) -> float:
    """The share of a core from the first chunk to the last."""
    (first,), (last,) = running.noted("first"), running.noted("last")
    return float((last["cpu"] - first["cpu"]) / (last["at"] - first["at"]) * 100)


def _idle(running: Program) -> Iterator[Row]:
    running.terminal.pump(2.0)
    drawn, used = running.terminal.drawn, running.terminal.cpu
    running.terminal.pump(4.0)
    yield Row("idle: bytes drawn in a second", (running.terminal.drawn - drawn) / 4, "B", goal=0)
    yield Row("idle: share of a core", (running.terminal.cpu - used) / 4 * 100, "%")
