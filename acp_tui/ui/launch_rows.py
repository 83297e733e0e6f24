"""The start screen's list as it is drawn: headings, and rows in three columns that share the width.

Pure but for Textual's texts. Invariant: the columns stand at the same place in all groups; what is too long
is cut, the names last.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.widgets.option_list import Option

from acp_tui.render.clean import one_line
from acp_tui.ui.launch_choices import Choice

MARGIN = 4
"""Cells left and right (app.tcss)."""
BAR = 1
"""Cells of the scrollbar, which comes and goes: a row that ran under it would be broken in two."""
WIDEST = 112
GAP = 2
Group = tuple[str, Sequence[Choice]]
"""A heading, which may be empty, and what stands below."""
_LONG = ("session", "command")
_DIM = ("other", "more")


def options(groups: Sequence[Group], width: int) -> tuple[list[Choice | None], list[Option]]:
    """What each option stands for (None: a heading), and the options."""
    room = max(24, min(WIDEST, width) - 2 * MARGIN - 2 - BAR)
    every = [row for _, rows in groups for row in rows]
    rights = max((cell_len(row.right) for row in every), default=0)
    sessions = _names([row for row in every if row.kind == "session"], room, rights, room // 2)
    others = _names([row for row in every if row.kind not in _LONG], room, rights, room // 3)
    choices: list[Choice | None] = []
    shown: list[Option] = []
    for title, rows in groups:
        if rows and title:
            choices.append(None)
            shown.append(_heading(title, first=not shown))
        for row in rows:
            choices.append(row)
            shown.append(Option(_row(row, room, sessions if row.kind == "session" else others)))
    return choices, shown


def _heading(title: str, *, first: bool) -> Option:
    heading = Content.styled(title, "bold $text-muted")
    return Option(heading if first else Content("\n").append(heading), disabled=True)


def _names(rows: Sequence[Choice], room: int, rights: int, least: int) -> int:
    """Cells of the first column: what the longest needs, if the others have room, and `least` at least."""
    longest = max((cell_len(row.label) for row in rows), default=0)
    notes = max((cell_len(row.note) for row in rows), default=0)
    return min(longest, max(least, room - rights - notes - 2 * GAP))


def _row(row: Choice, room: int, names: int) -> Content:
    label = one_line(row.label, room - 20 if row.kind == "command" else names)
    names = max(names, cell_len(label))
    notes = max(0, room - names - GAP - (cell_len(row.right) + GAP if row.right else 0))
    note = one_line(row.note, notes) if notes > 3 else ""
    gap = " " * (names + GAP - cell_len(label))
    line = Content.assemble((label, "$text-muted" if row.kind in _DIM else "$foreground"), gap, note)
    if row.right:
        line = line.append(" " * max(GAP, room - cell_len(line.plain) - cell_len(row.right))).append(
            row.right
        )
    return line.truncate(room, ellipsis=True)
