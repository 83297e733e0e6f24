"""`session/resume`, with and without replay.

Invariants: the session has its route before the request leaves (SS-18); a replay into a session that shows
something goes into a shadow, which is taken over when the answer is in and thrown away when it is not (SS-14,
LC-10); nothing that a replay tells is a completion (SS-13); a session that is attached is not loaded a second
time (S41).
"""

from __future__ import annotations

from collections.abc import Callable

from acp_tui.base.complaint import complaint
from acp_tui.client import shadow
from acp_tui.client.intents import ResumeSession
from acp_tui.client.marks import add_note
from acp_tui.client.routes import Routes
from acp_tui.client.sessions import Sessions
from acp_tui.client.setup import Setup
from acp_tui.client.wire import Call, Method, Wire
from acp_tui.protocol import errors
from acp_tui.protocol.errors import Error
from acp_tui.protocol.session import ResumeSessionResponse
from acp_tui.store.keys import TIMELINE_KINDS, Kind
from acp_tui.store.session import NONE_SEEN, Session

LOOK = "look"
"""Flag of a call that replays a session which is open already."""


class Resuming:
    """Attaches sessions that the agent has."""

    def __init__(self, wire: Wire, routes: Routes, setup: Setup, sessions: Sessions) -> None:
        self._wire = wire
        self._routes = routes
        self._setup = setup
        self._sessions = sessions
        self.rebuilt: list[Callable[[Session], None]] = []
        """Told when a session's entities are others than before."""
        wire.methods["session/resume"] = Method(sent=self._sent, done=self._done, failed=self._failed)

    def resume(self, intent: ResumeSession) -> None:
        """Attach a session; when the connection is not ready yet, as soon as it is."""
        session = self._wire.store.sessions.get(intent.ref)
        if session is None:
            session = self._wire.store.add(Session(ref=intent.ref, cwd=intent.cwd))
        elif session.phase == "opening" or session.parent is not None or self._sessions.attached(session):
            return
        session.session_id = intent.session_id
        session.phase, session.failure, session.inactive = "opening", None, False
        session.additional_directories = intent.additional_directories
        session.mcp_servers = intent.mcp_servers
        session.replay_asked = intent.replay
        self._wire.touch(session, Kind.SESSION)
        if not self._wire.when_ready(lambda: self._ask(session, replay=intent.replay)):
            self._sessions.fail(
                session, Error(code=errors.CONNECTION_LOST, message="The agent is not connected.")
            )

    def look_again(self, session: Session) -> None:
        """Replay an idle session that is attached; what it shows stays until the answer is in."""
        attached = self._wire.ready and self._sessions.attached(session)
        if not attached or session.phase != "open" or session.parent is not None:
            return
        if not self._wire.store.connection.replays:
            self._wire.warn("Not possible", "This agent does not tell its history again.", ref=session.ref)
            return
        if session.busy or session.replaying or any(c.ref == session.ref for c in self._wire.calls.values()):
            self._wire.warn("Not now", "The session is at work; look again when it is done.", ref=session.ref)
            return
        params = {"sessionId": session.session_id, **self._setup.params(session)}
        params["replayFrom"] = {"type": "start"}
        self._wire.call("session/resume", params, ref=session.ref)

    def _ask(self, session: Session, *, replay: bool, again: bool = False) -> None:
        if session.phase != "opening" or session.session_id is None:
            return
        refusal = self._setup.refusal() or self._lacking()
        if refusal is None and self._routes.session(session.session_id) is not None:
            refusal = Error(code=errors.INVALID_REQUEST, message="The session is open already.")
        if refusal is not None:
            self._sessions.fail(session, refusal)
            return
        params = {"sessionId": session.session_id, **self._setup.params(session)}
        connection = self._wire.store.connection
        if connection.replays and (replay or not connection.resumes):
            params["replayFrom"] = {"type": "start"}
        retry = None if again else lambda: self._ask(session, replay=replay, again=True)
        self._wire.call("session/resume", params, ref=session.ref, retry=retry)

    def _lacking(self) -> Error | None:
        """Why no session can be gone on with (V1-04)."""
        connection = self._wire.store.connection
        if connection.resumes or connection.replays:
            return None
        return Error(code=errors.METHOD_NOT_FOUND, message="This agent cannot go on with old sessions")

    def _sent(self, call: Call) -> None:
        session = self._of(call)
        if self._sessions.attached(session) and session.phase == "open":
            call.flags.add(LOOK)
        else:
            session.phase, session.state = "opening", NONE_SEEN
            session.stop_reason = session.error = session.background = session.cancel = None
            self._routes.attach(session)
        if call.params.get("replayFrom") is not None:
            self._begin_replay(session)
        self._wire.touch(session, Kind.SESSION)

    def _of(self, call: Call) -> Session:
        """The session of the request; one read from a record names it by the agent's id."""
        known = self._wire.store.sessions
        if call.ref is not None:
            return known[call.ref]
        session_id = str(call.params.get("sessionId"))
        same = [s for s in known.values() if s.session_id == session_id and s.parent is None]
        if same:
            session = same[-1]  # an agent may use an id again: the newest is meant
        else:
            fresh = Session(
                ref=self._wire.store.new_ref(), cwd=str(call.params.get("cwd", "")), session_id=session_id
            )
            session = self._wire.store.add(fresh)
        call.ref = session.ref
        return session

    def _begin_replay(self, session: Session) -> None:
        session.replaying = True
        for one in [session, *self._routes.children(session)]:
            if any(key.kind in TIMELINE_KINDS for key in one.timeline):
                self._routes.shadow(shadow.make(one))

    def _end_replay(self, session: Session, *, complete: bool) -> None:
        session.replaying = False
        for one in [session, *self._routes.children(session)]:
            replayed = self._routes.take_shadow(one)
            if replayed is None or not complete or (one is not session and not replayed.timeline):
                continue
            if one is not session:
                self._routes.attach(one)
            note = shadow.take_over(self._wire.store, one, replayed)
            if note:
                add_note(self._wire.store, one, self._wire.at, note)
            for told in self.rebuilt:
                told(one)

    def _done(self, call: Call, result: ResumeSessionResponse) -> None:
        session = self._of(call)
        self._end_replay(session, complete=True)
        self._setup.adopt(session, call, result)
        left = session.phase == "closing"
        session.phase, session.failure = "open", None
        self._wire.touch(session, Kind.SESSION)
        for told in self._sessions.opened:
            told(session)
        if left:
            self._sessions.close(session)

    def _failed(self, call: Call, error: Error) -> None:
        session = self._of(call)
        replaying = session.replaying
        if LOOK in call.flags and error.code != errors.CONNECTION_LOST:
            self._looked_in_vain(session, error)
            return
        self._end_replay(session, complete=False)
        self._routes.detach(session)
        session.state = "disconnected"
        if self._setup.kept_for_login(session, call, error):
            return
        self._setup.explain(call, error)
        if error.code == errors.RESOURCE_NOT_FOUND:  # SS-17
            self._wire.store.listed.pop(session.session_id or "", None)
        if replaying and session.timeline and error.code != errors.CONNECTION_LOST:
            add_note(self._wire.store, session, self._wire.at, _refusal(error))
        if (said := complaint(error.message, error.data)) != error.message:  # longer than a line
            self._wire.warn("The agent did not go on with the session", said, ref=session.ref)
        self._sessions.fail(session, error)

    def _looked_in_vain(self, session: Session, error: Error) -> None:
        """Nothing else changes; what the agent told meanwhile was told of the session that is shown."""
        session.replaying = False
        for one in [session, *self._routes.children(session)]:
            if (replayed := self._routes.take_shadow(one)) is not None:
                shadow.add_to(self._wire.store, one, replayed)
                for told in self.rebuilt:
                    told(one)
        self._wire.warn(
            "The agent did not tell the history again", complaint(error.message, error.data), ref=session.ref
        )
        self._wire.touch(session, Kind.SESSION)
        for told in self._sessions.opened:
            told(session)


def _refusal(error: Error) -> str:
    """Why the conversation does not go on, and what is above (SS-17)."""
    if error.code == errors.RESOURCE_NOT_FOUND:
        return "The agent does not know this session any more; the above was kept here."
    said = complaint(error.message, error.data).rstrip(". ")
    return f"Not resumed: {said}. The above was kept here."
