"""Remarks on stderr, one line each, beside the answer.

Invariant: what is said always is what made a difference: a problem, something that was rejected or answered
by a rule unasked for; what the agent does on the way is said only with `--verbose`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from acp_tui.protocol.plan import PlanItems
from acp_tui.render.clean import one_line
from acp_tui.render.words import KIND_GLYPHS, status_glyph
from acp_tui.store.entities import Message, NoticeRecord, Plan, ToolCall
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session

WIDTH = 160
"""Cells of a remark at most."""
LOUD = frozenset({"warning", "error"})
"""Notices that are told always."""


class Notes:
    """Follows one session."""

    def __init__(self, write: Callable[[str], object], verbose: bool) -> None:
        self._write = write
        self._verbose = verbose
        self._told: dict[Key, str] = {}
        self._order: dict[Key, int] = {}
        """Members of the timeline, and their places."""
        self._thoughts: dict[Key, None] = {}

    def say(self, text: str) -> None:
        """A problem, in one line; the program's name stands before it."""
        self._write(f"acp-tui: {one_line(text, 1000)}\n")

    def remark(self, text: str) -> None:
        """Only with `--verbose`."""
        if self._verbose:
            self._write(f"{one_line(text, WIDTH)}\n")

    def notice(self, notice: NoticeRecord) -> None:
        """Of the agent, or of acp-tui about it."""
        said = f"{notice.title}: {notice.description}" if notice.description else notice.title
        if notice.severity in LOUD:
            self.say(said)
        else:
            self.remark(said)

    def begin(self, session: Session) -> None:
        """What is there was told before."""
        self._order = {key: place for place, key in enumerate(session.timeline)}
        self._told = dict.fromkeys(session.timeline, "")

    def follow(self, session: Session, keys: Iterable[Key]) -> None:
        """These have changed."""
        if not self._verbose:
            return
        for key in session.timeline[len(self._order) :]:
            self._order[key] = len(self._order)
        for key in sorted(keys, key=lambda key: (self._order.get(key, sys.maxsize), key)):
            entity = session.entities.get(key)
            if isinstance(entity, ToolCall):
                self._tool(entity)
            elif isinstance(entity, Plan):
                self._plan(entity)
            elif isinstance(entity, Message) and key.kind is Kind.AGENT_THOUGHT:
                self._thoughts[key] = None
        for key in list(self._thoughts):
            if session.timeline and session.timeline[-1] != key:
                self._thought(session, key)

    def end(self, session: Session) -> None:
        """Nothing follows."""
        for key in list(self._thoughts):
            self._thought(session, key)

    def _tool(self, call: ToolCall) -> None:
        glyph = status_glyph(call.display_status) if call.final else KIND_GLYPHS.get(call.kind, "·")
        said = f"{glyph} {one_line(call.title or call.name or call.kind, WIDTH)}"
        if self._told.get(call.key) != said:
            self._told[call.key] = said
            self.remark(said)

    def _plan(self, plan: Plan) -> None:
        found = plan.plan
        if not isinstance(found, PlanItems):
            return
        done = sum(entry.status == "completed" for entry in found.entries)
        now = next((entry.content for entry in found.entries if entry.status == "in_progress"), "")
        said = f"plan: {done} of {len(found.entries)} done" + (f", now {one_line(now, 100)}" if now else "")
        if self._told.get(plan.key) != said:
            self._told[plan.key] = said
            self.remark(said)

    def _thought(self, session: Session, key: Key) -> None:
        del self._thoughts[key]
        thought = session.entities.get(key)
        if isinstance(thought, Message) and key not in self._told:
            self._told[key] = ""
            self.remark(f"∴ {one_line(thought.content.text(), WIDTH)}")
