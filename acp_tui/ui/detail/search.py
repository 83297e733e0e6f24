"""Search in a pile: all that fits is counted, only what is looked at is laid out.

Invariants: a hit is a part, a section of it and which of the occurrences there it is, the same at any width
where lines end at all; a search works in slices and says when it is through; nothing it does at once is
longer than a section; upper case in what is sought makes case count.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from acp_tui.render.wrap import HARD, Lines
from acp_tui.ui.detail.parts import Part
from acp_tui.ui.transcript.selection import logical

KEPT = 128
"""Sections whose text is kept while one search lasts."""
SECTION = 64
"""Source lines of a part that are looked through together, where that has no text but its lines …"""
ROWS = 1000
"""… and rows, where one of them has no end; an occurrence on both sides of such a cut is not found."""


Logic = tuple[str, list[int], list[int]]
"""The text of rows with soft wraps joined, where each row begins in it, and the gutter of each."""


class Hit(NamedTuple):
    """The nth occurrence in a section of a part."""

    part: int
    section: int
    nth: int


class Span(NamedTuple):
    """A piece of an occurrence on one row: characters of the row's text."""

    section: int
    nth: int
    start: int
    end: int


class Sections:
    """On which rows of a part each section begins. A part that has a text is one section."""

    def __init__(self, lines: Lines, whole: bool) -> None:
        self.lines = lines
        self.starts = [0]
        self._whole = whole
        self._size = 0

    def look(self) -> None:
        """At rows that came, and again at the last ones."""
        marks = self.lines.marks
        if self._whole or self._size == len(marks):
            return
        self._size = len(marks)
        del self.starts[max(1, len(self.starts) - 2) :]
        ends = 0
        for row in range(self.starts[-1], len(marks)):
            ends += marks[row] & 3 == HARD
            if ends == SECTION or row - self.starts[-1] >= ROWS:
                ends = 0
                self.starts.append(row + 1)

    def at(self, row: int) -> int:
        """The section of a row."""
        return bisect_right(self.starts, row) - 1

    def rows(self, section: int) -> tuple[int, int]:
        """Its first row, and the first one behind it."""
        starts = self.starts
        return starts[section], starts[section + 1] if section + 1 < len(starts) else len(self.lines)


class Search:
    """One search, from its first letter to its last slice."""

    def __init__(self, sought: str, before: Search | None = None) -> None:
        self.sought = sought
        flags = 0 if any(character.isupper() for character in sought) else re.IGNORECASE
        self.pattern = re.compile(re.escape(sought), flags)
        self.hits: list[Hit] = []
        self.current: Hit | None = None
        self.found = False
        """The reader was taken to the first hit below him."""
        self._logics: dict[tuple[Part, int], tuple[Lines, tuple[int, int], Logic]] = (
            before._logics if before is not None else {}
        )
        self._sections: dict[Part, Sections] = {}
        self.looked = 0
        """Parts looked through, from the first."""
        self._section = 0
        """Sections looked through of the one after these."""

    def step(self, parts: Sequence[Part], lines: Callable[[int], Lines], enough: Callable[[], bool]) -> bool:
        """Look through some more; True when through."""
        while self.looked < len(parts):
            part = parts[self.looked]
            text = part.text()
            if text is not None:
                self._count(text, 0)
            elif not self._step_inside(part, lines(self.looked), enough):
                return False
            self.looked, self._section = self.looked + 1, 0
            if enough():
                break
        return self.looked >= len(parts)

    def _step_inside(self, part: Part, lines: Lines, enough: Callable[[], bool]) -> bool:
        """Look through some sections; True when they are the last ones."""
        sections = self._of(part, lines)
        there = len(sections.starts) - part.behind
        while self._section < there:
            self._count(self.logic(part, sections, self._section)[0], self._section)
            self._section += 1
            if enough() and self._section < there:
                return False
        return not part.behind

    def _count(self, text: str, section: int) -> None:
        found = sum(1 for _ in self.pattern.finditer(text))
        self.hits += [Hit(self.looked, section, nth) for nth in range(found)]

    def next(self, by: int, here: Hit) -> Hit | None:
        """The hit after or before the current one, round the end; at first the one at or after `here`."""
        if not self.hits:
            return None
        place = self.place()
        at = bisect_right(self.hits, here) - (by < 0) if place is None else place + by
        self.current = self.hits[at % len(self.hits)]
        return self.current

    def place(self) -> int | None:
        """Which of the hits the current one is, from 0."""
        if self.current is None:
            return None
        at = bisect_right(self.hits, self.current) - 1
        return at if at >= 0 and self.hits[at] == self.current else None

    def _of(self, part: Part, lines: Lines) -> Sections:
        known = self._sections.get(part)
        if known is None or known.lines is not lines:
            known = self._sections[part] = Sections(lines, part.text() is not None)
        known.look()
        return known

    def logic(self, part: Part, sections: Sections, section: int) -> Logic:
        """The text of a section, made once for the same rows; of the last one each time, as that may grow."""
        rows = sections.rows(section)
        known = self._logics.get((part, section))
        grows = section + 1 == len(sections.starts) and part.text() is None
        if known is None or known[0] is not sections.lines or known[1] != rows or grows:
            if len(self._logics) > KEPT:
                del self._logics[next(iter(self._logics))]
            known = self._logics[part, section] = (sections.lines, rows, logical(sections.lines, *rows))
        return known[2]

    def section(self, part: Part, lines: Lines, row: int) -> int:
        """The section a row is in."""
        return self._of(part, lines).at(row)

    def row(self, hit: Hit, part: Part, lines: Lines) -> int:
        """The row on which a hit begins."""
        sections = self._of(part, lines)
        if hit.section >= len(sections.starts):
            return max(0, len(lines) - 1)
        found = self._spans(part, sections, hit.section)
        first = sections.rows(hit.section)[0]
        return next((row for row, span in found if span.nth == hit.nth), first)

    def spans(self, part: Part, lines: Lines, rows: range) -> dict[int, list[Span]]:
        """Where it stands on some rows of a part."""
        sections = self._of(part, lines)
        found: dict[int, list[Span]] = {}
        for section in range(sections.at(rows.start), sections.at(max(rows.start, rows.stop - 1)) + 1):
            for row, span in self._spans(part, sections, section):
                if row in rows:
                    found.setdefault(row, []).append(span)
        return found

    def _spans(self, part: Part, sections: Sections, section: int) -> Iterator[tuple[int, Span]]:
        text, starts, gutters = self.logic(part, sections, section)
        first = sections.rows(section)[0]
        for nth, match in enumerate(self.pattern.finditer(text)):
            at = match.start()
            while at < match.end():
                row = bisect_right(starts, at) - 1
                stop = starts[row + 1] if row + 1 < len(starts) else len(text)
                end = min(match.end(), stop)
                shift = gutters[row] - starts[row]
                yield first + row, Span(section, nth, at + shift, end + shift)
                at = max(end, at + 1)
