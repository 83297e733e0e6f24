"""Which lines of a change belong together, and which words in them changed.

Invariants: pure, on the text of lines alone; spans are in order, never empty and never cut a character off
its marks. Cost is bounded: long lines and large blocks are paired as they stand and marked nowhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from acp_tui.render.wrap import WIDE

Span = tuple[int, int]
Spans = list[Span]

LONGEST: Final = 500
"""Characters of a line beyond which no words are sought in it."""
_LARGEST: Final = 2500
"""Tokens of one times tokens of the other that are still compared."""
_TRIES: Final = 64
"""Comparisons in one block of lines."""
_ALIKE: Final = 0.5
"""Part of two lines that must be the same for them to be versions of one line."""
_MARKS = "\u0300-\u036f\u200c\u200d\ufe00-\ufe0f"
_TOKEN = re.compile(
    f"[{WIDE}][{_MARKS}]*|[0-9A-Za-z_](?:\\w|[^\\x00-\\x7f{WIDE}])*|\\s+|[^\\x00-\\x7f{WIDE}]+|.[{_MARKS}]*"
)


class Likeness(NamedTuple):
    """How much of two lines is the same, from 0 to 1, and where they differ."""

    ratio: float
    old: Spans
    new: Spans


_NOTHING: Final = Likeness(0.0, [], [])


def blocks(signs: Sequence[str]) -> Iterator[tuple[list[int], list[int]]]:
    """Indices of removed lines and of the added ones that follow them."""
    removed: list[int] = []
    added: list[int] = []
    for index, sign in enumerate([*signs, " "]):
        if sign == "-" and not added:
            removed.append(index)
        elif sign == "+":
            added.append(index)
        elif sign != "\\":
            if removed or added:
                yield removed, added
            removed, added = ([index], []) if sign == "-" else ([], [])


def pairs(
    removed: Sequence[int], added: Sequence[int], texts: Sequence[str] | None
) -> Iterator[tuple[int, int, Likeness | None]]:
    """Lines of a block that are versions of each other, in order; without a likeness where it was not
    sought."""
    if texts is None or len(removed) > _TRIES or len(added) > _TRIES:
        yield from ((old, new, None) for old, new in zip(removed, added, strict=False))
        return
    tries, start = _TRIES, 0
    for count, old in enumerate(removed):
        # as many of the new lines stay for the removed ones to come as there are of these, if possible
        stop = max(start + 1, len(added) - (len(removed) - count - 1))
        places = range(start, min(stop, len(added), start + tries))
        tries -= len(places)
        found = [(likeness(texts[old], texts[added[place]]), place) for place in places]
        alike, place = max(found, key=lambda one: one[0].ratio, default=(_NOTHING, 0))
        if alike.ratio >= _ALIKE:
            yield old, added[place], alike
            start = place + 1


def likeness(old: str, new: str) -> Likeness:
    """Compare two lines by their words; where that would take too long, they are not alike."""
    if len(old) > LONGEST or len(new) > LONGEST:
        return _NOTHING
    a, b = _TOKEN.findall(old), _TOKEN.findall(new)
    total = _weight(a) + _weight(b)
    common = _weight((Counter(a) & Counter(b)).elements())
    if not total or 2 * common < _ALIKE * total:
        return _NOTHING
    head = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    most = min(len(a), len(b)) - head
    tail = next((i for i in range(most) if a[-1 - i] != b[-1 - i]), most)
    same = [(0, 0, head)]
    middle = a[head : len(a) - tail], b[head : len(b) - tail]
    if len(middle[0]) * len(middle[1]) <= _LARGEST:
        matcher = SequenceMatcher(None, *middle, autojunk=False)
        same += [(x + head, y + head, n) for x, y, n in matcher.get_matching_blocks() if n]
    same.append((len(a) - tail, len(b) - tail, tail))
    weight = sum(_weight(a[x : x + n]) for x, _, n in same)
    return Likeness(2 * weight / total, *_differences(a, b, same))


def _weight(tokens: Iterable[str]) -> int:
    return sum([len(token) for token in tokens if not token.isspace()])


def _differences(a: list[str], b: list[str], same: list[tuple[int, int, int]]) -> tuple[Spans, Spans]:
    """Spans of the characters between what is the same."""
    made: tuple[Spans, Spans] = ([], [])
    for side, tokens in enumerate((a, b)):
        at = [0]
        for token in tokens:
            at.append(at[-1] + len(token))
        done = 0
        for one in same:
            if one[side] > done:
                _add(made[side], at[done], at[one[side]], tokens)
            done = one[side] + one[2]
    return made


def _add(spans: Spans, start: int, end: int, tokens: list[str]) -> None:
    """Words changed one after the other are one change, the blank between them included."""
    if spans and start - spans[-1][1] <= 1 and "".join(tokens)[spans[-1][1] : start].isspace():
        spans[-1] = (spans[-1][0], end)
    else:
        spans.append((start, end))
