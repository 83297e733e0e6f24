"""The one line in the place of many finished reads and searches.

✓ ▸ read 7 files, searched 2 times  src/lex.py:40 …                    0.4 s
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.strip import Strip

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.look import Look, act
from acp_tui.render.views.tool_line import TIME, place_run
from acp_tui.render.wrap import Run, spread
from acp_tui.store.entities import ToolCall

GUTTER = 5
"""Cells before the words."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What many calls did."""

    files: int
    searches: int
    seconds: float
    opened: bool


def said(tally: Tally) -> str:
    """In words."""
    parts = []
    if tally.files:
        parts.append(f"read {words.count(tally.files, 'file')}")
    if tally.searches:
        parts.append(f"searched {words.count(tally.searches, 'time')}")
    return ", ".join(parts)


def group_line(tally: Tally, first: ToolCall, cwd: str, width: int, look: Look) -> Strip:
    """The line; `first` is the first of the calls."""
    toggle = act("group")
    left: list[Run] = [
        (" ", look.base),
        (words.STATUS_GLYPHS["completed"] + " ", look.status_done + toggle),
        ("▾ " if tally.opened else "▸ ", look.kind + toggle),
        (said(tally), look.title + toggle),
    ]
    if first.locations:
        place = first.locations[0]
        left += [("  ", look.base), place_run(place.path, place.line, cwd, look)]
    elif first.title:
        left += [("  ", look.base), (one_line(first.title, 80), look.dim)]
    left.append((" …", look.dim))
    right: list[Run] = []
    if width >= 40:
        time = words.duration(tally.seconds) if tally.seconds >= 0.05 else ""
        right = [(f"{' ' + time:>{TIME - 1}} ", look.time)]
    return spread(left, [("  ", look.base), *right], width, look.base)
