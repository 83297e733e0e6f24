"""Lines of a hunk that are laid out when they are looked at: a diff that is shown whole may have 100,000.

Invariants: the marks and changes of a piece are those of the lines that `lay_out` makes of it; only what has
neither colours of a language nor changed words is put off, for these depend on what stands before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
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
from acp_tui.render.wrap import HARD, marks_of, size_of

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
        sheet, size = self._sheet, self._size
        left, before = size_of(sheet.left), " "
        gutter = _gutter(size, sheet.width, left)
        if _fit(self._hunk.lines, sheet.width - gutter):
            signs = [line[0] in "+-" for line in self._hunk.lines]
            changes = zip([False, *signs], signs, strict=False)
            self.changes = [row for row, (last, this) in enumerate(changes) if this and not last]
            self.marks = [min(gutter, sheet.width) << 2 | HARD] * len(signs)
            return
        for entry in entries(self._hunk, _bare(self._hunk, sheet)).values():
            if entry.sign in "+-" and before not in "+-":
                self.changes.append(len(self.marks))
            before = entry.sign
            self.marks += _marks(entry, size, sheet.width, left)

    def _measure_split(self) -> None:
        sheet, size = self._sheet, self._size
        half, other = halves(sheet)
        left, right = size_of(sheet.left), _gutter(size, other, 0)
        if _fit(self._hunk.lines, min(half - _gutter(size, half, left), other - right)):
            filled, empty = (_beside(mark, half, sheet.width) for mark in (right << 2 | HARD, None))
            self._count([line[0] for line in self._hunk.lines], filled, empty)
            return
        changing = False
        for old, new in beside(self._hunk, _bare(self._hunk, sheet)):
            if old is not new and not changing:
                self.changes.append(len(self.marks))
            changing = old is not new
            rows = len(_marks(old, size, half, left)) if old else 0
            marks = _marks(new, size, other, 0) if new else []
            missing: list[None] = [None] * (rows - len(marks))
            self.marks += [_beside(mark, half, sheet.width) for mark in (*marks, *missing)]

    def _count(self, signs: Sequence[str], filled: int, empty: int) -> None:
        """Rows side by side of lines that take one each; `empty`: with nothing at the right."""
        end, changing = 0, False
        for removed, added in blocks(signs):
            start = min((*removed, *added))
            self.marks += [filled] * (start - end)
            if start > end or not changing:
                self.changes.append(len(self.marks))
            self.marks += [filled] * len(added) + [empty] * (len(removed) - len(added))
            end, changing = max((*removed, *added)) + 1, True
        self.marks += [filled] * (len(signs) - end)


def _beside(mark: int | None, half: int, width: int) -> int:
    gutter, joint = joined(mark, half, width)
    return min(gutter, width) << 2 | joint


def _gutter(size: int, width: int, left: int) -> int:
    """Cells before the text of a line: what stands at its left, its number and its sign."""
    size = number_size(size, width, left)
    return left + (size + 1 if size > 0 else 0) + 2


def _fit(lines: Sequence[str], room: int) -> bool:
    """Each of them is spoken as it stands, on one row, and none is a note."""
    return (
        max(map(len, lines)) - 1 <= room
        and all(map(str.isascii, lines))
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
