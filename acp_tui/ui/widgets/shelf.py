"""A list of any length through the line API, whose keys are those of every list: only what is in the window
is drawn.

Invariants: one stop is marked while there is any, and is in sight after every key; nothing is asked of what
is not in the window.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from acp_tui.ui import keys
from acp_tui.ui.library.rows import Rows, Sessions, Styles

PARTS = ("base", "title", "dim", "accent", "wait", "found", "here")


class Shelf(ScrollView, can_focus=True, inherit_bindings=False):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("list")
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"shelf--{part}" for part in PARTS}
    DEFAULT_CSS = """
    Shelf {
        height: 1fr;
        width: 1fr;
        background: $background;
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        & > .shelf--base { color: $foreground; background: $background; }
        & > .shelf--title { color: $foreground; background: $background; text-style: bold; }
        & > .shelf--dim { color: $text-muted; background: $background; }
        & > .shelf--accent { color: $accent; background: $background; }
        & > .shelf--wait { color: $warning; background: $background; }
        & > .shelf--found { color: $warning; background: $background; text-style: bold underline; }
        & > .shelf--here { background: $surface; }
        &:ansi > .shelf--here { background: $background; }
    }
    """

    @dataclass
    class Chosen(Message):
        """Enter, or a click on the marked one."""

        number: int

    class Marked(Message):
        """Another one is marked, or is another one now."""

    class Looked(Message):
        """Other lines are in the window."""

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self.rows: Rows = Sessions(0, 0.0)
        self.marked = 0
        self._styles_made: Styles | None = None

    # What is shown

    def put(self, rows: Rows, marked: int = 0, *, top: bool = False) -> None:
        """Show these; `top`: from the first on. Who has scrolled away from the mark stays where he is."""
        first, last = self.window
        away = not top and self.rows.stops > 0 and not first <= self.marked <= last
        self.rows = rows
        self.virtual_size = Size(self.size.width, rows.lines)
        if top:
            self.scroll_to(y=0, animate=False, force=True, immediate=True)
        self.mark(marked, away=away)
        self.post_message(self.Looked())

    def grown(self) -> None:
        """There are more of them, or some have come."""
        self.virtual_size = Size(self.size.width, self.rows.lines)
        self.refresh()
        self.post_message(self.Marked())

    def mark(self, stop: int, *, away: bool = False) -> None:
        """This one, or the nearest there is; into sight, unless the reader is `away` from it."""
        self.marked = max(0, min(stop, self.rows.stops - 1))
        if self.rows.stops and not away:
            first, count = self.rows.span(self.marked)
            self._into_sight(first, count)
        self.refresh()
        self.post_message(self.Marked())

    def _into_sight(self, first: int, count: int) -> None:
        top, height = self.scroll_offset.y, self.size.height
        if not height:
            return
        if first < top:
            self.scroll_to(y=first, animate=False, force=True, immediate=True)
        elif first + count > top + height:
            self.scroll_to(y=first + count - height, animate=False, force=True, immediate=True)

    @property
    def window(self) -> tuple[int, int]:
        """The first and the last stop in it."""
        top = self.scroll_offset.y
        last = max(0, min(top + max(1, self.size.height), self.rows.lines) - 1)
        return self.rows.stop(top), self.rows.stop(last)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Looked())

    def on_resize(self) -> None:
        """Other lines, perhaps the marked one out of sight."""
        self.mark(self.marked)
        self.post_message(self.Looked())

    # Drawing

    @property
    def look(self) -> Styles:
        """Of the theme that is on."""
        if self._styles_made is None:
            made: dict[str, Any] = {part: self.get_component_rich_style(f"shelf--{part}") for part in PARTS}
            made["here"] = made["here"].background_style
            self._styles_made = Styles(**made)
        return self._styles_made

    def notify_style_update(self) -> None:
        """Another theme."""
        super().notify_style_update()
        self._styles_made = None

    def render_line(self, y: int) -> Strip:
        width, line = self.size.width, self.scroll_offset.y + y
        if line >= self.rows.lines:
            return Strip.blank(width, self.look.base)
        here = self.rows.stop(line) == self.marked
        return self.rows.draw(line, width, self.look, here=here)

    # Keys and the mouse

    def on_click(self, event: events.Click) -> None:
        """Mark it; once more: choose it."""
        line = self.scroll_offset.y + event.y
        if line < self.rows.lines:
            stop = self.rows.stop(line)
            if stop == self.marked:
                self.post_message(self.Chosen(stop))
            else:
                self.mark(stop)

    def action_select(self) -> None:
        """Enter."""
        if self.rows.stops:
            self.post_message(self.Chosen(self.marked))

    def action_cursor_up(self) -> None:
        """The one above."""
        self.mark(self.marked - 1)

    def action_cursor_down(self) -> None:
        """The one below."""
        self.mark(self.marked + 1)

    def action_page_up(self) -> None:
        """A page up."""
        self._page(-1)

    def action_page_down(self) -> None:
        """A page down."""
        self._page(1)

    def _page(self, by: int) -> None:
        if self.rows.stops:
            line = self.rows.span(self.marked)[0] + by * max(1, self.size.height - 1)
            self.mark(self.rows.stop(max(0, min(line, self.rows.lines - 1))))

    def action_first(self) -> None:
        """The first."""
        self.mark(0)

    def action_last(self) -> None:
        """The last."""
        self.mark(self.rows.stops - 1)
