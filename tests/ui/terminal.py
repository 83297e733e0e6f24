"""The program in a real pseudo-terminal, its screen emulated by pyte."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import monotonic

import pyte

LIMIT = 30.0


class Terminal:
    """One run of the program."""

    def __init__(
        self,
        arguments: Sequence[str],
        environ: Mapping[str, str],
        size: tuple[int, int],
        program: Sequence[str] = ("-m", "acp_tui"),
    ) -> None:
        columns, rows = size
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = 0
        self.status: int | None = None
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.execve(sys.executable, [sys.executable, *program, *arguments], dict(environ))
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def text(self) -> str:
        """What the screen shows."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, text: str) -> None:
        """Type this."""
        os.write(self.master, text.encode())

    def until(self, what: str | Callable[[], object], limit: float = LIMIT) -> None:
        """Read until the screen shows this text, or until this is true."""
        end = monotonic() + limit
        while not (what in self.text() if isinstance(what, str) else what()):
            assert monotonic() < end, f"never came: {what}\n{self.text()}"
            self.read(0.05)

    def read(self, wait: float) -> bool:
        """Take in what is written within this time; False when nothing was."""
        ready, _, _ = select.select([self.master], [], [], wait)
        if not ready:
            return False
        with contextlib.suppress(OSError):  # EIO: the other end is closed
            data = os.read(self.master, 65536)
            self.written += len(data)
            self.stream.feed(data)
            return bool(data)
        return False

    def ended(self) -> bool:
        """The program has ended; `status` is its exit status then."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def end(self) -> int:
        """Wait for the end; returns the exit status."""
        self.until(self.ended)
        assert self.status is not None
        return self.status


@contextmanager
def terminal(
    *arguments: str,
    size: tuple[int, int] = (80, 24),
    program: Sequence[str] = ("-m", "acp_tui"),
    **more: str,
) -> Iterator[Terminal]:
    """Run the program with these arguments and variables; whatever happens it is gone afterwards."""
    environ = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **more}
    environ.pop("NO_COLOR", None)
    running = Terminal(arguments, environ, size, program)
    try:
        yield running
    finally:
        if not running.ended():
            os.kill(running.pid, signal.SIGKILL)
            os.waitpid(running.pid, 0)
        with contextlib.suppress(OSError):
            os.close(running.master)
