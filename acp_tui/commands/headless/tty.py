"""The user's terminal, whatever stdin and stdout are: where something is asked, and a line comes back.

Invariants: it is asked only while this program has the terminal (a job in the background has nobody to ask);
what was typed before a question stood there for a moment is no answer to it; a wait for a line can be
cancelled, and then takes no line from anybody else.
"""

from __future__ import annotations

import os
import select
import termios
from contextlib import suppress

import anyio
from anyio import to_thread

from acp_tui.commands.headless.outlet import Outlet

DEVICE = "/dev/tty"
DEAF = 0.4
"""Seconds a question stands there before an answer counts."""
LONGEST = 1 << 20
"""Characters of one line."""


class Hung(Exception):
    """The terminal is gone, or its user typed Ctrl+D: there is no answer."""


class Tty:
    """The terminal; `out.run` must run."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.out = Outlet(fd)

    @classmethod
    def open(cls) -> Tty | None:
        """None where there is none."""
        try:
            return cls(os.open(DEVICE, os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC))
        except OSError:
            return None

    def close(self) -> None:
        os.close(self._fd)

    @property
    def ours(self) -> bool:
        """Somebody sits before it, and it is this program that he talks to."""
        try:
            return os.tcgetpgrp(self._fd) == os.getpgrp()
        except OSError:
            return False

    @property
    def width(self) -> int:
        """Cells of a line."""
        try:
            return max(20, os.get_terminal_size(self._fd).columns or 80)
        except OSError:
            return 80

    async def listen(self, prompt: str) -> None:
        """Forget what was typed until now, and say that an answer counts from here."""
        await self.out.drained()
        await anyio.sleep(DEAF)
        with suppress(termios.error):
            termios.tcflush(self._fd, termios.TCIFLUSH)
        self.out.write(prompt)

    async def line(self) -> str:
        """The next line, without its end. Raises `Hung`."""
        await self.out.drained()
        gone, here = os.pipe()
        try:
            line = await to_thread.run_sync(_line, self._fd, gone, abandon_on_cancel=True)
        finally:
            os.close(here)  # which tells the thread
        if line is None:
            self.out.write("\n")
            raise Hung
        return line


def _line(fd: int, gone: int) -> str | None:
    """A line of the terminal; None when the other end of `gone` was closed first, or nothing can be read."""
    data = b""
    try:
        while not data.endswith((b"\n", b"\r")) and len(data) < LONGEST:
            ready, _, _ = select.select([fd, gone], [], [])
            if gone in ready:
                return None
            some = os.read(fd, 4096)
            if not some:
                return None
            data += some
    except OSError:
        return None
    finally:
        os.close(gone)
    return data.decode("utf-8", "replace").rstrip("\r\n")
