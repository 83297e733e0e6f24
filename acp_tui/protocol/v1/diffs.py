"""A `git_patch` from the old and the new text of a file (V1-33).

Bounded cost, whatever the texts are: what is equal at both ends is passed over in one go; between, lines that
occur once in each text are anchors (n log n); what lies between two anchors is compared line by line by
`difflib` only as long as that is little, in each place (`SMALL`) and in sum (`BUDGET`), and is shown as
replaced otherwise. Texts longer than `LARGE` have no anchors at all.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

SMALL = 150 * 150
"""Pairs of lines that may be compared in one place."""
BUDGET = 12 * SMALL
"""And in one patch."""
LARGE = 4_000_000
"""Characters of both texts."""
CONTEXT = 3
KEPT = 200_000
"""Characters of texts whose patch is remembered: agents tell the same diff again and again."""

_QUOTED = re.compile(r'[\x00-\x1f"\\\x7f]')


class _Change(NamedTuple):
    """Lines `a[old:old_end]` are replaced by `b[new:new_end]`."""

    old: int
    old_end: int
    new: int
    new_end: int


def git_patch(path: str, old: str | None, new: str) -> str:
    """What `git diff` would say; `old` None: the file is new. Empty where nothing differs."""
    if len(old or "") + len(new) <= KEPT:
        return _remembered(path, old, new)
    return _patch(path, old, new)


def _patch(path: str, old: str | None, new: str) -> str:
    a, b = _lines(old or ""), _lines(new)
    name = _name(path)
    before = "/dev/null" if old is None else name
    head = f"diff --git {name} {name}\n" + ("new file mode 100644\n" if old is None else "")
    hunks = "".join(_hunks(a, b, len(old or "") + len(new) <= LARGE))
    return f"{head}--- {before}\n+++ {name}\n{hunks}" if hunks else head if old is None else ""


_remembered = lru_cache(maxsize=16)(_patch)


def _lines(text: str) -> list[str]:
    *whole, rest = text.split("\n")
    lines = [line + "\n" for line in whole]
    return [*lines, rest] if rest else lines


def _name(path: str) -> str:
    if not _QUOTED.search(path):
        return path
    return '"' + _QUOTED.sub(lambda found: f"\\{ord(found[0]):03o}", path) + '"'


def _hunks(a: list[str], b: list[str], anchored: bool) -> Iterator[str]:
    for group in _groups(_changes(a, b, anchored)):
        start, end = max(0, group[0].old - CONTEXT), min(len(a), group[-1].old_end + CONTEXT)
        new_start = group[0].new - (group[0].old - start)
        new_end = group[-1].new_end + (end - group[-1].old_end)
        yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n"
        at = start
        for change in group:
            yield from _signed(" ", a[at : change.old])
            yield from _signed("-", a[change.old : change.old_end])
            yield from _signed("+", b[change.new : change.new_end])
            at = change.old_end
        yield from _signed(" ", a[at:end])


def _signed(sign: str, lines: list[str]) -> Iterator[str]:
    for line in lines:
        yield sign + line if line.endswith("\n") else f"{sign}{line}\n\\ No newline at end of file\n"


def _range(start: int, end: int) -> str:
    first = start + 1 if end > start else start
    return f"{first},{end - start}"


def _groups(changes: list[_Change]) -> Iterator[list[_Change]]:
    """Changes that stand so near to each other that their context meets."""
    group: list[_Change] = []
    for change in changes:
        if group and change.old - group[-1].old_end > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _changes(a: list[str], b: list[str], anchored: bool) -> list[_Change]:
    start, most = 0, min(len(a), len(b))
    while start < most and a[start] == b[start]:
        start += 1
    tail = 0
    while tail < most - start and a[-1 - tail] == b[-1 - tail]:
        tail += 1
    ends = len(a) - tail, len(b) - tail
    found: list[_Change] = []
    at, other = start, start
    same = _same(a[start : ends[0]], b[start : ends[1]], anchored)
    for i, j, size in [*((i + start, j + start, size) for i, j, size in same), (*ends, 0)]:
        if i > at or j > other:
            found.append(_Change(at, i, other, j))
        at, other = i + size, j + size
    return found


def _same(a: list[str], b: list[str], anchored: bool) -> Iterator[tuple[int, int, int]]:
    """Runs of equal lines, in order."""
    if len(a) * len(b) <= SMALL:
        yield from _compared(a, b, 0, 0)
        return
    at = other = spent = 0
    for i, j in [*(_anchors(a, b) if anchored else ()), (len(a), len(b))]:
        cost = (i - at) * (j - other)
        if cost <= SMALL and spent + cost <= BUDGET:
            spent += cost
            yield from _compared(a[at:i], b[other:j], at, other)
        if i < len(a):
            yield i, j, 1
        at, other = i + 1, j + 1


def _compared(a: list[str], b: list[str], i: int, j: int) -> Iterator[tuple[int, int, int]]:
    if a and b:
        for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks():
            if block.size:
                yield block.a + i, block.b + j, block.size


def _anchors(a: list[str], b: list[str]) -> list[tuple[int, int]]:
    """Lines that occur once in each, as many as stand in the same order in both."""
    in_a, in_b = Counter(a), Counter(b)
    places = {line: j for j, line in enumerate(b) if in_b[line] == 1}
    pairs = [(i, places[line]) for i, line in enumerate(a) if in_a[line] == 1 and line in places]
    tops: list[int] = []
    piles: list[int] = []
    back: list[int] = []
    for n, (_, j) in enumerate(pairs):
        pile = bisect_left(tops, j)
        back.append(piles[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(j)
            piles.append(n)
        else:
            tops[pile], piles[pile] = j, n
    found: list[tuple[int, int]] = []
    at = piles[-1] if piles else -1
    while at >= 0:
        found.append(pairs[at])
        at = back[at]
    return found[::-1]
