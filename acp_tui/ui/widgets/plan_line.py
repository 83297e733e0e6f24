"""The agent's plan above the composer: one line with the step it is at, or the whole of it on a key
(PL-02).
"""

from __future__ import annotations

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from acp_tui.protocol.plan import PlanEntry
from acp_tui.render.clean import one_line
from acp_tui.store.entities import Plan
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.binding import Bound

ROWS = 8
_GLYPHS = {"completed": "✓", "in_progress": "◐", "pending": "○"}
Step = tuple[str, str]
"""Status and text of a step, fit for the screen."""


def steps(session: Session | None) -> tuple[Step, ...]:
    """The steps of the newest plan that has any; markdown and file plans stand in the transcript only."""
    for key in reversed(session.plans if session is not None else []):
        plan = session.entities.get(key) if session is not None else None
        entries = getattr(plan.plan, "entries", None) if isinstance(plan, Plan) else None
        if entries:
            return tuple((e.status, one_line(e.content, 300)) for e in entries if isinstance(e, PlanEntry))
    return ()


class PlanLine(Bound, Widget):
    """Hidden while there is no plan, and when all of it is done."""

    steps: reactive[tuple[Step, ...]] = reactive((), layout=True)
    whole: reactive[bool] = reactive(False, layout=True)

    def show(self, store: Store, ref: str) -> None:
        """Follow this session."""
        self.unfollow()

        def changed(keys: frozenset[Key]) -> None:
            if not keys or any(key.kind is Kind.PLAN for key in keys):
                self.steps = steps(store.sessions.get(ref))

        self.follow(store, changed, sessions=[ref])
        changed(frozenset())

    def watch_steps(self, new: tuple[Step, ...]) -> None:
        """A finished plan needs no line."""
        self.display = any(status != "completed" for status, _ in new)

    def get_content_height(self, *_: object) -> int:
        """One row, or a row for each step."""
        return min(ROWS, len(self.steps)) if self.whole else 1

    @property
    def at(self) -> int:
        """The step in progress, else the first one not done."""
        statuses = [status for status, _ in self.steps]
        if "in_progress" in statuses:
            return statuses.index("in_progress")
        return next((i for i, status in enumerate(statuses) if status != "completed"), 0)

    def render(self) -> RenderResult:
        return self._list() if self.whole else self._line()

    def _line(self) -> Content:
        width = self.content_size.width
        done = sum(1 for status, _ in self.steps if status == "completed")
        right = Content.assemble(("Ctrl+T", "$foreground"), " all")
        text = self.steps[self.at][1] if self.steps else ""
        left = Content.assemble(f"plan {done}/{len(self.steps)} · ", (text, "$foreground"))
        left = left.truncate(max(0, width - right.cell_length - 2), ellipsis=True)
        return Content.assemble(left, " " * max(0, width - left.cell_length - right.cell_length), right)

    def _list(self) -> Content:
        first = max(0, min(self.at - ROWS // 2, len(self.steps) - ROWS))
        rows = [self._step(i, self.steps[i]) for i in range(first, min(first + ROWS, len(self.steps)))]
        return Content("\n").join(rows)

    def _step(self, index: int, step: Step) -> Content:
        status, text = step
        style = "" if status == "completed" else "bold $foreground" if index == self.at else "$foreground"
        glyph = _GLYPHS.get(status, "·")
        return Content.styled(f"{glyph} {text}", style).truncate(self.content_size.width, ellipsis=True)
