"""The rules hold for every recorded agent, and each of them can fail."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import agent_rules
from tests.agent_rules import RULES, Rule, breaches
from tests.trace import Line, load

V1 = ("gemini", "fast-agent")
TRACES = sorted(
    path for path in (Path(__file__).parent / "traces").glob("*.ndjson") if not path.name.startswith(V1)
)
"""The rules are those of v2."""

KNOWN: dict[str, set[str]] = {
    "codex.probe-v1": {"follows_the_schema"},  # a v1 answer
    "reference.words-BACKGROUND-HELLO-WRONGSESSION": {"speaks_of_known_sessions"},
    "reference.words-EARLY-HELLO-ALL": {"mints_no_kinds"},
    "reference.words-GARBAGE-BATCH": {"sends_only_messages"},
    "reference.words-MESSAGES-THOUGHTS-CONTENT-STATES-TOOL-DIFF-TERMINAL-PL": {"mints_no_kinds"},
}
"""What an agent did on purpose, by trace."""


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.stem)
def test_a_recorded_agent_keeps_the_rules(path: Path) -> None:
    found = {breach.rule for breach in breaches(load(path))}

    assert found == KNOWN.get(path.stem, set())


def test_there_are_traces_of_two_agents() -> None:
    assert {path.stem.partition(".")[0] for path in TRACES} >= {"codex", "reference"}


# ------------------------------------------------------------------ bad traces


def ask(request: int, method: str, **params: Any) -> Line:
    return ">", {"jsonrpc": "2.0", "id": request, "method": method, "params": params}


def tell(method: str, **params: Any) -> Line:
    return ">", {"jsonrpc": "2.0", "method": method, "params": params}


def answer(request: object, **result: Any) -> Line:
    return "<", {"jsonrpc": "2.0", "id": request, "result": result}


def fail(request: object, code: int) -> Line:
    return "<", {"jsonrpc": "2.0", "id": request, "error": {"code": code, "message": "no"}}


def up(kind: str, session: str = "s", /, **fields: Any) -> Line:
    params = {"sessionId": session, "update": {"sessionUpdate": kind, **fields}}
    return "<", {"jsonrpc": "2.0", "method": "session/update", "params": params}


def says(message: str) -> Line:
    return up("agent_message_chunk", messageId=message, content={"type": "text", "text": "x"})


HI = [{"type": "text", "text": "hi"}]
INFO = {"protocolVersion": 2, "info": {"name": "a", "version": "1"}}
START = [ask(1, "initialize"), answer(1, **INFO), ask(2, "session/new", cwd="/"), answer(2, sessionId="s")]
PROMPT = ask(3, "session/prompt", sessionId="s", prompt=HI)
RUNNING = up("state_update", state="running")
IDLE = up("state_update", state="idle", stopReason="end_turn")
TURN = [
    PROMPT,
    up("user_message", messageId="u", content=HI),
    answer(3, messageId="u"),
    RUNNING,
    says("m"),
    IDLE,
]
CLOSE = ask(9, "session/close", sessionId="s")
RESUME = ask(5, "session/resume", sessionId="s", cwd="/", replayFrom={"type": "start"})
QUESTION = ("<", {"jsonrpc": "2.0", "id": 0, "method": "_x/q", "params": {}})

BAD: dict[Rule, list[Line]] = {
    agent_rules.sends_only_messages: [*START, ("<", "INFO starting")],
    agent_rules.waits_for_initialize: [START[0], up("notice", severity="info", title="hi"), START[1]],
    agent_rules.answers_every_request_once: [*START, answer(2, sessionId="s")],
    agent_rules.answers_only_requests: [*START, answer("2", sessionId="s")],
    agent_rules.numbers_its_requests: [*START, QUESTION, QUESTION],
    agent_rules.takes_back_only_its_own_requests: [
        *START,
        ("<", {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 7}}),
    ],
    agent_rules.refuses_unknown_methods: [*START, ask(3, "session/dance"), answer(3)],
    agent_rules.follows_the_schema: [*START, up("usage_update", used=-1, size=10)],
    agent_rules.mints_no_kinds: [*START, up("weather_update")],
    agent_rules.encodes_terminal_bytes: [*START, up("terminal_output_chunk", terminalId="t", data="#")],
    agent_rules.speaks_of_known_sessions: [*START, up("state_update", "other", state="idle")],
    agent_rules.makes_new_sessions: [*START, ask(3, "session/new", cwd="/"), answer(3, sessionId="s")],
    agent_rules.is_silent_after_close: [*START, CLOSE, answer(9), says("late")],
    agent_rules.closes_only_idle_sessions: [*START, *TURN[:-1], CLOSE, answer(9), IDLE],
    agent_rules.reports_state_before_resume_answer: [*START, RESUME, answer(5)],
    agent_rules.replays_no_notice: [
        *START,
        RESUME,
        up("notice", severity="info", title="x"),
        IDLE,
        answer(5),
    ],
    agent_rules.replays_only_when_asked: [
        *START,
        ask(5, "session/resume", sessionId="s", cwd="/"),
        up("user_message", messageId="u", content=HI),
        IDLE,
        answer(5),
    ],
    agent_rules.names_the_message_of_a_prompt: [*START, PROMPT, answer(3), RUNNING, IDLE],
    agent_rules.gives_each_prompt_its_own_message: [
        *START,
        *TURN,
        ask(4, "session/prompt", sessionId="s", prompt=HI),
        answer(4, messageId="u"),
    ],
    agent_rules.sends_the_message_of_a_prompt: [*START, PROMPT, answer(3, messageId="u"), RUNNING, IDLE],
    agent_rules.works_on_inserted_prompts: [*START, *TURN[:3]],
    agent_rules.ends_work_with_idle: [*START, RUNNING],
    agent_rules.starts_work_before_it_ends: [*START, IDLE],
    agent_rules.sends_output_before_idle: [*START, *TURN, says("m")],
    agent_rules.settles_or_lists_open_calls: [
        *START,
        RUNNING,
        up("tool_call_update", toolCallId="c", status="in_progress"),
        up("state_update", state="idle", background=[]),
    ],
    agent_rules.withdraws_only_what_was_not_inserted: [*START, PROMPT, fail(3, -32800)],
    agent_rules.leaves_no_message_of_a_refused_prompt: [*START, PROMPT, TURN[1], fail(3, -32603)],
    agent_rules.inserts_held_prompts_in_order: [
        *START,
        PROMPT,
        ask(4, "session/prompt", sessionId="s", prompt=HI),
        answer(4, messageId="v"),
        answer(3, messageId="u"),
    ],
    agent_rules.confirms_cancel: [*START, *TURN[:-1], tell("session/cancel", sessionId="s"), IDLE],
    agent_rules.uses_ids_once: [*START, *TURN, RUNNING, says("m"), IDLE],
    agent_rules.does_not_reopen_calls: [
        *START,
        up("tool_call_update", toolCallId="c", title="One", status="completed"),
        up("tool_call_update", toolCallId="c", title="Two", status="pending"),
    ],
    agent_rules.finishes_what_it_agreed_to_stop: [
        *START,
        ask(3, "tool_call/cancel", sessionId="s", toolCallId="c"),
        answer(3),
    ],
}


def test_every_rule_has_a_bad_trace() -> None:
    assert set(BAD) == set(RULES)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_a_rule_can_fail(rule: Rule) -> None:
    assert {breach.rule for breach in breaches(BAD[rule], rules=[rule])} == {rule.__name__}


def test_a_good_conversation_breaks_nothing() -> None:
    assert breaches([*START, *TURN, CLOSE, answer(9)]) == []


WITHDRAWALS: dict[str, Callable[[], Line]] = {
    "cancel": lambda: tell("session/cancel", sessionId="s"),
    "the request itself": lambda: tell("$/cancel_request", requestId=3),
    "close": lambda: CLOSE,
}


@pytest.mark.parametrize("how", WITHDRAWALS)
def test_a_prompt_may_be_withdrawn(how: str) -> None:
    lines = [*START, PROMPT, WITHDRAWALS[how](), fail(3, -32800)]

    assert breaches(lines, rules=[agent_rules.withdraws_only_what_was_not_inserted]) == []


def test_a_message_of_a_withdrawn_prompt_is_a_breach() -> None:
    lines = [*START, PROMPT, TURN[1], tell("session/cancel", sessionId="s"), fail(3, -32800)]

    assert [b.rule for b in breaches(lines, rules=[agent_rules.withdraws_only_what_was_not_inserted])]


def test_updates_may_precede_the_answer_to_session_new() -> None:
    lines = [*START[:3], up("notice", severity="info", title="early"), START[3]]

    assert breaches(lines) == []


def test_a_child_session_is_known_once_it_is_announced() -> None:
    child = up("state_update", "child", state="idle")

    assert breaches([*START, up("subagent_update", sessionId="child"), child]) == []
    assert [b.rule for b in breaches([*START, child])] == ["speaks_of_known_sessions"]


def test_a_cut_trace_is_not_accused_of_what_it_does_not_show() -> None:
    assert breaches([*START, PROMPT], complete=False) == []
    assert {b.rule for b in breaches([*START, PROMPT])} == {"answers_every_request_once"}
