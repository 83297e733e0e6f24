"""How it ends: the program leaves, or the connection is lost.

Invariants: leaving answers what is pending and closes every session, but waits a bounded time only (CL-02);
after `Close` nothing is written (CL-03); a lost connection resends nothing, declares nothing finished, and
says of each thing what is not known of it any more (LC-02 to LC-09).
"""

from __future__ import annotations

from acp_tui.client.asking import Asking
from acp_tui.client.effects import Close, Wake
from acp_tui.client.marks import add_note, mark_unknown
from acp_tui.client.routes import Routes
from acp_tui.client.sessions import Sessions
from acp_tui.client.submissions import Submissions
from acp_tui.client.updates import Updates
from acp_tui.client.wire import Wire
from acp_tui.store.keys import Kind
from acp_tui.store.session import Session
from acp_tui.store.store import CONNECTION

LEAVE_WITHIN = 2.0
"""Seconds all sessions together get to close."""


class Ending:
    """Leaves, and copes with loss."""

    def __init__(
        self,
        wire: Wire,
        routes: Routes,
        sessions: Sessions,
        submissions: Submissions,
        asking: Asking,
        updates: Updates,
    ) -> None:
        self._wire = wire
        self._routes = routes
        self._sessions = sessions
        self._submissions = submissions
        self._asking = asking
        self._updates = updates
        self._leave_by: float | None = None
        sessions.closed.append(lambda _: self._close_if_done())

    def start(self) -> None:
        """A new connection."""
        self._leave_by = None

    # Leaving

    def leave(self) -> None:
        """Answer everything, close every session, then the connection; asked a second time, at once."""
        connection = self._wire.store.connection
        if connection.phase in ("closed", "failed", "lost"):
            return
        again, ready = connection.phase == "closing", connection.phase == "ready"
        self._asking.dismiss_all()
        if again or not ready:
            self._close()
            return
        open_sessions = [session for session in self._routes if session.parent is None]
        for session in open_sessions:
            self._sessions.close(session, leaving=True)
        connection.phase = "closing"
        self._wire.store.touch(CONNECTION)
        self._leave_by = self._wire.at + LEAVE_WITHIN
        self._wire.effects.append(Wake(self._leave_by))
        self._close_if_done()

    def tick(self) -> None:
        """The time for leaving may be over."""
        if self._leave_by is not None and self._wire.at >= self._leave_by:
            self._close()

    def _close_if_done(self) -> None:
        if self._leave_by is not None and not any(session.parent is None for session in self._routes):
            self._close()

    def _close(self) -> None:
        connection = self._wire.store.connection
        if connection.phase != "closed":
            self._leave_by = None
            self._wire.forget_waiting()
            connection.phase = "closed"
            self._wire.store.touch(CONNECTION)
            self._wire.effects.append(Close(""))

    # Loss

    def lose(self, reason: str) -> None:
        """The agent's stdout ended (LC-01)."""
        self._leave_by = None
        self._end_phase(reason)
        self._asking.lose()
        self._updates.lose()
        self._wire.forget_waiting()
        unopened = [s for s in self._wire.store.sessions.values() if s.phase == "opening"]
        for session in self._routes.clear():
            self._disconnect(session, reason)
        self._wire.lose()
        for session in unopened:
            if session.phase == "opening":  # it was waiting for the connection, or for a login
                self._sessions.fail(session, self._wire.lost_error(), keep=self._wire.reconnecting)

    def _end_phase(self, reason: str) -> None:
        connection = self._wire.store.connection
        if connection.phase in ("ready", "lost"):
            connection.phase = "lost"
        elif connection.phase in ("closing", "closed"):
            connection.phase = "closed"
        else:
            connection.phase = "failed"
        if not connection.failure and connection.phase != "closed":
            connection.failure = reason
        connection.ended_at = self._wire.at
        self._wire.store.touch(CONNECTION)

    def _disconnect(self, session: Session, reason: str) -> None:
        """Neither idle nor a completion (LC-04)."""
        worked = session.busy
        session.replaying = False
        if session.cancel is not None and session.cancelling:
            session.cancel.status, session.cancel.settled_at = "no_answer", self._wire.at
        session.state, session.state_since = "disconnected", self._wire.at
        session.background = None
        if session.phase == "closing":
            session.phase = "closed"
        mark_unknown(self._wire.store, session, self._wire.at)
        self._submissions.settling.look(session, over=worked)
        if worked:
            add_note(self._wire.store, session, self._wire.at, reason, lost=True)
        session.work_started_at = None
        self._submissions.queue.hold(session, "the connection was lost")
        self._wire.touch(session, Kind.SESSION)
