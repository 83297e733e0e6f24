"""Search in a pile: all that fits is counted, only what is looked at is laid out.

Invariants: a hit is a part and which of its occurrences it is, so counting needs text and no lines; a search
works in slices and says when it is through; upper case in what is sought makes case count.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from acp_tui.render.wrap import JOINTS, Lines
from acp_tui.ui.detail.parts import Part
from acp_tui.ui.selection import character_at


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

    def __init__(self, sought: str) -> None:
        self.sought = sought
        flags = 0 if any(character.isupper() for character in sought) else re.IGNORECASE
        self.pattern = re.compile(re.escape(sought), flags)
        self.hits: list[Hit] = []
        self.current: Hit | None = None
        self.found = False
        """The reader was taken to the first hit below him."""
        self.looked = 0
        """Parts looked through, from the first."""

    def step(self, parts: Sequence[Part], lines: Callable[[int], Lines], enough: Callable[[], bool]) -> bool:
        """Look through some more parts; True when through."""
        while self.looked < len(parts):
            index = self.looked
            text = parts[index].text()
            if text is None:
                text = logical(lines(index))[0]
                if parts[index].behind:
                    return False
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

    def spans(self, lines: Lines) -> dict[int, list[Span]]:
        """Where it stands on the rows of a part."""
        text, starts, gutters = logical(lines)
        found: dict[int, list[Span]] = {}
        for nth, match in enumerate(self.pattern.finditer(text)):
            at = match.start()
            while at < match.end():
                row = bisect_right(starts, at) - 1
                stop = starts[row + 1] if row + 1 < len(starts) else len(text)
                end = min(match.end(), stop)
                shift = gutters[row] - starts[row]
                found.setdefault(row, []).append(Span(nth, at + shift, end + shift))
                at = max(end, at + 1)
        return found


def logical(lines: Lines) -> tuple[str, list[int], list[int]]:
    """The text of the rows with soft wraps joined; where each row begins in it; the gutter of each row."""
    pieces: list[str] = []
    starts: list[int] = []
    gutters: list[int] = []
    size = 0
    for strip, mark in zip(lines.strips, lines.marks, strict=True):
        text = strip.text
        gutter = character_at(text, mark >> 2)
        joint = JOINTS[mark & 3]
        body = text[gutter:] if joint == "" else text[gutter:].rstrip(" ")
        starts.append(size)
        gutters.append(gutter)
        pieces += (body, joint)
        size += len(body) + len(joint)
    return "".join(pieces), starts, gutters
