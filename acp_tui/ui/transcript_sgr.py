"""Styled cells as few bytes: from one style to the next only what differs is said.

Invariant: a text begins and ends with the terminal's default style, as everything Textual writes does.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from textual.strip import Strip

Cell = tuple[int, int, Strip]
"""Column, row and what stands there from then on."""


class _Codes(NamedTuple):
    """What an SGR sequence sets."""

    attributes: frozenset[str]
    color: str
    background: str


def written(cells: Iterable[Cell], console: Console) -> str:
    """The cells, each at its place."""
    system = COLOR_SYSTEMS.get(console.color_system or "truecolor", ColorSystem.TRUECOLOR)
    out: list[str] = []
    state = ""
    for x, y, strip in cells:
        out.append(f"\x1b[{y + 1};{x + 1}H")
        for text, style, _ in strip:
            wanted = Strip.render_ansi(style, system) if style is not None else ""
            if wanted != state:
                out.append(_change(state, wanted))
                state = wanted
            if style is not None and style.link:
                out.append(f"\x1b]8;id={style.link_id};{style.link}\x1b\\{text}\x1b]8;;\x1b\\")
            else:
                out.append(text)
    if state:
        out.append("\x1b[m")
    return "".join(out)


@lru_cache(maxsize=4096)
def _change(old: str, new: str) -> str:
    if not new:
        return "\x1b[m"
    was, now = _codes(old), _codes(new)
    if not was.attributes <= now.attributes:
        return f"\x1b[0;{new}m"
    said = sorted(now.attributes - was.attributes)
    if was.color != now.color:
        said.append(now.color or "39")
    if was.background != now.background:
        said.append(now.background or "49")
    return f"\x1b[{';'.join(said)}m"


@lru_cache(maxsize=4096)
def _codes(sgr: str) -> _Codes:
    attributes, color, background = set(), "", ""
    numbers = sgr.split(";") if sgr else []
    while numbers:
        length = {"2": 5, "5": 3}[numbers[1]] if numbers[0] in ("38", "48") else 1
        code, numbers = ";".join(numbers[:length]), numbers[length:]
        number = int(code.partition(";")[0])
        if 30 <= number <= 39 or 90 <= number <= 97:
            color = code
        elif 40 <= number <= 49 or 100 <= number <= 107:
            background = code
        else:
            attributes.add(code)
    return _Codes(frozenset(attributes), color, background)
