"""The files of a diff one after the other: titles, what folds, and how much of each is laid out.

Invariants: a folded file costs its one row. At first, and with each click, a bounded number of lines is laid
out; fewer characters are highlighted. Folding one file opens no other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Final

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.code import language_of
from acp_tui.render.diff_later import Piece
from acp_tui.render.diff_paint import CUT, paint
from acp_tui.render.diff_reading import FileChange, Reading
from acp_tui.render.diff_rows import DiffLines, Sheet, digits, raw, split, unified
from acp_tui.render.look import act
from acp_tui.render.patch import Hunk
from acp_tui.render.paths import relative
from acp_tui.render.wrap import Lines, Run

HUGE: Final = 300
"""Lines of a file among others that are folded at first."""
PAGE: Final = 500
"""Lines that come with a click on a count of what is left out."""
MOST: Final = 1000
"""Lines of a diff without a limit that are not folded at first."""
FILES: Final = 200
"""Files that are listed at first."""
PIECE: Final = 500
"""Lines of a hunk that are painted together, and kept together for the next time."""
PAINTED: Final = 9000
"""Characters of a diff that are highlighted: 5 µs for each, the slowest part by far."""
SOUGHT: Final = 100_000
"""Characters beyond those in which changed words are sought."""
ROW: Final = 160
"""Characters of a line that count as one line more."""

_GLYPHS = {"add": "+", "delete": "−", "modify": "✎", "move": "↦", "copy": "⇉"}
_RAW = 1 << 22
_LIST = _RAW + 1


def _part(index: int, file: int, page: int = 0) -> int:
    """The number of a part that folds: the file itself, or a page of it."""
    return ((index + 1) << 24 | file) << 20 | page


def owner(part: int) -> int:
    """The `index` of the diff a part belongs to; -1 for parts that are of no diff."""
    return (part >> 44) - 1 if part >= 0 else -1


class Work:
    """One layout in progress: what was made, and how much more there may be."""

    def __init__(
        self,
        reading: Reading,
        sheet: Sheet,
        cwd: str,
        beside: bool,
        limit: int,
        toggled: Collection[int],
        index: int,
    ) -> None:
        self.reading = reading
        self.sheet = sheet
        self.cwd = cwd
        self.beside = beside
        self.left = limit
        """Lines that may still be shown without being asked for."""
        self.colours = PAINTED
        """Characters that may still be highlighted."""
        self.toggled = toggled
        self.index = index
        self.made = DiffLines()

    def files(self, head: bool) -> None:
        """All files; of very many the first ones and a count."""
        files = self.reading.files
        page, pages = self._pages(_LIST)
        listed = len(files) if self.sheet.exact else FILES * (1 + pages)
        for number, one in enumerate(files[:listed]):
            self.file(number, one, head)
        if listed < len(files):
            self._more(words.count(len(files) - listed, "more file"), page)

    def file(self, number: int, one: FileChange, head: bool) -> None:
        """One file: its title, and its hunks unless they are folded."""
        folds, opened, room = self._fold(number, one)
        begin, known = len(self.made), len(self.made.changes)
        if head or folds or len(self.reading.files) > 1 or not one.hunks:
            self.made.extend(self._title(one, opened, _part(self.index, number) if folds else None))
        if opened:
            self._body(one.hunks, one.path, number, room, self.beside and not one.one_sided)
            if self.sheet.exact and one.section is not None:
                self.made.extend(raw(one.section.binary, self.sheet))
        if len(self.made.changes) == known:
            self.made.changes.append(begin)

    def rest(self) -> None:
        """What the patch says of no file, or all of it where it cannot be read (DF-07)."""
        if self.reading.raw:
            lines = Hunk(0, 0, "", self.reading.raw.split("\n"), raw=True)
            self._body([lines], "", _RAW, max(self.left, 10), False)

    def _fold(self, number: int, one: FileChange) -> tuple[bool, bool, int]:
        """Whether the file folds, whether it is open, and how many lines of it are shown then."""
        size = one.size
        if self.sheet.exact or not size:
            return False, True, size
        alone = len(self.reading.files) == 1
        closed = not alone and (size > HUGE or (number > 0 and size > self.left))
        toggled = _part(self.index, number) in self.toggled
        if closed:
            return True, toggled, PAGE
        room = max(1, min(size, self.left))
        self.left -= room
        return not alone or size > HUGE, not toggled, room

    def _title(self, one: FileChange, opened: bool, part: int | None) -> Lines:
        sheet, look = self.sheet, self.sheet.look
        action = act("part", part) if part is not None else act()
        mark = "" if part is None else "▾ " if opened else "▸ "
        glyph = "" if mark else _GLYPHS.get(one.operation, "?") + " "
        runs: list[Run] = [(mark + glyph, look.kind + action)]
        if one.old_path:
            runs += [(sheet.spelled(relative(one.old_path, self.cwd)), look.path), (" → ", look.dim)]
        path = sheet.spelled(relative(one.path, self.cwd)) or "?"
        runs.append((path, look.path + act("open", one.path, one.first_line)))
        for fact in one.facts(sheet.exact):
            shown = sheet.spelled(fact) if sheet.exact else one_line(fact, 80)
            runs.append((f"  {shown}", look.result + action))
        return sheet.put(runs, under=2)

    def _body(self, hunks: Sequence[Hunk], path: str, number: int, room: int, beside: bool) -> None:
        """As many lines as there is room for, and a count of the others."""
        sheet, size, language = self.sheet, digits(hunks), language_of(path)
        page, pages = self._pages(number)
        shown = 0
        for piece, first in _pieces(hunks, None if sheet.exact else room + pages * PAGE):
            shown += len(piece.lines)
            if piece.raw:
                self.made.extend(raw(piece.lines, sheet))
                continue
            if first and (shown > len(piece.lines) or (sheet.exact and piece.title)):
                title = f"{' ' * size} ⋯ {sheet.spelled(piece.title)}"
                self.made.extend(sheet.put([(title, sheet.look.diff_hunk)], under=size + 3))
            coloured, sought = self._spend(piece.lines)
            if sheet.exact and not sought:
                self._later(Piece(piece, size, sheet, split=beside))
                continue
            painted = paint(tuple(piece.lines), language, sheet.look, sheet.exact, coloured, sought)
            (split if beside else unified)(self.made, piece, painted, size, sheet)
        left = sum(len(hunk.lines) for hunk in hunks) - shown
        if left:
            self._more(words.count(left, "more line"), page)

    def _later(self, piece: Piece) -> None:
        self.made.changes += [len(self.made) + row for row in piece.changes]
        self.made.put(piece, piece.marks)

    def _spend(self, lines: list[str]) -> tuple[int, bool]:
        """How many of the lines may still be highlighted, and whether changed words may be sought."""
        sides = 1 + any(line[:1] == "-" for line in lines)  # what both versions have is read in both
        coloured, sought = 0, self.colours > -SOUGHT
        for count, line in enumerate(lines, 1):
            coloured = count if self.colours > 0 else coloured
            self.colours -= sides * min(len(line), CUT)
        return coloured, sought

    def _pages(self, number: int) -> tuple[int, int]:
        """The part that would show more, and how often it has been clicked."""
        page = 1
        while (part := _part(self.index, number, page)) in self.toggled:
            page += 1
        return part, page - 1

    def _more(self, count: str, part: int) -> None:
        self.made.extend(self.sheet.put([(f"… {count}", self.sheet.look.dim + act("part", part))]))


def _pieces(hunks: Sequence[Hunk], room: int | None) -> Iterator[tuple[Hunk, bool]]:
    """The hunks in pieces until there is no more room; with each whether it is the first of its hunk."""
    for hunk in hunks:
        start, old, new = 0, hunk.old, hunk.new
        while start < len(hunk.lines) and (room is None or room > 0):
            stop = start
            while stop < min(len(hunk.lines), start + PIECE) and (room is None or room > 0):
                if room is not None:
                    room -= 1 + min(len(hunk.lines[stop]), CUT) // ROW
                stop += 1
            lines = hunk.lines[start:stop]
            yield replace(hunk, old=old, new=new, lines=lines), not start
            signs = [line[:1] for line in lines]
            only_old, only_new, neither = (signs.count(sign) for sign in "-+\\")
            old += len(signs) - only_new - neither
            new += len(signs) - only_old - neither
            start = stop
