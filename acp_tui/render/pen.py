"""What a terminal program writes with: colours and attributes as SGR sequences set them, free of any
theme."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Final, NamedTuple

from rich.color import Color
from rich.style import Style

_ATTRIBUTES: Final = {1: 1, 2: 2, 3: 4, 4: 8, 7: 16, 9: 32, 8: 64, 53: 128}
"""SGR code to the bit it sets."""
FAR: Final = 0.4
"""How much lighter or darker than its background text has to be."""
_RESETS: Final = {21: 1, 22: 1 | 2, 23: 4, 24: 8, 27: 16, 28: 64, 29: 32, 55: 128}


class Pen(NamedTuple):
    """Colours are `None`, a palette number or an (r, g, b)."""

    color: int | tuple[int, int, int] | None = None
    back: int | tuple[int, int, int] | None = None
    attributes: int = 0


PLAIN: Final = Pen()


@lru_cache(maxsize=4096)
def sgr(pen: Pen, params: str) -> Pen:
    """The pen after `CSI params m`."""
    codes = [int(p) if p.isdecimal() and len(p) < 6 else 0 for p in params.replace(":", ";").split(";")]
    color, back, attributes = pen
    at = 0
    while at < len(codes):
        code = codes[at]
        if code == 0:
            color, back, attributes = PLAIN
        elif code in _ATTRIBUTES:
            attributes |= _ATTRIBUTES[code]
        elif code in _RESETS:
            attributes &= ~_RESETS[code]
        elif code in (38, 48):
            value, used = _extended(codes, at + 1)
            color, back = (value, back) if code == 38 else (color, value)
            at += used
        elif code in (39, 49):
            color, back = (None, back) if code == 39 else (color, None)
        else:
            color, back = _basic(code, color, back)
        at += 1
    made = Pen(color, back, attributes)
    return PLAIN if made == PLAIN else made


_Value = int | tuple[int, int, int] | None


def _extended(codes: list[int], at: int) -> tuple[_Value, int]:
    kind = codes[at] if at < len(codes) else 0
    if kind == 5 and at + 1 < len(codes):
        return min(codes[at + 1], 255), 2
    if kind == 2 and at + 3 < len(codes):
        red, green, blue = (min(value, 255) for value in codes[at + 1 : at + 4])
        return (red, green, blue), 4
    return None, len(codes) - at


def _basic(code: int, color: _Value, back: _Value) -> tuple[_Value, _Value]:
    if 30 <= code <= 37:
        return code - 30, back
    if 40 <= code <= 47:
        return color, code - 40
    if 90 <= code <= 97:
        return code - 82, back
    if 100 <= code <= 107:
        return color, code - 92
    return color, back


@lru_cache(maxsize=4096)
def style(pen: Pen, base: Style) -> Style:
    """The pen on a base style; concealed text stays readable: nothing may hide here.

    With `NO_COLOR` a colour is no grey, in which much could not be read; a background turns text round.
    """
    if os.environ.get("NO_COLOR"):
        pen = Pen(attributes=pen.attributes ^ (16 if pen.back is not None else 0))
    if pen == PLAIN:
        return base
    bits = pen.attributes
    color = _color(pen.color)
    if pen.color is None and pen.back is not None and not bits & 16:
        color = _readable(base.color, _color(pen.back))
    return base + Style(
        color=color,
        bgcolor=_color(pen.back),
        bold=bool(bits & 1) or None,
        dim=bool(bits & 2) or None,
        italic=bool(bits & 4) or None,
        underline=bool(bits & 8) or None,
        reverse=bool(bits & 16) or None,
        strike=bool(bits & 32) or None,
    )


def _color(value: _Value) -> Color | None:
    if value is None:
        return None
    return Color.from_ansi(value) if isinstance(value, int) else Color.from_rgb(*value)


def _readable(color: Color | None, back: Color | None) -> Color | None:
    """A colour for text that has none of its own on a background that has: the theme may be the other way
    round than the program thought."""
    if color is None or color.is_default or back is None:
        return None
    light = _light(back)
    if abs(light - _light(color)) >= FAR:
        return None
    return Color.from_rgb(255, 255, 255) if light < 0.5 else Color.from_rgb(0, 0, 0)


def _light(color: Color) -> float:
    """How light it looks, from 0 to 1."""
    red, green, blue = color.get_truecolor()
    return (0.299 * red + 0.587 * green + 0.114 * blue) / 255
