"""Pictures of a screen as Rich and Textual draw them, made whole by themselves.

Invariants: no font comes from the net, every blank is where it belongs in any viewer, and the same screen
gives the same text.
"""

from __future__ import annotations

import re

_TEXT = re.compile(
    r'(<text class="[^"]*-r\d+" x=")([\d.]+)(" y="[\d.]+" textLength=")([\d.]+)("[^>]*>)(.*?)</text>'
)
_FONTS = re.compile(r"@font-face \{.*?\}", re.DOTALL)
_FAMILY = re.compile(r"Fira Code, monospace|Fira Code")
CELL = 12.2
"""Width of a cell in the picture's units."""
BLANK = "&#160;"


def whole(picture: str) -> str:
    """The same picture, which needs nothing else."""
    picture = _FONTS.sub("", _TEXT.sub(_trimmed, picture))
    picture = _FAMILY.sub("ui-monospace, Menlo, DejaVu Sans Mono, monospace", picture)
    return "\n".join(line.rstrip() for line in picture.splitlines() if line.strip()) + "\n"


def _trimmed(found: re.Match[str]) -> str:
    """A run without the blanks at its ends, which some viewers drop without moving the rest."""
    head, x, middle, length, tail, text = found.groups()
    left = right = 0
    while text.startswith(BLANK):
        text, left = text.removeprefix(BLANK), left + 1
    while text.endswith(BLANK):
        text, right = text.removesuffix(BLANK), right + 1
    if not text:
        return ""
    start, width = float(x) + left * CELL, float(length) - (left + right) * CELL
    return f"{head}{start:g}{middle}{width:g}{tail}{text}</text>"
