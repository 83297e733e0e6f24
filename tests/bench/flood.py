"""More than a screen can show: 2,000 chunks at once, one message of 200 kB, keys in the middle of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from tests.bench.program import Program, program
from tests.bench.rows import Row

LETTERS = "бгджзийлпуфцчшщъыьэюя"
"""Not in any text here, so each is on the screen exactly when its key was heard."""
GOAL, KEY_GOAL = 1.0, 50.0


def run() -> Iterator[Row]:
    """Seconds from the first byte of the agent to the end on the screen; milliseconds from key to screen."""
    with program() as running:
        shown = running.do("stream message 40 0 2000", "end")
        yield Row(
            "80 kB in 2,000 chunks: to the screen", shown - running.noted("first")[0]["at"], "s", goal=GOAL
        )
    with program() as running:
        shown = running.do("whole 200000", "end")
        yield Row(
            "one message of 200 kB: to the screen", shown - running.noted("first")[0]["at"], "s", goal=GOAL
        )
    for words, workload in (
        ("nothing", ""),
        ("50 chunks/s", "live message 20 50 600"),
        ("500 chunks/s", "live message 40 500 6000"),
        ("all that can be read", "live message 40 0 60000"),
    ):
        with program() as running:
            if workload:
                running.prompt(f"{workload} end")
                running.terminal.pump(1.5)
            latest = sorted(_latencies(running))
            p95 = latest[math.ceil(0.95 * len(latest)) - 1]
            yield Row(f"key to screen beside {words}: p95", p95 * 1e3, "ms", goal=KEY_GOAL)
            yield Row(f"key to screen beside {words}: median", latest[len(latest) // 2] * 1e3, "ms")


def _latencies(running: Program) -> Iterator[float]:
    for letter in LETTERS:
        pressed = running.terminal.type(letter)
        yield running.terminal.wait_for(letter, 20.0, since=pressed) - pressed
        running.terminal.pump(0.13)
