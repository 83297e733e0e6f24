"""Requests of the agent: permissions and elicitations before the user, everything else answered at once.

Invariants: each request gets exactly one answer (RP-15), whoever decides first: the user, a cancel, the end
of the session or of the connection; one that is put before the user stays there until then, without a time
limit (PM-15); what a request changes in its session happens when it comes, before the next message (RP-16).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from acp_tui.client.effects import Ask
from acp_tui.client.handshake import Handshake
from acp_tui.client.routes import Routes
from acp_tui.client.ruled import show_rule
from acp_tui.client.wire import Call, Wire
from acp_tui.protocol import errors, v2
from acp_tui.protocol.elicitation import ElicitationFormMode, ElicitationUrlMode
from acp_tui.protocol.errors import Error
from acp_tui.protocol.jsonrpc import Request, Response, id_key
from acp_tui.protocol.permission import RequestPermissionRequest, ToolCallPermissionSubject
from acp_tui.protocol.unknown import Invalid
from acp_tui.protocol.v1.requests import OpenPermissionRequest
from acp_tui.store.entities import AgentRequest, Submission, ToolCall
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reduce import reduce
from acp_tui.store.reducers.change import LONGEST_NAME
from acp_tui.store.reducers.tools import listed_calls
from acp_tui.store.session import Session

CANCELLED: dict[str, Any] = {"outcome": {"outcome": "cancelled"}}
"""No option was chosen (PM-09)."""
DISMISSED: dict[str, Any] = {"action": "cancel"}


class Refused(Exception):
    """The request is answered with this error and changes nothing."""

    def __init__(self, error: Error) -> None:
        super().__init__(error.message)
        self.error = error


class Asking:
    """The inbox of the agent's requests, and the answers."""

    def __init__(self, wire: Wire, routes: Routes, handshake: Handshake) -> None:
        self._wire = wire
        self._routes = routes
        self._handshake = handshake
        self._open: dict[str, AgentRequest] = {}
        self._sessions: dict[str, str | None] = {}
        self.every: list[AgentRequest] = []
        """Whatever was put before the user, in order."""
        self.urls: dict[str, str] = {}
        """URL elicitations the user agreed to: `outstanding` or `completed` (EL-13)."""
        self.others: list[Callable[[Request], bool]] = []
        """Serve what is put before nobody; True: it was theirs. They may raise `Refused`."""
        self.own_answered: Callable[[AgentRequest, str | None, str, str], None] = _nothing
        """Told what was chosen where we asked ourselves (None: nothing was), by whom and why."""
        wire.ended.append(self._call_ended)

    # From the agent

    def serve(self, request: Request) -> None:
        """Answer a request, or put it before the user."""
        try:
            self._serve(request)
        except Refused as refused:
            self._wire.answer(request.id, None, refused.error)
        except Exception as mistake:  # RP-15: a mistake of ours is no reason to leave the agent waiting
            self._forget(request)
            self._wire.answer(request.id, None, Error(code=errors.INTERNAL_ERROR, message="Internal error"))
            what = f"{request.method}: {mistake!r}"
            self._wire.warn("acp-tui could not serve a request of the agent", what, severity="error")

    def _serve(self, request: Request) -> None:
        if id_key(request.id) in self._open:  # RP-21
            raise Refused(
                Error(code=errors.INVALID_REQUEST, message="A request with this id is being served")
            )
        if request.method == "session/request_permission":
            self._permission(request)
        elif request.method == "elicitation/create" and self._handshake.advertised.elicitation is not None:
            self._elicitation(request)
        elif not any(serve(request) for serve in self.others):  # RP-10, RP-11
            raise Refused(Error(code=errors.METHOD_NOT_FOUND, message=f"Method not found: {request.method}"))

    def _permission(self, request: Request) -> None:
        params: RequestPermissionRequest = self._params(request)
        session = self.session(params.session_id)
        if isinstance(params.subject, ToolCallPermissionSubject):  # PM-03
            target = self._routes.target(params.session_id) or session
            try:
                reduce(self._wire.store, target, params.subject.tool_call, self._wire.at)
            except Invalid as invalid:
                raise Refused(_invalid_params(invalid)) from None
        self._too_late(session, self._put(request.id, session.ref, params))

    def _elicitation(self, request: Request) -> None:
        params = self._params(request)
        modes = self._handshake.advertised.elicitation
        served = (isinstance(params, ElicitationFormMode) and modes and modes.form is not None) or (
            isinstance(params, ElicitationUrlMode) and modes and modes.url is not None
        )
        if not served:  # EL-01, EL-15
            raise Refused(Error(code=errors.INVALID_PARAMS, message="Elicitation mode not supported"))
        if params.session_id is not None:
            session = self.session(params.session_id)
            self._too_late(session, self._put(request.id, session.ref, params))
            return
        call = self._wire.calls.get(id_key(params.request_id))
        if call is None:  # EL-02
            raise Refused(Error(code=errors.INVALID_PARAMS, message="No such request is pending"))
        self._put(request.id, call.ref or "", params)

    def _forget(self, request: Request) -> None:
        asked = self._open.get(id_key(request.id))
        if asked is not None and asked is self.every[-1]:
            del self._open[id_key(request.id)]
            self._wire.store.settle_request(asked.key, self._wire.at)

    def _params(self, request: Request) -> Any:
        try:
            if request.method == "session/request_permission" and self._wire.store.connection.protocol == 1:
                return v2.decode(OpenPermissionRequest, request.params)
            return v2.decode_params(request.method, request.params)
        except Invalid as invalid:
            raise Refused(_invalid_params(invalid)) from None

    def session(self, session_id: str) -> Session:
        """The session an agent may ask for. Raises `Refused`."""
        session = self._routes.session(session_id)
        if session is None:  # PM-18, SS-27
            raise Refused(errors.session_not_found(session_id))
        return session

    def ask_own(self, request_id: Any, session: Session, params: RequestPermissionRequest) -> None:
        """We ask, before we do what the agent wants by that request; `own_answered` hears of it."""
        self._too_late(session, self._put(request_id, session.ref, params, ours=True))

    def _too_late(self, session: Session, asked: AgentRequest) -> None:
        """Nobody is to be asked any more: the session closes, or the agent had not yet heard of a cancel."""
        if session.phase == "closing":
            self._settle(asked, _nothing_chosen(asked), by="close")
        elif isinstance(asked.params, RequestPermissionRequest) and _crossed(session, asked.params):
            self._settle(asked, CANCELLED, by="cancel")

    def _put(self, request_id: Any, ref: str, params: Any, *, ours: bool = False) -> AgentRequest:
        permission = isinstance(params, RequestPermissionRequest)
        asked = AgentRequest(
            shelf=self._wire.store.shelf,
            key=self._key(ref, request_id),
            created_at=self._wire.at,
            updated_at=self._wire.at,
            generation=self._wire.store.connection.generation,
            request_id=request_id,
            method="session/request_permission" if permission else "elicitation/create",
            params=params,
            ours=ours,
        )
        self._open[id_key(request_id)] = asked
        self._sessions[id_key(request_id)] = getattr(params, "session_id", None)
        self.every.append(asked)
        self._wire.store.put_request(asked)
        self._wire.effects.append(Ask(asked.key))
        return asked

    def _key(self, ref: str, request_id: Any) -> Key:
        """An agent may use an id again once it was answered; the answered request stays what it was."""
        name = f"{self._wire.store.connection.generation}:{id_key(request_id)[:LONGEST_NAME]}"
        key, again = Key(ref, Kind.REQUEST, name), 2
        while self._wire.store.entity(key) is not None:
            key, again = Key(ref, Kind.REQUEST, f"{name}#{again}"), again + 1
        return key

    def cancelled(self, request_id: Any) -> None:
        """`$/cancel_request` of the agent: that request is answered all the same (PM-11, EL-14, CX-12)."""
        asked = self._open.get(id_key(request_id))
        if asked is not None:
            by = "cancel" if self._cancelled_by_user(asked) else "agent"
            self._settle(asked, _nothing_chosen(asked), by=by)

    def _cancelled_by_user(self, asked: AgentRequest) -> bool:
        """He cancelled the work while this waited: the agent takes it back for that (EL-20)."""
        sessions = self._wire.store.sessions
        session = sessions.get(asked.key.session)
        while session is not None:
            cancel = session.cancel
            if cancel is not None and cancel.asked_at >= asked.created_at:
                return cancel.open or (cancel.status == "confirmed" and not session.busy)
            session = sessions.get(session.parent) if session.parent is not None else None
        return False

    def completed(self, elicitation_id: str) -> None:
        """`elicitation/complete`; unknown and finished ids are ignored (EL-13)."""
        if self.urls.get(elicitation_id) != "outstanding":
            return
        self.urls[elicitation_id] = "completed"
        for asked in self.every:
            params = asked.params
            named = isinstance(params, ElicitationUrlMode) and params.elicitation_id == elicitation_id
            if named and _agreed(asked.outcome):
                asked.completed_at = self._wire.at
                self._wire.changed(asked)

    # From the user

    def choose(self, key: Key, option_id: str | None, *, by: str = "user", why: str = "") -> bool:
        """Answer a permission with an option that was offered, or none (PM-08, PM-09). False if it does not
        wait, or was not offered that."""
        asked = self._waiting(key)
        if asked is None or not isinstance(asked.params, RequestPermissionRequest):
            return False
        if option_id is None:
            self._settle(asked, CANCELLED, by=by, why=why)
        elif any(option.option_id == option_id for option in asked.params.options):
            chosen = {"outcome": {"outcome": "selected", "optionId": option_id}}
            self._settle(asked, chosen, by=by, why=why)
            if by == "rule":
                show_rule(self._wire, asked)
        else:
            return False
        return True

    def fill_in(self, key: Key, action: str, content: dict[str, Any] | None) -> None:
        """Answer an elicitation (EL-10)."""
        asked = self._waiting(key)
        if asked is None or isinstance(asked.params, RequestPermissionRequest):
            return
        accepted = action == "accept" and content is not None
        self._settle(
            asked, {"action": action, "content": content} if accepted else {"action": action}, by="user"
        )

    def _waiting(self, key: Key) -> AgentRequest | None:
        return next((asked for asked in self._open.values() if asked.key == key), None)

    def recorded(self, response: Response, beside: Mapping[str, str]) -> None:
        """An answer of ours that was read from a record, with what was kept beside it; one that was given
        already counts no second time.
        """
        asked = self._open.get(id_key(response.id))
        if asked is None or asked.ours:
            return
        del self._open[id_key(response.id)]
        outcome = response.result if response.error is None else v2.encode(response.error)
        by = beside.get("by", "user")
        self._note(asked, outcome, by=by, why=beside.get("why", ""))
        if by == "rule":
            show_rule(self._wire, asked)

    def recall_own(self, request_id: Any, outcome: Any, by: str, why: str) -> None:
        """An answer to something we asked ourselves, read from a record."""
        asked = self._open.get(id_key(request_id))
        if asked is not None and asked.ours:
            del self._open[id_key(request_id)]
            self._note(asked, outcome, by=by or "user", why=why)
            if by == "rule":
                show_rule(self._wire, asked)

    # From what happens

    def cancel_permissions(self, session: Session) -> None:
        """`session/cancel` left: every pending permission of that session is answered (PM-10); forms stay
        (EL-20).
        """
        for asked in self._of([session]):
            if isinstance(asked.params, RequestPermissionRequest):
                self._settle(asked, CANCELLED, by="cancel")

    def dismiss(self, sessions: list[Session], *, by: str) -> None:
        """The sessions end: whatever they ask is answered with nothing chosen (PM-19, CX-14)."""
        for asked in self._of(sessions):
            self._settle(asked, _nothing_chosen(asked), by=by)

    def dismiss_all(self) -> None:
        """The program ends."""
        for asked in list(self._open.values()):
            self._settle(asked, _nothing_chosen(asked), by="close")

    def lose(self) -> None:
        """Nobody is left to answer (LC-05)."""
        for asked in self._open.values():
            self._wire.store.settle_request(asked.key, self._wire.at)
        self._open.clear()
        self._sessions.clear()

    def session_of(self, request_id: Any) -> str | None:
        """The agent's session id a request of this connection belongs to."""
        return self._sessions.get(id_key(request_id))

    def _of(self, sessions: list[Session]) -> list[AgentRequest]:
        refs = {session.ref for session in sessions}
        return [asked for asked in self._open.values() if asked.key.session in refs]

    def _call_ended(self, call: Call) -> None:
        """A form for a request of ours lives no longer than it (EL-21)."""
        for asked in list(self._open.values()):
            named = getattr(asked.params, "request_id", None)
            if named is not None and id_key(named) == id_key(call.id):
                self._settle(asked, DISMISSED, by="close")

    def _settle(self, asked: AgentRequest, outcome: dict[str, Any], *, by: str, why: str = "") -> None:
        """The one place where a request that waited is answered."""
        del self._open[id_key(asked.request_id)]
        self._note(asked, outcome, by=by, why=why)
        if asked.ours:
            self.own_answered(asked, outcome["outcome"].get("optionId"), by, why)
            return
        beside = {"by": by, "why": why} if by == "rule" or why else {}
        self._wire.answer(asked.request_id, asked.key.session or None, outcome, beside)

    def _note(self, asked: AgentRequest, outcome: Any, *, by: str, why: str = "") -> None:
        self._wire.store.settle_request(asked.key, self._wire.at, outcome=outcome, by=by, why=why)
        self._mark(asked, outcome)
        if _agreed(outcome) and isinstance(asked.params, ElicitationUrlMode):
            self.urls.setdefault(asked.params.elicitation_id, "outstanding")

    def _mark(self, asked: AgentRequest, outcome: Any) -> None:
        """Its call was refused or not: some agents never say what became of it."""
        subject = getattr(asked.params, "subject", None)
        session = self._routes.target(asked.params.session_id or "") if subject is not None else None
        if session is None or not isinstance(subject, ToolCallPermissionSubject):
            return
        call = session.entities.get(Key(session.ref, Kind.TOOL_CALL, subject.tool_call.tool_call_id))
        rejected = _rejects(asked.params, outcome)
        if isinstance(call, ToolCall) and call.rejected != rejected:
            call.rejected = rejected
            self._wire.changed(call)


