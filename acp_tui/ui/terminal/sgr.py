"""Styled cells as few bytes: from one style to the next only what differs is said, blanks are erased rather
than written, and the cursor is told to go only where it does not stand already.

Invariants: a text begins and ends with the terminal's default style, as everything Textual writes does. The
cursor is known only after characters that are one cell wide in every terminal.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from rich.color import ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Cell = tuple[int, int, Strip]
"""Column, row and what stands there from then on."""

BLANKS = 8
"""So many blanks are worth an erasing."""

_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "6": "25", "7": "27", "8": "28", "9": "29"}
"""What ends an attribute; the first two have one end."""


class _Codes(NamedTuple):
    """What an SGR sequence sets."""

    attributes: frozenset[str]
    color: str
    background: str


@cache
def erases() -> bool:
    """The terminal's description says that it fills what it erases with the background that is set."""
    try:
        import curses
    except ImportError:  # a Python that was built without it
        return False
    try:
        curses.setupterm(os.environ.get("TERM", "dumb"), 1)
    except curses.error:  # not described
        return False
    return curses.tigetflag("bce") > 0 and (curses.tigetstr("ech") or b"").startswith(b"\x1b[%p1%dX")


def written(cells: Iterable[Cell], console: Console, erasing: bool = False) -> str:
    """The cells, each at its place; `erasing`: the terminal `erases`."""
    pen = _Pen(COLOR_SYSTEMS.get(console.color_system or "truecolor", ColorSystem.TRUECOLOR))
    for x, y, strip in cells:
        pen.go(x, y)
        for segment in strip:
            for part in _parts(segment) if erasing else (segment,):
                pen.write(part, erasing)
    pen.change("")
    return "".join(pen.out)


def _parts(segment: Segment) -> Iterator[Segment]:
    """The words and the blanks at their end."""
    text, style, _ = segment
    words = text.rstrip(" ")
    if not words or len(text) - len(words) < BLANKS:
        yield segment
    else:
        yield Segment(words, style)
        yield Segment(text[len(words) :], style)


class _Pen:
    """Where the cursor is and what style is set."""

    def __init__(self, system: ColorSystem) -> None:
        self.out: list[str] = []
        self._system = system
        self._state = ""
        self._x = self._y = -1
        self._behind = 0
        """Cells that the cursor stands left of `_x`: they were erased."""

    def go(self, x: int, y: int) -> None:
        """To a cell."""
        if y == self._y and x >= self._x:
            self._behind += x - self._x
        else:
            self.out.append(f"\x1b[{y + 1};{x + 1}H")
            self._behind = 0
        self._x, self._y = x, y

    def write(self, segment: Segment, erasing: bool) -> None:
        """Write a text, or erase if it is only blanks."""
        text, style, _ = segment
        self.change(Strip.render_ansi(style, self._system) if style is not None else "")
        if erasing and len(text) >= BLANKS and not text.strip(" ") and _plain(style):
            self._advance()
            self.out.append(f"\x1b[{len(text)}X")
            self._x += len(text)
            self._behind = len(text)
            return
        self._advance()
        if style is not None and style.link:
            text = f"\x1b]8;id={style.link_id};{style.link}\x1b\\{text}\x1b]8;;\x1b\\"
        self.out.append(text)
        if segment.text.isascii():
            self._x += len(segment.text)
        else:
            self._y = -1

    def _advance(self) -> None:
        if self._behind:
            self.out.append(f"\x1b[{self._behind}C")
            self._behind = 0

    def change(self, wanted: str) -> None:
        """Set a style, given as SGR codes."""
        if wanted != self._state:
            self.out.append(_change(self._state, wanted))
            self._state = wanted


def _plain(style: Style | None) -> bool:
    """A blank of this style is nothing but background."""
    return style is None or not (
        style.reverse or style.underline or style.underline2 or style.strike or style.overline or style.link
    )


@lru_cache(maxsize=4096)
def _change(old: str, new: str) -> str:
    if not new:
        return "\x1b[m"
    was, now = _codes(old), _codes(new)
    gone = was.attributes - now.attributes
    ends = {_OFF.get(code, "0") for code in gone}
    if "0" in ends:
        return f"\x1b[0;{new}m"
    ended = {code for code in was.attributes if _OFF.get(code) in ends}
    said = [*sorted(ends), *sorted(now.attributes - (was.attributes - ended))]
    if was.color != now.color:
        said.append(now.color or "39")
    if was.background != now.background:
        said.append(now.background or "49")
    return f"\x1b[{';'.join(said)}m" if said else ""


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
