"""One connection's traffic as the parts of the client see it: what we asked, what must go out now.

Invariants: a request of ours has one `Call` from the moment it leaves until its answer, or the end of the
connection, settles it; ids are never used twice in the life of a client, so that a late answer from an
earlier process fits nothing (RP-03, S20); effects leave in the order in which they were caused. A request
that is sent and one that is read from a record run through the same `sent` handler.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from acp_tui.client.effects import Effect, Notify, Restore, Send
from acp_tui.protocol import errors, v2
from acp_tui.protocol.content import ContentBlock
from acp_tui.protocol.errors import Error
from acp_tui.protocol.jsonrpc import Notification, Request, Response, id_key
from acp_tui.protocol.unknown import Invalid
from acp_tui.store.entities import Entity, NoticeRecord
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.change import changed
from acp_tui.store.session import Session
from acp_tui.store.store import CONNECTION, Store

NO_OUTCOME = frozenset({errors.INVALID_RESPONSE, errors.CONNECTION_LOST})
"""Codes of our own after which nobody knows whether the request was carried out (RP-08, LC-02)."""


@dataclass(slots=True, kw_only=True)
class Call:
    """A request of ours that has not been answered yet."""

    id: int | str
    method: str
    params: dict[str, Any]
    ref: str | None = None
    """The session it is about, by our reference."""
    subject: Key | None = None
    """What it is about inside the session: a submission, a tool call, a terminal."""
    retry: Callable[[], None] | None = None
    """Does it again after a login, once (AU-08); None if there is nobody to do it for, or it was done again
    already.
    """
    flags: set[str] = field(default_factory=set)
    """What came while it was pending: `commands`, `config_options`, `state` (SS-05)."""


def nothing(call: Call) -> None:
    """Sent-handler of methods that change nothing when they leave."""


def undecided(call: Call, raw: Any) -> bool:
    """Judge of methods whose results are always decoded."""
    return False


@dataclass(frozen=True, slots=True)
class Method:
    """What a method of ours does when it leaves, when it succeeds (with the decoded result) and when it
    fails.
    """

    done: Callable[[Call, Any], None]
    failed: Callable[[Call, Error], None]
    sent: Callable[[Call], None] = nothing
    judge: Callable[[Call, Any], bool] = undecided
    """Sees the raw result before it is decoded; True if that settled it."""


class Wire:
    """What the parts of the client share: the store, the time of this step, the calls, the effects of this
    step.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.at = 0.0
        self.effects: list[Effect] = []
        self.calls: dict[str, Call] = {}
        self.methods: dict[str, Method] = {}
        self.ended: list[Callable[[Call], None]] = []
        """Told after a call was settled, however it was (EL-21)."""
        self.refused: list[Callable[[Call, Error], None]] = []
        """Told after a call failed, once its own method has dealt with that."""
        self.reconnecting = False
        """The connection is about to end because of a login, and is opened again after it (AU-05)."""
        self._next_id = 0
        self._when_ready: list[Callable[[], object]] = []

    # What may be done now

    @property
    def writable(self) -> bool:
        """The agent's stdin is open and the agent is of use."""
        return self.store.connection.phase in ("initializing", "ready", "closing")

    @property
    def ready(self) -> bool:
        """Requests may be sent (IN-01)."""
        return self.store.connection.phase == "ready"

    def when_ready(self, action: Callable[[], object]) -> bool:
        """Do it now, or when `initialize` has succeeded (IN-01). False: it will never come to that."""
        phase = self.store.connection.phase
        if phase == "ready":
            action()
        elif phase in ("starting", "initializing"):
            self._when_ready.append(action)
        return phase in ("starting", "initializing", "ready")

    def run_waiting(self) -> None:
        """The connection became ready."""
        waiting, self._when_ready = self._when_ready, []
        for action in waiting:
            action()

    def forget_waiting(self) -> None:
        """The connection will not become ready any more."""
        self._when_ready.clear()

    # Out

    def call(
        self,
        method: str,
        params: dict[str, Any],
        *,
        ref: str | None = None,
        subject: Key | None = None,
        retry: Callable[[], None] | None = None,
    ) -> Call:
        """Send a request and remember that we wait for its answer."""
        call = Call(id=self._next_id, method=method, params=params, ref=ref, subject=subject, retry=retry)
        self.effects.append(Send(Request(call.id, method, params), ref))
        self.track(call)
        return call

    def track(self, call: Call) -> None:
        """A request of ours is on its way, sent just now or read from a record."""
        if isinstance(call.id, int):
            self._next_id = max(self._next_id, call.id + 1)
        self.calls[id_key(call.id)] = call
        method = self.methods.get(call.method)
        if method is not None:
            method.sent(call)

    def notify(self, method: str, params: dict[str, Any], ref: str | None) -> None:
        """Send a notification, unless nobody is left to read it (CL-03)."""
        if self.writable:
            self.effects.append(Send(Notification(method, params), ref))

    def answer(
        self,
        request_id: int | str | None,
        ref: str | None,
        result: dict[str, Any] | Error,
        beside: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Answer a request of the agent, unless nobody is left to read it (CL-03, LC-05). `beside`: what the
        journal keeps with it.
        """
        if not self.writable:
            return
        if isinstance(result, Error):
            self.effects.append(Send(Response(request_id, error=result), ref, beside))
        else:
            self.effects.append(Send(Response(request_id, result=result), ref, beside))

    def warn(
        self, title: str, description: str = "", *, ref: str | None = None, severity: str = "warning"
    ) -> None:
        """Tell the user something that is worth a toast; it stays in the notice log (NT-06)."""
        notice = NoticeRecord(self.at, severity, title, description or None, shelf=self.store.shelf)
        self.store.connection.tell(notice)
        self.store.touch(CONNECTION)
        self.effects.append(Notify(ref, notice))

    def give_back(self, ref: str, blocks: tuple[ContentBlock, ...], reason: str = "") -> None:
        """These words were not sent: back to the composer with them; the reason, if any, is told (PR-13)."""
        self.effects.append(Restore(ref, blocks, reason))
        if reason:
            self.warn("Not sent", reason, ref=ref)

    # In

    def settle(self, response: Response) -> None:
        """An answer of the agent; one that nobody waits for is ignored (RP-07, RP-09)."""
        call = self.calls.pop(id_key(response.id), None)
        if call is None:
            return
        if response.error is not None:
            self.fail(call, response.error)
        else:
            self._succeed(call, response.result)
        self._end(call)

    def lose(self) -> None:
        """The connection ended: every call fails (LC-02)."""
        calls, self.calls = self.calls, {}
        for call in calls.values():
            self.fail(call, self.lost_error())
            self._end(call)

    @staticmethod
    def lost_error() -> Error:
        """What a request fails with when the connection ends before its answer."""
        return Error(code=errors.CONNECTION_LOST, message="The connection was lost.")

    def _succeed(self, call: Call, raw: Any) -> None:
        method = self.methods.get(call.method)
        if method is None or method.judge(call, raw):
            return
        try:
            result = v2.decode_result(call.method, {} if raw is None else raw)  # RP-14
        except Invalid as invalid:
            method.failed(
                call, Error(code=errors.INVALID_RESPONSE, message=f"Unusable answer: {invalid.reason}")
            )
        else:
            method.done(call, result)

    def fail(self, call: Call, error: Error) -> None:
        """The call ends without a result."""
        if error.code == errors.AUTH_REQUIRED:
            self.require_login(error.message)  # ER-02
        method = self.methods.get(call.method)
        if method is not None:
            method.failed(call, error)
        self.refuse(call, error)

    def refuse(self, call: Call, error: Error) -> None:
        """It was refused, also where its own method has been done with it before."""
        for told in self.refused:
            told(call, error)

    def require_login(self, reason: str) -> None:
        """The agent wants a login, in its own words."""
        self.store.connection.auth_required, self.store.connection.auth_reason = True, reason
        self.store.connection.auth_asked += 1
        self.store.touch(CONNECTION)

    def _end(self, call: Call) -> None:
        for told in self.ended:
            told(call)

    # Changes

    def touch(self, session: Session, *kinds: Kind) -> None:
        """These single facts of the session changed."""
        for kind in kinds:
            self.store.touch(Key(session.ref, kind))

    def changed(self, entity: Entity) -> None:
        """The client, not the reducer, changed this entity."""
        changed(self.store, entity, self.at)
