"""Places in a member of which not all may be laid out yet.

Invariant: a place says which line of the member it is as soon as that line is laid out, and not before; of
a member that is laid out whole it always names a line.
"""

from __future__ import annotations

from typing import Protocol

from acp_tui.render.wrap import HARD, Lines


class Place(Protocol):
    """Where the reader wants to be."""

    def line(self, lines: Lines, complete: bool) -> int | None:
        """The line of it; None: go on laying out, `lines` are only a beginning."""

    def about(self, height: int) -> int:
        """The same for the scrollbar, in a member that may become so high."""

    def anew(self) -> Place:
        """The same in other lines."""


class AtRow:
    """A line, or the last where there are fewer."""

    def __init__(self, row: int) -> None:
        self._row = row

    def line(self, lines: Lines, complete: bool) -> int | None:
        if self._row >= len(lines) and not complete:
            return None
        return max(0, min(self._row, len(lines) - 1))

    def about(self, height: int) -> int:
        return min(self._row, height)

    def anew(self) -> AtRow:
        return self


class AtSource:
    """A line of the source, counted by hard line ends, and how far down its wrapped rows.

    `share`: how far down in all of the member it was. Lines are looked at once, as they come.
    """

    def __init__(self, number: int, inner: float, share: float) -> None:
        self._number, self._inner, self._share = number, inner, share
        self._left = number
        self._start = 0
        """Where the source line begins that is being looked at."""
        self._seen = 0

    def line(self, lines: Lines, complete: bool) -> int | None:
        marks = lines.marks
        for row in range(self._seen, len(marks)):
            if marks[row] & 3 == HARD:
                if not self._left:
                    return self._down(row + 1)
                self._left, self._start = self._left - 1, row + 1
        self._seen = len(marks)
        if not complete:
            return None
        inside = not self._left and self._start < len(marks)
        return self._down(len(marks)) if inside else max(0, len(marks) - 1)

    def _down(self, end: int) -> int:
        return self._start + int(self._inner * (end - self._start))

    def about(self, height: int) -> int:
        return int(self._share * height)

    def anew(self) -> AtSource:
        return AtSource(self._number, self._inner, self._share)


def place_in_source(lines: Lines, line: int) -> AtSource:
    """The place that is drawn on a line."""
    number = start = 0
    for row, mark in enumerate(lines.marks[:line]):
        if mark & 3 == HARD:
            number, start = number + 1, row + 1
    ends = (row + 1 for row in range(line, len(lines)) if lines.marks[row] & 3 == HARD)
    end = next(ends, len(lines))
    return AtSource(number, (line - start) / max(1, end - start), line / max(1, len(lines)))
