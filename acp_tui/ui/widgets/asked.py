"""What is asked, whole: title, description, command or diff, scrolling where it is longer than its room
(PM-21).
"""

from __future__ import annotations

from collections.abc import Callable

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from acp_tui.render.look import FALLBACK, Look
from acp_tui.render.permission import request_lines
from acp_tui.render.wrap import wrap
from acp_tui.store.entities import AgentRequest
from acp_tui.store.store import Store
from acp_tui.ui.transcript_broken import WORDS, Broke


class Asked(ScrollView, can_focus=False):
    """The lines of one request."""

    def __init__(self) -> None:
        super().__init__()
        self.look: Callable[[], Look] = lambda: FALLBACK
        """The look of the transcript: what is asked looks like what was done."""
        self.asked: tuple[AgentRequest, Store] | None = None
        self.strips: list[Strip] = []
        self.drawn_for: tuple[int, Look] | None = None

    def show(self, request: AgentRequest, store: Store) -> None:
        """Show this request from its first line."""
        self.asked = (request, store)
        self.drawn_for = None
        self.scroll_home(animate=False, immediate=True)

    def height_for(self, width: int) -> int:
        """Lines it takes at this width."""
        self.draw(width)
        return len(self.strips)

    def draw(self, width: int) -> None:
        """Make the lines, unless they are there for this width and look."""
        look = self.look()
        if self.asked is None or self.drawn_for == (width, look):
            return
        request, store = self.asked
        self.drawn_for = (width, look)
        self.strips = self._lines(request, store, width, look)
        self.virtual_size = Size(width, len(self.strips))
        self.refresh()

    def _lines(self, request: AgentRequest, store: Store, width: int, look: Look) -> list[Strip]:
        try:
            return request_lines(request, store, width, look)
        except Exception as error:  # of whatever kind: it can still be read raw, and rejected
            self.post_message(Broke(request.key, error))
            return wrap([(f"What is asked {WORDS}", look.status_failed)], width, look.base).strips

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        self.draw(self.scrollable_content_region.width)
        row = y + self.scroll_offset.y
        style = self.look().base
        strip = self.strips[row] if row < len(self.strips) else Strip.blank(width, style)
        return strip.adjust_cell_length(width, style)
