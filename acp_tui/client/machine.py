"""The client without its I/O: messages and intents in, effects out.

Invariants: nothing here reads a clock, a file or a random number; the same messages and intents at the same
times give the same store and the same effects, so that a live agent, a recorded trace and a test vector are
one thing to everything above. Each call returns the effects of that call, in the order in which they are to
be carried out.

The parts, each with one reason to change: `handshake` (versions), `sessions` and `resuming` (their life),
`updates` (what the agent tells), `submissions` (what the user says), `asking` (what the agent asks the user),
`serving` (what it asks of this machine), `controls` (stopping and settings), `auth`, `garbage`, `ending`.
They share a `wire` and the `routes`, and hear of each other through callbacks that are set up here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from acp_tui.client import intents as want
from acp_tui.client import standing
from acp_tui.client.asking import Asking
from acp_tui.client.auth import Auth
from acp_tui.client.controls import Controls
from acp_tui.client.dialect import Dialect
from acp_tui.client.effects import Effect, Send
from acp_tui.client.ending import Ending
from acp_tui.client.garbage import Garbage
from acp_tui.client.handshake import Handshake, Outcome
from acp_tui.client.intents import Intent
from acp_tui.client.jobs import NO_SERVICE, Own, Result, Serves
from acp_tui.client.rejecting import Rejecting
from acp_tui.client.resuming import Resuming
from acp_tui.client.routes import Routes
from acp_tui.client.serving import Serving
from acp_tui.client.sessions import Sessions
from acp_tui.client.setup import Setup
from acp_tui.client.standing import Standing
from acp_tui.client.submissions import Submissions
from acp_tui.client.updates import Updates
from acp_tui.client.wire import Call, Wire
from acp_tui.protocol import errors
from acp_tui.protocol.errors import Error
from acp_tui.protocol.initialize import ClientCapabilities, Implementation
from acp_tui.protocol.jsonrpc import (
    Incoming,
    Malformed,
    Notification,
    Outgoing,
    Request,
    Response,
    id_key,
    is_id,
)
from acp_tui.store.entities import AgentRequest, Submission
from acp_tui.store.session import Session
from acp_tui.store.store import CONNECTION, Store


def _uuid() -> str:
    return str(uuid4())


class Client:
    """One client for the life of the program; `start` begins a new generation of its connection."""

    def __init__(
        self,
        store: Store,
        *,
        info: Implementation,
        capabilities: ClientCapabilities,
        protocol_versions: tuple[int, ...] = (2,),
        new_id: Callable[[], str] = _uuid,
        serves: Serves = NO_SERVICE,
    ) -> None:
        self.store = store
        self._wire = wire = Wire(store)
        self._dialect = Dialect(wire)
        self._routes = routes = Routes(store)
        self._handshake = Handshake(wire, info, capabilities, protocol_versions, serves)
        self._setup = setup = Setup(wire)
        self._sessions = sessions = Sessions(wire, routes, setup)
        self._resuming = Resuming(wire, routes, setup, sessions)
        self._submissions = submissions = Submissions(wire, routes, setup, new_id)
        self._asking = asking = Asking(wire, routes, self._handshake)
        self._updates = updates = Updates(wire, routes, awaited=sessions.awaited)
        self._serving = Serving(wire, routes, asking, updates, serves, new_id)
        self._rejecting = Rejecting(wire, asking, submissions)
        self._controls = Controls(wire, routes, setup, asking.cancel_permissions)
        self._auth = Auth(wire, setup, lambda: self._handshake.advertised)
        self._garbage = Garbage(wire)
        self._ending = Ending(wire, routes, sessions, submissions, asking, updates)
        self._introduce()

    def _introduce(self) -> None:
        """Who hears of what happens in another part; those of a list in this order."""
        sessions, submissions, updates = self._sessions, self._submissions, self._updates
        sessions.opened += [updates.opened, self._auth.opened, submissions.queue.flush]
        sessions.unopened.append(updates.unopened)
        sessions.closing.append(self._dismiss)
        sessions.closed += [submissions.closed, self._serving.dismiss]
        updates.grown.append(submissions.settling.grown)
        updates.added.append(self._dialect.added)
        updates.completed += [
            submissions.completed,
            self._serving.completed,
            self._dialect.ended,
            submissions.queue.completed,
        ]
        self._resuming.rebuilt.append(submissions.settling.rebuilt)

    # In

    def start(self, at: float) -> list[Effect]:
        """The agent was started: a new generation, which begins with `initialize` (IN-01)."""
        self._wire.at = at
        self._begin()
        self._handshake.start()
        return self._effects()

    def assume_ready(self, at: float, protocol: int = 2) -> list[Effect]:
        """Take the connection as agreed on, for a record that begins without `initialize`."""
        self._wire.at = at
        self._begin()
        self._handshake.assume_ready(protocol)
        return self._effects()

    def receive(self, message: Incoming, at: float) -> list[Effect]:
        """One message of the agent, in the order it came (RP-16)."""
        self._wire.at = self.store.connection.heard_at = at
        if self._dialect.foreign:
            self._take(self._dialect.rested())
            failed = self._dialect.turn(message)
            self._take(self._dialect.incoming(message))
            if failed is not None:
                self._wire.refuse(*failed)
        else:
            self._hear(message)
        return self._effects()

    def rest(self) -> list[Effect]:
        """Nothing more is to come in this record: do what waited for silence."""
        self._take(self._dialect.rest())
        return self._effects()

    def _take(self, messages: Iterable[Incoming]) -> None:
        for message in messages:
            self._hear(message)

    def _hear(self, message: Incoming) -> None:
        match message:
            case Notification():
                self._notified(message)
            case Request():
                self._requested(message)
            case Response():
                self._wire.settle(message)
            case Malformed():
                self._garbage.receive(message)

    def intent(self, intent: Intent, at: float) -> list[Effect]:
        """Something the user wants. What cannot be done now is left undone, or says why through an effect."""
        self._wire.at = at
        self._do(intent)
        return self._effects()

    def sent(
        self, message: Outgoing, at: float, beside: Mapping[str, str] = MappingProxyType({})
    ) -> list[Effect]:
        """A message of ours that is read from a record, with what was kept beside it: a fact, like those of
        the agent.
        """
        self._wire.at = at
        if isinstance(message, Request) and message.method != "initialize":
            self._take(self._dialect.rest())
            self._handshake.used()
        match self._dialect.recalled(message):
            case Request(request_id, method, params) if request_id is not None:
                if method == "initialize" and self.store.connection.phase != "ready":
                    self._begin()
                self._wire.track(Call(id=request_id, method=method, params=params))
            case Notification("session/cancel", params):
                self._controls.cancel_sent(params)
            case Response() as answer:
                self._asking.recorded(answer, beside)
                self._serving.recorded(answer)
        self._take(self._dialect.left(message))
        return self._effects()

    def lost(self, at: float, reason: str, *, died: bool = False) -> list[Effect]:
        """The connection ended; `reason` is a sentence for the user. `died`: by itself."""
        self._wire.at = at
        self._take(self._dialect.rest())
        if self._handshake.lost(died=died):  # the agent is started again, nothing was said yet
            return self._effects()
        self._ending.lose(reason)
        self._serving.lose()
        self._dialect.disconnected()
        self._auth.lost()
        return self._effects()

    def served(self, result: Result, at: float) -> list[Effect]:
        """What came of something that `Serve` asked for."""
        self._wire.at = at
        self._serving.served(result)
        return self._effects()

    def recall(self, own: Own, at: float) -> list[Effect]:
        """Something that `Keep` put into a record, and that is read from it: a fact."""
        self._wire.at = at
        if own.event == "closed":
            self._sessions.closed_unasked(own.session_id)
        else:
            self._serving.recall(own)
        return self._effects()

    def tick(self, at: float) -> list[Effect]:
        """The time a `Wake` asked for has come, or may have."""
        self._wire.at = at
        self._take(self._dialect.rested())
        self._controls.tick()
        self._submissions.queue.tick()
        self._ending.tick()
        return self._effects()

    # From a record that was folded

    def adopt(self, sessions: Iterable[Session]) -> None:
        """Know these sessions, whose `ref`s must be new here; `ResumeSession` attaches one."""
        standing.adopt(self, sessions)

    def standing(self) -> Standing | None:
        """How it stands, for `stand`; None while anything waits."""
        return standing.standing(self)

    def stand(self, known: Standing) -> None:
        """Fresh: go on where another client stood."""
        standing.stand(self, known)

    # Out

    def route(self, message: Incoming, outgoing: bool) -> str | None:
        """The agent's id of the session a message belongs to, None if to the connection. Changes nothing."""
        match message:
            case Request(params=params) | Notification(params=params):
                named = params.get("sessionId")
                if isinstance(named, str):
                    return named
                scope = params.get("requestId")
                return (
                    self._route_request(scope, ours=outgoing != isinstance(message, Request))
                    if is_id(scope)
                    else None
                )
            case Response() if not outgoing and (own := self._dialect.session_of(message)) is not None:
                return own
            case Response(request_id, result) if not outgoing:
                call = self._wire.calls.get(id_key(request_id))
                if call is not None and call.method == "session/new" and isinstance(result, dict):
                    named = result.get("sessionId")
                    return named if isinstance(named, str) else None
                return self._route_request(request_id, ours=True)
            case Response(request_id):
                return self._route_request(request_id, ours=False)
            case _:
                return None

    def _route_request(self, request_id: Any, *, ours: bool) -> str | None:
        if not ours:
            return self._asking.session_of(request_id) or self._serving.session_of(request_id)
        call = self._wire.calls.get(id_key(request_id))
        named = call.params.get("sessionId") if call is not None else None
        return named if isinstance(named, str) else None

    def prefer(self, protocol: int) -> None:
        """Begin with this version: the agent agreed to it before."""
        self._handshake.prefer(protocol)

    @property
    def outcome(self) -> Outcome:
        """What came of `initialize`."""
        return self._handshake.outcome

    @property
    def advertised(self) -> ClientCapabilities:
        """What we advertised on this connection."""
        return self._handshake.advertised

    @property
    def serves(self) -> Serves:
        """What we do for a v1 agent; it is told of it at the start (V1-02)."""
        return self._serving.serves

    @property
    def next_cursor(self) -> str | None:
        """Where the next page of `session/list` begins; None at its end (SS-19)."""
        return self._sessions.next_cursor

    @property
    def submissions(self) -> dict[str, Submission]:
        """Every submission that was sent, by its request id as JSON."""
        return self._submissions.by_request

    @property
    def requests(self) -> list[AgentRequest]:
        """Every request of the agent that was put before the user, in order."""
        return self._asking.every

    @property
    def url_elicitations(self) -> dict[str, str]:
        """URL elicitations the user agreed to: `outstanding` or `completed`."""
        return self._asking.urls

    @property
    def dropped(self) -> int:
        """Updates discarded as invalid, on all sessions."""
        return self._updates.dropped + sum(session.dropped for session in self.store.sessions.values())

    # Dispatch

    def _effects(self) -> list[Effect]:
        """Everything this step wants, what follows from its messages among it."""
        done: list[Effect] = []
        if not self._wire.effects:  # as after nearly every message
            return done
        waiting = deque(self._wire.effects)
        while waiting:
            effect = waiting.popleft()
            if isinstance(effect, Send):
                effect = self._dialect.send(effect)
                self._wire.effects.clear()
                self._take(self._dialect.left(effect.message))
                waiting += self._wire.effects
            done.append(effect)
        self._wire.effects.clear()
        return done

    def _begin(self) -> None:
        connection = self.store.connection
        connection.generation += 1
        connection.phase = "initializing"
        connection.started_at = self._wire.at
        connection.ready_at = connection.ended_at = connection.exit_code = connection.signal = None
        connection.failure = connection.last_garbage = ""
        connection.garbage = 0
        connection.protocol = connection.agent_info = connection.capabilities = None
        connection.lists = connection.closes = connection.resumes = connection.replays = True
        connection.logs_out = True
        connection.auth_methods, connection.auth_required, connection.auth_reason = [], False, ""
        self._auth.start()
        self._garbage.start()
        self._ending.start()
        self.store.touch(CONNECTION)

    def _notified(self, message: Notification) -> None:
        """A notification; unknown ones are ignored (RP-10), all of them before the connection is ready
        (IN-16).
        """
        if self.store.connection.phase not in ("ready", "closing", "closed"):
            return
        if message.method == "session/update":
            self._updates.receive(message)
        elif message.method == "$/cancel_request":
            named = message.params.get("requestId")
            if is_id(named):
                self._asking.cancelled(named)
                self._serving.cancelled(named)
        elif message.method == "elicitation/complete":
            self._asking.completed(str(message.params.get("elicitationId")))

    def _requested(self, request: Request) -> None:
        phase = self.store.connection.phase
        if phase == "initializing":  # IN-16
            error = Error(code=errors.INVALID_REQUEST, message="Not initialized yet")
            self._wire.answer(request.id, None, error)
        elif phase in ("ready", "closing"):  # later nobody reads an answer any more (CL-03)
            self._asking.serve(request)

    def _dismiss(self, session: Session) -> None:
        self._asking.dismiss([session, *self._routes.children(session)], by="close")

    def _do(self, intent: Intent) -> None:
        sessions = self.store.sessions
        match intent:
            case want.OpenSession():
                self._sessions.open(intent)
            case want.ResumeSession():
                self._resuming.resume(intent)
            case want.CloseSession(ref) if ref in sessions:
                self._sessions.close(sessions[ref])
            case want.DeleteSession(session_id):
                self._sessions.delete(session_id)
            case want.ListSessions(cwd, cursor):
                self._sessions.list(cwd, cursor)
            case want.LookAgain(ref) if ref in sessions:
                self._resuming.look_again(sessions[ref])
            case want.Submit(ref, blocks, now, held):
                self._submissions.submit(sessions.get(ref), ref, blocks, now=now, held=held)
            case _:
                self._do_with_prompts(intent)

    def _do_with_prompts(self, intent: Intent) -> None:
        submissions = self._submissions
        match intent:
            case want.SendHeld(key):
                submissions.send_now(key)
            case want.SendAgain(key):
                submissions.send_again(key)
            case want.ReleaseQueue(ref) if ref in self.store.sessions:
                submissions.queue.release(self.store.sessions[ref])
            case want.EditWaiting(key, blocks):
                submissions.edit(key, blocks)
            case want.MoveWaiting(key, step):
                submissions.move(key, step)
            case want.Dismiss(key):
                submissions.dismiss(key)
            case want.Withdraw(key):
                submissions.withdraw(key)
            case _:
                self._do_with_work(intent)

    def _do_with_work(self, intent: Intent) -> None:
        sessions = self.store.sessions
        match intent:
            case want.Cancel(ref) if ref in sessions:
                self._controls.cancel(sessions[ref])
            case want.CancelToolCall(key) | want.CancelTerminal(key):
                self._controls.stop(key)
            case want.SetConfigOption(ref, config_id, value) if ref in sessions:
                self._controls.set_option(sessions[ref], config_id, value)
            case want.AnswerPermission(key, option_id, by, why):
                self._asking.choose(key, option_id, by=by, why=why)
            case want.RejectAndSay():
                self._rejecting.reject(intent)
            case want.AnswerElicitation(key, action, content):
                self._asking.fill_in(key, action, content)
            case _:
                self._do_with_connection(intent)

    def _do_with_connection(self, intent: Intent) -> None:
        match intent:
            case want.Login(method_id):
                self._auth.login(method_id)
            case want.LoginEnded(succeeded, reason):
                self._auth.ended(succeeded, reason)
            case want.CancelLogin():
                self._auth.cancel()
            case want.Logout():
                self._auth.logout()
            case want.Leave():
                self._ending.leave()
