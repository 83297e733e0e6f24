"""Time and chance, so that a test has both in its hand."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio

FIRST = 0.5
"""Seconds before the first new attempt, at most."""
LONGEST = 30.0
"""Seconds before any, at most, unless the gateway wants more."""
POLITE = 600.0
"""Seconds that a gateway may want at most: more, and it is asked again anyway."""


@dataclass(frozen=True, slots=True)
class World:
    """What the gateway half knows of it."""

    clock: Callable[[], float] = time.time
    """Seconds since 1970."""
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    chance: Callable[[], float] = random.random
    """From 0 to 1."""

    def stamp(self) -> str:
        """Now, as RFC 3339."""
        return datetime.fromtimestamp(self.clock(), UTC).isoformat(timespec="milliseconds")


class Backoff:
    """How long to wait before the next attempt: twice as long each time, with jitter, as the gateway asks."""

    def __init__(self, chance: Callable[[], float]) -> None:
        self._chance = chance
        self.failures = 0

    def reset(self) -> None:
        """It worked."""
        self.failures = 0

    def next(self, at_least: float | None = None) -> float:
        """Seconds. At least half of what is due, so that no gateway is asked in a tight loop."""
        due = min(LONGEST, FIRST * float(1 << min(self.failures, 10)))
        self.failures += 1
        jittered = due * (0.5 + self._chance() / 2)
        return max(jittered, min(at_least or 0.0, POLITE))
