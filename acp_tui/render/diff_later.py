"""Lines of a hunk that are laid out when they are looked at: a diff that is shown whole may have 100,000.

Invariants: the marks and changes of a piece are those of the lines that `lay_out` makes of it; only what has
neither colours of a language nor changed words is put off, for these depend on what stands before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Final

from textual.strip import Strip

from acp_tui.render.clean import visible
from acp_tui.render.diff_paint import Painted, paint, spoken
from acp_tui.render.diff_rows import (
    DiffLines,
    Entry,
    Sheet,
    beside,
    entries,
    halves,
    joined,
    number_size,
    split,
    unified,
)
from acp_tui.render.diff_words import blocks, pairs
from acp_tui.render.patch import Hunk
from acp_tui.render.wrap import marks_of, size_of

KEPT: Final = 8
"""Pieces whose strips are kept: more than a window shows."""


class Piece:
    """Some lines of a hunk, in one column or (`split`) side by side."""

    __slots__ = ("_hunk", "_sheet", "_size", "_split", "changes", "marks")

    def __init__(self, hunk: Hunk, size: int, sheet: Sheet, *, split: bool) -> None:
        self._hunk, self._size, self._sheet, self._split = hunk, size, sheet, split
        self.marks: list[int] = []
        """As those of `Lines`."""
        self.changes: list[int] = []
        """Rows of it where a change begins."""
        (self._measure_split if split else self._measure)()

    def strips(self) -> Sequence[Strip]:
        """All its lines."""
        return _strips(self)

    def texts(self) -> Sequence[str]:
        """The texts of these strips."""
        return [strip.text for strip in self.strips()]

    def lay_out(self) -> DiffLines:
        """Make them."""
        made, sheet = DiffLines(), self._sheet
        painted = paint(tuple(self._hunk.lines), "", sheet.look, sheet.exact, 0, sought=False)
        (split if self._split else unified)(made, self._hunk, painted, self._size, sheet)
        return made

    def _measure(self) -> None:
        sheet, size, lines = self._sheet, self._size, self._hunk.lines
        left, before = size_of(sheet.left), " "
        if _plain(lines):
            gutter = _gutter(size, sheet.width, left)
            rows = ((line[0], _cut(len(line) - 1, sheet.width, gutter)) for line in lines)
        else:
            found = entries(self._hunk, _bare(self._hunk, sheet)).values()
            rows = ((entry.sign, _marks(entry, size, sheet.width, left)) for entry in found)
        for sign, marks in rows:
            if sign in "+-" and before not in "+-":
                self.changes.append(len(self.marks))
            before = sign
            self.marks += marks

    def _measure_split(self) -> None:
        half, other = halves(self._sheet)
        width, changing = self._sheet.width, False
        empty = _beside(None, half, width)
        for old, new, rows, marks in self._rows_beside(half, other):
            if old is not new and not changing:
                self.changes.append(len(self.marks))
            changing = old is not new
            self.marks += [_beside(mark, half, width) for mark in marks] + [empty] * (rows - len(marks))

    def _rows_beside(self, half: int, other: int) -> Iterator[tuple[object, object, int, Sequence[int]]]:
        """What stands beside each other, how many rows the old takes, and the marks of the new."""
        sheet, size, lines = self._sheet, self._size, self._hunk.lines
        left = size_of(sheet.left)
        if not _plain(lines):
            for old, new in beside(self._hunk, _bare(self._hunk, sheet)):
                rows = len(_marks(old, size, half, left)) if old else 0
                yield old, new, rows, _marks(new, size, other, 0) if new else ()
            return
        before, after = _gutter(size, half, left), _gutter(size, other, 0)
        for old_at, new_at in _places([line[0] for line in lines]):
            rows = 0 if old_at is None else len(_cut(len(lines[old_at]) - 1, half, before))
            yield old_at, new_at, rows, () if new_at is None else _cut(len(lines[new_at]) - 1, other, after)


def _places(signs: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """The lines that stand beside each other where none was sought; the same twice where nothing changed."""
    end = 0
    for removed, added in blocks(signs):
        yield from ((at, at) for at in range(end, min((*removed, *added))))
        yield from zip_longest(removed, added)
        end = max((*removed, *added)) + 1
    yield from ((at, at) for at in range(end, len(signs)))


@lru_cache(maxsize=4096)
def _cut(length: int, width: int, gutter: int) -> Sequence[int]:
    """The marks of so many plain characters."""
    return marks_of("x" * length, width, gutter, gutter, words=False)


def _beside(mark: int | None, half: int, width: int) -> int:
    gutter, joint = joined(mark, half, width)
    return min(gutter, width) << 2 | joint


def _gutter(size: int, width: int, left: int) -> int:
    """Cells before the text of a line: what stands at its left, its number and its sign."""
    size = number_size(size, width, left)
    return left + (size + 1 if size > 0 else 0) + 2


def _plain(lines: Sequence[str]) -> bool:
    """Each of them is spoken as it stands, a cell for a character, and none is a note."""
    return (
        all(map(str.isascii, lines))
        and all(map(str.isprintable, lines))
        and not any(line[0] == "\\" for line in lines)
    )


def _bare(hunk: Hunk, sheet: Sheet) -> Painted:
    """The text of each line without colours, and the partners that `paint` finds where nothing is sought."""
    runs = tuple([((text, sheet.look.base),) for text in spoken(hunk.lines, sheet.exact)])
    found = blocks([line[:1] for line in hunk.lines])
    partners = {old: new for block in found for old, new, _ in pairs(*block, None)}
    return Painted(runs, partners)


def _marks(entry: Entry, size: int, width: int, left: int) -> list[int]:
    """Those of one line and its notes."""
    gutter = _gutter(size, width, left)
    marks = marks_of(entry.runs[0][0], width, gutter, gutter, words=False)
    for note in entry.notes:
        marks += marks_of(visible(note), width, gutter, gutter)
    return marks


@lru_cache(maxsize=KEPT)
def _strips(piece: Piece) -> Sequence[Strip]:
    return piece.lay_out().strips[:]
