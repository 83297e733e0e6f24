"""The very start and the very end of a headless run: start the agent, load meanwhile what talks to it.

Invariants: from before the agent exists there is somebody who heeds signals, so that none leaves it behind;
nothing that is opened later can be taken for standard output; a mistake of ours is one line and a report.
"""

from __future__ import annotations

import asyncio
import os
import signal
from importlib import import_module
from typing import TYPE_CHECKING

from acp_tui.agent.spawn import spawn
from acp_tui.commands.headless.wanted import Wanted

if TYPE_CHECKING:
    from acp_tui.commands.headless.program import Program

BROKEN = 1


def heeded() -> list[signal.Signals]:
    """Those that end it; after `nohup` the end of the terminal does not."""
    ended = [] if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else [signal.SIGHUP]
    return [signal.SIGINT, signal.SIGTERM, *ended]


def run(wanted: Wanted) -> int:
    """Until it ends by itself or is ended; returns the exit status."""
    _occupy_standard_streams()
    this = _Run(wanted)
    try:
        status = asyncio.run(this.main())
    except Exception as error:  # of whatever kind; the agent is ended
        status, this.crash = BROKEN, error
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # all has ended; only the status is still to be told
    crash = this.crash or (this.program.crash if this.program is not None else None)
    if crash is not None:
        _tell(crash)
        return BROKEN
    return status


class _Run:
    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.program: Program | None = None
        self.crash: Exception | None = None
        self._heeded = 0

    async def main(self) -> int:
        """The program, once it is loaded."""
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        for number in heeded():
            loop.add_signal_handler(number, self._heed, number, task)
        spawned = None
        if not self.wanted.resume:
            spawned = spawn(self.wanted.command, self.wanted.cwd, self.wanted.environment)
        try:
            await asyncio.to_thread(import_module, "acp_tui.commands.headless.program")
            from acp_tui.base.config import load
            from acp_tui.commands.headless.program import Program

            self.program = Program(self.wanted, load())  # which heeds signals from now on
        except BaseException:
            if spawned is not None:
                spawned.abandon()
            if self._heeded:
                return 128 + self._heeded
            raise
        return await self.program.main(spawned)

    def _heed(self, number: int, task: asyncio.Task[int]) -> None:
        self._heeded = self._heeded or number
        task.cancel()


def _occupy_standard_streams() -> None:
    """Of those that were closed before we were started: what is written there goes nowhere."""
    for fd in range(3):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free


def _tell(error: Exception) -> None:
    from acp_tui.base import crash

    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    path = crash.write(error, "The program ended.")
    where = f"a report is in {path}" if path is not None else "no report could be written"
    said = f"acp-tui: a mistake in acp-tui itself ended it ({type(error).__name__}); {where}\n"
    os.write(2, said.encode("utf-8", "replace"))
