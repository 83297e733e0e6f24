"""Where hits stand in lines as they are drawn: what a search knows of a source, looked up on the screen.

Lines are not their source: markup is gone, a terminal shows its end, a long text its beginning. So an
occurrence is found again by what stands around it, and may not be there at all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import NamedTuple

from acp_tui.render.wrap import HARD, Lines
from acp_tui.ui.transcript.search import Seeker
from acp_tui.ui.transcript.selection import logical

AROUND = 40
"""Characters at each side by which an occurrence is known again."""

LOOKED_AT = 500
"""Lines above a place among which one is sought that is drawn."""
JOINED = 100
"""Rows of one line above and below that are looked at with it."""
ROWS = 1000
"""Rows that are looked at for it …"""
FEW = 1000
"""… and occurrences on them."""
NEXT = 4
"""Characters behind an occurrence by which most others are told from it."""
TELLING = 4
"""Characters of a line by which it is known again."""
MARKS = " \t+-"

Spans = Mapping[int, Sequence[tuple[int, int]]]
"""By line: from which character of its text to which."""


def spans_on(lines: Lines, first: int, last: int, seeker: Seeker) -> Spans:
    """Occurrences on the lines from `first` to `last`, soft wraps joined."""
    near = _to_ends(lines, first, last + 1)
    text, starts, gutters = logical(lines, near.start, near.stop)
    found: dict[int, list[tuple[int, int]]] = {}
    for start, end in seeker.spans(seeker.read(text)):
        at = start
        while at < end:
            row = bisect_right(starts, at) - 1
            stop = min(end, starts[row + 1] if row + 1 < len(starts) else len(text))
            shift = gutters[row] - starts[row]
            found.setdefault(near.start + row, []).append((at + shift, stop + shift))
            at = max(stop, at + 1)
    return found


class Wanted(NamedTuple):
    """An occurrence in a source (as `read`): where it is, and which one of how many."""

    span: tuple[int, int]
    nth: int
    total: int


def standing(
    lines: Lines, seeker: Seeker, source: str, wanted: Wanted, sure: bool = True
) -> tuple[int, int] | None:
    """Line and character where what is wanted is drawn; None: it is not.

    `sure`: only where all that stands around it is the same; else where most of it is. Among very many lines
    it is sought where it is likely to be.
    """
    near = _near(lines, source, wanted.span[0])
    text, starts, gutters = logical(lines, near.start, near.stop)
    text = seeker.read(text)
    drawn = seeker.spans(text)
    if not drawn:
        return None
    if len(drawn) == wanted.total and len(near) == len(lines):
        start = drawn[wanted.nth][0]
    else:
        known = _around(source, wanted.span)
        likely = _likely(text, drawn, source, wanted.span[1])
        alike, start = max((_alike(_around(text, span), known), span[0]) for span in likely)
        if alike < (sum(map(len, known)) if sure else any(known)):
            return None
    row = bisect_right(starts, start) - 1
    return near.start + row, start - starts[row] + gutters[row]


def _near(lines: Lines, source: str, start: int) -> range:
    """The rows among which a place in the source is sought: all, or those where it is likely to be."""
    if len(lines) <= ROWS:
        return range(len(lines))
    first = max(0, min(len(lines) - ROWS, _likely_row(lines, source, start) - ROWS // 2))
    return _to_ends(lines, first, first + ROWS)


def _likely_row(lines: Lines, source: str, start: int) -> int:
    """As many of all source lines are above it on the screen as in the source."""
    ends = [-1, *(row for row, mark in enumerate(lines.marks) if mark & 3 == HARD), len(lines) - 1]
    above = source.count("\n", 0, start) * (len(ends) - 2) // (source.count("\n") + 1)
    begin, end = source.rfind("\n", 0, start) + 1, source.find("\n", start)
    share = (start - begin) / max(1, (end if end >= 0 else len(source)) - begin)
    return ends[above] + 1 + int(share * (ends[above + 1] - ends[above]))


def _to_ends(lines: Lines, first: int, last: int) -> range:
    """The rows and those that soft wraps join to them, but not all of a line without end."""
    least, most = max(0, first - JOINED), min(len(lines), last + JOINED)
    while first > least and lines.joint(first - 1) != "\n":
        first -= 1
    while last < most and lines.joint(last - 1) != "\n":
        last += 1
    return range(first, last)


def _likely(text: str, drawn: list[tuple[int, int]], source: str, end: int) -> list[tuple[int, int]]:
    """Those behind which the same characters stand, where these are no markup; in the middle of the rest."""
    next_ones = source[end : end + NEXT].replace("\n", " ")
    if all(one.isalnum() or one == " " for one in next_ones):
        same = [span for span in drawn if text[span[1] : span[1] + NEXT].replace("\n", " ") == next_ones]
        drawn = same or drawn
    middle = len(drawn) // 2
    return drawn[max(0, middle - FEW // 2) : middle + FEW // 2]


def nearest(lines: Lines, read: Callable[[str], str], source: str, start: int) -> int:
    """The row of the last line before a place in the source (as `read`) that is drawn; 0 if none is.

    Where what is sought is not drawn at all, folded away in a diff for instance, this is the way there.
    """
    near = _near(lines, source, start)
    text, starts, _ = logical(lines, near.start, near.stop)
    text = read(text)
    end = source.rfind("\n", 0, start)
    for _ in range(LOOKED_AT):
        if end < 0:
            break
        begun = source.rfind("\n", 0, end) + 1
        line = source[begun:end].strip(MARKS)
        if len(line) >= TELLING and (found := text.rfind(line)) >= 0:
            return near.start + bisect_right(starts, found) - 1
        end = begun - 1
    return near.start


def _around(text: str, span: tuple[int, int]) -> tuple[str, str]:
    """Letters and digits before it, backwards, and after it."""
    before = text[max(0, span[0] - AROUND) : span[0]][::-1]
    after = text[span[1] : span[1] + AROUND]
    return "".join(filter(str.isalnum, before)), "".join(filter(str.isalnum, after))


def _alike(one: tuple[str, str], other: tuple[str, str]) -> int:
    """How many letters next to it are the same."""
    return sum(
        len([*takewhile(lambda pair: pair[0] == pair[1], zip(a, b, strict=False))])
        for a, b in zip(one, other, strict=True)
    )
