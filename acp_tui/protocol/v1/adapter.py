"""Between the wire of a v1 agent and a client that knows v2 only: messages in, messages out, no I/O.

Four ways through it: `incoming` (the agent said this), `spoken` (what we want to say, its words), `recalled`
(what a record says that we said, in ours), and `left`: a message of ours is on its way or was, and these
messages of the agent follow from that, which a v2 agent would have sent. So a prompt is accepted when it
leaves, and its answer ends the turn (V1-20 to V1-26).

Invariants: the same messages at the same times give the same messages, live and from a record; what is not
different in v1 passes through untouched, requests for files and terminals among it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from acp_tui.protocol.errors import REQUEST_CANCELLED
from acp_tui.protocol.jsonio import parse
from acp_tui.protocol.jsonrpc import (
    Incoming,
    Malformed,
    Notification,
    Outgoing,
    Request,
    Response,
    id_key,
)
from acp_tui.protocol.model import encode
from acp_tui.protocol.unknown import Invalid
from acp_tui.protocol.v1 import ids, outgoing, requests, results, settings
from acp_tui.protocol.v1.memory import Asked, Held, Memory, Talk
from acp_tui.protocol.v1.updates import translate

SILENCE = 0.3
"""Seconds without an update after which a replay is over: agents answer `session/load` first and replay then.
"""
PATIENCE = 10.0
"""And whatever comes, it is over after so many."""

_WORDS = {"session/set_mode": "modeId", "session/set_model": "modelId"}
_CONFIG_IDS = {"session/set_mode": ids.MODE, "session/set_model": ids.MODEL}
_FOLLOWED = frozenset(
    {"session/new", "session/load", "session/resume", "session/prompt", "session/set_config_option", *_WORDS}
)
"""Methods whose answers are others than in v2."""


class Adapter:
    """One client's translation, for all its connections to a v1 agent."""

    def __init__(self) -> None:
        self.memory = Memory()

    # From the agent

    def incoming(self, message: Incoming, at: float) -> list[Incoming]:
        """What a v2 agent would have said instead."""
        match message:
            case Notification("session/update", params):
                return self._update(params, at)
            case Request():
                return self._request(message)
            case Response():
                return self._response(message, at)
            case Malformed(raw=raw) if (nameless := _nameless(raw)) is not None:
                return self._request(nameless)
            case _:
                return [message]

    def _update(self, params: dict[str, Any], at: float) -> list[Incoming]:
        session_id = params.get("sessionId")
        held = self.memory.held.get(session_id) if isinstance(session_id, str) else None
        if held is not None:
            held.due = min(at + SILENCE, held.last)
        updates = translate(self.memory.talk(session_id), params.get("update"))
        return [Notification("session/update", {**params, "update": update}) for update in updates]

    def _request(self, request: Request) -> list[Incoming]:
        if request.method == "elicitation/create":
            return [requests.elicitation(self.memory, request)]
        if request.method != "session/request_permission":
            return [request]
        session_id = request.params.get("sessionId")
        talk = self.memory.talk(session_id)
        before, asked = requests.permission(talk, request)
        talk.asking.add(id_key(request.id))
        told: list[Any] = [*_updates(session_id, before), asked]
        return [*told, _state(session_id, "requires_action")] if talk.turns else told  # V1-25

    def _response(self, response: Response, at: float) -> list[Incoming]:
        key = id_key(response.id)
        asked = self.memory.asked.pop(key, None)
        if asked is None:
            return [response]
        if asked.method == "session/prompt":
            return self._ended(asked, key, response)
        if asked.method == "session/new":
            return [self._born(response)]
        talk = self.memory.talk(asked.session_id)
        if asked.method in ("session/load", "session/resume"):
            return self._restored(asked, talk, response, at)
        return [_set(asked, talk, response)]

    def _ended(self, asked: Asked, key: str, response: Response) -> list[Incoming]:
        """The turn is over (V1-23); another may have been asked for meanwhile."""
        talk = self.memory.talk(asked.session_id)
        if key in talk.turns:
            talk.turns.remove(key)
        talk.last = None
        if not talk.turns:
            talk.close()
        told: list[Incoming] = [_state(asked.session_id, "idle", **_outcome(response), background=[])]
        return [*told, _state(asked.session_id, "running")] if talk.turns else told

    def _born(self, response: Response) -> Response:
        named = response.result.get("sessionId") if isinstance(response.result, dict) else None
        if response.error is not None or not isinstance(named, str):
            return response
        return Response(response.id, results.opened(self.memory.born(named), response.result))

    def _restored(self, asked: Asked, talk: Talk, response: Response, at: float) -> list[Incoming]:
        """Idle, without a completion (V1-40). A history that is told comes before the answer or after it."""
        talk.close()
        if response.error is not None:
            talk.known |= talk.before
            talk.before = set()
            return [response]
        answer = Response(response.id, results.opened(talk, response.result))
        if asked.method == "session/load" and asked.session_id is not None:
            self.memory.held[asked.session_id] = Held(answer=answer, due=at + SILENCE, last=at + PATIENCE)
            return []
        return _rests(asked.session_id, answer)

    # What waits for silence

    @property
    def due(self) -> float | None:
        """When something is to be done though nothing comes."""
        return min((held.due for held in self.memory.held.values()), default=None)

    def rested(self, at: float) -> list[Incoming]:
        """It is so late now: these replays are over."""
        return self._release([name for name, held in self.memory.held.items() if held.due <= at])

    def rest(self) -> list[Incoming]:
        """Nothing more is to be waited for."""
        return self._release(list(self.memory.held))

    def _release(self, names: Iterable[str]) -> list[Incoming]:
        found: list[Incoming] = []
        for name in names:
            talk = self.memory.talk(name)
            talk.close()
            talk.before = set()
            found += _rests(name, self.memory.held.pop(name).answer)
        return found

    # From us

    def spoken(self, message: Outgoing) -> Outgoing:
        """In the agent's words."""
        return outgoing.spoken(message)

    def recalled(self, message: Outgoing) -> Outgoing:
        """In ours, what a record says that we said."""
        return outgoing.recalled(message)

    def left(self, message: Outgoing) -> list[Incoming]:
        """This went out, in the agent's words: what a v2 agent would say to it at once."""
        match message:
            case Request(request_id, method, params) if method in _FOLLOWED:
                session_id = params.get("sessionId")
                named = session_id if isinstance(session_id, str) else None
                value = params.get(_WORDS.get(method, "value"))
                self.memory.asked[id_key(request_id)] = Asked(
                    method=method,
                    session_id=named,
                    config_id=str(params.get("configId", "")),
                    value=value if isinstance(value, str | bool) else "",
                )
                return self._asked(method, named, message)
            case Response(request_id):
                return self._answered(id_key(request_id))
            case _:
                return []

    def _asked(self, method: str, session_id: str | None, request: Request) -> list[Incoming]:
        if session_id is None:
            return []
        if method == "session/prompt":
            return self._prompted(session_id, request)
        if method in ("session/load", "session/resume"):
            talk = self.memory.begin(session_id)
            talk.close()
            if method == "session/load":  # V1-41: what is told now is another view of it
                talk.before, talk.known = talk.before | talk.known, set()
        return []

    def _prompted(self, session_id: str, request: Request) -> list[Incoming]:
        """Running, with the user's message in its place, accepted (V1-20, V1-22, V1-26)."""
        talk = self.memory.talk(session_id)
        talk.close()
        talk.turns.append(id_key(request.id))
        talk.prompt = talk.new("user")
        talk.appeared(("user", talk.prompt))
        message = {
            "sessionUpdate": "user_message",
            "messageId": talk.prompt,
            "content": request.params.get("prompt"),
        }
        accepted = Response(request.id, {"messageId": talk.prompt})
        return [_state(session_id, "running"), *_updates(session_id, [message]), accepted]

    def _answered(self, key: str) -> list[Incoming]:
        """A request of the agent's has its answer: the work goes on when none waits any more (V1-25)."""
        for session_id, talk in self.memory.talks.items():
            if key in talk.asking:
                talk.asking.discard(key)
                return [_state(session_id, "running")] if talk.turns and not talk.asking else []
        return []

    def session_of(self, request_id: Any) -> str | None:
        """The agent's id of the session that a request of ours is about, until it is answered."""
        asked = self.memory.asked.get(id_key(request_id))
        return asked.session_id if asked is not None else None

    def prompted(self, request_id: Any) -> bool:
        """A prompt of ours with this id is not answered yet."""
        asked = self.memory.asked.get(id_key(request_id))
        return asked is not None and asked.method == "session/prompt"


