"""What a connection needs done by the clock: the client's alarm, and a journal that reaches the disk.

Nothing here runs while nothing is due.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable

import anyio
from anyio import to_thread

from acp_tui.journal.log import Journal

IDLE = 0.25
"""Seconds without a record after which the journal is synced at once."""
STEPS = 4
"""Such waits at most before it is synced anyway: once a second."""


class Alarm:
    """Rings at each of the times that were asked for (`Wake`)."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._times: list[float] = []
        self._changed = anyio.Event()

    @property
    def due(self) -> bool:
        """It will ring."""
        return bool(self._times)

    def set(self, at: float) -> None:
        """Ring then, too."""
        if at not in self._times:
            heapq.heappush(self._times, at)
            self._changed.set()

    async def run(self, ring: Callable[[], None]) -> None:
        """Until cancelled."""
        while True:
            self._changed = anyio.Event()
            if not self._times:
                await self._changed.wait()
            elif (left := self._times[0] - self._clock()) > 0:
                with anyio.move_on_after(left):
                    await self._changed.wait()
            else:
                heapq.heappop(self._times)
                ring()


class Saver:
    """Syncs a journal in a thread: at idle, and once a second while records keep coming."""

    def __init__(self, journal: Journal, clock: Callable[[], float], told: Callable[[], None]) -> None:
        self._journal = journal
        self._clock = clock
        self._told = told
        """Called when the journal's `problem` may have changed."""
        self._poked = anyio.Event()
        self._records = 0

    def poke(self) -> None:
        """There is something to sync."""
        self._records += 1
        self._poked.set()

    async def run(self) -> None:
        """Until cancelled; who ends it closes the journal, which syncs the rest."""
        while True:
            await self._poked.wait()
            await self._pause()
            self._poked = anyio.Event()
            await self._sync()
            self._told()
            if self._journal.dirty:
                self._poked.set()

    async def _pause(self) -> None:
        for _ in range(STEPS):
            before = self._records
            await anyio.sleep(IDLE)
            if self._records == before:
                return

    async def _sync(self) -> None:
        try:
            if job := self._journal.sync_job(self._clock()):
                await to_thread.run_sync(job)
        except OSError as error:
            self._journal.failed(error, self._clock())
