"""Bytes on their way to a terminal, a pipe or a file, in order.

Invariants: `write` never waits, whoever reads at the other end; one write is never larger than what a pipe
that can be written to takes at once, so the loop is never stopped by it; once nobody reads any more, `broken`
is called, once, and what comes is dropped.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable

import anyio


def nothing() -> None:
    """For who does not care whether anybody reads."""


class Outlet:
    """One of them; `run` must run."""

    def __init__(self, fd: int, broken: Callable[[], object] = nothing) -> None:
        self.fd = fd
        self.terminal = os.isatty(fd)
        self._broken = broken
        self._waiting = bytearray()
        self._some = anyio.Event()
        self._none = anyio.Event()
        self._none.set()
        self._free = anyio.Event()
        self._free.set()
        self._dead = False
        self._polled = True
        """It can be waited for; files cannot, and need not be."""

    def write(self, text: str) -> None:
        """Queue it, as UTF-8; half characters become `?`."""
        if text and not self._dead:
            self._waiting += text.encode("utf-8", "replace")
            self._none = anyio.Event() if self._none.is_set() else self._none
            self._some.set()

    def hold(self) -> None:
        """Write nothing until `release`: somebody else has the terminal."""
        self._free = anyio.Event() if self._free.is_set() else self._free

    def release(self) -> None:
        """Go on."""
        self._free.set()

    async def drained(self) -> None:
        """Wait until all that was queued so far is written, or nobody reads."""
        await self._none.wait()

    async def run(self) -> None:
        """Write what is queued, until cancelled."""
        while True:
            await self._some.wait()
            self._some = anyio.Event()
            while self._waiting:
                await self._free.wait()
                await self._writable()
                if self._free.is_set():
                    self._write()
            self._none.set()

    async def _writable(self) -> None:
        if self._polled:
            try:
                await anyio.wait_writable(self.fd)
            except OSError:  # a file; or closed, which writing will tell
                self._polled = False
        if not self._polled:
            await anyio.lowlevel.checkpoint()

    def _write(self) -> None:
        size = select.PIPE_BUF if self._polled else 1 << 16
        try:
            written = os.write(self.fd, self._waiting[:size])
        except BlockingIOError:  # whoever gave it to us does not want to be waited for
            return
        except OSError:
            self._dead = True
            self._waiting.clear()
            self._broken()
        else:
            del self._waiting[:written]