def _set(asked: Asked, talk: Talk, response: Response) -> Response:
    """A setting was changed (V1-35, V1-36)."""
    if response.error is not None:
        return response
    result = response.result if isinstance(response.result, dict) else {}
    if asked.method in _CONFIG_IDS:
        settings.moved(talk, _CONFIG_IDS[asked.method], asked.value)
    elif not settings.take(talk, result):
        settings.changed(talk, ids.taken(asked.config_id), asked.value)
    return Response(response.id, {**result, "configOptions": settings.offered(talk)})


def _outcome(response: Response) -> dict[str, Any]:
    """How a turn ended: what an idle state says of it."""
    error = response.error
    if error is None:
        result = response.result
        return {"stopReason": result.get("stopReason") if isinstance(result, dict) else None}
    if error.code == REQUEST_CANCELLED:
        return {"stopReason": "cancelled"}
    return {"stopReason": "error", "error": encode(error)}


def _rests(session_id: str | None, answer: Response) -> list[Incoming]:
    return [_state(session_id, "idle", background=[]), answer]


def _state(session_id: Any, state: str, **more: Any) -> Notification:
    update = {"sessionUpdate": "state_update", "state": state, **more}
    return Notification("session/update", {"sessionId": session_id, "update": update})


def _updates(session_id: Any, updates: Iterable[Any]) -> list[Notification]:
    return [Notification("session/update", {"sessionId": session_id, "update": one}) for one in updates]


def _nameless(raw: str) -> Request | None:
    """A request whose id is null, which v1 allows (V1-05)."""
    if '"method"' not in raw or "null" not in raw:
        return None
    try:
        value = parse(raw.encode(errors="surrogatepass"))
    except Invalid:
        return None
    if not isinstance(value, dict) or "id" not in value or value["id"] is not None:
        return None
    method, params = value.get("method"), value.get("params") or {}
    return Request(None, method, params) if isinstance(method, str) and isinstance(params, dict) else None
