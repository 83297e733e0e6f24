"""The end of a pipe that we read, watched by the loop from its first byte to its last.

Invariants: a read never blocks and takes at most `READ` bytes; at most one chunk is held until
it is taken, and while it is, the pipe is left alone, so that it fills up and its writer waits; between two
chunks the loop has had a turn. To ask the loop anew for every chunk, or to make an event for it, would cost
more than to read it; to be woken for every drop of what trickles in as well, so a reader may rest in between.
"""

from __future__ import annotations

import asyncio
import os
from typing import Self

READ = 64 * 1024
"""Bytes of one read: a pipe holds no more, and the messages in it cost a few milliseconds."""


class Pipe:
    """Use it as a context manager: what is read in between comes from `chunk`. It does not close the pipe."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._held: bytes | None = None
        self._awaited: asyncio.Future[None] | None = None
        self._watched = False
        self._resting: asyncio.TimerHandle | None = None

    def __enter__(self) -> Self:
        self._watch()
        return self

    def __exit__(self, *_: object) -> None:
        self._leave()
        if self._resting is not None:
            self._resting.cancel()

    async def chunk(self, rest: float = 0.0) -> bytes:
        """Some bytes; none at the end, or when the pipe is broken. What is not there already is read after so
        many seconds at the earliest.
        """
        if self._held is None:
            self._rest(rest)
        while self._held is None:
            self._awaited = asyncio.get_running_loop().create_future()
            await self._awaited
        data = self._held
        if data:
            self._held = None
            if not rest:
                self._watch()
        return data

    def _rest(self, seconds: float) -> None:
        if not seconds:
            self._watch()
        elif self._resting is None:
            self._leave()
            self._resting = asyncio.get_running_loop().call_later(seconds, self._rested)

    def _rested(self) -> None:
        self._resting = None
        self._read()
        if self._held is None:  # it has stopped: the loop tells when it goes on
            self._watch()

    def _watch(self) -> None:
        if not self._watched:
            self._watched = True
            asyncio.get_running_loop().add_reader(self._fd, self._read)

    def _leave(self) -> None:
        if self._watched:
            self._watched = False
            asyncio.get_running_loop().remove_reader(self._fd)

    def _read(self) -> None:
        if self._held is not None:  # nobody has come for it yet; until then the loop need not tell
            self._leave()
            return
        try:
            self._held = os.read(self._fd, READ)
        except BlockingIOError:
            return
        except OSError:
            self._held = b""
        if not self._held:
            self._leave()
        if self._awaited is not None and not self._awaited.done():  # it may have been cancelled
            self._awaited.set_result(None)
