"""What is asked, whole: title, description, command or diff, scrolling where it is longer than its room
(PM-21).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from acp_tui.render.diff import Layout, other_layout, side_by_side
from acp_tui.render.look import FALLBACK, Look
from acp_tui.render.permission import NOTHING, Found, asks_about, request_lines
from acp_tui.render.wrap import wrap
from acp_tui.store.entities import AgentRequest, ToolCall
from acp_tui.store.holding import is_diff
from acp_tui.store.store import Store
from acp_tui.ui.transcript.broken import Broke, broken


class Asked(ScrollView, can_focus=False):
    """The lines of one request."""

    def __init__(self) -> None:
        super().__init__()
        self.look: Callable[[], Look] = lambda: FALLBACK
        """The look of the transcript: what is asked looks like what was done."""
        self.asked: tuple[AgentRequest, Store] | None = None
        self.found: Found = NOTHING
        self.layout_of_diffs: Layout = "auto"
        self.strips: Sequence[Strip] = ()
        self.drawn_for: tuple[int, Look] | None = None

    def show(self, request: AgentRequest, store: Store) -> None:
        """Show this request from its first line."""
        self.asked = (request, store)
        self.found = self._look_at(request, store)
        self.drawn_for = None
        self.scroll_home(animate=False, immediate=True)

    @property
    def risks(self) -> int:
        """Things that are marked."""
        return len(self.found.marks) + len(self.found.outside) + self.found.elsewhere

    def turn(self) -> bool:
        """Diffs side by side, or in one column; False where that changes nothing."""
        width = self.scrollable_content_region.width
        turned = other_layout(self.layout_of_diffs, width)
        if not self._has_diff() or side_by_side(turned, width) == side_by_side(self.layout_of_diffs, width):
            return False
        self.layout_of_diffs, self.drawn_for = turned, None
        return True

    def _has_diff(self) -> bool:
        about = asks_about(self.asked[1], self.asked[0].key) if self.asked is not None else None
        call = self.asked[1].entity(about) if self.asked is not None and about is not None else None
        return isinstance(call, ToolCall) and any(map(is_diff, call.content))

    def _look_at(self, request: AgentRequest, store: Store) -> Found:
        from acp_tui.ui.looking import look_at

        try:
            return look_at(store, request)
        except Exception as error:  # of whatever kind: a warning that fails must not hide what it is about
            self.app.post_message(Broke(request.key, error))
            return NOTHING

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

    def _lines(self, request: AgentRequest, store: Store, width: int, look: Look) -> Sequence[Strip]:
        try:
            return request_lines(request, store, width, look, self.found, self.layout_of_diffs).strips
        except Exception as error:  # of whatever kind: it can still be read raw, and rejected
            self.app.post_message(Broke(request.key, error))
            said = f"What is asked {broken('panel.open')}"
            return wrap([(said, look.status_failed)], width, look.base).strips[:]

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        self.draw(self.scrollable_content_region.width)
        row = y + self.scroll_offset.y
        style = self.look().base
        strip = self.strips[row] if row < len(self.strips) else Strip.blank(width, style)
        return strip.adjust_cell_length(width, style)
