"""Time that passes only when someone sleeps, and things that happen meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import anyio

from acp_tui.aip.gateway.world import World


class Time:
    """Each sleep is noted, and what was planned for it happens; one that nobody planned fails the test."""

    def __init__(self, *planned: Callable[[], Any] | None) -> None:
        self.now = 1_000.0
        self.slept: list[float] = []
        self._planned = deque(planned)

    def plan(self, *more: Callable[[], Any] | None) -> None:
        """For the next sleeps."""
        self._planned.extend(more)

    def forever(self, step: Callable[[], Any] | None = None) -> Callable[[float], Awaitable[None]]:
        """A sleep of any number, each of which does this."""

        async def sleep(seconds: float) -> None:
            self._note(seconds)
            await anyio.lowlevel.checkpoint()
            if step is not None:
                step()

        return sleep

    async def sleep(self, seconds: float) -> None:
        """As planned."""
        self._note(seconds)
        await anyio.lowlevel.checkpoint()
        assert self._planned, f"nobody planned to sleep for {seconds} s; slept: {self.slept}"
        step = self._planned.popleft()
        if step is not None:
            step()

    def _note(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def world(self) -> World:
        """For a gateway: no jitter."""
        return World(clock=lambda: self.now, sleep=self.sleep, chance=lambda: 1.0)
