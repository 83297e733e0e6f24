"""The line in a session that stands for a session of its own, a subagent's (SA-01 to SA-04)."""

from __future__ import annotations

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.look import Look, act
from acp_tui.render.view import View
from acp_tui.render.wrap import Lines, Run, spread
from acp_tui.store.entities import Subagent
from acp_tui.store.keys import Key, Kind


class SubagentView(View):
    """Title, state and time of the child; a click opens it: the act `("session", ref)`."""

    __slots__ = ()

    compact = True
    entity: Subagent

    def related(self) -> tuple[Key, ...]:
        return (Key(self.entity.child, Kind.SESSION), Key(self.entity.child, Kind.INFO))

    def others(self) -> tuple[object, ...]:
        child = self.store.sessions.get(self.entity.child)
        title = child.info.title if child is not None else None
        return (self._state(), title, child.state_since if child is not None else 0.0)

    def _state(self) -> str | None:
        """What the child itself says, else what its parent reported, else nothing."""
        child = self.store.sessions.get(self.entity.child)
        if child is not None and child.state_since:
            return child.state
        return self.entity.reported_state

    @property
    def ticking(self) -> bool:
        return self._state() == "running"

    def source(self) -> str:
        return one_line(self.entity.title or self.entity.description or self.entity.key.id)

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        child = self.store.sessions.get(self.entity.child)
        state = self._state()
        title = (
            self.entity.title or (child.info.title if child is not None else None) or self.entity.description
        )
        glyph, style = {
            "running": (words.STATUS_GLYPHS["in_progress"], look.status_running),
            "requires_action": (words.STATUS_GLYPHS["paused"], look.status_waiting),
            "idle": ("●", look.status_done),
        }.get(state or "", ("○", look.status_off))
        opens = act("session", self.entity.child)
        left: list[Run] = [
            (f" {glyph} ", style),
            ("⑂ ", look.kind + opens),
            (self._title(title), look.title + opens),
        ]
        since = child.state_since if child is not None else 0.0
        time = words.running(self.now() - since) if since and self.ticking else ""
        said = words.state(state) if state else "not confirmed"
        right: list[Run] = [("  " + said, look.result), (f"{time:>8} ", look.time)]
        lines = self.begin(width, look)
        lines.add(spread(left, right, width, look.base))
        return lines

    def _title(self, title: str | None) -> str:
        return one_line(title or "subagent", 200)
