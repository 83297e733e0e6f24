"""Every scene plays, keeps the rules, and is the same each time."""

from __future__ import annotations

import json

import pytest

from acp_tui.demo.scenes import SCENES
from acp_tui.demo.scenes.trouble import CRASH_STATUS, EVIL, REFUSED
from tests.agent_rules import breaches
from tests.demo.conftest import CWD, DEMO
from tests.raw_client import INITIALIZE, Answerer, RawClient, choosing, words_of
from tests.trace import Json, Line

PLAYED = [name for name in SCENES if name not in {"slow", "refuse", "crash"}]
ODD = {"unknown": {"mints_no_kinds"}}
"""Scenes that break a rule on purpose."""
AT_ONCE = {"permission"}
"""Scenes that do two things at once, so that the order depends on when the answers come."""


def perform() -> dict[str, list[Line]]:
    """The trace of each scene, played by one agent in a session of its own, from `session/new` to close."""
    with RawClient(DEMO) as client:
        client.call("initialize", INITIALIZE)
        traces = {"": list(client.trace)}
        for name in PLAYED:
            since = len(client.trace)
            session = client.call("session/new", {"cwd": CWD})["result"]["sessionId"]
            client.play(session, f"/{name}")
            client.call("session/close", {"sessionId": session})
            traces[name] = client.trace[since:]
        assert client.close() == 0
        assert client.stderr == ""
    return traces


@pytest.fixture(scope="module")
def performances() -> tuple[dict[str, list[Line]], dict[str, list[Line]]]:
    """Everything, twice."""
    return perform(), perform()


@pytest.mark.parametrize("name", PLAYED)
def test_a_scene_keeps_the_rules_and_is_always_the_same(
    performances: tuple[dict[str, list[Line]], dict[str, list[Line]]], name: str
) -> None:
    first, second = performances

    assert {breach.rule for breach in breaches([*first[""], *first[name]])} == ODD.get(name, set())
    if name in AT_ONCE:
        assert sorted(map(json.dumps, first[name])) == sorted(map(json.dumps, second[name]))
    else:
        assert first[name] == second[name]


def test_every_scene_is_offered_as_a_command(demo: RawClient) -> None:
    commands = demo.call("session/new", {"cwd": CWD})["result"]["availableCommands"]

    assert [command["name"] for command in commands] == list(SCENES)
    assert commands[0]["name"] == "tour"


def test_a_plain_prompt_says_what_can_be_tried(demo: RawClient, session: str) -> None:
    updates = demo.play(session, "why does it hang?")

    assert "`/tour`" in words_of(updates)
    assert {"sessionUpdate": "session_info_update", "title": "why does it hang?"} in updates


def test_an_attachment_is_named(demo: RawClient, session: str) -> None:
    link = {"type": "resource_link", "uri": "file:///work/parser/src/lex.py", "name": "lex.py"}
    prompt = [{"type": "text", "text": "look at this: "}, link]
    demo.call("session/prompt", {"sessionId": session, "prompt": prompt})
    demo.until_idle(session)

    assert "file:///work/parser/src/lex.py" in words_of(demo.updates(session))


@pytest.mark.parametrize(("option", "status"), [(0, "completed"), (2, "failed")])
def test_the_tour_does_as_it_is_told(demo: RawClient, session: str, option: int, status: str) -> None:
    demo.answerer = choosing(option)

    updates = demo.play(session, "/tour")

    edits = [u for u in updates if u.get("kind") == "edit"]
    last = [u["status"] for u in updates if u.get("toolCallId") == edits[0]["toolCallId"] and "status" in u]
    assert last[-1] == status
    assert ("13 passed" in words_of(updates) or "13 tests" in words_of(updates)) == (option == 0)


def test_always_is_remembered_for_the_session(demo: RawClient, session: str) -> None:
    demo.answerer = choosing(1)
    updates = demo.play(session, "/tour")
    assert [u for u in updates if u["sessionUpdate"] == "config_option_update"]

    since = len(demo.trace)
    demo.play(session, "/tour")

    assert not [m for _, m in demo.trace[since:] if m.get("method") == "session/request_permission"]


def test_two_questions_wait_at_once(demo: RawClient, session: str) -> None:
    asked: list[Json] = []
    demo.answerer = lambda request: asked.append(request)
    prompt = demo.prompt(session, "/permission")
    demo.response(prompt)
    demo.until(lambda m: len(asked) == 2)
    assert [request["params"]["subject"]["type"] for request in asked] == ["command", "tool_call"]

    states = [u["state"] for u in demo.updates(session) if u["sessionUpdate"] == "state_update"]
    assert states == ["running", "requires_action"]

    no = {"outcome": {"outcome": "selected", "optionId": "no"}}
    for request in reversed(asked):
        demo.send({"jsonrpc": "2.0", "id": request["id"], "result": no})
    demo.until_idle(session)

    states = [u["state"] for u in demo.updates(session) if u["sessionUpdate"] == "state_update"]
    assert states == ["running", "requires_action", "running", "idle"]
    assert "did not let me run" in words_of(demo.updates(session))


