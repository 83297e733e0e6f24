"""A child in a real pseudo-terminal: every byte it draws with its time, keys for it, its CPU.

The terminal is read without pause, so that drawing never waits; what the child asks it (its background,
whether it can synchronise output) is answered. Times are of `time.monotonic`, which all processes share.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Mapping, Sequence
from types import TracebackType

from tests.bench.processor import cpu

_ANSWERS = {
    b"\x1b]11;?": b"\x1b]11;rgb:1010/1212/1616\x1b\\",
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",
}


class NeverShown(Exception):
    """What was waited for did not come; its text is the end of what was drawn."""


class Terminal:
    """Runs a command on a terminal of 120x40 until left."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], size: tuple[int, int] = (120, 40)
    ) -> None:
        self.started = time.monotonic()
        self.reads: list[tuple[float, bytes]] = []
        self._seen = b""
        self.pid, self._fd = pty.fork()
        if not self.pid:
            os.execvpe(command[0], list(command), {**os.environ, **env, "TERM": "xterm-256color"})
        self.resize(size)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            os.kill(self.pid, signal.SIGTERM)
            self.pump(6.0)
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.close(self._fd)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)

    @property
    def cpu(self) -> float:
        """Seconds of CPU of the child, without its children."""
        return cpu(self.pid)

    @property
    def drawn(self) -> int:
        """Bytes so far."""
        return sum(len(data) for _, data in self.reads)

    def resize(self, size: tuple[int, int]) -> None:
        """Give the terminal another size; the child is told by the kernel."""
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def type(self, text: str) -> float:
        """Press keys; returns when."""
        os.write(self._fd, text.encode())
        return time.monotonic()

    def wait_for(self, text: str, limit: float = 60.0, since: float = 0.0) -> float:
        """When these characters, in one piece, were drawn at or after `since`."""
        wanted = text.encode()
        end = time.monotonic() + limit
        position = next((i for i, (at, _) in enumerate(self.reads) if at >= since), len(self.reads))
        tail = b""
        while True:
            for at, data in self.reads[position:]:
                if wanted in tail + data:
                    return at
                tail = (tail + data)[-len(wanted) :]
            position = len(self.reads)
            if time.monotonic() > end or not self._read(0.05):
                raise NeverShown(f"{text!r} never came; the last bytes: {self._last()!r}")

    def pump(self, seconds: float) -> None:
        """Only read for a while, or until the child has gone."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self._read(min(left, 0.05)):
            pass

    def _read(self, wait: float) -> bool:
        """Take what is there; False when the child is gone."""
        ready, _, _ = select.select([self._fd], [], [], wait)
        if not ready:
            return True
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:
            return False
        self.reads.append((time.monotonic(), data))
        for question, answer in _ANSWERS.items():
            if question in data:
                os.write(self._fd, answer)
        return bool(data)

    def _last(self) -> bytes:
        return b"".join(data for _, data in self.reads[-40:])[-1500:]
