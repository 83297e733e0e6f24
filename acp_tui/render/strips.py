"""Strips in a row, some of which are made only when they are looked at.

A strip is 6 kB and two dozen objects for the collector; what is never seen of a text of 100,000 lines must
not cost that.

Invariants: what was put in comes back, made or not; a slice makes the strips of the pieces that it touches
and no others; whoever changes the sequence never cuts off the front of a piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, overload

from textual.strip import Strip


class Later(Protocol):
    """A piece of a text that can be made into strips again and again, the same ones for a while."""

    def strips(self) -> Sequence[Strip]:
        """All its lines."""

    def texts(self) -> Sequence[str]:
        """The texts of these strips, without making them."""


class Strips(Sequence[Strip]):
    """See the module."""

    __slots__ = ("_rows",)

    def __init__(self, strips: Iterable[Strip] = ()) -> None:
        self._rows: list[Strip | Later] = list(strips)
        """A piece stands here once for each of its lines."""

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, part: int) -> Strip: ...

    @overload
    def __getitem__(self, part: slice) -> list[Strip]: ...

    def __getitem__(self, part: int | slice) -> Strip | list[Strip]:
        if isinstance(part, slice):
            start, stop, _ = part.indices(len(self._rows))
            return [strip for run in self._runs(start, stop) for strip in _made(*run)]
        row = self._rows[part]
        if isinstance(row, Strip):
            return row
        at = part if part >= 0 else part + len(self._rows)
        return row.strips()[at - self._front(at)]

    def __iter__(self) -> Iterator[Strip]:
        for run in self._runs(0, len(self._rows)):
            yield from _made(*run)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    def texts(self, start: int = 0, stop: int | None = None) -> Iterator[str]:
        """The text of each strip of a slice, at less than the cost of making it."""
        for row, first, count in self._runs(start, len(self._rows) if stop is None else stop):
            yield from (row.text,) if isinstance(row, Strip) else row.texts()[first : first + count]

    def known(self, start: int, stop: int) -> list[Strip]:
        """Those of a slice that were put in as strips."""
        return [row for row in self._rows[start:stop] if isinstance(row, Strip)]

    def made(self, start: int) -> Iterator[tuple[int, Strip]]:
        """From `start` on, those that were put in as strips and their places."""
        for index in range(start, len(self._rows)):
            row = self._rows[index]
            if isinstance(row, Strip):
                yield index, row

    # Changing

    def append(self, strip: Strip) -> None:
        """One more at the end."""
        self._rows.append(strip)

    def put(self, piece: Later, count: int) -> None:
        """A piece of so many lines at the end."""
        self._rows += [piece] * count

    def extend(self, other: Strips) -> None:
        """The very same strips and pieces at the end."""
        self._rows += other._rows

    def insert(self, at: int, strip: Strip) -> None:
        """One more before a line, but not inside a piece."""
        self._rows.insert(at, strip)

    def replace(self, start: int, strips: Sequence[Strip]) -> None:
        """Others in place of so many, which are no part of a piece."""
        self._rows[start : start + len(strips)] = strips

    def cut(self, length: int) -> None:
        """Forget all but the first `length`."""
        del self._rows[length:]

    def _front(self, at: int) -> int:
        """Where the piece begins that stands there."""
        rows, piece = self._rows, self._rows[at]
        while at and rows[at - 1] is piece:
            at -= 1
        return at

    def _runs(self, start: int, stop: int) -> Iterator[tuple[Strip | Later, int, int]]:
        """Strips and pieces of a slice: each with the first of its lines there and how many there are."""
        rows = self._rows
        while start < stop:
            row, at = rows[start], start
            start += 1
            if isinstance(row, Strip):
                yield row, 0, 1
                continue
            while start < stop and rows[start] is row:
                start += 1
            yield row, at - self._front(at), start - at


def _made(row: Strip | Later, first: int, count: int) -> Sequence[Strip]:
    return (row,) if isinstance(row, Strip) else row.strips()[first : first + count]
