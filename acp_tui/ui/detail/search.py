"""Search in a pile: all that fits is counted, only what is looked at is laid out.

Invariants: a hit is a part and which of its occurrences it is, so counting needs text and no lines; a search
works in slices and says when it is through; upper case in what is sought makes case count.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from acp_tui.render.wrap import Lines
from acp_tui.ui.detail.parts import Part
from acp_tui.ui.selection import logical

KEPT = 128
"""Parts whose text is kept while one search lasts."""


Logic = tuple[str, list[int], list[int]]
"""The text of rows with soft wraps joined, where each row begins in it, and the gutter of each."""


class Hit(NamedTuple):
    """The nth occurrence in a part."""

    part: int
    nth: int


class Span(NamedTuple):
    """A piece of an occurrence on one row: characters of the row's text."""

    nth: int
    start: int
    end: int


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
        self._logics: dict[Part, tuple[Lines, int, Logic]] = before._logics if before is not None else {}
        self.looked = 0
        """Parts looked through, from the first."""

    def step(self, parts: Sequence[Part], lines: Callable[[int], Lines], enough: Callable[[], bool]) -> bool:
        """Look through some more parts; True when through."""
        while self.looked < len(parts):
            index = self.looked
            text = parts[index].text()
            if text is None:
                made = lines(index)
                if parts[index].behind:
                    return False
                text = self.logic(parts[index], made)[0]
            found = sum(1 for _ in self.pattern.finditer(text))
            self.hits += [Hit(index, nth) for nth in range(found)]
            self.looked += 1
            if enough():
                break
        return self.looked >= len(parts)

    def next(self, by: int, part: int) -> Hit | None:
        """The hit after or before the current one, round the end; at first the one at or after a part."""
        if not self.hits:
            return None
        if self.current in self.hits:
            at = self.hits.index(self.current) + by
        else:
            at = bisect_right(self.hits, Hit(part, -1)) - (by < 0)
        self.current = self.hits[at % len(self.hits)]
        return self.current

    def logic(self, part: Part, lines: Lines) -> Logic:
        """The text of a part's rows, made once for the same rows."""
        size = len(lines)
        known = self._logics.get(part)
        if known is None or known[0] is not lines or known[1] != size or part.behind:
            if len(self._logics) > KEPT:
                del self._logics[next(iter(self._logics))]
            known = self._logics[part] = (lines, size, logical(lines))
        return known[2]

    def spans(self, part: Part, lines: Lines, rows: range) -> dict[int, list[Span]]:
        """Where it stands on some rows of a part."""
        text, starts, gutters = self.logic(part, lines)
        found: dict[int, list[Span]] = {}
        begin = starts[rows.start] if rows.start < len(starts) else len(text)
        end_ = starts[rows.stop] if rows.stop < len(starts) else len(text)
        for nth, match in enumerate(self.pattern.finditer(text)):
            if match.end() <= begin:
                continue
            if match.start() >= end_:
                break
            at = match.start()
            while at < match.end():
                row = bisect_right(starts, at) - 1
                stop = starts[row + 1] if row + 1 < len(starts) else len(text)
                end = min(match.end(), stop)
                shift = gutters[row] - starts[row]
                found.setdefault(row, []).append(Span(nth, at + shift, end + shift))
                at = max(end, at + 1)
        return found
