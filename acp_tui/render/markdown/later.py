"""A further piece of a long fence, made into strips when it is looked at.

Invariants: its marks and texts are those of the lines that `lay_out` makes of it; pieces that are equal give
the very same strips as long as they are looked at; where there is room for a character.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rich.cells import set_cell_size
from textual.strip import Strip

from acp_tui.render.markdown.layout import beside_code, lay_out
from acp_tui.render.markdown.leaf import Leaf
from acp_tui.render.markdown.page import Page
from acp_tui.render.wrap import HARD, SPLIT, rows, size_of

KEPT = 32
"""Pieces whose strips are kept: more than a window shows."""


class Piece:
    """A piece of code behind the first of its fence, on a page."""

    __slots__ = ("_leaf", "_page", "marks")

    def __init__(self, leaf: Leaf, page: Page) -> None:
        assert leaf.kind == "code" and leaf.part and leaf.spaced < 0
        self._leaf, self._page = leaf, page
        self.marks = self._marked()
        """As those of `Lines`."""

    def strips(self) -> Sequence[Strip]:
        """All its lines."""
        return _strips(self._leaf, self._page)

    def texts(self) -> Sequence[str]:
        """The texts of these strips."""
        left = "".join(text for text, _ in beside_code(self._leaf, self._page))
        return [set_cell_size(left + row, self._page.width) for row, _ in self._rows()]

    def _marked(self) -> list[int]:
        lines, width = self._leaf.lines, self._page.width
        gutter = size_of(beside_code(self._leaf, self._page))
        room = max(1, width - gutter)
        split, hard = (min(gutter, width) << 2 | joint for joint in (SPLIT, HARD))
        if not all(map(str.isascii, lines)):
            return [hard - HARD + joint for _, joint in self._rows()]
        if max(map(len, lines)) <= room:
            return [hard] * len(lines)
        return [mark for line in lines for mark in [split] * ((len(line) - 1) // room) + [hard]]

    def _rows(self) -> Iterator[tuple[str, int]]:
        room = self._page.width - size_of(beside_code(self._leaf, self._page))
        for line in self._leaf.lines:
            for start, end, joint in rows(line, room, room, words=False):
                yield line[start:end], joint


@lru_cache(maxsize=KEPT)
def _strips(leaf: Leaf, page: Page) -> Sequence[Strip]:
    return lay_out(leaf, page).strips[:]
