"""The agent's plans above the composer: one line with the step it is at, or the whole of one on a key.

Invariants: hidden while there is nothing to do and nobody asked; whatever is not in the room is counted; the
key goes through everything, page by page and plan by plan, and ends with the line (PL-05, PL-08).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from acp_tui.render.look import FALLBACK, Look
from acp_tui.render.plan import Sheet, plan_line, progress, sheet, weight
from acp_tui.render.wrap import Run, spread
from acp_tui.store.entities import Plan
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.transcript.widget import Transcript

ROWS = 12
"""Rows a whole plan may take; a third of the screen if that is less."""
Seen = tuple[tuple[Key, int], ...]


def plans(session: Session | None) -> list[Plan]:
    """The plans of a session: the one that is worked on first, the others in the agent's order."""
    entities = session.entities if session is not None else {}
    known = [
        plan for key in (session.plans if session else ()) if isinstance(plan := entities.get(key), Plan)
    ]
    if len(known) > 1:
        first = max(enumerate(known), key=lambda at: (weight(at[1]), at[1].updated_at, at[0]))[0]
        known.insert(0, known.pop(first))
    return known


class PlanLine(Bound, Widget):
    """See the module."""

    seen: reactive[Seen] = reactive((), layout=True)
    """The plans and their revisions."""
    open: reactive[tuple[int, int] | None] = reactive(None, layout=True)
    """Number of the plan that is shown whole, and how many pages past the one with the current step."""

    def __init__(self) -> None:
        super().__init__()
        self.look: Callable[[], Look] = lambda: FALLBACK
        """The look of the transcript."""
        self.plans: list[Plan] = []
        self._state: object = None
        self._drawn_for: Look | None = None
        self._strips: list[Strip] = []

    def show(self, store: Store, ref: str) -> None:
        """Follow this session."""
        self.unfollow()

        def changed(keys: frozenset[Key]) -> None:
            if not keys or any(key.kind is Kind.PLAN for key in keys):
                self.plans = plans(store.sessions.get(ref))
                self.seen = tuple((plan.key, plan.revision) for plan in self.plans)

        self.open = None
        self.follow(store, changed, sessions=[ref])
        changed(frozenset())

    def watch_seen(self) -> None:
        """Plans come, change and go."""
        if self.open is not None and self.open[0] >= len(self.plans):
            self.open = None
        self._appear()

    def watch_open(self) -> None:
        """Shown whole, or no longer."""
        self._appear()

    def _appear(self) -> None:
        self.display = self.open is not None or any(map(weight, self.plans))

    def turn(self) -> bool:
        """On to the next page, the next plan, or back to the line; False if there is no plan."""
        if not self.plans:
            return False
        if self.open is None:
            self.open = (0, 0)
            return True
        number, turned = self.open
        if turned + 1 < self._sheet(self.size.width).pages:
            self.open = (number, turned + 1)
        else:
            self.open = (number + 1, 0) if number + 1 < len(self.plans) else None
        return True

    def on_click(self, event: events.Click) -> None:
        """A link is followed; elsewhere it is as the key."""
        action = event.style.meta.get("act", ())
        if action[:1] == ("open",):
            self.post_message(Transcript.EditorWanted(str(action[1]), action[2]))
        elif action[:1] == ("link",):
            self.post_message(Transcript.Link(str(action[1])))
        else:
            self.turn()

    # Drawing

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """One row, and those of the page that is open."""
        return len(self._rows(width))

    def render_line(self, y: int) -> Strip:
        rows = self._rows(self.size.width)
        return rows[y] if y < len(rows) else Strip.blank(self.size.width, self.look().base)

    def _rows(self, width: int) -> list[Strip]:
        """What is shown, made once for each state, width and look."""
        look = self.look()
        state = (self.seen, self.open, width, self.screen.size.height)
        if state != self._state or look is not self._drawn_for:
            self._state, self._drawn_for = state, look
            self._strips = self._draw(width, look) if self.plans else [Strip.blank(width, look.base)]
        return self._strips

    def _draw(self, width: int, look: Look) -> list[Strip]:
        if self.open is None:
            return [self._head(plan_line(self.plans[0], look), 0, "all", width, look)]
        number, turned = self.open
        page = self._sheet(width)
        counted = progress(self.plans[number])
        said = f"plan {counted.done}/{counted.total}" if counted is not None else "plan"
        if counted is not None and not counted.total:
            said = "a plan without steps"
        if page.pages > 1:
            said += f" · lines {page.first + 1}–{page.first + len(page.strips)} of {page.total}"
        last = number + 1 == len(self.plans)
        then = "more" if turned + 1 < page.pages else "close" if last else "next plan"
        return [self._head([(said, look.dim)], number, then, width, look), *page.strips]

    def _head(self, left: Sequence[Run], number: int, then: str, width: int, look: Look) -> Strip:
        which = f"{number + 1} of {len(self.plans)} plans · " if len(self.plans) > 1 else ""
        right = [("  " + which, look.dim), (keys.hint("chat.plan"), look.base), (f" {then}", look.dim)]
        return spread(left, right, width, look.base)

    def _sheet(self, width: int) -> Sheet:
        number, turned = self.open or (0, 0)
        room = max(2, min(ROWS, self.screen.size.height // 3) - 1)
        return sheet(self.plans[number], width, self.look(), room, turned)
