"""What a v1 agent asks of this machine: files and terminals (V1-51 to V1-60).

Decides and remembers; the work itself is done elsewhere (`Serve`), and what came of it comes back (`served`).
Invariants: each request has one answer, by the work, a refusal of the user, a cancel or the end of the
session, whatever is first; nothing outside the session's folders is touched before the user has allowed that
place; what we did can be seen: on the agent's own tool call where it tells of one, else on one of ours; all
of it stands in the journal and is made from it again (`Own`).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from acp_tui.client import permits
from acp_tui.client.asking import Asking, Refused
from acp_tui.client.effects import Keep, ReleaseTerminals, Serve, StopServing
from acp_tui.client.jobs import (
    Began,
    Done,
    Elsewhere,
    Ended,
    Failed,
    Job,
    Output,
    Own,
    Result,
    Serves,
    Wrote,
)
from acp_tui.client.routes import Routes
from acp_tui.client.updates import Updates
from acp_tui.client.wire import Wire
from acp_tui.protocol import errors, v2
from acp_tui.protocol.errors import Error
from acp_tui.protocol.jsonrpc import Request, Response, id_key
from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.protocol.served import SERVED, AskOutput, AwaitExit, CreateTerminal, OfTerminal
from acp_tui.protocol.tool_call import Diff
from acp_tui.protocol.unknown import Invalid
from acp_tui.store.entities import AgentRequest, ToolCall
from acp_tui.store.holding import loaded
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.tools import mark_unreported
from acp_tui.store.session import Session

CANCELLED = Error(code=errors.REQUEST_CANCELLED, message="Request cancelled")


@dataclass(slots=True)
class _Open:
    """A request that is not answered yet."""

    job: Job
    call: str = ""
    """The tool call of ours that shows it; empty: none does."""
    asked: Elsewhere | None = None
    """What the user is, or was, asked about it."""


class Serving:
    """The open requests, and what the user allowed."""

    def __init__(
        self,
        wire: Wire,
        routes: Routes,
        asking: Asking,
        updates: Updates,
        serves: Serves,
        new_id: Callable[[], str],
    ) -> None:
        self._wire = wire
        self._routes = routes
        self._asking = asking
        self._updates = updates
        self._new_id = new_id
        self.serves = serves
        """What we offer."""
        self._open: dict[str, _Open] = {}
        self._allowed: dict[tuple[str, str], set[str]] = {}
        """Folders by session and kind of job, as long as this program runs."""
        self._terminals: set[str] = set()
        """Sessions that asked for one."""
        asking.others.append(self.serve)
        asking.own_answered = self._decided

    @property
    def rests(self) -> bool:
        """No request waits for its answer."""
        return not self._open

    # From the agent

    def serve(self, request: Request) -> bool:
        """Begin it; False: it is none of ours. Raises `Refused`."""
        service, model = SERVED.get(request.method, (None, None))
        offered = self._wire.store.connection.protocol == 1 and service and self.serves.offers(service)
        if model is None or not offered:
            return False
        if id_key(request.id) in self._open:
            message = "A request with this id is being served"
            raise Refused(Error(code=errors.INVALID_REQUEST, message=message))
        try:
            wanted: Any = v2.decode(model, request.params)
        except Invalid as invalid:
            error = Error(code=errors.INVALID_PARAMS, message=f"Invalid params: {invalid.reason}")
            raise Refused(error) from None
        self._begin(request, self._asking.session(wanted.session_id), wanted)
        return True

    def _begin(self, request: Request, session: Session, wanted: Any) -> None:
        if session.phase == "closing" and not isinstance(wanted, OfTerminal):
            raise Refused(errors.session_not_found(wanted.session_id))
        if isinstance(wanted, AskOutput | AwaitExit):
            self._show_terminal(session, wanted.terminal_id)
        name = ""
        if isinstance(wanted, CreateTerminal):
            name = f"{permits.OURS}{self._new_id()}"
            self._terminals.add(session.ref)
        folders = self._allowed.get((session.ref, permits.kind(wanted)), set())
        roots = (session.cwd, *session.additional_directories)
        job = Job(request.id, session.ref, wanted, roots, name, "", tuple(sorted(folders)))
        self._open[id_key(request.id)] = _Open(job)
        self._wire.effects.append(Serve(job))

    def cancelled(self, request_id: Any) -> None:
        """`$/cancel_request` of the agent (V1-60); where we ask the user about it, `Asking` knew first."""
        if id_key(request_id) in self._open:
            self._give_up(self._open[id_key(request_id)])

    def session_of(self, request_id: Any) -> str | None:
        """The agent's id of the session that an open request is for."""
        found = self._open.get(id_key(request_id))
        return found.job.wanted.session_id if found is not None else None

    def recorded(self, response: Response) -> None:
        """An answer of ours that was read from a record."""
        self._open.pop(id_key(response.id), None)

    # From who does the work

    def served(self, result: Result) -> None:
        """What came of a job. Of one that was answered meanwhile nothing comes, but a terminal that nobody
        waits for any more ends.
        """
        match result:
            case Output():
                self._printed(result)
            case Ended():
                self._ended(result)
            case _:
                found = self._open.get(id_key(result.id))
                if found is not None:
                    self._came(found, result)

    def _came(self, found: _Open, result: Done | Failed | Elsewhere | Wrote | Began) -> None:
        match result:
            case Elsewhere():
                self._ask(found, result)
            case Done():
                self._answer(found, result.result)
            case Failed():
                self._answer(found, result.error)
            case Wrote():
                if not found.call:
                    self._show_change(found, result)
                self._answer(found, {})
            case Began():
                self._began(found.job, result)
                self._answer(found, {"terminalId": found.job.name})

    def _answer(self, found: _Open, answer: dict[str, Any] | Error, status: str = "") -> None:
        """The one place where a request is answered; `status` of the call that shows it, if not as usual."""
        job = found.job
        del self._open[id_key(job.id)]
        if found.call:
            self._update_call(found, status or ("failed" if isinstance(answer, Error) else "completed"))
        self._wire.answer(job.id, job.ref, answer)

    # Asking the user

    def _ask(self, found: _Open, place: Elsewhere) -> None:
        job, session = found.job, self._wire.store.sessions[found.job.ref]
        found.asked = place
        if not isinstance(job.wanted, CreateTerminal):
            if not found.call:
                found.call = f"{permits.OURS}{self._new_id()}"
            self._own(session, permits.call(job, place, found.call))
        params = permits.request(job, place, found.call, session.session_id or "")
        self._asking.ask_own(job.id, session, v2.decode(RequestPermissionRequest, params))
        facts = {"request": job.id, "params": params}
        self._wire.effects.append(Keep(Own(session.session_id or "", "request", facts)))

    def _decided(self, asked: AgentRequest, option_id: str | None, by: str, why: str) -> None:
        """The user, a rule, a cancel or an end has answered what we asked."""
        found = self._open.get(id_key(asked.request_id))
        session = self._wire.store.sessions.get(asked.key.session)
        if found is None or session is None:
            return
        facts = {"request": asked.request_id, "outcome": asked.outcome, "by": by, "why": why}
        self._wire.effects.append(Keep(Own(session.session_id or "", "answer", facts)))
        place, job = found.asked, found.job
        if place is None or option_id not in (permits.ONCE, permits.FOLDER):
            where = f": {place.real}" if place is not None else ""
            refused = Error(code=errors.INVALID_PARAMS, message=f"The user did not allow it{where}")
            self._answer(found, CANCELLED if option_id is None else refused, "cancelled")
            return
        if option_id == permits.FOLDER:
            self._allowed.setdefault((job.ref, permits.kind(job.wanted)), set()).add(place.folder)
        found.job = replace(job, once=place.real)
        if found.call:
            self._update_call(found, "in_progress")
        self._wire.effects.append(Serve(found.job))

    # What is shown

    def _telling(self, job: Job, real: str) -> ToolCall | None:
        """The agent's own call for this file, if one is under way."""
        session = self._wire.store.sessions[job.ref]
        calls = (session.entities.get(key) for key in session.open_calls)
        paths = {real, getattr(job.wanted, "path", real)}
        return next((one for one in calls if isinstance(one, ToolCall) and paths & _named(one)), None)

    def _show_change(self, found: _Open, result: Wrote) -> None:
        """On a call of ours, or on the agent's own, if that does not show what it changes."""
        telling = self._telling(found.job, result.real)
        if telling is not None:
            if not any(isinstance(loaded(one), Diff) for one in telling.content):
                chunk = {"sessionUpdate": "tool_call_content_chunk", "toolCallId": telling.key.id}
                self._own(self._wire.store.sessions[found.job.ref], {**chunk, "content": result.change})
            return
        found.call = f"{permits.OURS}{self._new_id()}"
        place = Elsewhere(found.job.id, result.real, "", "", result.change)
        self._own(self._wire.store.sessions[found.job.ref], permits.call(found.job, place, found.call))

    def _update_call(self, found: _Open, status: str) -> None:
        session = self._wire.store.sessions.get(found.job.ref)
        if session is not None:
            self._own(session, _status(found.call, status))

    def _began(self, job: Job, result: Began) -> None:
        update = {
            "sessionUpdate": "terminal_update",
            "terminalId": job.name,
            "command": result.command,
            "cwd": result.cwd,
            "size": {"cols": result.columns, "rows": result.rows},
        }
        self._own(self._wire.store.sessions[job.ref], update)

    def _printed(self, result: Output) -> None:
        session = self._wire.store.sessions.get(result.ref)
        if session is not None:
            self._own(session, _chunk(result.name, result.data), keep=result.kept)

    def _ended(self, result: Ended) -> None:
        session = self._wire.store.sessions.get(result.ref)
        if session is None:
            return
        if not session.busy:
            self._show_terminal(session, result.name)
        if result.left_out:
            words = f"\n… {result.left_out - len(result.tail):,} bytes were not kept …\n".encode()
            self._keep(session, _chunk(result.name, words + result.tail))
        exit_status = {"exitCode": result.exit_code, "signal": result.signal}
        update = {"sessionUpdate": "terminal_update", "terminalId": result.name, "exitStatus": exit_status}
        self._own(session, update)
        self._show_end(session, result.name)
        if not session.busy:  # it outlived its turn: of the agent's call that shows it nothing more comes
            mark_unreported(self._wire.store, session, self._wire.at)

    def _show_end(self, session: Session, name: str) -> None:
        """On the call of ours that shows the terminal, if there is one."""
        shown = Key(session.ref, Kind.TOOL_CALL, permits.showing(name))
        terminal: Any = session.entities.get(Key(session.ref, Kind.TERMINAL, name))
        if shown in session.entities and terminal is not None and terminal.exited:
            succeeded = terminal.exit_status.exit_code == 0
            self._own(session, _status(shown.id, "completed" if succeeded else "failed"))

    def _show_terminal(self, session: Session, name: str) -> None:
        """The agent had its chance to show it on a call of its own: it asks about it, or its turn is over."""
        key = Key(session.ref, Kind.TERMINAL, name)
        terminal: Any = session.entities.get(key)
        if terminal is None or key in session.shown_in or not name.startswith(permits.OURS):
            return
        self._own(session, permits.command_call(name, terminal.command or ""))
        self._show_end(session, name)

    def completed(self, session: Session) -> None:
        """Its turn is over."""
        names = [key.id for key in session.entities if key.kind is Kind.TERMINAL]
        for name in names if session.ref in self._terminals else ():
            self._show_terminal(session, name)

    # Our own updates

    def _own(self, session: Session, update: dict[str, Any], *, keep: bool = True) -> None:
        if keep:
            self._keep(session, update)
        self._updates.apply(session, update)

    def _keep(self, session: Session, update: dict[str, Any]) -> None:
        self._wire.effects.append(Keep(Own(session.session_id or "", "update", {"update": update})))

    def recall(self, own: Own) -> None:
        """Something of ours that was read from a record; what nobody understands is passed over."""
        session = self._routes.session(own.session_id)
        if session is None:
            return
        if own.event == "update":
            self._updates.apply(session, own.facts.get("update"))
        elif own.event == "request":
            try:
                params = v2.decode(RequestPermissionRequest, own.facts.get("params"))
            except Invalid:
                return
            self._asking.ask_own(own.facts.get("request"), session, params)
        elif own.event == "answer":
            said = (str(own.facts.get(name) or "") for name in ("by", "why"))
            self._asking.recall_own(own.facts.get("request"), own.facts.get("outcome"), *said)

    # Ends

    def dismiss(self, session: Session) -> None:
        """It is closed: what is under way for it is given up, its terminals end (V1-58)."""
        for found in [one for one in self._open.values() if one.job.ref == session.ref]:
            self._give_up(found)
        self._allowed = {key: value for key, value in self._allowed.items() if key[0] != session.ref}
        if session.ref in self._terminals:
            self._terminals.discard(session.ref)
            self._wire.effects.append(ReleaseTerminals(session.ref))

    def lose(self) -> None:
        """Nobody is left to answer."""
        self._open.clear()

    def _give_up(self, found: _Open) -> None:
        self._wire.effects.append(StopServing(found.job.id))
        self._answer(found, CANCELLED, "cancelled")


def _status(call: str, status: str) -> dict[str, Any]:
    return {"sessionUpdate": "tool_call_update", "toolCallId": call, "status": status}


def _chunk(name: str, data: bytes) -> dict[str, Any]:
    return {
        "sessionUpdate": "terminal_output_chunk",
        "terminalId": name,
        "data": b64encode(data).decode("ascii"),
    }


def _named(call: ToolCall) -> set[str]:
    """Files that it says it touches."""
    found = {place.path for place in call.locations}
    for item in map(loaded, call.content):
        if isinstance(item, Diff):
            found |= {getattr(change, "path", "") for change in item.changes}
    return found
