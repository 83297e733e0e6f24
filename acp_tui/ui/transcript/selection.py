"""Selected text of the transcript: how Textual names a spot in it, how it is shown, what is copied.

Invariant: a spot is named by member and line, not by a row of the screen. So a selection stays on its words
while heights above it change, reaches over members, and covers what was never drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Protocol

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.selection import Selection
from textual.strip import Strip

from acp_tui.render.strips import Strips
from acp_tui.render.wrap import JOINTS, Lines, gutter_of, margin_of

SHIFT = 15
"""Not more: textual-speedups keeps offsets in 32 bits."""
_LAST = (1 << SHIFT) - 1
_WORD = re.compile(r"\w+|[^\w\s]+")


def spot(index: int, line: int) -> int:
    """The y of a Textual offset that stands for a line of a member; lines past 32,767 share the last."""
    return index << SHIFT | min(line, _LAST)


def member(y: int) -> int:
    """The member such a y lies in."""
    return y >> SHIFT


def highlighted(strip: Strip, span: tuple[int, int], style: Style) -> Strip:
    """The strip with the characters of `span` (an end of -1: to its end) in the style of a selection."""
    text = strip.text
    start, end = (_cells(text, at) for at in span)
    if span[1] == -1:
        end = strip.cell_length
    left, middle, right = strip.crop(0, start), strip.crop(start, end), strip.crop(end)
    shown = Strip(
        [Segment(text, (own or Style.null()) + style) for text, own, _ in middle], middle.cell_length
    )
    return Strip.join([left, shown, right])


def _cells(text: str, characters: int) -> int:
    return characters if text.isascii() else cell_len(text[:characters])


def character_at(text: str, cell: int) -> int:
    """Index of the character that covers a cell."""
    if text.isascii():
        return min(cell, len(text))
    used = 0
    for index, character in enumerate(text):
        used += cell_len(character)
        if used > cell:
            return index
    return len(text)


def word_at(text: str, character: int) -> tuple[int, int] | None:
    """Start and end of the word, or the run of signs, at a character."""
    return next((m.span() for m in _WORD.finditer(text) if m.start() <= character < m.end()), None)


class Source(Protocol):
    """What knows how its lines came from their source: a view."""

    def gutter(self, line: int) -> int:
        """Cells at the left of a line that are decoration."""

    def margin(self, line: int) -> int:
        """Characters at the right of a line that are decoration."""

    def joint(self, line: int) -> str:
        """What stands between a line and the next in the source."""


def copied(members: Iterable[tuple[int, Source, Strips]], selection: Selection) -> str:
    """The source text of a selection: soft wraps joined again, without gutters and padding."""
    pieces: list[str] = []
    joint = ""
    for index, view, strips in members:
        for line, text in enumerate(strips.texts()):
            span = selection.get_span(spot(index, line))
            text = text[: len(text) - view.margin(line)]
            if span is not None:
                full = strips[line] if view.joint(line) == "" else None
                pieces += (joint, _source(text, span, view.gutter(line), full))
                joint = view.joint(line)
    return "".join(pieces)


def _source(text: str, span: tuple[int, int], gutter: int, full: Strip | None) -> str:
    start = max(span[0], character_at(text, gutter))
    end = len(text) if span[1] == -1 else span[1]
    if full is not None:  # blanks at its end may be source, but not those the strip was padded with
        segments = [*full]
        padding = len(segments[-1].text) if segments and segments[-1].text.isspace() else 0
        return text[start : min(end, len(text) - padding)]
    return text[start:end].rstrip(" ")


def logical(lines: Lines, start: int = 0, stop: int | None = None) -> tuple[str, list[int], list[int]]:
    """The text of rows with soft wraps joined; where each row begins in it; the gutter of each row."""
    pieces: list[str] = []
    starts: list[int] = []
    gutters: list[int] = []
    size = 0
    for text, mark in zip(lines.strips.texts(start, stop), lines.marks[start:stop], strict=True):
        gutter = character_at(text, gutter_of(mark))
        text = text[: len(text) - margin_of(mark)]
        joint = JOINTS[mark & 3]
        body = text[gutter:] if joint == "" else text[gutter:].rstrip(" ")
        starts.append(size)
        gutters.append(gutter)
        pieces += (body, joint)
        size += len(body) + len(joint)
    return "".join(pieces), starts, gutters
