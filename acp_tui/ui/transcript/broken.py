"""What stands in the place of a view that failed: one line, so that the rest of the conversation can be read.

Invariant: it asks nothing of its entity but the key, so that it cannot fail as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.message import Message

from acp_tui.render.look import Look
from acp_tui.render.view import View
from acp_tui.render.wrap import Lines, Run, spread
from acp_tui.store.keys import Key
from acp_tui.ui import keys


def broken(open: str) -> str:
    """What is said of it; `open` is the id of the key that shows it raw."""
    return f"could not be shown · {keys.hint(open)} shows it raw"


@dataclass
class Broke(Message):
    """Something of this entity could not be drawn. That is a mistake of ours, whatever the entity holds.

    It is posted to the app itself: painting runs as the screen, and what a widget posts there does not bubble
    further than the screen.
    """

    key: Key
    error: Exception


class BrokenView(View):
    """Stays until its entity changes; then the real view has another try."""

    __slots__ = ()

    def source(self) -> str:
        """Nothing that could be relied on."""
        return ""

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        lines = self.begin(width, look)
        what = self.entity.key.kind.replace("_", " ")
        runs: list[Run] = [(" ✗ ", look.status_failed), (f"{what} {broken('transcript.open')}", look.dim)]
        lines.add(spread(runs, [], width, look.base), 3)
        return lines


class CompactBrokenView(BrokenView):
    """In the place of one that keeps close to its neighbours."""

    __slots__ = ()

    compact: ClassVar[bool] = True


def instead_of(view: View) -> BrokenView:
    """The line in the place of this one."""
    made = (CompactBrokenView if view.compact else BrokenView)(view.entity, view.store, view.now)
    made.gap = view.gap
    return made
