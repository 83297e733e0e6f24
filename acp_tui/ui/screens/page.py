"""A page of text to read: help, details, notices. Long lines wrap, everything can be scrolled, Escape
goes back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

from acp_tui.render.wrap import rows
from acp_tui.ui import keys
from acp_tui.ui.standing import Hint
from acp_tui.ui.widgets.hints import hint_line

HINTS = (("page.close", "back"), ("page.up page.down page.page_up page.page_down", "scroll"))
Line = tuple[str, str] | tuple[str, str, int]
"""What a line is (`head`, `dim` or nothing), its clean text, and how far its later rows are set in; if that
is not said, a little further than the line itself.
"""


class PageText(ScrollView, can_focus=True):
    """Lines, wrapped once for each width and drawn when seen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"page--head", "page--dim"}

    def __init__(self, lines: Iterable[Line]) -> None:
        super().__init__()
        self.source = list(lines)
        self.rows: list[tuple[str, str]] = []
        self.wrapped_at = 0

    def on_resize(self) -> None:
        """Wrap for the new width."""
        width = max(1, self.scrollable_content_region.width)
        if width != self.wrapped_at:
            self.wrapped_at = width
            self.rows = [row for line in self.source for row in _wrapped(line, width)]
            self.virtual_size = Size(width, len(self.rows))

    def render_line(self, y: int) -> Strip:
        row = y + self.scroll_offset.y
        kind, text = self.rows[row] if row < len(self.rows) else ("", "")
        style = self.get_component_rich_style(f"page--{kind}") if kind else self.rich_style
        strip = Strip([Segment(text, style)], cell_len(text))
        return strip.adjust_cell_length(self.size.width, self.rich_style)


def _wrapped(line: Line, width: int) -> Iterator[tuple[str, str]]:
    kind, text = line[:2]
    hang = min(line[2] if len(line) == 3 else len(text) - len(text.lstrip(" ")) + 2, width // 2)
    for row in rows(text, width, width - hang):
        yield kind, (" " * hang if row.start else "") + text[row.start : row.end]


class Page(Screen[None]):
    """Title, text, and how to get back."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("page")
    hints: ClassVar[tuple[Hint, ...]] = HINTS

    def heading(self) -> str:
        """The title."""
        raise NotImplementedError

    def lines(self) -> Iterable[Line]:
        """The text."""
        raise NotImplementedError

    def compose(self) -> ComposeResult:
        yield Static(self.heading(), id="page-title", markup=False)
        yield PageText(self.lines())
        yield Static(hint_line(self.hints), id="page-keys")

    def on_mount(self) -> None:
        """Keys go to the text."""
        self.query_one(PageText).focus()

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)

    def action_scroll_by(self, lines: int) -> None:
        """Scroll by lines."""
        self.query_one(PageText).scroll_relative(y=lines, animate=False)

    def action_scroll_pages(self, pages: int) -> None:
        """Scroll by pages."""
        text = self.query_one(PageText)
        text.scroll_relative(y=pages * max(1, text.size.height - 1), animate=False)

    def action_top(self) -> None:
        """To the first line."""
        self.query_one(PageText).scroll_home(animate=False)

    def action_end(self) -> None:
        """To the last line."""
        self.query_one(PageText).scroll_end(animate=False)
