"""The time of everything that is said and done: seconds since the epoch that measure, too.

Invariants: while something is measured the time goes as the machine runs, whatever is done to its clock, and
does not go on while the machine sleeps, as nothing else does there; a clock that was set, or ran on in a
sleep, is believed as soon as nothing is measured, so that what is told of a moment is right from then on.
"""

from __future__ import annotations

import time
from collections.abc import Callable

APART = 1.0
"""Seconds up to which the two may differ: nobody set a clock by so little."""


class Clock:
    """Call it for the time."""

    def __init__(
        self,
        measuring: Callable[[], bool],
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """`measuring`: something is under way whose time is shown, or waits for its time."""
        self._measuring = measuring
        self._wall = wall
        self._steady = steady
        self._ahead = wall() - steady()
        """Of the time since the epoch before the steady one, as it was last believed."""

    def __call__(self) -> float:
        """Seconds since the epoch."""
        steady = self._steady()
        ahead = self._wall() - steady
        if abs(ahead - self._ahead) > APART and not self._measuring():
            self._ahead = ahead
        return steady + self._ahead
