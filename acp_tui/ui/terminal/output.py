"""Text on its way to the terminal, which may be slow, stopped or gone: the app never waits for it, so that
agents are heard and signals are heeded meanwhile (TR-12).

What the terminal takes at once is written at once: to wake a thread for every frame costs more than to write
it. Invariants: texts arrive whole and in order; what is given up for want of room is told as soon as the
terminal takes text again, because then the picture must be drawn afresh.
"""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Callable
from threading import Condition, Thread

ROOM = 512 * 1024
"""Bytes that may wait; beyond that they are a picture of the past, and a fresh one costs less."""
PATIENCE = 1.0
"""Seconds that the end waits for the terminal."""


class Output:
    """Writes what can be written at once, and the rest in a thread of its own, until `close`."""

    def __init__(self, fd: int, stale: Callable[[], None], room: int = ROOM) -> None:
        self._fd = fd
        self._stale = stale
        """Called in the thread: text was given up, and the terminal takes text again."""
        self._room = room
        self._waiting: list[bytes] = []
        self._size = 0
        self._direct = _reopened(fd)
        self._sending = False
        """The thread is at it: whoever wrote now would be before his turn."""
        self._lost = False
        self._closing = False
        self._changed = Condition()
        self._thread = Thread(target=self._run, name="terminal-output", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        """Now or soon; never blocks."""
        data = text.encode(errors="backslashreplace")
        with self._changed:
            if self._lost or self._closing:
                return
            if not self._waiting and not self._sending:
                data = self._write_now(data)
            if not data:
                return
            if self._waiting and self._size + len(data) > self._room:
                self._lost = True
                self._clear()
            else:
                self._waiting.append(data)
                self._size += len(data)
            self._changed.notify()

    def _write_now(self, data: bytes) -> bytes:
        """As much as the terminal takes without waiting; returns the rest."""
        if self._direct is not None:
            with contextlib.suppress(OSError):  # full; or gone, which the thread finds out and deals with
                return data[os.write(self._direct, data) :]
        return data

    def insist(self) -> None:
        """What is written from now on must arrive, whatever was given up: the terminal is given back."""
        with self._changed:
            self._lost = False

    def close(self) -> None:
        """Write what waits, as long as patience lasts; a terminal that takes nothing is left alone."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(PATIENCE)
        with self._changed:
            if self._direct is not None:
                os.close(self._direct)
                self._direct = None

    def _run(self) -> None:
        try:
            while (data := self._next()) is not None:
                self._send(data)
        except OSError:  # it is gone; the driver hears of that from its other end
            with self._changed:
                self._closing = True
                self._clear()

    def _next(self) -> bytes | None:
        """Everything that waits; None at the end."""
        with self._changed:
            self._sending = False
            self._changed.wait_for(lambda: self._waiting or self._lost or self._closing)
            data, lost, ended = b"".join(self._waiting), self._lost, self._closing and not self._waiting
            self._sending = bool(data)
            self._clear()
            self._lost = False
        if lost:
            self._stale()
        return None if ended else data

    def _clear(self) -> None:
        self._waiting.clear()
        self._size = 0

    def _send(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[os.write(self._fd, view) :]
            except BlockingIOError:  # somebody who shares the terminal has made it so
                select.select([], [self._fd], [])


def _reopened(fd: int) -> int | None:
    """The same terminal once more, without waiting: what we ask of the one that was given to us, its other
    users have to bear, too. None if it is no terminal, or its device is out of reach.
    """
    try:
        return os.open(os.ttyname(fd), os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
