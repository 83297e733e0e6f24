"""Processes of ours, the agent's first of all: looked after while they live, ended so that nothing stays.

Invariants: an agent's stdin, stdout and stderr are pipes that never block us; a process is not reaped before
it is ended, so that its pid, which is its group, cannot be used again meanwhile (where the platform has
`waitid`).
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

import anyio
from anyio import to_thread

from acp_tui.agent import failures
from acp_tui.agent.family import Family
from acp_tui.agent.spawn import Spawned
from acp_tui.base import processes
from acp_tui.base.processes import Process

GRACE = 1.0
"""Seconds an agent has to end by itself after its stdin was closed."""
STRAGGLERS = 0.2
"""Seconds the others have after the first process ended."""


@dataclass(frozen=True, slots=True)
class NotStarted:
    """There is no process; `failure` says why."""

    failure: str


class Started:
    """A process in a session of its own that we have started: watched, and not reaped before it is over."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen = popen
        self.pid = popen.pid
        found = processes.find(self.pid)
        self.birth = found.birth if found else ""
        self.family = Family(self.pid)
        self.exit_code: int | None = None
        """As `subprocess` has it: negative for a signal."""

    async def exited(self) -> int:
        """Wait for the first process to end; others of its family may live on."""
        if self.exit_code is None and sys.platform == "linux":
            await self._readable_when_dead()
        while (code := self._status()) is None:
            await to_thread.run_sync(self._wait, abandon_on_cancel=True)
        return code

    def reap(self) -> None:
        """Its pid may be used again from now on; one that cannot die is left to `Popen`'s list."""
        self._status()
        self._popen.poll()

    async def _readable_when_dead(self) -> None:
        assert sys.platform == "linux"
        try:
            fd = os.pidfd_open(self.pid)
        except OSError:  # an old kernel, or a sandbox: wait in a thread
            return
        try:
            await anyio.wait_readable(fd)
        finally:
            os.close(fd)

    def _status(self) -> int | None:
        """Look without reaping."""
        if self.exit_code is None:
            if hasattr(os, "waitid"):
                with contextlib.suppress(ChildProcessError):
                    self._note(os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT))
            else:
                self.exit_code = self._popen.poll()
        return self.exit_code

    def _wait(self) -> None:
        if hasattr(os, "waitid"):
            with contextlib.suppress(ChildProcessError):
                os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        else:
            self._popen.wait()

    def _note(self, found: os.waitid_result | None) -> None:
        if found is not None:
            self.exit_code = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


class Child(Started):
    """A started agent."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        assert popen.stdin is not None and popen.stdout is not None and popen.stderr is not None
        super().__init__(popen)
        self.stdin: int | None = popen.stdin.fileno()
        self.stdout = popen.stdout.fileno()
        self.stderr = popen.stderr.fileno()
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)

    def close_stdin(self) -> None:
        """The polite way to ask it to end (CL-02); a second call does nothing."""
        if self.stdin is not None and self._popen.stdin is not None:
            self.stdin = None
            with contextlib.suppress(OSError):
                self._popen.stdin.close()

    async def end(self, grace: float = GRACE) -> list[Process]:
        """Close stdin, wait, TERM, wait, KILL; returns processes that could not be ended."""
        await to_thread.run_sync(self.family.look)
        self.close_stdin()
        with anyio.move_on_after(grace):
            await self.exited()
            await self.family.gone(STRAGGLERS)
        left = await self.family.end() if await to_thread.run_sync(self.family.look) else []
        self.reap()
        return left

    def kill(self) -> None:
        """End everything now, without asking; `end` must follow."""
        self.family.signal(9)

    def release(self) -> None:
        """Close what we hold of it, when nobody reads it any more."""
        self.close_stdin()
        for pipe in (self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                pipe.close()


def adopt(spawned: Spawned, command: tuple[str, ...], cwd: str, env: Mapping[str, str]) -> Child | NotStarted:
    """Look after a process from now on, or say why there is none."""
    process = spawned.process
    if isinstance(process, subprocess.Popen):
        return Child(process)
    return NotStarted(failures.cannot_start(command, cwd, env, process))
