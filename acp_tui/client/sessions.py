"""The life of a session on this connection: new, close, delete, and the list of those the agent knows.

Invariants: one `session/new` for one session of ours (S50); a session has a route from the moment the agent
may speak about it until it is closed; children of subagents are never opened, closed or deleted by us
(SA-03).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from acp_tui.base.complaint import complaint
from acp_tui.client.effects import Keep
from acp_tui.client.intents import OpenSession
from acp_tui.client.jobs import Own
from acp_tui.client.marks import mark_unknown
from acp_tui.client.routes import Routes
from acp_tui.client.setup import Setup
from acp_tui.client.wire import Call, Method, Wire
from acp_tui.protocol import errors
from acp_tui.protocol.errors import Error
from acp_tui.protocol.session import LEAVING, ListSessionsResponse, NewSessionResponse
from acp_tui.store.keys import Kind
from acp_tui.store.session import Session
from acp_tui.store.store import SESSIONS


class Sessions:
    """Opens, closes, deletes and lists; resuming is `Resuming`."""

    def __init__(self, wire: Wire, routes: Routes, setup: Setup) -> None:
        self._wire = wire
        self._routes = routes
        self._setup = setup
        self._delete_when_closed: set[str] = set()
        self._cursors: set[str] = set()
        self.next_cursor: str | None = None
        """Where the next page of the list begins; None at its end (SS-19)."""
        self.opened: list[Callable[[Session], None]] = []
        self.unopened: list[Callable[[], None]] = []
        self.closing: list[Callable[[Session], None]] = []
        self.closed: list[Callable[[Session], None]] = []
        wire.refused.append(self._gone_if_named)
        wire.methods["session/new"] = Method(
            sent=self._new_sent, done=self._new_done, failed=self._new_failed
        )
        wire.methods["session/close"] = Method(
            sent=self._close_sent, done=lambda call, _: self._closed(call), failed=self._close_failed
        )
        wire.methods["session/delete"] = Method(
            done=lambda call, _: self._deleted(call), failed=self._delete_failed
        )
        wire.methods["session/list"] = Method(done=self._list_done, failed=self._list_failed)

    # New

    def open(self, intent: OpenSession) -> None:
        """`session/new`, once; before the connection is ready the session waits (IN-01, PR-01)."""
        session = self._wire.store.sessions.get(intent.ref)
        if session is None:
            session = self._wire.store.add(
                Session(ref=intent.ref, cwd=intent.cwd, continues=intent.continues)
            )
        elif session.phase != "failed" or session.session_id is not None:
            return  # it is open, or on its way
        session.phase, session.failure = "opening", None
        session.additional_directories = intent.additional_directories
        session.mcp_servers = intent.mcp_servers
        self._wire.touch(session, Kind.SESSION)
        if not self._wire.when_ready(lambda: self._ask(session)):
            self.fail(session, Error(code=errors.CONNECTION_LOST, message="The agent is not connected."))

    def _ask(self, session: Session, *, again: bool = False) -> None:
        if session.phase != "opening":
            return  # given up while it waited
        refusal = self._setup.refusal()
        if refusal is not None:
            self.fail(session, refusal)
            return
        retry = None if again else lambda: self._ask(session, again=True)
        self._wire.call("session/new", self._setup.params(session), ref=session.ref, retry=retry)

    def _new_sent(self, call: Call) -> None:
        if call.ref is None:
            session = Session(ref=self._wire.store.new_ref(), cwd=str(call.params.get("cwd", "")))
            call.ref = self._wire.store.add(session).ref

    def _new_done(self, call: Call, result: NewSessionResponse) -> None:
        session = self._session(call)
        if session is None:
            return
        if self._routes.session(result.session_id) is not None:
            message = "The agent named a session that is open already."
            self._new_failed(call, Error(code=errors.INTERNAL_ERROR, message=message))
            return
        session.session_id = result.session_id
        self._setup.adopt(session, call, result)
        self._routes.attach(session)
        left = session.phase == "closing"
        session.phase = "open"
        session.failure = None
        self._wire.touch(session, Kind.SESSION)
        for told in self.opened:
            told(session)
        if left:
            self.close(session)

    def _new_failed(self, call: Call, error: Error) -> None:
        session = self._session(call)
        if session is not None and not self._setup.kept_for_login(session, call, error):
            self._setup.explain(call, error)
            self.fail(session, error)
        for told in self.unopened:
            told()

    def fail(self, session: Session, error: Error, *, keep: bool = False) -> None:
        """The session could not be opened or resumed; what was typed for it goes back to the composer, unless
        it is about to be tried again (`keep`).
        """
        session.phase, session.failure = "failed", error
        self._wire.touch(session, Kind.SESSION)
        for told in self.closed if not keep else ():
            told(session)

    def awaited(self) -> bool:
        """A `session/new` is pending: a session id nobody knows may be its (SS-04)."""
        return any(call.method == "session/new" for call in self._wire.calls.values())

    # Close

    def close(self, session: Session, *, leaving: bool = False) -> None:
        """Answer what is pending, then `session/close` (CL-01); a session that is not attached is just
        closed. `leaving`: nobody wants it closed, the program ends; the agent is told that in `_meta`.
        """
        if session.parent is not None or session.phase in ("closing", "closed"):
            return
        if session.phase == "opening" and session.session_id is None and self._wire.writable:
            session.phase = "closing"  # closed as soon as it has a name
            self._wire.touch(session, Kind.SESSION)
        elif not self.attached(session) or not self._wire.writable:
            self._finish(session)
        elif not self._wire.store.connection.closes:  # V1-04
            self._before_close(session)
            if session.busy:
                self._wire.notify("session/cancel", {"sessionId": session.session_id}, session.ref)
            if session.session_id is not None:  # nothing on the wire tells of it
                self._wire.effects.append(Keep(Own(session.session_id, "closed", {})))
            self._finish(session)
        else:
            self._before_close(session)
            params: dict[str, Any] = {"sessionId": session.session_id}
            if leaving:
                params["_meta"] = {LEAVING: True}
            self._wire.call("session/close", params, ref=session.ref)

    def closed_unasked(self, session_id: str) -> None:
        """Read from a record: it was closed without the agent's help."""
        session = self._routes.session(session_id)
        if session is not None and session.parent is None:
            self._before_close(session)
            self._finish(session)

    def attached(self, session: Session) -> bool:
        """The agent knows this session on this connection."""
        return session.session_id is not None and self._routes.session(session.session_id) is session

    def _before_close(self, session: Session) -> None:
        for told in self.closing:
            told(session)

    def _close_sent(self, call: Call) -> None:
        session = self._named(call)
        if session is None:
            return
        self._before_close(session)
        session.phase = "closing"
        self._wire.touch(session, Kind.SESSION)

    def _closed(self, call: Call) -> None:
        session = self._session(call)
        if session is not None:
            self._finish(session)

    def _close_failed(self, call: Call, error: Error) -> None:
        session = self._session(call)
        if session is None:
            return
        if error.code in (errors.RESOURCE_NOT_FOUND, errors.CONNECTION_LOST) or not self._wire.ready:
            self._finish(session)  # SS-23; and when the program ends nobody tries again
        else:
            session.phase = "open"
            self._wire.touch(session, Kind.SESSION)
            self._wire.warn("The agent did not close the session", error.message, ref=session.ref)

    def _finish(self, session: Session) -> None:
        below = self._routes.children(session)
        self._routes.detach(session)
        for one in [*below, session]:
            if one is not session and one.busy:  # its last word is old, and no other comes
                one.state, one.state_since = "disconnected", self._wire.at
            one.phase = "closed"
            mark_unknown(self._wire.store, one, self._wire.at)
            self._wire.touch(one, Kind.SESSION)
            for told in self.closed:
                told(one)
        if session.session_id in self._delete_when_closed and self._wire.ready:
            self._delete_when_closed.discard(session.session_id)
            self._wire.call("session/delete", {"sessionId": session.session_id})

    def _gone_if_named(self, call: Call, error: Error) -> None:
        """The data of -32002, not its words, names a session that the agent has no more (ER-03, PR-26); where
        they name nothing and a prompt was refused, it is that of the prompt.
        """
        named = error.data.get("sessionId") if isinstance(error.data, dict) else None
        if call.method == "session/prompt" and error.data is None:
            named = call.params.get("sessionId")
        session = self._routes.session(named) if isinstance(named, str) else None
        if error.code != errors.RESOURCE_NOT_FOUND or session is None or session.parent is not None:
            return
        self._before_close(session)
        self._routes.detach(session)
        session.state, session.state_since, session.background = "disconnected", self._wire.at, None
        mark_unknown(self._wire.store, session, self._wire.at)
        session.inactive = call.method != "session/resume"
        self.fail(session, error)

    # Delete, list

    def delete(self, session_id: str) -> None:
        """`session/delete`, where the agent can; an open session is closed first (SS-25)."""
        if not self._wire.ready or not self._setup.can_delete:
            return
        session = self._routes.session(session_id)
        if session is None:
            self._wire.call("session/delete", {"sessionId": session_id})
        elif session.parent is None:
            self._delete_when_closed.add(session_id)
            self.close(session)

    def _deleted(self, call: Call) -> None:
        self._wire.store.listed.pop(str(call.params.get("sessionId")), None)
        self._wire.store.touch(SESSIONS)

    def _delete_failed(self, call: Call, error: Error) -> None:
        if error.code == errors.RESOURCE_NOT_FOUND:
            self._deleted(call)
        elif error.code != errors.CONNECTION_LOST:
            self._wire.warn("The agent did not delete the session", complaint(error.message, error.data))

    def list(self, cwd: str | None, cursor: str | None) -> None:
        """`session/list`, one page; a page without cursor begins the list anew (SS-19)."""
        if cursor is None:
            self._wire.store.listed_pages, self.next_cursor = 0, None
        wanted = {"cwd": cwd, "cursor": cursor}
        params = {name: value for name, value in wanted.items() if value is not None}
        self._wire.when_ready(lambda: self._ask_list(params))

    def _ask_list(self, params: dict[str, Any], *, again: bool = False) -> None:
        if not self._wire.store.connection.lists:  # V1-04
            self._wire.store.not_listed = "it keeps no list"
            self._wire.store.touch(SESSIONS)
        elif self._setup.refusal() is None:
            retry = None if again else lambda: self._ask_list(params, again=True)
            self._wire.call("session/list", params, retry=retry)

    def _list_done(self, call: Call, result: ListSessionsResponse) -> None:
        listed = self._wire.store.listed
        cursor = call.params.get("cursor")
        if cursor is None:
            listed.clear()
            self._cursors.clear()
        self._wire.store.not_listed = ""
        self._wire.store.listed_pages += 1
        listed.update((info.session_id, info) for info in result.sessions)
        self.next_cursor = None if result.next_cursor in self._cursors else result.next_cursor
        if self.next_cursor is not None:
            self._cursors.add(self.next_cursor)
        self._wire.store.touch(SESSIONS)

    def _list_failed(self, call: Call, error: Error) -> None:
        if not self._setup.keep(call, error) and error.code != errors.CONNECTION_LOST:
            self._wire.store.not_listed = complaint(error.message, error.data) or "without a reason"
            self._wire.store.touch(SESSIONS)
            self._wire.warn("The agent did not list its sessions", self._wire.store.not_listed)

    # Who

    def _session(self, call: Call) -> Session | None:
        return self._wire.store.sessions.get(call.ref) if call.ref is not None else None

    def _named(self, call: Call) -> Session | None:
        """The session a request names, also where it was read from a record."""
        session_id: Any = call.params.get("sessionId")
        session = self._routes.session(session_id) if isinstance(session_id, str) else None
        if session is not None:
            call.ref = session.ref
        return session