def filling(result: Json) -> Answerer:
    """Answers forms and addresses with this."""
    return lambda request: {"result": result} if request["method"] == "elicitation/create" else None


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({"action": "accept", "content": {"name": "lexer", "licence": "mit"}}, '"licence": "mit"'),
        ({"action": "decline"}, "You answered `decline`"),
        ({"action": "cancel"}, "You answered `cancel`"),
    ],
)
def test_a_form_comes_back(demo: RawClient, session: str, result: Json, said: str) -> None:
    demo.answerer = filling(result)
    assert said in words_of(demo.play(session, "/form"))


def test_an_address_that_was_agreed_to_is_done_once(demo: RawClient, session: str) -> None:
    demo.answerer = filling({"action": "accept"})
    since = len(demo.trace)
    demo.play(session, "/url")
    sent = [m for d, m in demo.trace[since:] if d == "<"]
    (asked,) = [m["params"] for m in sent if m.get("method") == "elicitation/create"]
    done = [m["params"] for m in sent if m.get("method") == "elicitation/complete"]
    assert done == [{"elicitationId": asked["elicitationId"]}]


def test_a_client_without_forms_is_asked_nothing(fresh: RawClient) -> None:
    fresh.call("initialize", {**INITIALIZE, "capabilities": {}})
    session = fresh.call("session/new", {"cwd": CWD})["result"]["sessionId"]
    for scene in ("/form", "/url"):
        assert "does not say that it can show this" in words_of(fresh.play(session, scene))
    assert not [m for _, m in fresh.trace if m.get("method") == "elicitation/create"]


def test_options_depend_on_one_another_and_one_is_refused(demo: RawClient, session: str) -> None:
    def change(id_: str, value: object) -> Json:
        asked = {"sessionId": session, "configId": id_, "type": "id", "value": value}
        return demo.call("session/set_config_option", asked)

    names = [one["configId"] for one in change("model", "tiny")["result"]["configOptions"]]
    assert names == ["mode", "model", "web"]
    assert "not in your plan" in change("model", "huge")["error"]["message"]
    assert change("thought", "low")["error"]["code"] == -32602
    assert "thought" in {one["configId"] for one in change("model", "maxi")["result"]["configOptions"]}
    assert change("web", "yes")["error"]["code"] == -32602


def test_the_agent_changes_an_option_by_itself(demo: RawClient, session: str) -> None:
    (update,) = [u for u in demo.play(session, "/options") if u["sessionUpdate"] == "config_option_update"]
    values = {one["configId"]: one["currentValue"] for one in update["configOptions"]}
    assert values == {"mode": "ask", "model": "mini", "thought": "high", "web": False}


def test_error_is_the_reason_of_the_end(demo: RawClient, session: str) -> None:
    end = demo.play(session, "/error")[-1]

    assert (end["stopReason"], end["error"]["code"]) == ("error", -32011)


def test_a_refused_prompt_leaves_nothing(demo: RawClient, session: str) -> None:
    answer = demo.response(demo.prompt(session, "/refuse"))

    assert answer["error"]["code"] == REFUSED
    assert demo.updates(session) == []


def test_a_crash_has_last_words(fresh: RawClient) -> None:
    session = fresh.start(CWD)
    fresh.prompt(session, "/crash")

    with pytest.raises(AssertionError, match="the agent ended"):
        fresh.until_idle(session)

    assert fresh.process.wait(60) == CRASH_STATUS
    assert "this crash was asked for" in fresh.stderr
    assert "I have a bad feeling about" in words_of(fresh.updates(session))


def test_long_makes_as_many_entities_as_were_asked_for(demo: RawClient, session: str) -> None:
    updates = demo.play(session, "/long 40")

    entities = {u.get("messageId") or u.get("toolCallId") for u in updates} - {None}
    assert len(entities) == 41  # the prompt is one too


def test_hostile_text_stands_everywhere(demo: RawClient, session: str) -> None:
    since = len(demo.trace)
    demo.play(session, "/hostile")

    kinds = {
        message["params"].get("update", {}).get("sessionUpdate", message["method"])
        for direction, message in demo.trace[since:]
        if direction == "<" and "method" in message and EVIL.partition("]")[0] in str_of(message)
    }
    assert kinds >= {
        "session_info_update", "notice", "plan_update", "tool_call_update", "terminal_update",
        "compaction_update", "session/request_permission", "state_update",
    }  # fmt: skip


def str_of(value: object) -> str:
    """All strings in a JSON value, one after the other."""
    if isinstance(value, dict):
        return "".join(str_of(each) for each in value.values())
    return "".join(str_of(each) for each in value) if isinstance(value, list) else str(value)