def _crossed(session: Session, params: RequestPermissionRequest) -> bool:
    """The user cancelled the work that asks, and the agent, which may wait for this answer before it stops,
    has not confirmed that yet (PM-10). Not where a prompt went after the cancel (CX-08), nor for work that
    the cancel does not reach (CX-07); and where the cancel gets no answer, the user is asked again.
    """
    cancel = session.cancel
    if cancel is None or not cancel.open or cancel.status != "asked":
        return False
    call = params.subject.tool_call if isinstance(params.subject, ToolCallPermissionSubject) else None
    if call is not None and call.tool_call_id in listed_calls(session):
        return False
    return not _prompted_since(session, cancel.asked_at)


def _prompted_since(session: Session, at: float) -> bool:
    """A prompt was sent after that moment, or a message of the user came."""
    sent = (session.entities.get(key) for key in session.tail)
    if any(isinstance(one, Submission) and (one.sent_at or 0.0) > at for one in sent):
        return True
    for key in reversed(session.timeline):
        if session.entities[key].created_at <= at:
            return False
        if key.kind is Kind.USER_MESSAGE:
            return True
    return False


def _rejects(params: RequestPermissionRequest, outcome: Any) -> bool:
    told = outcome.get("outcome") if isinstance(outcome, dict) else None
    chosen = told.get("optionId") if isinstance(told, dict) else None
    return any(one.option_id == chosen and one.kind.startswith("reject") for one in params.options)


def _nothing(asked: AgentRequest, option_id: str | None, by: str, why: str) -> None:
    """Nobody asks for himself."""


def _agreed(outcome: Any) -> bool:
    return isinstance(outcome, dict) and outcome.get("action") == "accept"


def _nothing_chosen(asked: AgentRequest) -> dict[str, Any]:
    return CANCELLED if isinstance(asked.params, RequestPermissionRequest) else DISMISSED


def _invalid_params(invalid: Invalid) -> Error:
    return Error(code=errors.INVALID_PARAMS, message=f"Invalid params: {invalid.reason}")
