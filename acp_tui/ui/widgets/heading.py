"""The rule above what is asked: who asks, which of how many, since when, and what is not in sight of it."""

from __future__ import annotations

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from acp_tui.render.clean import one_line
from acp_tui.render.words import count, running


class Heading(Widget):
    """See the module."""

    who: reactive[str] = reactive("")
    place: reactive[tuple[int, int]] = reactive((1, 1))
    waited: reactive[int] = reactive(0)
    hidden: reactive[int] = reactive(0)
    """Lines of what is asked that have no room: said in words, nothing is approved unseen (PM-21)."""
    risks: reactive[int] = reactive(0)
    """Things that are marked, perhaps in lines that have no room."""

    def render(self) -> RenderResult:
        number, total = self.place
        parts = [f"{count(self.hidden, 'more line')} ↓"] if self.hidden else []
        parts += [f"{number} of {total}"] if total > 1 else []
        parts += [text] if (text := running(self.waited)) else []
        marked = f" ! {count(self.risks, 'risk')}" if self.risks else ""
        between = " ·" if marked and parts else ""
        right = f"{between} {' · '.join(parts)} ─" if parts else f"{' ' if marked else ''}─"
        room = max(8, self.content_size.width - len(marked) - len(right) - 12)
        left = f"─ {one_line(self.who, room)} asks "
        rule = "─" * max(0, self.content_size.width - len(marked) - len(right) - Content(left).cell_length)
        return Content.assemble(
            (left, "bold $warning"),
            (rule, "$warning"),
            (marked, "bold $error"),
            (right, "$warning"),
        )
