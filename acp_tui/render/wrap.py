"""Styled runs to lines of an exact width.

Invariants: every strip is exactly as many cells wide as asked for; each line says how many cells at its
left are decoration (`gutter`) and what stands between it and the next line in the source (`joint`): a
newline, a space where a soft wrap swallowed one, or nothing where a word was split. Cost is linear in the
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from acp_tui.render.strips import Later, Strips

Run = tuple[str, Style]
Runs = Sequence[Run]

HARD: Final = 0
SPACE: Final = 1
SPLIT: Final = 2
JOINTS = ("\n", " ", "")

WIDE = (
    "\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6"
    "\U00020000-\U0003ffff"
)
_CLOSING = "、。，．・：；！？）」』】〕〉》”’…ー"
_TOKEN = re.compile(f"[{WIDE}][{_CLOSING}\\u0300-\\u036f\\ufe00-\\ufe0f]*|[^ {WIDE}]+")
_JOINER = "\u200d"
_SLICE = 4096  # code points of one word that are measured at a time


_MARGIN: Final = 16  # bits of a mark below the margin
_GUTTER: Final = (1 << _MARGIN - 2) - 1


class Lines:
    """Finished lines: strips, and for each its margin, gutter and joint packed into one small integer."""

    __slots__ = ("marks", "strips")

    def __init__(self) -> None:
        self.strips = Strips()
        self.marks: list[int] = []

    def add(self, strip: Strip, gutter: int = 0, joint: int = HARD) -> None:
        """Append one line."""
        self.strips.append(strip)
        self.marks.append(min(gutter, strip.cell_length) << 2 | joint)

    def extend(self, other: Lines) -> None:
        """Append the very same strips."""
        self.strips.extend(other.strips)
        self.marks += other.marks

    def put(self, piece: Later, marks: Sequence[int]) -> None:
        """Append a piece that is made when it is seen, with the mark of each of its lines."""
        self.strips.put(piece, len(marks))
        self.marks += marks

    def gutter(self, line: int) -> int:
        """Cells at the left of a line that are decoration, not source."""
        return gutter_of(self.marks[line])

    def margin(self, line: int) -> int:
        """Characters at the right of a line that are decoration, not source."""
        return margin_of(self.marks[line])

    def hang(self, line: int, runs: Runs) -> None:
        """Put something at the right edge of a line, as its margin."""
        size = size_of(runs)
        kept = self.strips[line].crop(0, self.strips[line].cell_length - size)
        made = Strip.join([kept, Strip([Segment(*run) for run in runs], size)])
        self.strips.replace(line, (made,))
        self.marks[line] |= sum(len(text) for text, _ in runs) << _MARGIN

    def joint(self, line: int) -> str:
        """What stands in the source between a line and the next: a newline, a space, or nothing."""
        return JOINTS[self.marks[line] & 3]

    def cut(self, length: int) -> None:
        """Forget all but the first `length` lines."""
        self.strips.cut(length)
        del self.marks[length:]

    def reuse(self, old: Sequence[Strip], start: int = 0) -> None:
        """From line `start` on, put old strips in the place of equal new ones: first those that stood at the
        same place, else those that stood anywhere. Pieces see to that themselves."""
        if not old:
            return
        known: dict[str, Strip] = {}
        strips = self.strips
        for index, new in strips.made(start):
            place = index - start
            if place < len(old) and old[place] == new:
                strips.replace(index, (old[place],))
                continue
            known = known or {strip.text: strip for strip in old}
            same = known.get(new.text)
            if same is not None and same == new:
                strips.replace(index, (same,))

    def __len__(self) -> int:
        return len(self.strips)


def gutter_of(mark: int) -> int:
    """Cells at the left that are decoration."""
    return mark >> 2 & _GUTTER


def margin_of(mark: int) -> int:
    """Characters at the right that are decoration."""
    return mark >> _MARGIN


class Row(NamedTuple):
    """One row of a wrapped text: where it starts and ends, and what follows it."""

    start: int
    end: int
    joint: int


def rows(text: str, first: int, rest: int, words: bool = True) -> Iterator[Row]:
    """Where to break clean text: `first` cells for the first row, `rest` for the others."""
    first, rest = max(1, first), max(1, rest)
    room = first
    start = 0
    simple = text.isascii()
    for line in text.split("\n"):
        end = start + len(line)
        if simple:
            yield from _ascii_rows(text, start, end, room, rest, words)
        elif words:
            yield from _word_rows(text, start, end, room, rest)
        else:
            yield from _cell_rows(text, start, end, room, rest)
        room = rest
        start = end + 1


@lru_cache(maxsize=4)
def all_rows(text: str, first: int, rest: int, words: bool = True) -> tuple[Row, ...]:
    """The same; kept for a while, as it is asked for again at once."""
    return tuple(rows(text, first, rest, words))


def _ascii_rows(text: str, start: int, end: int, room: int, rest: int, words: bool) -> Iterator[Row]:
    while end - start > room:
        stop = text.rfind(" ", start + 1, start + room + 1) if words else -1
        head = stop
        while head > start and text[head - 1] == " ":
            head -= 1
        if stop <= start or head == start:
            yield Row(start, start + room, SPLIT)
            start += room
        else:
            yield Row(start, head, SPACE)
            start = stop + 1
            while start < end and text[start] == " ":
                start += 1
            if start == end:
                return
        room = rest
    yield Row(start, end, HARD)


def _word_rows(text: str, start: int, end: int, room: int, rest: int) -> Iterator[Row]:
    last, used = start, 0  # the row so far is text[start:last], `used` cells
    for match in _TOKEN.finditer(text, start, end):
        head, tail = match.span()
        gap = head - last
        size = cell_len(match[0]) if tail - head < _SLICE else rest + 1
        if used + gap + size <= room:
            last, used = tail, used + gap + size
            continue
        if last > start:
            yield Row(start, last, SPACE if gap else SPLIT)
            room = rest
        start, last, used = head, tail, size
        if size > room:
            for row in _cell_rows(text, head, tail, room, rest):
                if row.joint != HARD:
                    yield row
                    room = rest
                start = row.start
            used = cell_len(text[start:last])
    yield Row(start, last, HARD)


def _cell_rows(text: str, start: int, end: int, room: int, rest: int) -> Iterator[Row]:
    while True:
        part = text[start : min(end, start + room * 2 + 16)]
        if start + len(part) >= end and cell_len(part) <= room:
            yield Row(start, end, HARD)
            return
        fit = next((len(piece) for piece in chop_cells(part, max(room, 2)) if piece), 1)
        if _JOINER in part:
            fit = max(1, len(shortened(part[:fit], max(room, 2))))
        if start + fit >= end:
            yield Row(start, end, HARD)
            return
        yield Row(start, start + fit, SPLIT)
        start += fit
        room = rest


def strip(segments: list[Segment], width: int, fill: Style) -> Strip:
    """A strip of exactly `width` cells, padded with `fill` or, should it be too long, cropped."""
    used = 0
    for text, _, _ in segments:
        used += len(text) if text.isascii() else cell_len(text)
    if used < width:
        segments.append(Segment(" " * (width - used), fill))
    elif used > width:
        return _cropped(segments, width, fill)
    return Strip(segments, width)


def _cropped(segments: list[Segment], width: int, fill: Style) -> Strip:
    made: list[Segment] = []
    room = width
    for text, style, _ in segments:
        kept = shortened(text, room)
        made.append(Segment(kept, style))
        room -= cell_len(kept)
        if kept != text:
            break
    return Strip([*made, Segment(" " * room, fill)], width)


def shortened(text: str, width: int) -> str:
    """As much of a text that is hardly too long as fits; where characters join to nothing Rich does not know
    where to cut."""
    while text and cell_len(text) > width:
        text = text[:-1]
    return text


def blank(width: int, fill: Style) -> Strip:
    """An empty line."""
    return Strip([Segment(" " * width, fill)], width)


def size_of(runs: Iterable[Run]) -> int:
    """Cells these runs take."""
    return sum([len(text) if text.isascii() else cell_len(text) for text, _ in runs])


def wrap(
    runs: Runs,
    width: int,
    fill: Style,
    *,
    first: Runs = (),
    rest: Runs | None = None,
    measure: int = 0,
    words: bool = True,
) -> Lines:
    """Clean runs as lines of `width` cells, between words (`words`) or anywhere.

    `first` stands left of the first line, `rest` (default: `first`) of the others; both are gutter.
    `measure` limits the cells that text and gutter use.
    """
    rest = first if rest is None else rest
    gutters = (size_of(first), size_of(rest))
    limit = min(width, measure) if measure else width
    text = "".join(run[0] for run in runs) if len(runs) != 1 else runs[0][0]
    made = Lines()
    if text.isascii() and len(text) <= limit - gutters[0] and "\n" not in text:  # most lines of code
        made.add(strip([Segment(*run) for run in (*first, *runs) if run[0]], width, fill), gutters[0])
    else:
        cursor = _Cursor(runs)
        for row in rows(text, limit - gutters[0], limit - gutters[1], words):
            later = bool(made.strips)
            segments = [Segment(*run) for run in (rest if later else first)]
            segments += cursor.take(row.start, row.end)
            made.add(strip(segments, width, fill), gutters[later], row.joint)
    return made


def marks_of(text: str, width: int, first: int, rest: int, measure: int = 0, words: bool = True) -> list[int]:
    """The marks of the lines that `wrap` makes of a text beside gutters of so many cells; no line is made."""
    limit = min(width, measure) if measure else width
    if text.isascii() and len(text) <= limit - first and "\n" not in text:
        return [min(first, width) << 2 | HARD]
    joints = [row.joint for row in all_rows(text, limit - first, limit - rest, words)]
    rest = min(rest, width) << 2
    return [min(first, width) << 2 | joints[0], *[rest | joint for joint in joints[1:]]]


def piece(runs: Runs, start: int, end: int) -> list[Segment]:
    """What stands between two places of the joined text of the runs."""
    return _Cursor(runs).take(start, end)


class _Cursor:
    """Cuts runs at increasing positions of their joined text."""

    __slots__ = ("base", "index", "runs")

    def __init__(self, runs: Runs) -> None:
        self.runs = runs
        self.index = 0
        self.base = 0  # where runs[index] starts

    def take(self, start: int, end: int) -> list[Segment]:
        segments: list[Segment] = []
        runs = self.runs
        while self.index < len(runs):
            text, style = runs[self.index]
            stop = self.base + len(text)
            if stop > start and end > self.base:
                segments.append(Segment(text[max(0, start - self.base) : end - self.base], style))
            if stop > end:
                break
            self.index += 1
            self.base = stop
        return segments


def cut(runs: Runs, width: int) -> list[Run]:
    """The runs cut to at most `width` cells, with `…` where something is missing."""
    kept: list[Run] = []
    room = width
    for text, style in runs:
        size = cell_len(text)
        if size <= room:
            kept.append((text, style))
            room -= size
            continue
        if room > 0:
            kept.append((set_cell_size(text, room - 1) + "…", style))
        elif kept:
            _end_with_dots(kept)
        break
    return kept


def _end_with_dots(kept: list[Run]) -> None:
    text, style = kept[-1]
    kept[-1] = (set_cell_size(text, max(0, cell_len(text) - 1)) + "…", style)


def spread(left: Runs, right: Runs, width: int, fill: Style) -> Strip:
    """One line: `left` cut to what `right` leaves, `right` at the right edge."""
    room = max(0, width - size_of(right))
    kept = cut(left, room)
    segments = [Segment(*run) for run in kept]
    segments.append(Segment(" " * (room - size_of(kept)), fill))
    return strip([*segments, *(Segment(*run) for run in right)], width, fill)


def merged(runs: Iterable[Run]) -> list[Run]:
    """Neighbours of the same style as one run."""
    made: list[Run] = []
    for text, style in runs:
        if made and made[-1][1] is style:
            made[-1] = (made[-1][0] + text, style)
        elif text:
            made.append((text, style))
    return made
