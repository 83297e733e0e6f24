"""One row of words: a title, tabs, keys. What does not fit is cut at the left side's end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from acp_tui.render.look import act
from acp_tui.render.wrap import Run, spread

Said = tuple[str, str] | tuple[str, str, tuple[Any, ...]]
"""Words, their style (`strong`, `dim`, `on`, `bad`, `wait` or nothing), and what a click on them does."""


class Bar(Widget):
    """See the module."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"bar--{name}" for name in ("strong", "dim", "on", "bad", "wait")
    }
    DEFAULT_CSS = """
    Bar {
        height: 1;
        padding: 0 1;
        & > .bar--strong { text-style: bold; }
        & > .bar--dim { color: $text-muted; }
        & > .bar--on { color: $accent; text-style: bold underline; }
        & > .bar--bad { color: $error; }
        & > .bar--wait { color: $warning; }
    }
    """

    @dataclass
    class Clicked(Message):
        """Something in it was clicked."""

        action: tuple[Any, ...]

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._left: Sequence[Said] = ()
        self._right: Sequence[Said] = ()

    def say(self, left: Sequence[Said], right: Sequence[Said] = ()) -> None:
        """Show this from now on."""
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    def render_line(self, y: int) -> Strip:
        base = self.rich_style
        return spread(self._runs(self._left), self._runs(self._right), self.size.width, base)

    def _runs(self, said: Sequence[Said]) -> list[Run]:
        return [(one[0], self._style(one)) for one in said]

    def _style(self, one: Said) -> Style:
        style = self.get_component_rich_style(f"bar--{one[1]}") if one[1] else self.rich_style
        return style + act(*one[2]) if len(one) == 3 else style

    def on_click(self, event: events.Click) -> None:
        """Tell what was clicked."""
        cell = event.x - self.styles.padding.left
        for segment in self.render_line(0):
            cell -= segment.cell_length
            if cell < 0:
                action = segment.style.meta.get("act", ()) if segment.style is not None else ()
                if action:
                    self.post_message(self.Clicked(tuple(action)))
                return
