"""Server-sent events, bytes to frames, for any dialect.

Invariants: a frame is whole or not there, wherever the bytes were cut, also inside a character; a frame
longer than the cap costs the cap and becomes one `Cut`; a comment is a sign of life and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Frame:
    """One event of the stream."""

    event: str
    id: str
    """Whatever it is: in one dialect it may be a cursor, an event's id or a chunk's place."""
    data: bytes


@dataclass(frozen=True, slots=True)
class Cut:
    """A frame that was too long; its bytes are gone."""

    bytes: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A line that says only that someone is there."""


Piece: TypeAlias = Frame | Cut | Comment


class Frames:
    """The reader of one connection."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._line = bytearray()
        self._length = 0
        self._start = True
        self._cr = False
        self._clear()

    def feed(self, data: bytes) -> Iterator[Piece]:
        """What became whole with these bytes."""
        if self._cr and data[:1] == b"\n":
            data = data[1:]
        if not data:
            return
        self._cr = data.endswith(b"\r")
        *whole, rest = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        for part in whole:
            self._take(part)
            piece = self._ended()
            if piece is not None:
                yield piece
        self._take(rest)

    def _clear(self) -> None:
        self._event = self._id = ""
        self._data: list[bytes] = []
        self._weight = 0
        self._given = False

    def _take(self, part: bytes) -> None:
        """More of the line; beyond the cap it is only counted."""
        self._length += len(part)
        self._weight += len(part)
        if self._weight <= self._longest:
            self._line += part
        else:
            self._line.clear()
            self._data.clear()

    def _ended(self) -> Piece | None:
        """The line is whole."""
        line, length = bytes(self._line), self._length
        self._line.clear()
        self._length = 0
        if self._start:
            line, self._start = line.removeprefix(_BOM), False
        if not length:
            return self._frame()
        if self._weight > self._longest:
            return None
        if line.startswith(b":"):
            self._weight -= length
            return Comment()
        name, _, value = line.partition(b":")
        self._field(name, value.removeprefix(b" "))
        return None

    def _field(self, name: bytes, value: bytes) -> None:
        if name == b"data":
            self._data.append(value)
        elif name == b"event":
            self._event = value.decode(errors="replace")
        elif name == b"id" and b"\0" not in value:
            self._id = value.decode(errors="replace")
        else:
            return
        self._given = True

    def _frame(self) -> Piece | None:
        weight, given = self._weight, self._given
        frame = Frame(self._event, self._id, b"\n".join(self._data))
        self._clear()
        if weight > self._longest:
            return Cut(weight)
        return frame if given else None
