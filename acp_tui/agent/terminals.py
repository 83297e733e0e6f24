"""A command that runs for an agent: on a terminal of its own, which nobody can type into.

Invariants: nothing it prints waits for anybody, and a flood of it slows nobody but the command; what is told
is told in order, the end last; it is over, its family with it, when `free` returns, or who is left is told.

It prints to a pty, so that it prints as for a person; stdin is empty and it has no terminal to ask at, so
that what wants an answer fails instead of waiting for one that cannot come. The terminal changes no byte on
the way: what is shown, kept and told is what the command wrote.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import anyio
from anyio import to_thread

from acp_tui.agent import failures
from acp_tui.agent.pipe import Pipe
from acp_tui.agent.process import Started
from acp_tui.base.processes import Process
from acp_tui.client.jobs import Ended, Output
from acp_tui.protocol.served import CreateTerminal
from acp_tui.services.printed import Printed

COLUMNS, ROWS = 120, 40
REST = 0.03
"""Seconds that what was printed waits for more."""
BURST = 64 * 1024
"""Bytes that do not wait."""
PAUSE = 0.004
"""Seconds of rest for us after each burst: some 15 MB a second are enough for anybody."""
DRAIN = 0.3
"""Seconds between the end of the command and the end of what it printed."""
TERM, KILL = 0.6, 0.6
"""Seconds a command has to end when asked, and when not."""
KEPT = 4 * 1024 * 1024
"""Bytes of its output that the journal gets as they come."""
TAIL = 64 * 1024
"""Bytes that it gets of the end of a longer one."""
LIMIT, MOST = 1024 * 1024, 8 * 1024 * 1024
"""Bytes of text that an agent is told, where it says nothing, and at most."""

_LINE = re.compile(r"""[\s|&;<>()$`\\"'*?\[\]{}#~=!]""")
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash"})
_PLAIN = {"TERM": "xterm-256color", "PAGER": "cat", "GIT_PAGER": "cat"}
"""Nobody can turn pages."""


def words(wanted: CreateTerminal, env: Mapping[str, str]) -> list[str]:
    """What is run: the command with its arguments, or a whole line by the user's shell (V1-54), where that
    speaks the common language.
    """
    if wanted.args or not _LINE.search(wanted.command):
        return [wanted.command, *wanted.args]
    shell = env.get("SHELL", "")
    return [shell if os.path.basename(shell) in _SHELLS else "/bin/sh", "-c", wanted.command]


def environment(wanted: CreateTerminal, env: Mapping[str, str]) -> dict[str, str]:
    """Ours, fit for a terminal without a reader, and what the agent adds."""
    return {**env, **_PLAIN, **{one.name: one.value for one in wanted.env}}


def begin(command: Sequence[str], cwd: str, env: Mapping[str, str]) -> tuple[subprocess.Popen[bytes], int]:
    """The process, and the end of its terminal that we read. Raises `OSError`, `ValueError`."""
    master, slave = pty.openpty()
    try:
        attributes = termios.tcgetattr(slave)
        attributes[1] &= ~termios.OPOST
        attributes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, attributes)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.set_blocking(master, False)
        popen = subprocess.Popen(
            command,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
    except BaseException:
        os.close(master)
        raise
    finally:
        os.close(slave)
    return popen, master


class Terminal(Started):
    """One of them; `run` must run until it is freed."""

    def __init__(
        self,
        popen: subprocess.Popen[bytes],
        master: int,
        place: tuple[str, str],
        limit: int | None,
        told: Callable[[Output | Ended], object],
    ) -> None:
        """`place`: the session's `ref` and the name. `limit`: as the agent wants it."""
        super().__init__(popen)
        self.ref, self.name = place
        self.printed = Printed(min(LIMIT if limit is None else limit, MOST))
        self.ended = anyio.Event()
        """Everything it printed was told, and its end."""
        self._told = told
        self._master = master
        self._pending = bytearray()
        self._timer: asyncio.TimerHandle | None = None
        self._sent = 0
        self._skipped = 0
        self._tail: deque[bytes] = deque()
        self._scope = anyio.CancelScope(shield=True)
        self._silent = anyio.Event()
        """Nobody can print on it any more."""
        self._record: Path | None = None
        self._over = anyio.Event()

    @property
    def exit_status(self) -> dict[str, int | str | None]:
        """How it ended, as the agent is told."""
        code = self.exit_code
        if code is None or code >= 0:
            return {"exitCode": code, "signal": None}
        return {"exitCode": None, "signal": failures.signal_name(-code)}

    async def run(self, register: Callable[[Started], Path | None]) -> None:
        """Follow it; `register` remembers, in a thread, that it runs."""

        def remember() -> None:
            self._record = register(self)

        try:
            with self._scope:
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._read)
                    tasks.start_soon(self._watch)
                    await to_thread.run_sync(remember)
        finally:
            os.close(self._master)
            self._over.set()

    async def kill(self) -> list[Process]:
        """End it and its family; who is left is returned. It stays to be asked."""
        left = await self.family.end(TERM, KILL)
        with anyio.move_on_after(DRAIN * 2):
            await self.ended.wait()
        return left

    async def free(self) -> list[Process]:
        """End it, follow it no more, forget that it ran; who is left is returned, and remembered."""
        left = await self.kill()
        self._end()
        self._scope.cancel()
        await self._over.wait()
        self.reap()
        if not left and self._record is not None:
            with contextlib.suppress(OSError):
                await to_thread.run_sync(self._record.unlink)
        return left

    # What it prints

    async def _read(self) -> None:
        with Pipe(self._master) as pipe:
            while data := await pipe.chunk():
                self.printed.feed(data)
                self._pending += data
                if len(self._pending) >= BURST:
                    self._flush()
                    await anyio.sleep(PAUSE)
                elif self._timer is None:
                    self._timer = asyncio.get_running_loop().call_later(REST, self._flush)
        self._silent.set()

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        data, self._pending = bytes(self._pending), bytearray()
        if not data:
            return
        kept = self._sent + len(data) <= KEPT
        if kept:
            self._sent += len(data)
        else:
            self._left_out(data)
        self._told(Output(self.ref, self.name, data, kept))

    def _left_out(self, data: bytes) -> None:
        """From now on the journal gets nothing but the tail, also where a small piece would still fit."""
        self._skipped += len(data)
        self._sent = KEPT
        self._tail.append(data)
        while len(self._tail) > 1 and sum(map(len, self._tail)) - len(self._tail[0]) >= TAIL:
            self._tail.popleft()

    async def _watch(self) -> None:
        await self.exited()
        with anyio.move_on_after(DRAIN):
            await self._silent.wait()
        self._end()

    def _end(self) -> None:
        """Tell the end, once."""
        self._flush()
        if self.ended.is_set():
            return
        self.ended.set()
        status = self.exit_status
        tail = b"".join(self._tail)[-TAIL:]
        code, name = status["exitCode"], status["signal"]
        assert isinstance(code, int | None) and isinstance(name, str | None)
        self._told(Ended(self.ref, self.name, code, name, self._skipped, tail))
