"""Requests of the agent (PM, EL, RP)."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.client.effects import Ask, Restore
from acp_tui.client.intents import (
    AnswerElicitation,
    AnswerPermission,
    Cancel,
    CloseSession,
    Leave,
    Login,
    RejectAndSay,
)
from acp_tui.protocol.content import TextContent
from acp_tui.store.entities import AgentRequest, ToolCall
from acp_tui.store.keys import Key, Kind
from tests.client.talk import Talk, answers, names, only
from tests.client.test_resuming import again

CANCELLED = {"outcome": {"outcome": "cancelled"}}
FORM = {"mode": "form", "message": "How?", "requestedSchema": {"type": "object", "properties": {}}}
URL = {"mode": "url", "message": "Sign in", "elicitationId": "e", "url": "https://example.org"}


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.start()
    talk.open()
    return talk


def elicit(talk: Talk, request_id: Any, **params: Any) -> list[Any]:
    return talk.hear({"id": request_id, "method": "elicitation/create", "params": params})


def request(talk: Talk, number: int = -1) -> AgentRequest:
    return talk.client.requests[number]


def test_a_permission_waits_for_the_user_and_is_answered_once(talk: Talk) -> None:
    [ask] = only(talk.ask(5), Ask)
    assert ask.request == Key("a", Kind.REQUEST, "1:5")
    assert talk.store.requests == [ask.request]
    assert answers(talk.want(AnswerPermission(ask.request, "never offered"))) == {}
    assert answers(talk.want(AnswerPermission(ask.request, "y"))) == {
        5: {"outcome": {"outcome": "selected", "optionId": "y"}}
    }
    assert talk.want(AnswerPermission(ask.request, "n")) == []
    assert talk.store.requests == []
    assert (request(talk).status, request(talk).answered_by) == ("answered", "user")


def test_several_are_answered_in_any_order(talk: Talk) -> None:
    keys = [only(talk.ask(number), Ask)[0].request for number in (0, "0", 1)]
    assert len(set(keys)) == 3
    assert answers(talk.want(AnswerPermission(keys[1], None))) == {"0": CANCELLED}
    assert answers(talk.want(AnswerPermission(keys[2], "n"))) != {}
    assert talk.store.requests == [keys[0]]


def test_an_id_in_use_is_refused_and_used_again_later(talk: Talk) -> None:
    [first] = only(talk.ask(5), Ask)
    assert answers(talk.ask(5)) == {5: -32600}
    talk.want(AnswerPermission(first.request, "y"))
    [second] = only(talk.ask(5), Ask)
    assert second.request != first.request
    assert request(talk, 0).status == "answered"
    assert request(talk, 1).status == "pending"


def test_the_tool_call_is_there_before_the_question(talk: Talk) -> None:
    talk.ask(5, subject={"type": "tool_call", "toolCall": {"toolCallId": "c", "title": "Edit"}})
    call = talk.store.entity(Key("a", Kind.TOOL_CALL, "c"))
    assert isinstance(call, ToolCall)
    assert call.title == "Edit"


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("session/request_permission", {"sessionId": "A", "title": "t", "options": []}, -32602),
        ("session/request_permission", {"title": "t"}, -32602),
        (
            "session/request_permission",
            {"sessionId": "gone", "title": "t", "options": [{"optionId": "y", "name": "n", "kind": "k"}]},
            -32002,
        ),
        ("elicitation/create", {**FORM, "sessionId": "A", "mode": "voice"}, -32602),
        ("elicitation/create", {**FORM, "requestId": 77}, -32602),
        ("elicitation/create", {**FORM, "sessionId": "gone"}, -32002),
        ("elicitation/create", {**FORM}, -32602),
        ("fs/read_text_file", {"sessionId": "A", "path": "/"}, -32601),
        ("terminal/create", {"sessionId": "A"}, -32601),
        ("_acme/ping", {}, -32601),
    ],
)
def test_what_cannot_be_served_is_refused_at_once(talk: Talk, method: str, params: Any, code: int) -> None:
    assert answers(talk.hear({"id": 1, "method": method, "params": params})) == {1: code}
    assert talk.store.requests == []


def test_elicitation_exists_only_if_advertised() -> None:
    talk = Talk(elicitation=False)
    talk.start()
    talk.open()
    assert answers(elicit(talk, 1, **FORM, sessionId="A")) == {1: -32601}


def test_forms_are_accepted_declined_or_cancelled(talk: Talk) -> None:
    for number, (action, content) in enumerate([("accept", {"n": 1}), ("decline", None), ("cancel", None)]):
        [ask] = only(elicit(talk, number, **FORM, sessionId="A"), Ask)
        answered = answers(talk.want(AnswerElicitation(ask.request, action, content)))
        assert answered[number]["action"] == action
        assert answered[number].get("content") == content


def test_a_url_is_outstanding_until_the_agent_says_so(talk: Talk) -> None:
    [ask] = only(elicit(talk, 1, **URL, sessionId="A"), Ask)
    talk.want(AnswerElicitation(ask.request, "accept"))
    assert talk.client.url_elicitations == {"e": "outstanding"}
    talk.hear({"method": "elicitation/complete", "params": {"elicitationId": "other"}})
    talk.hear({"method": "elicitation/complete", "params": {"elicitationId": "e"}})
    assert talk.client.url_elicitations == {"e": "completed"}


def test_a_form_lives_no_longer_than_the_request_it_belongs_to(talk: Talk) -> None:
    talk.want(Login("acct"))
    login = talk.requests("auth/login")[0]
    elicit(talk, 1, **URL, requestId=login.id)
    assert request(talk).key.session == ""
    assert answers(talk.reply("auth/login")) == {1: {"action": "cancel"}}


@pytest.mark.parametrize("kind", ["permission", "form"])
def test_the_agent_takes_a_request_back(talk: Talk, kind: str) -> None:
    if kind == "permission":
        talk.ask(5)
    else:
        elicit(talk, 5, **FORM, sessionId="A")
    take_back = {"method": "$/cancel_request", "params": {"requestId": 5}}
    assert answers(talk.hear({"method": "$/cancel_request", "params": {"requestId": "5"}})) == {}
    assert answers(talk.hear(take_back)) == {5: CANCELLED if kind == "permission" else {"action": "cancel"}}
    assert answers(talk.hear(take_back)) == {}
    assert request(talk).answered_by == "agent"


def test_cancel_answers_the_permissions_of_that_session_and_no_form(talk: Talk) -> None:
    talk.open("b", "B")
    talk.update("state_update", state="running")
    for number in range(5):
        talk.ask(number)
    talk.ask(9, "B")
    elicit(talk, 10, **FORM, sessionId="A")
    effects = talk.want(Cancel("a"))
    assert names(effects)[0] == "session/cancel"
    assert answers(effects) == dict.fromkeys(range(5), CANCELLED)
    assert [r.request_id for r in talk.store.waiting()] == [9, 10]


class TestAPermissionThatCrossesACancel:
    """PM-10: the agent asked before it read the cancel, and waits for the answer before it stops."""

    @pytest.fixture
    def cancelled(self, talk: Talk) -> Talk:
        talk.update("state_update", state="running")
        talk.want(Cancel("a"))
        talk.now += 1
        return talk

    def test_is_answered_at_once(self, cancelled: Talk) -> None:
        assert answers(cancelled.ask(5)) == {5: CANCELLED}
        assert (request(cancelled).answered_by, cancelled.store.requests) == ("cancel", [])

    def test_is_asked_where_a_prompt_went_after_the_cancel(self, cancelled: Talk) -> None:
        cancelled.say("go on", now=True)
        assert answers(cancelled.ask(5)) == {}
        [prompt] = cancelled.requests("session/prompt")
        cancelled.now += 1
        cancelled.update("user_message", messageId="u")
        cancelled.hear({"id": prompt.id, "result": {"messageId": "u"}})
        cancelled.update("agent_message", messageId="m")
        assert answers(cancelled.ask(6)) == {}

    def test_is_asked_for_work_beside_that_no_cancel_reaches(self, cancelled: Talk) -> None:
        listed = [{"type": "tool_call", "toolCallId": "c"}]
        cancelled.update("state_update", state="running", background=listed)
        call = {"type": "tool_call", "toolCall": {"toolCallId": "c"}}
        assert answers(cancelled.ask(5, subject=call)) == {}
        other = {"type": "tool_call", "toolCall": {"toolCallId": "d"}}
        assert answers(cancelled.ask(6, subject=other)) == {6: CANCELLED}

    def test_is_asked_where_the_cancel_is_confirmed_or_nobody_heard_it(self, cancelled: Talk) -> None:
        cancelled.later(20)
        assert answers(cancelled.ask(5)) == {}
        cancelled.update("state_update", state="idle", stopReason="cancelled")
        assert answers(cancelled.ask(6)) == {}

    def test_leaves_a_form_to_the_agent(self, cancelled: Talk) -> None:
        assert answers(elicit(cancelled, 5, **FORM, sessionId="A")) == {}


def test_questions_change_no_state(talk: Talk) -> None:
    session = talk.store.sessions["a"]
    [ask] = only(talk.ask(5), Ask)
    assert session.state == "idle"
    talk.update("state_update", state="requires_action")
    talk.want(AnswerPermission(ask.request, "y"))
    assert session.state == "requires_action"


def test_a_mistake_of_ours_is_an_internal_error(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a mistake")

    monkeypatch.setattr("acp_tui.client.asking.v2.decode_params", broken)
    assert answers(talk.ask(5)) == {5: -32603}
    assert talk.store.requests == []


def words(text: str) -> tuple[TextContent, ...]:
    return (TextContent(text=text),)


class TestRejectAndSay:
    def test_the_answer_goes_first_and_the_words_are_the_next_prompt(self, talk: Talk) -> None:
        talk.update("state_update", state="running")
        talk.say("queued before")
        talk.ask(1)
        [asked] = talk.store.waiting()
        effects = talk.want(RejectAndSay(asked.key, "n", words("use git mv")))
        assert names(effects) == ["answer", "session/prompt"]
        assert answers(effects) == {1: {"outcome": {"outcome": "selected", "optionId": "n"}}}
        assert talk.requests("session/prompt")[-1].params["prompt"][0]["text"] == "use git mv"
        assert (asked.answered_by, asked.answered_why) == ("user", "use git mv")
        assert talk.submissions() == ["pending", "queued"]

    def test_without_words_it_is_an_answer(self, talk: Talk) -> None:
        talk.ask(1)
        effects = talk.want(RejectAndSay(talk.store.requests[0], None, ()))
        assert answers(effects) == {1: {"outcome": {"outcome": "cancelled"}}}
        assert names(effects) == ["answer"]

    @pytest.mark.parametrize("option", ["y", "never offered"])
    def test_it_allows_nothing_and_loses_nothing(self, talk: Talk, option: str) -> None:
        talk.ask(1)
        effects = talk.want(RejectAndSay(talk.store.requests[0], option, words("no")))
        assert names(effects) == []
        assert only(effects, Restore)[0].blocks == words("no")
        assert talk.store.requests

    def test_words_for_a_request_that_is_gone_come_back(self, talk: Talk) -> None:
        talk.ask(1)
        key = talk.store.requests[0]
        talk.hear({"method": "$/cancel_request", "params": {"requestId": 1}})
        effects = talk.want(RejectAndSay(key, "n", words("no")))
        assert names(effects) == []
        assert only(effects, Restore)[0].reason

    def test_a_subagent_hears_it_through_the_session_it_works_for(self, talk: Talk) -> None:
        talk.update("subagent_update", sessionId="kid", state={"state": "running"})
        talk.ask(1, "kid")
        effects = talk.want(RejectAndSay(talk.store.requests[0], "n", words("no")))
        assert names(effects) == ["answer", "session/prompt"]
        assert talk.requests("session/prompt")[-1].params["sessionId"] == "A"

    def test_an_agent_that_takes_one_prompt_at_a_time_gets_it_next(self) -> None:
        talk = Talk(versions=(2, 1))
        talk.start_v1()
        talk.open()
        talk.say("go")
        talk.say("queued before")
        talk.ask(1, toolCall={"toolCallId": "c"})
        assert names(talk.want(RejectAndSay(talk.store.requests[0], "n", words("no")))) == ["answer"]
        talk.reply("session/prompt", {"stopReason": "end_turn"})
        assert talk.requests("session/prompt")[-1].params["prompt"][0]["text"] == "no"


def test_who_answered_and_why_is_kept(talk: Talk) -> None:
    talk.ask(1)
    [asked] = talk.store.waiting()
    talk.now += 1
    talk.want(AnswerPermission(asked.key, "n", by="rule", why="never push"))
    assert (asked.answered_by, asked.answered_why, asked.answered_at) == ("rule", "never push", talk.now)


def test_a_url_that_is_done_says_when(talk: Talk) -> None:
    elicit(talk, 1, sessionId="A", **URL)
    [asked] = talk.store.waiting()
    done = {"method": "elicitation/complete", "params": {"elicitationId": "e"}}
    talk.hear(done)
    assert asked.completed_at is None
    talk.want(AnswerElicitation(asked.key, "accept"))
    talk.now += 5
    revision = asked.revision
    talk.hear(done)
    assert (asked.completed_at, asked.revision) == (talk.now, revision + 1)
    talk.hear(done)
    assert asked.revision == revision + 1


def test_permissions_need_no_capability() -> None:
    """PM-01, PM-02: only what is required, asked of a client that advertises nothing."""
    talk = Talk(elicitation=False)
    talk.start()
    talk.open()
    [ask] = only(talk.ask(1), Ask)
    assert request(talk).status == "pending"
    assert answers(talk.want(AnswerPermission(ask.request, "n"))) != {}


def test_a_request_that_is_left_over_night_is_still_open_in_the_morning(talk: Talk) -> None:
    """PM-15, EL-20: there is no silent time limit, neither for permissions nor for forms."""
    talk.update("state_update", state="running")
    talk.ask(1)
    elicit(talk, 2, **FORM, sessionId="A")
    assert answers(talk.later(12 * 3600)) == {}
    assert [one.request_id for one in talk.store.waiting()] == [1, 2]
    assert answers(talk.want(AnswerPermission(talk.store.requests[0], "y"))) != {}


def test_what_was_always_allowed_is_asked_again_if_the_agent_asks(talk: Talk) -> None:
    """PM-16: no rule of ours comes of an answer."""
    always = [{"optionId": "all", "name": "Always", "kind": "allow_always"}]
    [first] = only(talk.ask(1, options=always), Ask)
    talk.want(AnswerPermission(first.request, "all"))
    assert answers(talk.ask(2, options=always)) == {}
    assert [one.request_id for one in talk.store.waiting()] == [2]


def test_after_an_answer_a_late_cancel_changes_nothing(talk: Talk) -> None:
    """PM-22, CX-12."""
    [ask] = only(talk.ask(1), Ask)
    talk.want(AnswerPermission(ask.request, "y"))
    assert answers(talk.hear({"method": "$/cancel_request", "params": {"requestId": 1}})) == {}
    assert request(talk).answered_by == "user"


class TestWhereARuleActed:
    """PM-14: said in the timeline."""

    def ruled(self, talk: Talk, request_id: int = 1) -> AgentRequest:
        asked = request(talk)
        talk.want(AnswerPermission(asked.key, "y", by="rule", why="allow command ls"))
        assert asked.answered_by == "rule"
        return asked

    @pytest.mark.parametrize(
        "subject",
        [
            {"type": "tool_call", "toolCall": {"toolCallId": "c"}},
            {"type": "command", "command": "ls", "cwd": "/w", "toolCallId": "c"},
        ],
    )
    def test_on_the_call_it_was_asked_about(self, talk: Talk, subject: dict[str, Any]) -> None:
        talk.update("tool_call_update", toolCallId="c", title="List")
        talk.ask(1, subject=subject)
        asked = self.ruled(talk)
        session = talk.store.sessions["a"]
        [call] = [session.entities[key] for key in session.timeline]
        assert isinstance(call, ToolCall)
        assert call.ruled == (asked.key,)

    @pytest.mark.parametrize("subject", [{"type": "command", "command": "ls", "cwd": "/w"}, None])
    def test_else_in_a_place_of_its_own(self, talk: Talk, subject: dict[str, Any] | None) -> None:
        talk.ask(1, subject=subject)
        asked = self.ruled(talk)
        talk.update("agent_message_chunk", messageId="m", content={"type": "text", "text": "done"})
        session = talk.store.sessions["a"]
        assert session.timeline == [asked.key, Key("a", Kind.AGENT_MESSAGE, "m")]

    def test_what_the_user_answers_is_in_the_log_only(self, talk: Talk) -> None:
        talk.ask(1)
        talk.want(AnswerPermission(request(talk).key, "y"))
        assert talk.store.sessions["a"].timeline == []

    def test_a_replay_leaves_it_there(self, talk: Talk) -> None:
        talk.update("tool_call_update", toolCallId="c", title="List")
        talk.ask(1, subject={"type": "tool_call", "toolCall": {"toolCallId": "c"}})
        self.ruled(talk)
        talk.ask(2)
        alone = self.ruled(talk)
        talk.lose()
        again(talk)
        talk.update("tool_call_update", toolCallId="c", title="List", status="completed")
        talk.update("state_update", state="idle")
        talk.reply("session/resume")
        session = talk.store.sessions["a"]
        call = session.entities[session.timeline[0]]
        assert isinstance(call, ToolCall)
        assert len(call.ruled) == 1
        assert session.timeline[1] == alone.key


class TestTakenBack:
    """Who is said to be the reason that a form is gone."""

    def taken_back(self, talk: Talk, request_id: int = 1) -> str:
        talk.hear({"method": "$/cancel_request", "params": {"requestId": request_id}})
        return request(talk).answered_by

    @pytest.fixture
    def asked(self, talk: Talk) -> Talk:
        """A form of work that runs."""
        talk.update("state_update", state="running")
        elicit(talk, 1, **FORM, sessionId="A")
        talk.now += 1
        return talk

    def test_the_agent(self, asked: Talk) -> None:
        assert self.taken_back(asked) == "agent"

    def test_the_user_who_cancelled_the_work(self, asked: Talk) -> None:
        asked.want(Cancel("a"))
        assert self.taken_back(asked) == "cancel"

    def test_the_user_also_when_the_work_ended_first(self, asked: Talk) -> None:
        asked.want(Cancel("a"))
        asked.update("state_update", state="idle", stopReason="cancelled")
        assert self.taken_back(asked) == "cancel"

    def test_the_agent_where_the_work_ended_otherwise(self, asked: Talk) -> None:
        asked.want(Cancel("a"))
        asked.update("state_update", state="idle", stopReason="end_turn")
        assert self.taken_back(asked) == "agent"

    def test_the_agent_where_it_was_asked_after_the_cancel(self, asked: Talk) -> None:
        asked.want(Cancel("a"))
        asked.now += 1
        elicit(asked, 2, **FORM, sessionId="A")
        assert self.taken_back(asked, 2) == "agent"

    def test_the_user_who_cancelled_the_work_that_a_subagent_does(self, talk: Talk) -> None:
        talk.update("state_update", state="running")
        talk.update("subagent_update", sessionId="C", title="child")
        elicit(talk, 1, **FORM, sessionId="C")
        talk.want(Cancel("a"))
        assert self.taken_back(talk) == "cancel"


def test_a_kind_of_form_that_was_not_advertised_is_refused() -> None:
    """EL-01: an address, asked of a client that has forms only."""
    talk = Talk(modes=("form",))
    talk.start()
    talk.open()
    assert answers(elicit(talk, 1, **URL, sessionId="A")) == {1: -32602}
    assert only(elicit(talk, 2, **FORM, sessionId="A"), Ask)


def test_forms_change_no_state(talk: Talk) -> None:
    """EL-19."""
    talk.update("state_update", state="running")
    [ask] = only(elicit(talk, 1, **FORM, sessionId="A"), Ask)
    assert talk.store.sessions["a"].state == "running"
    talk.want(AnswerElicitation(ask.request, "decline"))
    assert talk.store.sessions["a"].state == "running"


def test_both_scopes_at_once_are_refused(talk: Talk) -> None:
    """EL-02."""
    talk.want(Login("acct"))
    login = talk.requests("auth/login")[0]
    assert answers(elicit(talk, 1, **FORM, sessionId="A", requestId=login.id)) == {1: -32602}


def test_closing_a_session_answers_its_forms_too(talk: Talk) -> None:
    """CX-14, EL-20: just as if the agent had asked."""
    talk.open("b", "B")
    elicit(talk, 1, **FORM, sessionId="A")
    elicit(talk, 2, **FORM, sessionId="B")
    effects = talk.want(CloseSession("a"))
    assert (names(effects), answers(effects)) == (["answer", "session/close"], {1: {"action": "cancel"}})
    assert answers(talk.want(Leave())) == {2: {"action": "cancel"}}
