"""What the agent tells without being asked: the path of every `session/update` into the store.

Invariants: updates apply in the order they came, each to the session it names (RP-16, SS-26); what comes for
a session that a pending `session/new` may be about waits until that has a name (SS-04); what cannot be read
is counted and otherwise ignored (UP-05), what nobody knows changes nothing (SS-27).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from acp_tui.client.effects import Completed, Notify
from acp_tui.client.routes import Routes
from acp_tui.client.wire import Wire
from acp_tui.protocol import errors, v2
from acp_tui.protocol.jsonrpc import Notification
from acp_tui.protocol.unknown import Invalid, Unknown
from acp_tui.store.entities import Subagent
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reduce import reduce
from acp_tui.store.session import Session

HELD_UPDATES = 10_000
"""Most updates kept for sessions without a name; what exceeds it is treated as for an unknown session."""

_SEEN = {"available_commands_update": "commands", "config_option_update": "config_options"}


class Updates:
    """Applies, holds and counts."""

    def __init__(self, wire: Wire, routes: Routes, *, awaited: Callable[[], bool]) -> None:
        self._wire = wire
        self._routes = routes
        self._awaited = awaited
        self.grown: list[Callable[[Session, int], None]] = []
        """Told of a session with more in its timeline, and how much was there before."""
        self.added: list[Callable[[Session], None]] = []
        """Told of a session with something of our own in its timeline."""
        self.completed: list[Callable[[Session], None]] = []
        """Told of a session whose foreground work ended."""
        self._held: list[tuple[str, Notification]] = []
        self.dropped = 0
        """Updates without a session to count them for."""

    def receive(self, message: Notification) -> None:
        """A `session/update` of the agent."""
        session_id = message.params.get("sessionId")
        raw = message.params.get("update")
        if not isinstance(session_id, str):
            self.dropped += 1
            return
        session = self._routes.target(session_id)
        if session is not None:
            self._apply(session, raw)
        elif self._awaited() and len(self._held) < HELD_UPDATES:
            self._held.append((session_id, message))

    def apply(self, session: Session, raw: Any) -> None:
        """An update of our own, to what the user sees as this session."""
        target = self._routes.target(session.session_id or "") or session
        known = len(target.timeline)
        self._apply(target, raw)
        if len(target.timeline) > known:
            for told in self.added:
                told(target)

    def _apply(self, session: Session, raw: Any) -> None:
        before, known = session.completions, len(session.timeline)
        try:
            update = raw if isinstance(raw, Unknown) else v2.decode_update(raw)
            reduce(self._wire.store, session, update, self._wire.at)
        except Invalid:
            session.dropped += 1
            self._wire.touch(session, Kind.SESSION)
            return
        if not isinstance(update, Unknown) and (after := _AFTER.get(update.session_update)) is not None:
            after(self, session, update)
        if len(session.timeline) != known:
            for told in self.grown:
                told(session, known)
        if session.completions != before:
            self._work_ended(session)

    # What else an update means

    def _notice(self, session: Session, update: Any) -> None:
        self._wire.effects.append(Notify(session.ref, session.notices[-1]))

    def _list(self, session: Session, update: Any) -> None:
        """A list that comes while the session is being resumed is newer than that in the answer (SS-05)."""
        for call in self._wire.calls.values():
            if call.ref == session.ref and call.method == "session/resume":
                call.flags.add(_SEEN[update.session_update])

    def _subagent(self, session: Session, update: Any) -> None:
        """The announced child may speak from now on, unless it took the name of a session that is none
        (SA-01).
        """
        known = session.entities.get(Key(session.ref, Kind.SUBAGENT, update.session_id))
        child = self._wire.store.sessions.get(known.child) if isinstance(known, Subagent) else None
        if (
            child is not None
            and child.session_id is not None
            and self._routes.session(child.session_id) is None
        ):
            child.phase = "open"
            self._routes.attach(child)

    def _state(self, session: Session, update: Any) -> None:
        error = session.error if update.state == "idle" else None  # until the next end it stays what it was
        if error is not None and error.code == errors.AUTH_REQUIRED and not session.replaying:
            self._wire.require_login(error.message)  # AU-09

    def _work_ended(self, session: Session) -> None:
        turn = next(key for key in reversed(session.timeline) if key.kind is Kind.TURN)
        if session.parent is None:
            self._wire.effects.append(Completed(session.ref, turn))
        for told in self.completed:
            told(session)

    # Updates for a session that has no name yet

    def opened(self, session: Session) -> None:
        """The session has a name: apply what came for it, in order."""
        mine = [message for session_id, message in self._held if session_id == session.session_id]
        self._held = [held for held in self._held if held[0] != session.session_id]
        for message in mine:
            self.receive(message)
        self.unopened()

    def unopened(self) -> None:
        """What waits for a session that nobody is asked for any more is for none (SS-04)."""
        if not self._awaited():
            self._held.clear()

    def lose(self) -> None:
        """The connection ended."""
        self._held.clear()


_AFTER: dict[str, Callable[[Updates, Session, Any], None]] = {
    "notice": Updates._notice,
    "available_commands_update": Updates._list,
    "config_option_update": Updates._list,
    "subagent_update": Updates._subagent,
    "state_update": Updates._state,
}
