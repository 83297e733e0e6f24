"""Whatever happens in whatever order: each request of the agent gets exactly one answer (RP-15)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from acp_tui.client import intents as want
from acp_tui.client.effects import Close, Effect, Send
from acp_tui.protocol.jsonrpc import Request, Response, id_key
from acp_tui.store.entities import AgentRequest
from tests.client.talk import AGENT, OPTIONS, Talk

REFS = st.sampled_from(["a", "b", "c"])
NAMES = st.sampled_from(["A", "B", "C", "kid", "nobody"])
IDS = st.sampled_from([0, 1, 2, "1", "x"])
FORM = {"type": "object", "properties": {}}
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("session/request_permission", {"title": "t", "options": OPTIONS}),
    ("session/request_permission", {"title": "t", "options": OPTIONS, "subject": {"type": "_odd"}}),
    (
        "session/request_permission",
        {"title": "t", "options": OPTIONS, "subject": {"type": "tool_call", "toolCall": {"toolCallId": "c"}}},
    ),
    ("session/request_permission", {"title": "t", "options": []}),
    ("elicitation/create", {"mode": "form", "message": "m", "requestedSchema": FORM}),
    ("elicitation/create", {"mode": "url", "message": "m", "elicitationId": "e", "url": "https://x"}),
    ("elicitation/create", {"mode": "voice", "message": "m"}),
    ("fs/read_text_file", {"path": "/etc/passwd"}),
    ("_acme/ping", {}),
]
UPDATES: list[dict[str, Any]] = [
    {"sessionUpdate": "state_update", "state": "running"},
    {"sessionUpdate": "state_update", "state": "requires_action"},
    {"sessionUpdate": "state_update", "state": "dreaming"},
    {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"},
    {"sessionUpdate": "state_update", "state": "idle", "stopReason": "cancelled", "background": []},
    {"sessionUpdate": "user_message", "messageId": "u0"},
    {"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "in_progress"},
    {"sessionUpdate": "subagent_update", "sessionId": "kid", "capabilities": {"cancel": {}}},
    {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {"type": "text", "text": "x"}},
    {"sessionUpdate": 7},
]
RESULTS = {"session/prompt": {"messageId": "u0"}, "initialize": AGENT}
ERRORS = st.sampled_from([-32000, -32002, -32603, -32800])


class Conversation(RuleBasedStateMachine):
    """An agent and a user who do anything at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.talk = Talk()
        self.owed: Counter[str] = Counter()
        self.calls: dict[str, Request] = {}
        self.call_ids: set[str] = set()
        self.closed = False

    # What must hold

    def did(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Close):
                self.closed = True
            if not isinstance(effect, Send):
                continue
            assert not self.closed, "something was written after the end"
            message = effect.message
            if isinstance(message, Response):
                key = id_key(message.id)
                assert self.owed[key] > 0, f"nobody asked {key}"
                self.owed[key] -= 1
                assert message.error is None or message.error.code != -32603, message.error
            elif isinstance(message, Request):
                assert id_key(message.id) not in self.call_ids
                self.call_ids.add(id_key(message.id))
                self.calls[id_key(message.id)] = message

    @invariant()
    def what_waits_is_owed(self) -> None:
        waiting = Counter(id_key(request.request_id) for request in self.talk.store.waiting())
        assert all(self.owed[key] >= number for key, number in waiting.items())

    @invariant()
    def one_inbox(self) -> None:
        store = self.talk.store
        pending = {
            key
            for session in store.sessions.values()
            for key, one in session.entities.items()
            if isinstance(one, AgentRequest) and one.status == "pending"
        }
        assert pending == {key for key in store.requests if key.session}

    @invariant()
    def tails_hold_what_is_open(self) -> None:
        for session in self.talk.store.sessions.values():
            assert len(set(session.tail)) == len(session.tail)
            assert all(key in session.entities for key in session.tail)

    def teardown(self) -> None:
        if self.closed or self.talk.store.connection.phase == "lost":
            return
        self.did(self.talk.want(want.Leave()))
        self.did(self.talk.later(60))
        assert self.closed
        assert not +self.owed, f"never answered: {+self.owed}"

    # The connection

    @initialize()
    def begin(self) -> None:
        self.did(self.talk.client.start(self.talk.now))

    @rule()
    def lose_and_start_again(self) -> None:
        self.did(self.talk.lose())
        self.owed.clear()
        self.calls.clear()
        assert not self.talk.store.requests
        self.closed = False
        self.did(self.talk.client.start(self.talk.now))

    @rule()
    def leave(self) -> None:
        self.did(self.talk.want(want.Leave()))

    @rule(seconds=st.sampled_from([0.1, 5.0, 30.0]))
    def wait(self, seconds: float) -> None:
        self.did(self.talk.later(seconds))

    # The agent

    @rule(request_id=IDS, asked=st.sampled_from(REQUESTS), name=NAMES, scoped=st.booleans())
    def ask(self, request_id: int | str, asked: tuple[str, dict[str, Any]], name: str, scoped: bool) -> None:
        method, params = asked
        scope: dict[str, Any] = {"sessionId": name}
        if scoped and method == "elicitation/create" and self.calls:
            scope = {"requestId": next(iter(self.calls.values())).id}
        if not self.closed:
            self.owed[id_key(request_id)] += 1
        self.did(self.talk.hear({"id": request_id, "method": method, "params": {**scope, **params}}))

    @rule(request_id=IDS)
    def take_back(self, request_id: int | str) -> None:
        self.did(self.talk.hear({"method": "$/cancel_request", "params": {"requestId": request_id}}))

    @rule(update=st.sampled_from(UPDATES), name=NAMES)
    def tell(self, update: dict[str, Any], name: str) -> None:
        params = {"sessionId": name, "update": update}
        self.did(self.talk.hear({"method": "session/update", "params": params}))

    @precondition(lambda self: self.calls)
    @rule(data=st.data(), code=st.none() | ERRORS)
    def answer(self, data: st.DataObject, code: int | None) -> None:
        key = data.draw(st.sampled_from(sorted(self.calls)))
        request = self.calls.pop(key)
        if code is not None and request.method != "initialize":
            self.did(self.talk.hear({"id": request.id, "error": {"code": code, "message": "no"}}))
            return
        result = RESULTS.get(request.method, {})
        if request.method == "session/new":
            result = {"sessionId": data.draw(st.sampled_from(["A", "B", "C"]))}
        self.did(self.talk.hear({"id": request.id, "result": result}))

    # The user

    @rule(ref=REFS)
    def open(self, ref: str) -> None:
        self.did(self.talk.want(want.OpenSession(ref, "/w")))

    @rule(ref=REFS, name=st.sampled_from(["A", "B"]))
    def resume(self, ref: str, name: str) -> None:
        self.did(self.talk.want(want.ResumeSession(ref, name, "/w")))

    @rule(ref=REFS)
    def close(self, ref: str) -> None:
        self.did(self.talk.want(want.CloseSession(ref)))

    @rule(ref=REFS)
    def cancel(self, ref: str) -> None:
        self.did(self.talk.want(want.Cancel(ref)))

    @rule(ref=REFS, now=st.booleans())
    def say(self, ref: str, now: bool) -> None:
        self.did(self.talk.say("hello", ref, now=now))

    @rule()
    def login(self) -> None:
        self.did(self.talk.want(want.Login("acct")))

    @precondition(lambda self: self.talk.store.requests)
    @rule(data=st.data(), option=st.sampled_from(["y", "n", "never offered", None]))
    def decide(self, data: st.DataObject, option: str | None) -> None:
        key = data.draw(st.sampled_from(self.talk.store.requests))
        self.did(self.talk.want(want.AnswerPermission(key, option)))
        self.did(self.talk.want(want.AnswerElicitation(key, "decline")))
        self.did(self.talk.want(want.AnswerPermission(key, option)))


Conversation.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestConversation = Conversation.TestCase
