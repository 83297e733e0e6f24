"""The lines of a hunk on rows of the screen: in one column, or the old beside the new.

Invariants: every line of the hunk stands on one row or, wrapped, on several; signs say what colours say.
Side by side, what can be copied is the new side: the old one counts as gutter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from rich.segment import Segment
from textual.strip import Strip

from acp_tui.render.clean import clean, visible
from acp_tui.render.diff_paint import CUT, Painted, beyond
from acp_tui.render.diff_words import blocks
from acp_tui.render.look import Look
from acp_tui.render.patch import Hunk
from acp_tui.render.wrap import SPLIT, Lines, Run, blank, size_of, wrap

NARROW: Final = 16
"""Cells that text must have before line numbers get any."""
BAR: Final = "│"


class DiffLines(Lines):
    """Lines of a diff, and the rows where a change begins: where `[` and `]` go."""

    __slots__ = ("changes",)

    def __init__(self) -> None:
        super().__init__()
        self.changes: list[int] = []


@dataclass(frozen=True, slots=True)
class Sheet:
    """What diffs are laid out on."""

    width: int
    look: Look
    left: tuple[Run, ...] = ()
    exact: bool = False

    def spelled(self, text: str) -> str:
        """Text of the agent as it may be shown."""
        return visible(text.replace("\n", "␊")) if self.exact else clean(text).replace("\n", " ")

    def put(self, runs: Sequence[Run], under: int = 0, words: bool = True) -> Lines:
        """Runs on as many rows as they need; all but the first `under` cells further in."""
        rest = [*self.left, (" " * under, self.look.base)]
        return wrap(runs, self.width, self.look.base, first=self.left, rest=rest, words=words)


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a hunk: its sign, its number on either side, its runs, and what follows it (that it has no
    newline)."""

    sign: str
    old: int
    new: int
    runs: tuple[Run, ...]
    notes: tuple[str, ...] = ()


def raw(lines: Sequence[str], sheet: Sheet) -> Lines:
    """Lines that are no hunk, as they came."""
    made = Lines()
    for line in lines:
        whole = sheet.exact or len(line) <= CUT
        text = sheet.spelled(line if whole else line[:CUT] + beyond(line))
        made.extend(sheet.put([(text, sheet.look.diff_context)], words=False))
    return made


Pair = tuple[Entry | None, Entry | None]


def digits(hunks: Sequence[Hunk]) -> int:
    """Cells for line numbers, the same for all hunks of a file."""
    ends = [max(hunk.old, hunk.new) + len(hunk.lines) for hunk in hunks if not hunk.raw]
    return max(4, len(str(max(ends, default=0))))


def unified(made: DiffLines, hunk: Hunk, painted: Painted, size: int, sheet: Sheet) -> None:
    """Add the hunk in one column."""
    before = " "
    for entry in entries(hunk, painted).values():
        if entry.sign in "+-" and before not in "+-":
            made.changes.append(len(made))
        before = entry.sign
        number = entry.old if entry.sign == "-" else entry.new
        made.extend(_lay(entry, number, size, sheet.width, sheet.left, sheet.look))


def split(made: DiffLines, hunk: Hunk, painted: Painted, size: int, sheet: Sheet) -> None:
    """Add the hunk with the old lines at the left and the new ones at the right."""
    look = sheet.look
    half, other = halves(sheet)
    empty = blank(half, look.base), blank(other, look.base)
    bar = Segment(BAR, look.diff_hunk)
    changing = False
    for old, new in beside(hunk, painted):
        if old is not new and not changing:
            made.changes.append(len(made))
        changing = old is not new
        left = _lay(old, old.old, size, half, sheet.left, look) if old else Lines()
        right = _lay(new, new.new, size, other, (), look) if new else Lines()
        for at in range(max(len(left), len(right))):
            shown = (
                left.strips[at] if at < len(left) else empty[0],
                (right.strips[at] if at < len(right) else empty[1]),
            )
            mark = right.marks[at] if at < len(right) else None
            made.add(Strip([*shown[0], bar, *shown[1]], sheet.width), *joined(mark, half, sheet.width))


def halves(sheet: Sheet) -> tuple[int, int]:
    """Cells of the old side, its gutter included, and of the new one; the bar stands between them."""
    other = (sheet.width - size_of(sheet.left) - 1) // 2
    return sheet.width - other - 1, other


def joined(mark: int | None, half: int, width: int) -> tuple[int, int]:
    """Gutter and joint of a row side by side, from the mark of its new side.

    What has nothing at its right is no row of the source: it joins its neighbours with nothing.
    """
    return (width, SPLIT) if mark is None else (half + 1 + (mark >> 2), mark & 3)


def entries(hunk: Hunk, painted: Painted) -> dict[int, Entry]:
    """The lines of a hunk by their index there."""
    made: dict[int, Entry] = {}
    old, new = hunk.old, hunk.new
    last = None
    for index, (line, runs) in enumerate(zip(hunk.lines, painted.runs, strict=True)):
        sign = line[0] if line[0] in "+-\\" else " "
        if sign == "\\" and last is not None:
            made[last] = replace(made[last], notes=(*made[last].notes, line))
            continue
        made[index] = Entry(sign, old, new, runs)
        last = index
        old += sign in "- "
        new += sign in "+ "
    return made


def number_size(size: int, width: int, left: int) -> int:
    """Cells for line numbers beside a gutter of `left`; -1 where there is no room for any."""
    return -1 if left + size + 3 + NARROW > width else size


def _lay(entry: Entry, number: int, size: int, width: int, left: Sequence[Run], look: Look) -> Lines:
    """One line with its number and sign, wrapped, and its notes."""
    style = {"+": look.diff_add, "-": look.diff_delete}.get(entry.sign, look.diff_context)
    size = number_size(size, width, size_of(left))
    numbered = f"{number:>{size}} " if size > 0 else ""
    first = [*left, (numbered, look.diff_number), (f"{entry.sign} ", style)]
    rest = [*left, (" " * len(numbered), look.diff_number), ("  ", style)]
    made = wrap(entry.runs, width, style, first=first, rest=rest, words=False)
    for note in entry.notes:
        indent = [*left, (" " * (len(numbered) + 2), look.base)]
        made.extend(wrap([(visible(note), look.dim)], width, look.base, first=indent))
    return made


def beside(hunk: Hunk, painted: Painted) -> Iterator[Pair]:
    """Old and new lines that stand on one row; twice the same entry where nothing changed."""
    lines = entries(hunk, painted)
    changes = blocks([line[:1] for line in hunk.lines])
    removed, added = next(changes, ((), ()))
    for index, entry in lines.items():
        if entry.sign not in "+-":
            yield entry, entry
        elif index == min((*removed, *added), default=-1):
            yield from _aligned(removed, added, lines, painted.partners)
            removed, added = next(changes, ((), ()))


def _aligned(
    removed: Sequence[int], added: Sequence[int], entries: dict[int, Entry], partners: dict[int, int]
) -> Iterator[Pair]:
    """A block of changed lines: partners beside each other, between them the others as they come."""
    left: list[Entry] = []
    start = 0
    for index in removed:
        if index not in partners:
            left.append(entries[index])
            continue
        place = added.index(partners[index], start)
        yield from zip_longest(left, [entries[i] for i in added[start:place]])
        yield entries[index], entries[added[place]]
        left, start = [], place + 1
    yield from zip_longest(left, [entries[i] for i in added[start:]])
