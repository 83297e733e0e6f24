"""Whatever happens in whatever order: each request of the agent gets exactly one answer (RP-15), nothing of
ours is sent twice by itself (LC-08), and no words of the user are lost (PR-13, PR-14).
"""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from acp_tui.client import intents as want
from acp_tui.client.effects import Close, Effect, Restore, Send
from acp_tui.protocol.content import TextContent
from acp_tui.protocol.jsonrpc import Request, Response, id_key
from acp_tui.store.entities import AgentRequest, Submission
from acp_tui.store.keys import Key, Kind
from tests.client.talk import AGENT as PAPER
from tests.client.talk import OPTIONS, Talk

TTY = {"type": "terminal", "methodId": "tty", "name": "T"}
AGENT = {**PAPER, "authMethods": [*PAPER["authMethods"], TTY]}
REFS = st.sampled_from(["a", "b", "c"])
NAMES = st.sampled_from(["A", "A", "A", "B", "kid", "nobody"])
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
SWITCH = {"configId": "brave", "name": "Brave", "type": "boolean", "currentValue": False}
UPDATES: list[dict[str, Any]] = [
    {"sessionUpdate": "state_update", "state": "running"},
    {"sessionUpdate": "state_update", "state": "requires_action"},
    {"sessionUpdate": "state_update", "state": "dreaming"},
    {"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"},
    {"sessionUpdate": "state_update", "state": "idle", "stopReason": "cancelled", "background": []},
    {"sessionUpdate": "user_message", "messageId": "u0"},
    {"sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "in_progress"},
    {"sessionUpdate": "tool_call_update", "toolCallId": "c", "capabilities": {"cancel": {}}},
    {"sessionUpdate": "config_option_update", "configOptions": [SWITCH]},
    {"sessionUpdate": "subagent_update", "sessionId": "kid", "capabilities": {"cancel": {}}},
    {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {"type": "text", "text": "x"}},
    {"sessionUpdate": 7},
]
RESULTS = {
    "session/prompt": {"messageId": "u0"},
    "initialize": AGENT,
    "session/set_config_option": {"configOptions": [SWITCH]},
}
ERRORS = st.sampled_from([-32000, -32002, -32603, -32800])
STEPS = [
    *("ask",) * 6,
    *("answer", "tell", "decide") * 3,
    *("take_back", "cancel", "say", "say", "open", "resume", "close", "change_waiting", "look_again") * 2,
    *("login", "wait", "stop_or_set", "lose_and_start_again", "leave"),
]
"""What may happen, and how often."""


class Conversation(RuleBasedStateMachine):
    """An agent and a user who do anything at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.talk = Talk(terminal=True)
        self.texts = count(1)
        self.said: set[str] = set()
        self.returned: set[str] = set()
        self.left: Counter[str] = Counter()
        """How often each prompt was sent, by its key."""
        self.allowed: Counter[str] = Counter()
        """How often more than once it may be: by the user's word, or because it was not taken before."""
        self.owed: Counter[str] = Counter()
        self.calls: dict[str, Request] = {}
        self.call_ids: set[str] = set()
        self.closed = False

    # What must hold

    def did(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Close):
                self.closed = True
            if isinstance(effect, Restore):
                self.returned |= {block.text for block in effect.blocks if isinstance(block, TextContent)}
            if not isinstance(effect, Send):
                continue
            assert not self.closed, f"written after the end: {effect.message}"
            message = effect.message
            if isinstance(message, Response):
                key = id_key(message.id)
                assert self.owed[key] > 0, f"nobody asked {key}"
                self.owed[key] -= 1
                assert message.error is None or message.error.code != -32603, message.error
            elif isinstance(message, Request):
                assert id_key(message.id) not in self.call_ids
                self.call_ids.add(id_key(message.id))
                self.left[message.params.get("idempotencyKey", "")] += message.method == "session/prompt"
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
    def nothing_is_sent_twice_by_itself(self) -> None:
        assert all(times <= 1 + self.allowed[key] for key, times in self.left.items())

    @invariant()
    def no_words_are_lost(self) -> None:
        kept = {
            one.text
            for session in self.talk.store.sessions.values()
            for key, one in session.entities.items()
            if isinstance(one, Submission)
            and (key in session.tail or one.status in ("inserted", "dismissed"))
        }
        assert self.said <= kept | self.returned

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

    @initialize(ready=st.booleans())
    def begin(self, ready: bool) -> None:
        self.did(self.talk.client.start(self.talk.now))
        if ready:
            self.answer_with(AGENT)
            self.did(self.talk.want(want.OpenSession("a", "/w")))
            self.answer_with({"sessionId": "A"})

    def answer_with(self, result: dict[str, Any]) -> None:
        if self.calls:
            _, request = self.calls.popitem()
            self.did(self.talk.hear({"id": request.id, "result": result}))

    @rule(data=st.data(), steps=st.lists(st.sampled_from(STEPS), min_size=1, max_size=10))
    def go_on(self, data: st.DataObject, steps: list[str]) -> None:
        """Many steps in one rule: hypothesis switches off half of the rules for each example."""
        for step in steps:
            getattr(self, step)(data)
            self.what_waits_is_owed()
            self.nothing_is_sent_twice_by_itself()
            self.no_words_are_lost()

    def lose_and_start_again(self, data: st.DataObject) -> None:
        self.did(self.talk.lose())
        self.owed.clear()
        self.calls.clear()
        assert not self.talk.store.requests
        self.closed = False
        self.begin(data.draw(st.booleans()))

    def leave(self, data: st.DataObject) -> None:
        self.did(self.talk.want(want.Leave()))

    def wait(self, data: st.DataObject) -> None:
        self.did(self.talk.later(data.draw(st.sampled_from([0.1, 5.0, 30.0]))))

    # The agent

    def ask(self, data: st.DataObject) -> None:
        request_id, (method, params) = data.draw(IDS), data.draw(st.sampled_from(REQUESTS))
        scope: dict[str, Any] = {"sessionId": data.draw(NAMES)}
        if method == "elicitation/create" and self.calls and data.draw(st.booleans()):
            scope = {"requestId": next(iter(self.calls.values())).id}
        if not self.closed:
            self.owed[id_key(request_id)] += 1
        self.did(self.talk.hear({"id": request_id, "method": method, "params": {**scope, **params}}))

    def take_back(self, data: st.DataObject) -> None:
        self.did(self.talk.hear({"method": "$/cancel_request", "params": {"requestId": data.draw(IDS)}}))

    def tell(self, data: st.DataObject) -> None:
        params = {"sessionId": data.draw(NAMES), "update": data.draw(st.sampled_from(UPDATES))}
        self.did(self.talk.hear({"method": "session/update", "params": params}))

    def answer(self, data: st.DataObject) -> None:
        if not self.calls:
            return
        request = self.calls.pop(data.draw(st.sampled_from(sorted(self.calls))))
        code = data.draw(st.none() | ERRORS)
        if code is not None:
            self.allowed[request.params.get("idempotencyKey", "")] += 1
        if code is not None and request.method != "initialize":
            self.did(self.talk.hear({"id": request.id, "error": {"code": code, "message": "no"}}))
            return
        result = RESULTS.get(request.method, {})
        if request.method == "session/new":
            result = {"sessionId": data.draw(st.sampled_from(["A", "B", "C"]))}
        self.did(self.talk.hear({"id": request.id, "result": result}))

    # The user

    def open(self, data: st.DataObject) -> None:
        self.did(self.talk.want(want.OpenSession(data.draw(REFS), "/w")))

    def resume(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(["A", "B"]))
        self.did(self.talk.want(want.ResumeSession(data.draw(REFS), name, "/w")))

    def close(self, data: st.DataObject) -> None:
        self.did(self.talk.want(want.CloseSession(data.draw(REFS))))

    def cancel(self, data: st.DataObject) -> None:
        self.did(self.talk.want(want.Cancel(data.draw(REFS))))

    def say(self, data: st.DataObject) -> None:
        blocks = self.words()
        held = data.draw(st.sampled_from(["", "", "", "from before"]))
        self.did(self.talk.want(want.Submit(data.draw(REFS), blocks, data.draw(st.booleans()), held)))

    def words(self) -> tuple[TextContent, ...]:
        text = f"text {next(self.texts)}"
        self.said.add(text)
        return (TextContent(text=text),)

    def change_waiting(self, data: st.DataObject) -> None:
        tails = [key for session in self.talk.store.sessions.values() for key in session.tail]
        if not tails:
            return
        key = data.draw(st.sampled_from(tails))
        one = self.talk.store.entity(key)
        assert isinstance(one, Submission)
        what = data.draw(st.sampled_from(["send", "again", "release", "edit", "move", "dismiss", "withdraw"]))
        if what == "again":
            self.allowed[one.idempotency_key] += 1
        if what == "edit" and one.status in ("queued", "held"):
            self.said.discard(one.text)
        intents: dict[str, want.Intent] = {
            "send": want.SendHeld(key),
            "again": want.SendAgain(key),
            "release": want.ReleaseQueue(key.session),
            "edit": want.EditWaiting(key, self.words() if what == "edit" else ()),
            "move": want.MoveWaiting(key, data.draw(st.integers(-3, 3))),
            "dismiss": want.Dismiss(key),
            "withdraw": want.Withdraw(key),
        }
        self.did(self.talk.want(intents[what]))

    def look_again(self, data: st.DataObject) -> None:
        self.did(self.talk.want(want.LookAgain(data.draw(REFS))))

    def stop_or_set(self, data: st.DataObject) -> None:
        ref = data.draw(REFS)
        self.did(self.talk.want(want.CancelToolCall(Key(ref, Kind.TOOL_CALL, "c"))))
        self.did(self.talk.want(want.SetConfigOption(ref, "brave", data.draw(st.booleans()))))

    def login(self, data: st.DataObject) -> None:
        intents = [want.Login("acct"), want.Login("tty"), want.CancelLogin(), want.Logout()]
        ended = [want.LoginEnded(True), want.LoginEnded(False, "no")]
        self.did(self.talk.want(data.draw(st.sampled_from([*intents, *ended]))))

    def decide(self, data: st.DataObject) -> None:
        if not self.talk.store.requests:
            return
        key = data.draw(st.sampled_from(self.talk.store.requests))
        option = data.draw(st.sampled_from(["y", "n", "never offered", None]))
        if data.draw(st.booleans()):
            self.did(self.talk.want(want.RejectAndSay(key, option, self.words())))
        self.did(self.talk.want(want.AnswerPermission(key, option)))
        self.did(self.talk.want(want.AnswerElicitation(key, "decline")))
        self.did(self.talk.want(want.AnswerPermission(key, option)))


Conversation.TestCase.settings = settings(max_examples=60, stateful_step_count=8, deadline=None)
TestConversation = Conversation.TestCase
