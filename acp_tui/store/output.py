"""The bytes of a terminal, exact; what is old or over is put aside (TM-04 to TM-06, TM-19).

A place in the output is counted from its very first byte, also when that is not kept any more. Invariants:
`generation` changes exactly when something already read is void (replaced or cleared), so a reader goes on
from his place while it stays; appending costs what arrives; in memory stay at most the last `RECENT` bytes,
and none of a long output that is over.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from acp_tui.base.shelf import MEMORY, Gone, Shelf, Slip
from acp_tui.store.holding import BIG, lost


class Page(NamedTuple):
    """A stretch of bytes that was put aside."""

    slip: Slip
    size: int
    newlines: int


class Output:
    """See the module."""

    __slots__ = ("_pages", "_recent", "_shelf", "cut", "generation", "newlines", "size")

    KEEP: ClassVar[int] = 32 * 1024 * 1024
    """Bytes kept at least; of more the front is cut at a line start, and `cut` says how much."""
    RECENT: ClassVar[int] = BIG
    """Bytes from which on the older ones are put aside."""
    PAGE: ClassVar[int] = 64 * 1024
    """Most bytes put aside at a time, and least that stay."""

    def __init__(self, shelf: Shelf = MEMORY) -> None:
        self._shelf = shelf
        self._pages: list[Page] | None = None
        self._recent = bytearray()
        self.generation = 0
        self.size = 0
        """Bytes held now, those that were cut not included."""
        self.newlines = 0
        """Among these."""
        self.cut = 0

    @property
    def end(self) -> int:
        """The place behind the last byte."""
        return self.cut + self.size

    def append(self, data: bytes) -> bool:
        """Add the bytes of one chunk. False if there are none."""
        if not data:
            return False
        self._recent += data
        self.size += len(data)
        self.newlines += data.count(b"\n")
        if len(self._recent) > self.RECENT:
            self._put_aside(self.PAGE)
        return True

    def replace(self, data: bytes) -> bool:
        """These are all the bytes from now on (TM-04). False if nothing changed."""
        rest = memoryview(data)[self.cut :]
        if self._begins(rest):
            return self.append(bytes(rest[self.size :]))
        self._pages, self._recent = None, bytearray()
        self.size = self.newlines = self.cut = 0
        self.generation += 1
        self.append(data)
        return True

    def rest(self) -> None:
        """It is over, or seems to be: as little as possible stays in memory."""
        if self.size > self.RECENT:
            self._put_aside(0)
        self._recent = bytearray(self._recent)  # without room to grow

    def read(self, start: int) -> tuple[bytes, int]:
        """Bytes from a place on, and the place where to go on; words where they are gone, none at the end."""
        at = self.cut
        for page in self._pages or ():
            if start < at + page.size:
                return _taken(page)[max(0, start - at) :], at + page.size
            at += page.size
        return bytes(self._recent[max(0, start - at) :]), self.end

    def pieces(self, start: int = 0) -> Iterator[bytes]:
        """All there is from a place on, as `read` gives it."""
        while start < self.end:
            data, start = self.read(start)
            yield data

    def data(self) -> bytes:
        """All bytes held, exactly as received. Raises `Gone`."""
        return b"".join([*(page.slip.load() for page in self._pages or ()), self._recent])

    def text(self) -> str:
        """What the bytes say, without an incomplete sequence at the end (TM-06)."""
        decode = getincrementaldecoder("utf-8")("replace").decode
        return "".join(map(decode, self.pieces()))

    def _begins(self, data: memoryview) -> bool:
        """What is held is the beginning of this."""
        if len(data) < self.size:
            return False
        at = 0
        try:
            for page in self._pages or ():
                if data[at : at + page.size] != page.slip.load():
                    return False
                at += page.size
        except Gone:
            return False
        return data[at : self.size] == self._recent

    def _put_aside(self, stays: int) -> None:
        pages = self._pages = self._pages if self._pages is not None else []
        recent, at = bytes(self._recent), 0
        while len(recent) - at > stays:
            end = _page_end(recent, at, min(at + self.PAGE, len(recent) - stays))
            data = recent[at:end]
            pages.append(Page(self._shelf.put(data), len(data), data.count(b"\n")))
            at = end
        self._recent = bytearray(recent[at:])
        self._cut_front(pages)

    def _cut_front(self, pages: list[Page]) -> None:
        gone = 0
        while gone < len(pages) and self.size - pages[gone].size >= self.KEEP:
            self.size -= pages[gone].size
            self.cut += pages[gone].size
            self.newlines -= pages[gone].newlines
            gone += 1
        del pages[:gone]


def _taken(page: Page) -> bytes:
    try:
        return page.slip.load()
    except Gone as gone:
        return b"\n" + lost("output", gone).encode() + b"\n"


def _page_end(data: bytes, start: int, end: int) -> int:
    """At most `end`: behind a line, else between characters."""
    if end == len(data):
        return end
    line = data.rfind(b"\n", start, end) + 1
    if line:
        return line
    starts = (at for at in range(end, max(start, end - 4), -1) if data[at] & 0xC0 != 0x80)
    return next(starts, end)
