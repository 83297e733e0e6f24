"""Where hits stand in lines as they are drawn: what a search knows of a source, looked up on the screen.

Lines are not their source: markup is gone, a terminal shows its end, a long text its beginning. So an
occurrence is found again by what stands around it, and may not be there at all.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from acp_tui.render.strips import Strips
from acp_tui.render.wrap import Lines
from acp_tui.ui.selection import logical
from acp_tui.ui.transcript_search import Seeker

AROUND = 40
"""Characters at each side by which an occurrence is known again."""

LOOKED_AT = 2000
"""Lines above a place among which one is sought that is drawn."""
TELLING = 4
"""Characters of a line by which it is known again."""
MARKS = " \t+-"

Spans = Mapping[int, Sequence[tuple[int, int]]]
"""By line: from which character of its text to which."""


def spans_on(lines: Lines, first: int, last: int, seeker: Seeker) -> Spans:
    """Occurrences on the lines from `first` to `last`, soft wraps joined."""
    while first > 0 and lines.joint(first - 1) != "\n":
        first -= 1
    while last + 1 < len(lines) and lines.joint(last) != "\n":
        last += 1
    text, starts, gutters = logical(_slice(lines, first, last + 1))
    found: dict[int, list[tuple[int, int]]] = {}
    for start, end in seeker.spans(seeker.read(text)):
        at = start
        while at < end:
            row = bisect_right(starts, at) - 1
            stop = min(end, starts[row + 1] if row + 1 < len(starts) else len(text))
            shift = gutters[row] - starts[row]
            found.setdefault(first + row, []).append((at + shift, stop + shift))
            at = max(stop, at + 1)
    return found


def standing(
    lines: Lines,
    seeker: Seeker,
    source: str,
    wanted: Sequence[tuple[int, int]],
    nth: int,
    sure: bool = True,
) -> tuple[int, int] | None:
    """Line and character where the nth of those `wanted` in the source (as `read`) is drawn; None: it is not.

    `sure`: only where all that stands around it is the same; else where most of it is.
    """
    text, starts, gutters = logical(lines)
    text = seeker.read(text)
    drawn = seeker.spans(text)
    if not drawn or nth >= len(wanted):
        return None
    if len(drawn) == len(wanted):
        start = drawn[nth][0]
    else:
        known = _around(source, wanted[nth])
        alike, start = max((_alike(_around(text, span), known), span[0]) for span in drawn)
        if alike < (sum(map(len, known)) if sure else any(known)):
            return None
    row = bisect_right(starts, start) - 1
    return row, start - starts[row] + gutters[row]


def nearest(lines: Lines, read: Callable[[str], str], source: str, start: int) -> int:
    """The row of the last line before a place in the source (as `read`) that is drawn; 0 if none is.

    Where what is sought is not drawn at all, folded away in a diff for instance, this is the way there.
    """
    text, starts, _ = logical(lines)
    text = read(text)
    end = source.rfind("\n", 0, start)
    for _ in range(LOOKED_AT):
        if end < 0:
            break
        begun = source.rfind("\n", 0, end) + 1
        line = source[begun:end].strip(MARKS)
        if len(line) >= TELLING and (found := text.rfind(line)) >= 0:
            return bisect_right(starts, found) - 1
        end = begun - 1
    return 0


def _slice(lines: Lines, start: int, stop: int) -> Lines:
    part = Lines()
    part.strips, part.marks = Strips(lines.strips[start:stop]), lines.marks[start:stop]
    return part


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
