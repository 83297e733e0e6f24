"""The line in a session that stands for a session of its own, a subagent's (SA-01 to SA-04).

Invariant: a child stands once in the timeline: under the last tool call whose content names it (SA-06), else
at its own place.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.look import Look, act
from acp_tui.render.view import Lookup, View
from acp_tui.render.wrap import Lines, Run, spread
from acp_tui.store.entities import Subagent
from acp_tui.store.keys import Key, Kind


def watched(entity: Subagent) -> tuple[Key, ...]:
    """What of the child is shown."""
    return (Key(entity.child, Kind.SESSION), Key(entity.child, Kind.INFO))


def state_of(entity: Subagent, store: Lookup) -> str | None:
    """What the child itself says, else what its parent reported, else nothing."""
    child = store.sessions.get(entity.child)
    if child is not None and child.state_since:
        return child.state
    return entity.reported_state


def ended(entity: Subagent, store: Lookup) -> str | None:
    """Why its work ended, where that was not simply done."""
    child = store.sessions.get(entity.child)
    reason = child.stop_reason if child is not None and state_of(entity, store) == "idle" else None
    return reason if reason != "end_turn" else None


def said_of(entity: Subagent, store: Lookup) -> str:
    """How it stands, in words."""
    state, reason = state_of(entity, store), ended(entity, store)
    if reason is not None:
        return words.stop_reason(reason)
    return words.state(state) if state else "not confirmed"


def seen(entity: Subagent, store: Lookup) -> tuple[object, ...]:
    """Everything the line shows, to tell whether it is still the same."""
    child = store.sessions.get(entity.child)
    since = child.state_since if child is not None else 0.0
    return entity.revision, said_of(entity, store), title_of(entity, store), since


def title_of(entity: Subagent, store: Lookup) -> str:
    """What it is there for, in the agent's words."""
    child = store.sessions.get(entity.child)
    own = child.info.title if child is not None else None
    return one_line(entity.title or own or entity.description or "", 200) or "subagent"


def subagent_line(
    entity: Subagent, store: Lookup, at: float, left: Sequence[Run], width: int, look: Look
) -> Strip:
    """Title, state and time of the child; a click opens it: the act `("session", ref)`."""
    child, state = store.sessions.get(entity.child), state_of(entity, store)
    glyph, style = {
        "running": (words.STATUS_GLYPHS["in_progress"], look.status_running),
        "requires_action": (words.STATUS_GLYPHS["paused"], look.status_waiting),
        "idle": (words.STATUS_GLYPHS["completed"], look.status_done),
    }.get(state or "", ("○", look.status_off))
    if (reason := ended(entity, store)) is not None:
        off = (words.STATUS_GLYPHS["cancelled"], look.status_off)
        glyph, style = (words.STATUS_GLYPHS["failed"], look.status_failed) if reason == "error" else off
    opens = act("session", entity.child)
    runs: list[Run] = [
        *left,
        (f"{glyph} ", style),
        ("↳ ", look.kind + opens),
        (title_of(entity, store), look.title + opens),
    ]
    since = child.state_since if child is not None else 0.0
    time = words.running(at - since) if since and state == "running" else ""
    noted = look.status_waiting if state == "requires_action" else look.result
    right: list[Run] = [("  " + said_of(entity, store), noted), (f"{' ' + time:>8} ", look.time)]
    return spread(runs, right, width, look.base)


class SubagentView(View):
    """Its own line, unless a tool call shows it."""

    __slots__ = ()

    compact = True
    entity: Subagent

    @property
    def nested(self) -> bool:
        """A tool call shows it."""
        session = self.store.sessions.get(self.entity.key.session)
        return session is not None and bool(session.shown_in.get(self.entity.key))

    def related(self) -> tuple[Key, ...]:
        return watched(self.entity)

    def others(self) -> tuple[object, ...]:
        return (*seen(self.entity, self.store), self.nested)

    @property
    def ticking(self) -> bool:
        return state_of(self.entity, self.store) == "running" and not self.nested

    def estimate(self, width: int) -> int:
        return 0 if self.nested else self.gap + 1

    def source(self) -> str:
        return one_line(self.entity.title or self.entity.description or self.entity.key.id)

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        if self.nested:
            return Lines()
        lines = self.begin(width, look)
        left = [(" ", look.base)]
        lines.add(subagent_line(self.entity, self.store, self.now(), left, width, look))
        return lines
