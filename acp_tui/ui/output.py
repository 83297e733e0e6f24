"""Text on its way to the terminal, which may be slow, stopped or gone: the app never waits for it, so that
agents are heard and signals are heeded meanwhile (TR-12).

Invariants: texts arrive whole and in order; what is given up for want of room is told as soon as the
terminal takes text again, because then the picture must be drawn afresh.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from threading import Condition, Thread

ROOM = 512 * 1024
"""Characters that may wait; beyond that they are a picture of the past, and a fresh one costs less."""
PATIENCE = 1.0
"""Seconds that the end waits for the terminal."""


class Output:
    """Writes in a thread of its own, until `close`."""

    def __init__(self, fd: int, stale: Callable[[], None], room: int = ROOM) -> None:
        self._fd = fd
        self._stale = stale
        """Called in the thread: text was given up, and the terminal takes text again."""
        self._room = room
        self._waiting: list[str] = []
        self._size = 0
        self._lost = False
        self._closing = False
        self._changed = Condition()
        self._thread = Thread(target=self._run, name="terminal-output", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        """Soon; never blocks."""
        with self._changed:
            if self._lost or self._closing:
                return
            if self._waiting and self._size + len(text) > self._room:
                self._lost = True
                self._clear()
            else:
                self._waiting.append(text)
                self._size += len(text)
            self._changed.notify()

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

    def _run(self) -> None:
        try:
            while (text := self._next()) is not None:
                self._send(text.encode(errors="backslashreplace"))
        except OSError:  # it is gone; the driver hears of that from its other end
            with self._changed:
                self._closing = True
                self._clear()

    def _next(self) -> str | None:
        """Everything that waits; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._lost or self._closing)
            text, lost, ended = "".join(self._waiting), self._lost, self._closing and not self._waiting
            self._clear()
            self._lost = False
        if lost:
            self._stale()
        return None if ended else text

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
