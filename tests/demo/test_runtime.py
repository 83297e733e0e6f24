"""The agent's side of the protocol, method by method."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from acp_tui.agent_side.runtime import PAGE
from tests.demo.conftest import CWD, DEMO
from tests.raw_client import INITIALIZE, RawClient
from tests.trace import Json


def code(answer: Json) -> int:
    """The error code of an answer that must be an error."""
    return int(answer["error"]["code"])


# ------------------------------------------------------------------ connection


def test_nothing_is_served_before_initialize(fresh: RawClient) -> None:
    assert code(fresh.call("session/new", {"cwd": CWD})) == -32600


def test_initialize_may_be_repeated_until_something_else_is_asked(fresh: RawClient) -> None:
    for _ in range(2):
        assert fresh.call("initialize", INITIALIZE)["result"]["protocolVersion"] == 2
    fresh.call("session/list", {})

    assert code(fresh.call("initialize", INITIALIZE)) == -32600


@pytest.mark.parametrize(("asked", "answered"), [(2, 2), (7, 2)])
def test_the_highest_common_version_is_answered(fresh: RawClient, asked: int, answered: int) -> None:
    params = {**INITIALIZE, "protocolVersion": asked}

    assert fresh.call("initialize", params)["result"]["protocolVersion"] == answered


def test_an_older_version_is_not_supported(fresh: RawClient) -> None:
    error = fresh.call("initialize", {**INITIALIZE, "protocolVersion": 1})["error"]

    assert (error["code"], error["data"]) == (-32022, {"requested": 1, "supported": [2]})


@pytest.mark.parametrize("version", [None, "2", True])
def test_a_version_is_an_integer(fresh: RawClient, version: object) -> None:
    assert code(fresh.call("initialize", {"protocolVersion": version})) == -32602


@pytest.mark.parametrize("method", ["auth/other", "session/fork", "fs/read_text_file", "_demo/x"])
def test_an_unknown_method_is_not_found(demo: RawClient, method: str) -> None:
    assert code(demo.call(method, {})) == -32601


def test_an_unknown_notification_is_ignored(demo: RawClient, session: str) -> None:
    demo.notify("_demo/x", {})
    demo.notify("session/cancel", {"sessionId": "nobody"})
    demo.notify("$/cancel_request", {"requestId": 999})
    demo.notify("$/cancel_request", {"requestId": None})

    assert demo.play(session, "/stop")[-1]["stopReason"] == "max_tokens"


@pytest.mark.parametrize(("line", "wanted"), [(b"{oops\n", -32700), (b"[]\n", -32600), (b"7\n", -32600)])
def test_a_line_that_is_no_message_is_answered(fresh: RawClient, line: bytes, wanted: int) -> None:
    fresh.send_bytes(line)

    assert code(fresh.until(lambda m: "error" in m)) == wanted
    assert "result" in fresh.call("initialize", INITIALIZE)


def test_an_id_that_is_being_served_is_refused(fresh: RawClient) -> None:
    session = fresh.start(CWD)
    fresh.prompt(session, "/slow")
    held = fresh.prompt(session, "second")
    fresh.send({"jsonrpc": "2.0", "id": held, "method": "session/list", "params": {}})
    assert code(fresh.response(held)) == -32600

    since = len(fresh.trace)
    fresh.notify("session/cancel", {"sessionId": session})

    assert code(fresh.until(lambda m: m.get("id") == held, since=since)) == -32800


def test_the_end_of_stdin_ends_the_agent(fresh: RawClient) -> None:
    session = fresh.start(CWD)
    fresh.prompt(session, "/slow")
    fresh.until_update(session, sessionUpdate="agent_message_chunk")

    assert fresh.close() == 0
    assert fresh.updates(session)[-1]["stopReason"] == "cancelled"


def test_a_client_that_does_not_read_does_not_stop_the_agent_from_reading(fresh: RawClient) -> None:
    """The pipe is full long before the scene is through; the cancel must be seen all the same."""
    session = fresh.start(CWD)
    fresh.prompt(session, "/long 50000")
    fresh.notify("session/cancel", {"sessionId": session})

    assert fresh.until_idle(session)["params"]["update"]["stopReason"] == "cancelled"


def test_it_starts_without_anything_heavy() -> None:
    """What makes a start slow is imports; the agent must not know the client or its libraries."""
    script = "import sys, acp_tui.demo.__main__; print(*sys.modules)"
    modules = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout

    heavy = {"textual", "rich", "anyio", "markdown_it", "pygments", "acp_tui.protocol.v2", "acp_tui.store"}
    assert heavy & set(modules.split()) == set()


@pytest.mark.parametrize("speed", ["-1", "nan", "fast"])
def test_a_speed_that_is_none_is_refused(speed: str) -> None:
    env = {**os.environ, "ACP_DEMO_SPEED": speed}
    done = subprocess.run(DEMO[:3], env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    assert done.returncode == 2
    assert "--speed" in done.stderr


# -------------------------------------------------------------------- sessions


@pytest.mark.parametrize(
    "params",
    [{}, {"cwd": "src"}, {"cwd": 7}, {"cwd": CWD, "mcpServers": [{"type": "stdio"}]}],
    ids=["no cwd", "relative", "number", "servers"],
)
def test_a_session_needs_an_absolute_cwd_and_no_servers(demo: RawClient, params: Json) -> None:
    assert code(demo.call("session/new", params)) == -32602


def test_sessions_are_listed_by_page_newest_first(fresh: RawClient) -> None:
    first = fresh.start(CWD)
    made = [fresh.call("session/new", {"cwd": "/other"})["result"]["sessionId"] for _ in range(PAGE + 1)]

    page = fresh.call("session/list", {})["result"]
    assert [each["sessionId"] for each in page["sessions"]] == made[:0:-1]
    rest = fresh.call("session/list", {"cursor": page["nextCursor"]})["result"]
    assert [each["sessionId"] for each in rest["sessions"]] == [made[0], first]
    assert rest["nextCursor"] is None
    here = fresh.call("session/list", {"cwd": CWD})["result"]
    assert [each["sessionId"] for each in here["sessions"]] == [first]
    assert code(fresh.call("session/list", {"cursor": "made up"})) == -32602


def test_an_unknown_session_is_not_found(demo: RawClient) -> None:
    for method in ("session/resume", "session/close", "session/delete", "session/prompt"):
        error = demo.call(method, {"sessionId": "nobody", "cwd": CWD})["error"]
        assert (error["code"], error["data"]) == (-32002, {"sessionId": "nobody"})


def test_a_replay_repeats_the_history_and_ends_with_the_state(demo: RawClient, session: str) -> None:
    live = demo.play(session, "/think")
    since = len(demo.trace)

    answer = demo.call("session/resume", {"sessionId": session, "cwd": CWD, "replayFrom": {"type": "start"}})

    replay = demo.updates(session, since=since)
    assert [u["sessionUpdate"] for u in replay[-2:]] == ["replay_complete", "state_update"]
    kinds = {"user_message", "session_info_update", "agent_thought_chunk", "agent_message_chunk"}
    assert {u["sessionUpdate"] for u in replay[:-2]} == kinds
    assert text_by_id(replay) == text_by_id(live)
    assert len(replay) < 10  # the chunks of a message are joined
    assert answer["result"]["availableCommands"]


def text_by_id(updates: list[Json]) -> Json:
    """The text of each message that came in chunks."""
    texts: Json = {}
    for update in updates:
        if update["sessionUpdate"].endswith("_chunk"):
            texts[update["messageId"]] = texts.get(update["messageId"], "") + update["content"]["text"]
    return texts


def test_notices_and_states_are_not_replayed(demo: RawClient, session: str) -> None:
    demo.play(session, "/notices")
    since = len(demo.trace)
    demo.call("session/resume", {"sessionId": session, "cwd": CWD, "replayFrom": {"type": "start"}})

    kinds = [u["sessionUpdate"] for u in demo.updates(session, since=since)]
    assert "notice" not in kinds
    assert kinds.count("state_update") == 1


@pytest.mark.parametrize("wrong", [{"cwd": "/elsewhere"}, {"cwd": CWD, "replayFrom": {"type": "end"}}])
def test_a_resume_with_wrong_parameters_changes_nothing(demo: RawClient, session: str, wrong: Json) -> None:
    since = len(demo.trace)

    assert code(demo.call("session/resume", {"sessionId": session, **wrong})) == -32602
    assert demo.updates(session, since=since) == []


def test_close_ends_all_work_before_it_is_answered(demo: RawClient, session: str) -> None:
    demo.play(session, "/background")
    since = len(demo.trace)
    slow = demo.prompt(session, "/slow")
    held = demo.prompt(session, "never")
    demo.response(slow)

    assert demo.call("session/close", {"sessionId": session})["result"] == {}

    updates = demo.updates(session, since=since)
    assert next(u["stopReason"] for u in updates if u.get("state") == "idle") == "cancelled"
    assert updates[-1] == {"sessionUpdate": "state_update", "state": "idle", "background": []}
    assert code(demo.response(held)) == -32800
    assert code(demo.response(demo.prompt(session, "too late"))) == -32002
    assert code(demo.call("session/close", {"sessionId": session})) == -32002


def test_a_closed_session_can_be_resumed(demo: RawClient, session: str) -> None:
    demo.call("session/close", {"sessionId": session})
    demo.call("session/resume", {"sessionId": session, "cwd": CWD})

    assert demo.play(session, "/stop refusal")[-1]["stopReason"] == "refusal"


def test_a_deleted_session_is_gone(demo: RawClient, session: str) -> None:
    demo.response(demo.prompt(session, "/slow"))

    assert demo.call("session/delete", {"sessionId": session})["result"] == {}
    assert code(demo.call("session/resume", {"sessionId": session, "cwd": CWD})) == -32002
    listed = demo.call("session/list", {"cwd": CWD})["result"]["sessions"]
    assert session not in [each["sessionId"] for each in listed]


def test_an_option_is_changed_or_refused(demo: RawClient, session: str) -> None:
    change = {"sessionId": session, "configId": "mode", "type": "id"}

    options = demo.call("session/set_config_option", {**change, "value": "auto"})["result"]["configOptions"]

    assert options[0]["currentValue"] == "auto"
    assert code(demo.call("session/set_config_option", {**change, "value": "wild"})) == -32602
    assert code(demo.call("session/set_config_option", {**change, "value": []})) == -32602
    assert code(demo.call("session/set_config_option", {**change, "configId": "x", "value": "ask"})) == -32602


# --------------------------------------------------------------------- prompts


@pytest.mark.parametrize(
    "prompt",
    [None, [], "hi", ["hi"], [{"type": "text"}], [{"type": "audio", "data": "", "mimeType": "audio/wav"}]],
)
def test_a_prompt_that_is_none_is_refused(demo: RawClient, session: str, prompt: object) -> None:
    assert code(demo.call("session/prompt", {"sessionId": session, "prompt": prompt})) == -32602
    assert demo.updates(session) == []


def test_a_prompt_is_answered_once_its_message_was_sent(demo: RawClient, session: str) -> None:
    since = len(demo.trace)
    message = demo.response(demo.prompt(session, "hello"))["result"]["messageId"]
    demo.until_idle(session, since=since)

    first, second = demo.updates(session)[:2]
    assert (first["sessionUpdate"], first["messageId"]) == ("user_message", message)
    assert second["state"] == "running"


def test_prompts_wait_for_their_turn_in_order(demo: RawClient, session: str) -> None:
    demo.response(demo.prompt(session, "/slow"))
    demo.notify("session/cancel", {"sessionId": session})
    requests = [demo.prompt(session, f"/stop _{n}") for n in range(3)]

    messages = [demo.response(request)["result"]["messageId"] for request in requests]
    demo.until_update(session, stopReason="_2")

    assert len(set(messages)) == 3
    reasons = [u["stopReason"] for u in demo.updates(session) if u.get("state") == "idle"]
    assert reasons == ["cancelled", "_0", "_1", "_2"]


def test_a_waiting_prompt_can_be_withdrawn_alone(demo: RawClient, session: str) -> None:
    demo.response(demo.prompt(session, "/slow"))
    first, second = demo.prompt(session, "first"), demo.prompt(session, "/stop _x")
    demo.notify("$/cancel_request", {"requestId": first})

    assert code(demo.response(first)) == -32800
    demo.notify("$/cancel_request", {"requestId": first})  # too late: nothing happens
    demo.call("session/list", {})
    assert [u for u in demo.updates(session) if u["sessionUpdate"] == "user_message"][1:] == []
    demo.notify("session/cancel", {"sessionId": session})
    assert code(demo.response(second)) == -32800
    demo.until_idle(session)


def test_cancel_comes_in_time_even_before_the_first_step(demo: RawClient, session: str) -> None:
    text = [{"type": "text", "text": "/tour"}]
    prompt = {"jsonrpc": "2.0", "id": "p", "method": "session/prompt"}
    demo.send({**prompt, "params": {"sessionId": session, "prompt": text}})
    demo.notify("session/cancel", {"sessionId": session})

    assert demo.until_idle(session)["params"]["update"]["stopReason"] == "cancelled"
    assert "result" in demo.until(lambda m: m.get("id") == "p")


def test_cancel_settles_what_is_open_and_takes_questions_back(demo: RawClient, session: str) -> None:
    asked: list[Json] = []
    demo.answerer = lambda request: asked.append(request)
    since = len(demo.trace)
    demo.response(demo.prompt(session, "/permission"))
    demo.until(lambda m: len(asked) == 2)
    demo.notify("session/cancel", {"sessionId": session})
    demo.until_idle(session, since=since)

    updates = demo.updates(session)
    calls = {u["toolCallId"]: u["status"] for u in updates if "status" in u and "toolCallId" in u}
    assert set(calls.values()) == {"cancelled"}
    assert updates[-1]["state"] == "idle"
    taken = [m["params"]["requestId"] for _, m in demo.trace[since:] if m.get("method") == "$/cancel_request"]
    assert sorted(taken) == [request["id"] for request in asked]
    for request in asked:
        outcome = {"outcome": {"outcome": "cancelled"}}
        demo.send({"jsonrpc": "2.0", "id": request["id"], "result": outcome})


def test_an_answered_question_is_not_taken_back(demo: RawClient, session: str) -> None:
    """A client that cancels answers its questions with `cancelled`: nothing is left to take back."""
    asked: list[Json] = []
    demo.answerer = lambda request: asked.append(request)
    since = len(demo.trace)
    demo.response(demo.prompt(session, "/tour"))
    demo.until(lambda m: len(asked) == 1)
    cancel = {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": session}}
    answer = {"jsonrpc": "2.0", "id": asked[0]["id"], "result": {"outcome": {"outcome": "cancelled"}}}
    demo.send_together(cancel, answer)
    demo.until_idle(session, since=since)

    assert not [m for _, m in demo.trace[since:] if m.get("method") == "$/cancel_request"]


@pytest.mark.parametrize("words", ["/tour", "/permission"])
def test_a_question_answered_with_an_error_ends_the_work(demo: RawClient, session: str, words: str) -> None:
    demo.answerer = lambda request: {"error": {"code": -32603, "message": "no screen"}}

    end = demo.play(session, words)[-1]

    assert (end["stopReason"], end["error"]) == ("error", {"code": -32603, "message": "no screen"})


def test_cancel_without_work_changes_nothing(demo: RawClient, session: str) -> None:
    demo.notify("session/cancel", {"sessionId": session})
    demo.call("session/list", {})

    assert demo.updates(session) == []


def test_the_same_key_is_the_same_prompt(demo: RawClient, session: str) -> None:
    since = len(demo.trace)
    first = demo.response(demo.prompt(session, "/slow", idempotencyKey="k"))["result"]
    waiting = [demo.prompt(session, "/stop", idempotencyKey="w") for _ in range(2)]

    assert demo.response(demo.prompt(session, "/slow", idempotencyKey="k"))["result"] == first
    demo.notify("$/cancel_request", {"requestId": waiting[0]})
    assert code(demo.response(waiting[0])) == -32800
    demo.notify("session/cancel", {"sessionId": session})
    assert code(demo.response(waiting[1])) == -32800
    demo.until_idle(session, since=since)
    messages = [u for u in demo.updates(session) if u["sessionUpdate"] == "user_message"]
    assert [each["messageId"] for each in messages] == [first["messageId"]]


# ------------------------------------------------------------------ background


@pytest.mark.parametrize(
    ("method", "name"), [("tool_call/cancel", "toolCallId"), ("terminal/cancel", "terminalId")]
)
def test_background_work_is_listed_and_can_be_stopped(
    demo: RawClient, session: str, method: str, name: str
) -> None:
    listed = demo.play(session, "/background")[-1]["background"]
    assert [item["type"] for item in listed] == ["tool_call", "terminal"]
    found = next(item[name] for item in listed if name in item)
    since = len(demo.trace)

    assert demo.call(method, {"sessionId": session, name: found})["result"] == {}

    assert demo.until_idle(session, since=since)["params"]["update"]["background"] == []
    updates = demo.updates(session, since=since)
    assert [u["exitStatus"] for u in updates if "exitStatus" in u] == [{"signal": "SIGTERM"}]
    assert [u["status"] for u in updates if "status" in u] == ["cancelled"]
    assert code(demo.call(method, {"sessionId": session, name: found})) == -32602


def test_cancel_leaves_background_work_alone(demo: RawClient, session: str) -> None:
    demo.play(session, "/background")
    since = len(demo.trace)
    demo.response(demo.prompt(session, "/slow"))
    demo.notify("session/cancel", {"sessionId": session})

    assert len(demo.until_idle(session, since=since)["params"]["update"]["background"]) == 2


def test_a_cancelled_parent_ends_its_child(demo: RawClient, session: str) -> None:
    since = len(demo.trace)
    demo.response(demo.prompt(session, "/subagent"))
    demo.until_update(session, since=since, sessionUpdate="subagent_update")
    demo.until_idle(session, since=since)

    child = next(u["sessionId"] for u in demo.updates(session) if u["sessionUpdate"] == "subagent_update")
    states = [u["state"] for u in demo.updates(child) if u["sessionUpdate"] == "state_update"]
    assert states == ["running", "idle"]


def test_a_login_takes_a_while_and_works(demo: RawClient) -> None:
    assert demo.call("auth/login", {"methodId": "pretend"})["result"] == {}
    assert demo.call("auth/logout", {})["result"] == {}


@pytest.mark.parametrize("method", ["terminal", "key", "nothing"])
def test_only_a_login_of_the_agents_own_is_its_business(demo: RawClient, method: str) -> None:
    assert code(demo.call("auth/login", {"methodId": method})) == -32602


@pytest.mark.parametrize(("typed", "status"), [("\n", 0), ("", 1)])
def test_the_program_of_the_terminal_login_waits_for_enter(typed: str, status: int) -> None:
    done = subprocess.run([*DEMO, "--login"], input=typed, capture_output=True, text=True, check=False)
    assert done.returncode == status
    assert "has your terminal" in done.stdout
