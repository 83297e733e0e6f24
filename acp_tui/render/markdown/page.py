"""What a document is laid out on."""

from __future__ import annotations

from dataclasses import dataclass

from rich.style import Style

from acp_tui.render.look import Look
from acp_tui.render.wrap import Run

MEASURE = 100
"""Prose is wrapped at this many cells however wide the screen is; code and tables use all of it."""


@dataclass(frozen=True, slots=True)
class Page:
    """Width and style of the lines; `left` stands at the left of each of them, as gutter."""

    width: int
    look: Look
    left: tuple[Run, ...]
    text: Style
    """Style of plain words."""
    breaks: bool = False
    """Line breaks of a paragraph are kept: what the user typed."""
    measure: int = MEASURE
    part: int | None = None
    """What part of its entity the text is: the act `("copy", part, fence)` copies a piece of code of it."""

    @property
    def limit(self) -> int:
        """Cells prose may use, the gutter included: one stays free at the right edge."""
        return max(1, min(self.width - 1, self.measure))
