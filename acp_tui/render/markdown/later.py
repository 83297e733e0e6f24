"""A closed leaf in the middle of a long text, made into strips when it is looked at.

Invariants: its marks and texts are those of the lines that `lay_out` makes of it; pieces that are equal give
the very same strips as long as they are looked at. What is kept of one that nobody looks at is a few numbers.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import chain

from rich.cells import cell_len
from textual.strip import Strip

from acp_tui.render.code import plainly
from acp_tui.render.markdown.layout import above, beside, goes_on, hangs, lay_out, own_words, sides
from acp_tui.render.markdown.leaf import Leaf
from acp_tui.render.markdown.page import Page
from acp_tui.render.wrap import HARD, SPLIT, Runs, all_rows, marks_of, rows, shortened, size_of

KEPT = 4096
"""Lines whose strips are kept: more than a window shows."""


class Piece:
    """A leaf on a page."""

    __slots__ = ("_leaf", "_page", "marks", "words")

    def __init__(self, leaf: Leaf, page: Page, words: str | None = None) -> None:
        self._leaf, self._page = leaf, page
        self.words = words
        """The text of its own words where they are prose; whoever keeps it need not read its markup again."""
        self.marks = self._marked()
        """As those of `Lines`."""

    def strips(self) -> Sequence[Strip]:
        """All its lines."""
        return _kept.get(self._leaf, self._page)

    def texts(self) -> Sequence[str]:
        """The texts of these strips."""
        leaf, page = self._leaf, self._page
        code = leaf.kind == "code"
        if leaf.kind in ("table", "rule") or not leaf.lines or (code and (leaf.fresh or not leaf.part)):
            made = lay_out(leaf, page, plainly).strips if code else self.strips()
            return [strip.text for strip in made]
        texts = self._code_rows() if code else self._prose_rows()
        return [_sized(text, page.width) for text in chain(map(_text, above(leaf, page)), texts)]

    def _marked(self) -> list[int]:
        leaf, page = self._leaf, self._page
        if leaf.kind in ("table", "rule") or hangs(leaf, page):
            return lay_out(leaf, page).marks
        first_ones = [min(size_of(runs), page.width) << 2 | HARD for runs in above(leaf, page)]
        if leaf.kind == "code":
            return first_ones + self._code()
        if not leaf.lines and not leaf.carried:
            return first_ones
        first, rest = sides(leaf, page)
        marks = marks_of(self._prose(), page.width, size_of(first), size_of(rest), page.limit)
        return first_ones + (marks[:-1] if goes_on(leaf, page) else marks)

    def _prose(self) -> str:
        if self.words is None:
            self.words = _text(own_words(self._leaf, self._page))
        return _text(self._leaf.carried) + self.words

    def _code(self) -> list[int]:
        lines, width = self._leaf.lines, self._page.width
        gutter = size_of(beside(self._leaf, self._page))
        if all(map(str.isascii, lines)):
            room = max(1, width - gutter)
            split, hard = (min(gutter, width) << 2 | joint for joint in (SPLIT, HARD))
            if max(map(len, lines), default=0) <= room:
                return [hard] * len(lines)
            return [mark for line in lines for mark in [split] * ((len(line) - 1) // room) + [hard]]
        return [mark for line in lines for mark in marks_of(line, width, gutter, gutter, words=False)]

    def _code_rows(self) -> Iterator[str]:
        runs = beside(self._leaf, self._page)
        left, room = _text(runs), self._page.width - size_of(runs)
        for line in self._leaf.lines:
            for start, end, _ in rows(line, room, room, words=False):
                yield left + line[start:end]

    def _prose_rows(self) -> Iterator[str]:
        first, rest = sides(self._leaf, self._page)
        limit, text = self._page.limit, self._prose()
        left = _text(first)
        made = all_rows(text, limit - size_of(first), limit - size_of(rest))
        for start, end, _ in made[:-1] if goes_on(self._leaf, self._page) else made:
            yield left + text[start:end]
            left = _text(rest)


def _sized(text: str, width: int) -> str:
    kept = text if len(text) <= width and text.isascii() else shortened(text, width)
    return kept + " " * (width - cell_len(kept))


def _text(runs: Runs) -> str:
    return "".join([text for text, _ in runs])


class _Kept:
    """The strips that were looked at last."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[Leaf, Page], Sequence[Strip]] = OrderedDict()
        self._lines = 0

    def get(self, leaf: Leaf, page: Page) -> Sequence[Strip]:
        """Those of a leaf, made where they are not known."""
        known = self._made.get((leaf, page))
        if known is not None:
            self._made.move_to_end((leaf, page))
            return known
        made = self._made[leaf, page] = lay_out(leaf, page).strips[:]
        self._lines += len(made)
        while self._lines > KEPT and len(self._made) > 1:
            self._lines -= len(self._made.popitem(last=False)[1])
        return made


_kept = _Kept()
