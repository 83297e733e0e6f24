"""An agent on paper: what a test says in its name, and what the client did about it."""

from __future__ import annotations

from itertools import count
from typing import Any

from acp_tui.client.effects import Effect, Send
from acp_tui.client.intents import Intent, OpenSession, Submit
from acp_tui.client.jobs import NO_SERVICE, Serves
from acp_tui.client.machine import Client
from acp_tui.protocol.content import TextContent
from acp_tui.protocol.initialize import ClientCapabilities, Implementation
from acp_tui.protocol.jsonrpc import Incoming, Notification, Request, Response, from_raw
from acp_tui.store.entities import Submission
from acp_tui.store.keys import Key
from acp_tui.store.session import Session
from acp_tui.store.store import Store

AGENT: dict[str, Any] = {
    "protocolVersion": 2,
    "info": {"name": "paper", "version": "1"},
    "capabilities": {"session": {"delete": {}, "prompt": {}, "mcp": {"stdio": {}}}},
    "authMethods": [{"type": "agent", "methodId": "acct", "name": "Sign in"}],
}
V1_AGENT: dict[str, Any] = {
    "protocolVersion": 1,
    "agentInfo": {"name": "old paper", "version": "1"},
    "authMethods": [{"id": "acct", "name": "Sign in"}],
}
OPTIONS = [
    {"optionId": "y", "name": "Allow", "kind": "allow_once"},
    {"optionId": "n", "name": "Reject", "kind": "reject_once"},
]


class Talk:
    """One client with a clock that the test turns; every step's effects are in `effects`."""

    def __init__(
        self,
        *,
        elicitation: bool = True,
        terminal: bool = False,
        modes: tuple[str, ...] = ("form", "url"),
        versions: tuple[int, ...] = (2,),
        serves: Serves = NO_SERVICE,
    ) -> None:
        offered: dict[str, Any] | None = {mode: {} for mode in modes} if elicitation else None
        numbers = count(1)
        self.store = Store()
        self.client = Client(
            self.store,
            info=Implementation(name="acp-tui", version="0"),
            capabilities=ClientCapabilities.model_validate(
                {"elicitation": offered, "auth": {"terminal": {}} if terminal else None}
            ),
            protocol_versions=versions,
            new_id=lambda: f"key-{next(numbers)}",
            serves=serves,
        )
        self.now = 100.0
        self.effects: list[Effect] = []

    # Steps

    def start(self, **answer: Any) -> None:
        """Start the agent; it agrees, unless `answer` says otherwise."""
        self._did(self.client.start(self.now))
        self.reply("initialize", {**AGENT, **answer})

    def start_v1(self, **capabilities: Any) -> None:
        """Start an agent that is known to speak v1."""
        self.client.prefer(1)
        self._did(self.client.start(self.now))
        self.reply("initialize", {**V1_AGENT, "agentCapabilities": capabilities})

    def open(self, ref: str = "a", session_id: str = "A") -> Session:
        """Open a session and let the agent name it."""
        self.want(OpenSession(ref, "/w"))
        self.reply("session/new", {"sessionId": session_id})
        return self.store.sessions[ref]

    def want(self, intent: Intent) -> list[Effect]:
        return self._did(self.client.intent(intent, self.now))

    def say(self, text: str, ref: str = "a", *, now: bool = False) -> list[Effect]:
        return self.want(Submit(ref, (TextContent(type="text", text=text),), now=now))

    def hear(self, raw: dict[str, Any]) -> list[Effect]:
        """The agent sends this object."""
        return self.receive(from_raw({"jsonrpc": "2.0", **raw}))

    def receive(self, message: Incoming) -> list[Effect]:
        return self._did(self.client.receive(message, self.now))

    def reply(self, method: str, result: Any = None, *, error: tuple[Any, ...] | None = None) -> list[Effect]:
        """The agent answers our latest request of this method; an error: code, message, perhaps data."""
        request = self.requests(method)[-1]
        if error is None:
            return self.hear({"id": request.id, "result": {} if result is None else result})
        return self.hear(
            {"id": request.id, "error": dict(zip(("code", "message", "data"), error, strict=False))}
        )

    def update(self, kind: str, session_id: str = "A", **fields: Any) -> list[Effect]:
        update = {"sessionUpdate": kind, **fields}
        params = {"sessionId": session_id, "update": update}
        return self.hear({"method": "session/update", "params": params})

    def ask(self, request_id: Any, session_id: str = "A", **params: Any) -> list[Effect]:
        """The agent asks for permission."""
        asked = {"sessionId": session_id, "title": "May I?", "options": OPTIONS, **params}
        return self.hear({"id": request_id, "method": "session/request_permission", "params": asked})

    def lose(self, reason: str = "The agent ended.") -> list[Effect]:
        return self._did(self.client.lost(self.now, reason))

    def later(self, seconds: float) -> list[Effect]:
        self.now += seconds
        return self._did(self.client.tick(self.now))

    def _did(self, effects: list[Effect]) -> list[Effect]:
        self.effects += effects
        return effects

    # What was done

    def requests(self, method: str) -> list[Request]:
        """Requests of ours with this method, in order."""
        sent = (effect.message for effect in self.effects if isinstance(effect, Send))
        return [message for message in sent if isinstance(message, Request) and message.method == method]

    def sent(self) -> list[str]:
        """Method of each request and notification that left, and `answer` for answers, in order."""
        return names(self.effects)

    def submissions(self, ref: str = "a") -> list[str]:
        """Status of each submission in the tail of a session."""
        session = self.store.sessions[ref]
        found = [session.entities[key] for key in session.tail]
        return [one.status for one in found if isinstance(one, Submission)]

    def tail(self, ref: str = "a") -> list[Key]:
        return self.store.sessions[ref].tail


def names(effects: list[Effect]) -> list[str]:
    """Method of each message among the effects, and `answer` for answers."""
    found = []
    for effect in effects:
        if isinstance(effect, Send):
            message = effect.message
            found.append(message.method if isinstance(message, Request | Notification) else "answer")
    return found


def answers(effects: list[Effect]) -> dict[Any, Any]:
    """Result, or error code, of each answer among the effects, by id."""
    found = {}
    for effect in effects:
        if isinstance(effect, Send) and isinstance(effect.message, Response):
            answer = effect.message
            found[answer.id] = answer.result if answer.error is None else answer.error.code
    return found


def only(effects: list[Effect], kind: type[Any]) -> list[Any]:
    """The effects of one kind."""
    return [effect for effect in effects if isinstance(effect, kind)]
