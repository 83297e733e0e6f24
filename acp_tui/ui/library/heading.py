"""The words at the top of the library: what is looked at, and how much there is of it. Pure.

Invariant: they stand apart in any width; what narrows the list gives way last.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from acp_tui.render.clean import one_line
from acp_tui.ui.detail.bars import Said
from acp_tui.ui.library.asking import View
from acp_tui.ui.widgets.header import short_folder

LEAST = 12
"""Cells of the folder up to which other words give way to it."""
_LEVELS = 5
"""So often something is left out."""


def heading(view: View, folder: str, here: int, everywhere: int, width: int) -> tuple[list[Said], list[Said]]:
    """Left and right, with as much as there is room for."""
    name = short_folder(folder)
    for level in range(_LEVELS):
        last = level == _LEVELS - 1
        right = _filters(view, not level, max(6, width // 5) if last else 20)
        left = _places(view, name, here, everywhere, level)
        room = width - _length(left) - _length(right) - (2 if right else 0) + cell_len(name)
        if room >= min(LEAST, cell_len(name)) or last:
            break
    left = _places(view, one_line(name, max(4, room)), here, everywhere, level)
    return left, right if _length(left) + 2 + _length(right) <= width else []


def _places(view: View, folder: str, here: int, everywhere: int, level: int) -> list[Said]:
    title = "Trash" if view.trash else "Sessions" if level < 3 else ""
    left: list[Said] = [(title, "strong"), ("   ", "")] if title else []
    mine = (f"{folder} {here:,}", "dim" if view.everywhere else "on", ("folder", False))
    others = "all folders" if level < 2 else "all"
    all = (f"{others} {everywhere:,}", "on" if view.everywhere else "dim", ("folder", True))
    if level == _LEVELS - 1:
        return [*left, all if view.everywhere else mine]
    return [*left, mine, ("  ", ""), all]


def _filters(view: View, all: bool, most: int) -> list[Said]:
    """Those that narrow the list; or all there are."""
    agent = one_line((view.agent or "any agent").rpartition("/")[2], most)
    state = one_line(str(view.state) if view.state is not None else "any state", most)
    found: list[Said] = [(agent, "on" if view.agent else "dim", ("agent",))] if view.agent or all else []
    if view.state or all:
        found += [("  ", "")] if found else []
        found += [(state, "on" if view.state else "dim", ("state",))]
    return found


def _length(said: Sequence[Said]) -> int:
    return sum(cell_len(one[0]) for one in said)
