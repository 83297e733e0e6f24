"""A diff as lines: the changes are the truth, the patch adds the text (DF-01).

    ✎ src/lex.py  +3 −1                 ▸ src/parse.py  +120 −30
      40   m = PATTERN.match(text, i)
      41 - i = m.end()
      41 + if m.end() == i:

Invariants: every change has a row; with `exact`, nothing is cut, nothing folds and control characters are
written out (PM-21). Colours never alone: signs say it. What is folded costs its one row; at first, and with
each click, a bounded number of lines is laid out and fewer characters are highlighted.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Literal

from acp_tui.protocol.tool_call import Diff
from acp_tui.render.diff_files import MOST, Work, owner
from acp_tui.render.diff_reading import Reading, read
from acp_tui.render.diff_rows import DiffLines, Sheet
from acp_tui.render.look import Look
from acp_tui.render.wrap import Runs

__all__ = ["DiffLines", "Layout", "Reading", "diff_lines", "other_layout", "owner", "read", "side_by_side"]

Layout = Literal["unified", "split", "auto"]
"""In one column, side by side, or by width."""

WIDE: Final = 140
"""Cells from which `auto` is side by side …"""
LEAST: Final = 60
"""… and below which nothing is."""


def side_by_side(layout: Layout, width: int) -> bool:
    """How a diff is shown at a width."""
    return (layout == "split" and width >= LEAST) or (layout == "auto" and width >= WIDE)


def other_layout(layout: Layout, width: int) -> Layout:
    """What it is switched to."""
    return "unified" if side_by_side(layout, width) else "split"


def diff_lines(
    item: Diff | Reading,
    width: int,
    look: Look,
    *,
    cwd: str = "",
    left: Runs = (),
    layout: Layout = "auto",
    limit: int | None = None,
    exact: bool = False,
    head: bool = True,
    toggled: Collection[int] = (),
    index: int = 0,
) -> DiffLines:
    """A diff on lines of `width` cells, each after the gutter `left`.

    `limit`: about so many lines at first. What is folded or left out says so in a row with the act
    `("part", n)`; `toggled` are those n that were clicked once. `index` keeps the numbers of several diffs
    apart. `exact`: everything, written out, nothing folds (PM-21). `head`: name the file also where there
    is only one.
    """
    reading = item if isinstance(item, Reading) else read(item)
    sheet = Sheet(width, look, tuple(left), exact)
    work = Work(reading, sheet, cwd, side_by_side(layout, width), limit or MOST, toggled, index)
    work.files(head)
    work.rest()
    return work.made
