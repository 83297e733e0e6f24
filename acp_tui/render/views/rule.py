"""Quiet rules across the timeline: ends of turns and compactions (ST-18, CP).

Invariant: a turn that simply ended is not drawn at all; nothing is coloured but what needs a decision or
failed.
"""

from __future__ import annotations

from rich.style import Style
from textual.strip import Strip

from acp_tui.protocol.errors import Error
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line
from acp_tui.render.look import Look, act
from acp_tui.render.markdown import Page
from acp_tui.render.view import Lookup, Now, View
from acp_tui.render.views.content import json_lines
from acp_tui.render.views.message import Text
from acp_tui.render.wrap import Lines, Run, size_of, spread, wrap
from acp_tui.store.entities import Compaction, Turn

LONG = 120
"""Characters of an error's message on the rule."""
LONGEST = 20_000
"""Characters of it among the details."""
_DECIDE = frozenset({"refusal", "max_tokens", "max_turn_requests"})


def rule(runs: list[Run], width: int, look: Look, style: Style) -> Strip:
    """` ── words ─────────`, the words cut to what fits."""
    left: list[Run] = [(" ── ", look.turn), *runs, (" ", style)]
    room = max(0, width - 1 - size_of(left))
    return spread([*left, ("─" * room, look.turn)], [(" ", look.base)], width, look.base)


class TurnView(View):
    """Where foreground work ended, if there is something to say of it."""

    __slots__ = ()

    entity: Turn

    @property
    def foldable(self) -> bool:  # type: ignore[override]
        error = self.entity.error
        return error is not None and (error.data is not None or _long(error.message))

    def words(self) -> str:
        """What there is to say; empty for a turn that just ended."""
        turn = self.entity
        if turn.note:
            return one_line(turn.note)
        said = self._reason()
        if turn.by_agent and not self._of_subagent():
            said = f"{said} · the agent worked by itself" if said else "the agent worked by itself"
        return said

    def _of_subagent(self) -> bool:
        """Its session works for another agent: nobody here could have prompted it."""
        session = self.store.sessions.get(self.entity.key.session)
        return session is not None and session.parent is not None

    def _reason(self) -> str:
        turn = self.entity
        waited = turn.created_at - turn.cancel_asked_at if turn.cancel_asked_at is not None else None
        if waited is not None and turn.stop_reason == "end_turn":
            return f"finished anyway, {words.duration(waited)} after the cancel was asked"
        if turn.stop_reason == "end_turn":
            return "" if turn.had_output else "ended without any output"
        if turn.stop_reason == "error" and turn.error is not None:
            return f"stopped: {one_line(turn.error.message, LONG)} ({turn.error.code})"
        if turn.stop_reason == "cancelled" and waited is not None:
            return f"cancelled by you · confirmed after {words.duration(waited)}"
        said = words.stop_reason(turn.stop_reason)
        return said if turn.had_output or turn.stop_reason == "cancelled" else f"{said} · no output"

    def estimate(self, width: int) -> int:
        return self.gap + 1 if self.words() else 0

    def source(self) -> str:
        error = self.entity.error
        return error.message if error is not None else self.words()

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        said = self.words()
        if not said:
            return Lines()
        turn = self.entity
        failed = turn.stop_reason in ("error", "disconnected")
        style = (
            look.turn_failed if failed else look.turn_waiting if turn.stop_reason in _DECIDE else look.turn
        )
        mark = ("▸ " if self.folded else "▾ ") if self.foldable else ""  # first, as an error may be long
        runs: list[Run] = [(mark + said, style + act("toggle") if mark else style)]
        runs.append((f" · {words.clock(turn.created_at)}", look.turn))
        lines = self.begin(width, look)
        lines.add(rule(runs, width, look, style), 4)
        if turn.error is not None and self.foldable and not self.folded:
            lines.extend(_details(turn.error, width, look))
        return lines


def _long(message: str) -> bool:
    """It does not fit on the rule."""
    return len(message) > LONG or "\n" in message.strip()


def _details(error: Error, width: int, look: Look) -> Lines:
    page = Page(width, look, (("   ", look.base),), look.base)
    lines = Lines()
    if _long(error.message):
        text = clean(error.message[:LONGEST]).strip("\n")
        lines.extend(wrap([(text, look.base)], width, look.base, first=page.left, measure=page.limit))
    if error.data is not None:
        lines.extend(json_lines(error.data, page))
    return lines


class CompactionView(View):
    """A rule where the agent's context was compacted; its summary is folded under it (CP-01 to CP-08)."""

    __slots__ = ("text",)

    entity: Compaction

    def __init__(self, entity: Compaction, store: Lookup, now: Now) -> None:
        super().__init__(entity, store, now)
        self.text = Text(entity.summary)

    @property
    def foldable(self) -> bool:  # type: ignore[override]
        return not self.entity.summary.blank

    @property
    def ticking(self) -> bool:
        session = self.store.sessions.get(self.entity.key.session)
        return self.entity.status == "in_progress" and session is not None and session.busy

    def others(self) -> tuple[object, ...]:
        return (self.ticking,)

    def estimate(self, width: int) -> int:
        return self.gap + 1 + (self.text.estimate(width) if self.folded is False else 0)

    def source(self) -> str:
        return self.entity.summary.text()

    def excerpt(self, part: int, fence: int) -> str:
        return self.text.excerpt(part, fence)

    def forget(self) -> None:
        super().forget()
        self.text.forget()

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        entity = self.entity
        failed = entity.status == "failed"
        style = look.turn_failed if failed else look.compaction
        said = words.COMPACTIONS.get(entity.status) or f"compaction: {one_line(entity.status, 40)}"
        runs: list[Run] = [(said, style)]
        if self.foldable:
            runs.append((" · ▸ summary" if self.folded else " · ▾ summary", look.compaction + act("toggle")))
        took = words.running(self.now() - entity.created_at) if self.ticking else ""
        facts = [took or words.clock(entity.created_at), *(["late"] if entity.late else [])]
        runs.append(("".join(f" · {fact}" for fact in facts), look.compaction))
        lines = self.begin(width, look)
        lines.add(rule(runs, width, look, style), 4)
        if entity.error:
            text = clean(entity.error[:LONGEST]).strip("\n")
            lines.extend(wrap([(text, look.turn_failed)], width, look.base, first=[("   ", look.base)]))
        if self.foldable and not self.folded:
            page = Page(width, look, (("   ", look.base),), look.base)
            self.text.draw(lines, page, True, self._opened, None)
        return lines
