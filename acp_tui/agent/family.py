"""The processes of one agent: its session, its group, and descendants that left both.

Invariant: a process outside the group is signalled only while its birth proves that it is the one we saw. Who
left the session (where that cannot be known, the group) *and* lost his parent before the first look is not to
be found: look before anything is ended.
"""

from __future__ import annotations

import contextlib
import os
import signal

import anyio
from anyio import to_thread

from acp_tui.base import processes
from acp_tui.base.processes import Process

POLL = 0.03


class Family:
    """Follows who belongs to the agent whose process, group and session is `pid`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._groups = {pid}
        self._known: dict[int, Process] = {}

    def look(self) -> list[Process]:
        """Who lives now."""
        everyone = processes.snapshot()
        known = [p.pid for p in list(self._known.values()) if _same(p, everyone)]
        found = {p.pid: p for p in processes.descendants([self.pid, *known], everyone)}
        found |= {p.pid: p for p in everyone.values() if self._ours(p) or p.pid in known}
        found.pop(os.getpid(), None)
        living = [p for p in found.values() if not p.zombie]
        # Bound anew, not changed in place: `kill` may look while a thread does.
        self._known = {**self._known, **{p.pid: p for p in living}}
        self._groups = self._groups | {p.group for p in living if p.group != os.getpgid(0)}
        return living

    def _ours(self, process: Process) -> bool:
        return process.group in self._groups or process.session == self.pid

    def signal(self, number: int) -> None:
        """Send to the group at once, then to each outside of it; the stopped are woken to hear of it."""
        living = self.look()
        waking = () if number == signal.SIGKILL else (signal.SIGCONT,)
        for each in (number, *waking):
            if any(p.group == self.pid for p in living):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, each)
            for stray in living:
                if stray.group != self.pid:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(stray.pid, each)

    async def gone(self, patience: float) -> bool:
        """Wait until nobody lives, as long as patience lasts."""
        with anyio.move_on_after(patience):
            living = await to_thread.run_sync(self.look)
            while living:
                await anyio.sleep(POLL)
                living = await to_thread.run_sync(self.look)
            return True
        return False

    async def end(self, term: float = 0.8, kill: float = 0.8) -> list[Process]:
        """TERM, wait, KILL, wait; returns who is still there."""
        for number, patience in ((signal.SIGTERM, term), (signal.SIGKILL, kill)):
            await to_thread.run_sync(self.signal, number)
            if await self.gone(patience):
                return []
        return await to_thread.run_sync(self.look)


def _same(process: Process, everyone: dict[int, Process]) -> bool:
    now = everyone.get(process.pid)
    return now is not None and now.birth == process.birth
