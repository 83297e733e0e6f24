"""Finished lines of a terminal, many in little room.

Invariants: a row comes back as it was put; a block of them is one text and, for the rows that have any style,
the lengths and pens of their runs. Putting and dropping cost what is put and dropped, reading the blocks it
touches.
"""

from __future__ import annotations

from typing import Final

from acp_tui.render.pen import Pen

Piece = tuple[str, Pen]
Row = str | tuple[Piece, ...]
"""A finished line; one without any style is a bare string."""

BLOCK: Final = 128
"""Rows packed together."""

Runs = tuple[int | Pen, ...]
"""Length and pen of each run, one after the other."""


class Rows:
    """A sequence of rows that grows at its end and is cut at its front."""

    __slots__ = ("_blocks", "_open", "_skipped")

    def __init__(self) -> None:
        self._blocks: list[tuple[str, dict[int, Runs]]] = []
        self._open: list[Row] = []
        self._skipped = 0
        """Rows of the first block that were dropped."""

    def __len__(self) -> int:
        return len(self._blocks) * BLOCK - self._skipped + len(self._open)

    def append(self, row: Row) -> None:
        """One more. It has no line breaks."""
        self._open.append(row)
        if len(self._open) == BLOCK:
            self._blocks.append(_packed(self._open))
            self._open = []

    def __getitem__(self, part: slice) -> list[Row]:
        start, stop, _ = part.indices(len(self))
        first, last = start + self._skipped, stop + self._skipped
        if first >= last:
            return []
        blocks = range(first // BLOCK, (last - 1) // BLOCK + 1)
        made = [row for number in blocks for row in self._block(number)]
        return made[first - blocks.start * BLOCK : last - blocks.start * BLOCK]

    def drop(self, count: int) -> None:
        """Let go of the first ones, at most those that are packed."""
        gone = min(count + self._skipped, len(self._blocks) * BLOCK)
        del self._blocks[: gone // BLOCK]
        self._skipped = gone % BLOCK

    def _block(self, number: int) -> list[Row]:
        return _unpacked(*self._blocks[number]) if number < len(self._blocks) else self._open


def _packed(rows: list[Row]) -> tuple[str, dict[int, Runs]]:
    texts: list[str] = []
    styled: dict[int, Runs] = {}
    for number, row in enumerate(rows):
        if isinstance(row, str):
            texts.append(row)
        else:
            texts.append("".join([text for text, _ in row]))
            styled[number] = tuple(part for text, pen in row for part in (len(text), pen))
    return "\n".join(texts), styled


def _unpacked(text: str, styled: dict[int, Runs]) -> list[Row]:
    rows: list[Row] = list(text.split("\n"))
    for number, runs in styled.items():
        rows[number] = tuple(_pieces(str(rows[number]), runs))
    return rows


def _pieces(text: str, runs: Runs) -> list[Piece]:
    made: list[Piece] = []
    at = 0
    for length, pen in zip(runs[::2], runs[1::2], strict=True):
        assert isinstance(length, int) and isinstance(pen, Pen)
        made.append((text[at : at + length], pen))
        at += length
    return made
