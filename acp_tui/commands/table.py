"""Rows as columns: whole through a pipe, as much as fits in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from acp_tui.commands.printing import width


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], dropped: Sequence[str], least: int
) -> Iterator[str]:
    """Lines. The last column takes the room that is left; while it has less than `least` cells, a terminal
    does without the columns `dropped`, the first first. Cells are clean.
    """
    if not rows:
        return
    cells = [head, *rows]
    shown = {name: max(_size(row[at]) for row in cells) for at, name in enumerate(head[:-1])}
    room = width() - 1 if sys.stdout.isatty() else 0
    for name in dropped:
        if room and sum(shown.values()) + 2 * len(shown) > room - least:
            shown.pop(name, None)
    for row in cells:
        kept = [
            row[at] + " " * (shown[name] - _size(row[at])) for at, name in enumerate(head) if name in shown
        ]
        line = "  ".join([*kept, row[-1]]).rstrip()
        yield (_cut(line, room) if room else line) + "\n"


def _cut(line: str, room: int) -> str:
    return line if _size(line) <= room else set_cell_size(line, room - 1) + "…"


def _size(cell: str) -> int:
    return len(cell) if cell.isascii() else cell_len(cell)
