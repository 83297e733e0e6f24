"""The rule above what is asked: who asks, which of how many, since when, and what is not in sight of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from acp_tui.render.clean import one_line
from acp_tui.render.words import count, running

_NAME = 8
"""Cells of who asks, at least."""
_AROUND = 12
"""Cells beside a name that are kept: its words, and some of the rule."""
_LEFT = 16
"""Cells that the left needs at least: a short name and its words."""


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
        width = self.content_size.width
        marked = f" ! {count(self.risks, 'risk')}" if self.risks else ""
        *longer, right = self._ends(marked)
        right = next((end for end in longer if len(marked) + len(end) <= width - _LEFT), right)
        left = f"─ {one_line(self.who, max(_NAME, width - len(marked) - len(right) - _AROUND))} asks "
        rule = "─" * max(0, width - len(marked) - len(right) - Content(left).cell_length)
        return Content.assemble(
            (left, "bold $warning"),
            (rule, "$warning"),
            (marked, "bold $error"),
            (right, "$warning"),
        )

    def _ends(self, marked: str) -> Iterator[str]:
        """What follows the marked, from all of it in words to the least, which is what is not in sight."""
        number, total = self.place
        lines = [f"{count(self.hidden, 'more line')} ↓"] if self.hidden else []
        places = [f"{number} of {total}"] if total > 1 else []
        times = [text] if (text := running(self.waited)) else []
        yield _end([*lines, *places, *times], marked)
        yield _end([*lines, *places], marked)
        lines, places = [f"{self.hidden} ↓"] if self.hidden else [], [f"{number}/{total}"] if places else []
        yield _end([*lines, *places], marked)
        yield _end(lines, marked)


def _end(parts: Sequence[str], marked: str) -> str:
    if not parts:
        return " ─" if marked else "─"
    return f"{' ·' if marked else ''} {' · '.join(parts)} ─"
