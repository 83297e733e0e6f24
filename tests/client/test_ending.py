"""Leaving and being left (CL, LC)."""

from __future__ import annotations

import pytest

from acp_tui.client.effects import Close, Completed, Wake
from acp_tui.client.intents import AnswerPermission, Cancel, CloseSession, Leave, OpenSession, SendHeld
from acp_tui.store.entities import Submission, Terminal, ToolCall, Turn
from acp_tui.store.keys import Key, Kind
from tests.client.talk import AGENT, Talk, answers, names, only

CANCELLED = {"outcome": {"outcome": "cancelled"}}


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.start()
    talk.open()
    return talk


def test_leaving_answers_closes_every_session_and_then_the_connection(talk: Talk) -> None:
    talk.open("b", "B")
    talk.ask(5)
    talk.ask(6, "B")
    effects = talk.want(Leave())
    assert names(effects) == ["answer", "answer", "session/close", "session/close"]
    assert answers(effects) == {5: CANCELLED, 6: CANCELLED}
    assert only(effects, Close) == []
    assert answers(talk.ask(7)) == {7: CANCELLED}
    first, second = talk.requests("session/close")
    assert first.params == {"sessionId": "A", "_meta": {"acp-tui/leaving": True}}
    assert only(talk.hear({"id": first.id, "result": {}}), Close) == []
    assert only(talk.hear({"id": second.id, "error": {"code": -32603, "message": "busy"}}), Close) != []
    assert talk.store.connection.phase == "closed"
    talk.lose("The agent ended.")
    assert (talk.store.connection.phase, talk.store.connection.failure) == ("closed", "")


def test_an_agent_that_ignores_it_is_left_in_time(talk: Talk) -> None:
    [wake] = only(talk.want(Leave()), Wake)
    assert only(talk.later(1.9), Close) == []
    talk.now = wake.at
    assert only(talk.later(0), Close) != []
    assert talk.ask(7) == []


def test_asked_twice_it_leaves_at_once(talk: Talk) -> None:
    talk.want(Leave())
    assert only(talk.want(Leave()), Close) != []
    assert talk.want(Leave()) == []


def test_leaving_without_a_session_is_at_once() -> None:
    talk = Talk()
    talk.start()
    assert only(talk.want(Leave()), Close) != []


def test_leaving_during_the_start_is_at_once() -> None:
    talk = Talk()
    talk.effects += talk.client.start(talk.now)
    assert only(talk.want(Leave()), Close) != []
    assert talk.reply("initialize", AGENT) == []
    assert talk.store.connection.phase == "closed"


def test_a_loss_says_of_each_thing_what_is_not_known(talk: Talk) -> None:
    talk.update("state_update", state="running")
    talk.update("tool_call_update", toolCallId="c", status="in_progress")
    talk.update("tool_call_update", toolCallId="d", status="completed")
    talk.update("terminal_update", terminalId="t", command="make")
    talk.say("sent", now=True)
    talk.say("queued")
    talk.ask(5)
    session = talk.store.sessions["a"]
    effects = talk.lose("The agent was killed (SIGKILL).")
    assert names(effects) == []
    assert only(effects, Completed) == []
    assert talk.store.connection.phase == "lost"
    assert talk.store.connection.failure == "The agent was killed (SIGKILL)."
    assert (session.state, session.completions, session.phase) == ("disconnected", 0, "open")
    assert talk.submissions() == ["uncertain", "held"]
    assert talk.store.requests == []
    assert talk.client.requests[0].status == "void"
    call, done = (session.entities[Key("a", Kind.TOOL_CALL, name)] for name in "cd")
    terminal = session.entities[Key("a", Kind.TERMINAL, "t")]
    assert isinstance(call, ToolCall)
    assert isinstance(done, ToolCall)
    assert isinstance(terminal, Terminal)
    assert (call.status, call.no_final, done.no_final) == ("in_progress", "disconnected", "")
    assert terminal.no_final == "disconnected"
    turn = session.entities[session.timeline[-1]]
    assert isinstance(turn, Turn)
    assert (turn.stop_reason, turn.note) == ("disconnected", "The agent was killed (SIGKILL).")


def test_a_quiet_session_gets_no_mark(talk: Talk) -> None:
    talk.lose()
    session = talk.store.sessions["a"]
    assert (session.state, session.timeline) == ("disconnected", [])


def test_an_asked_cancel_is_not_answered_by_a_loss(talk: Talk) -> None:
    talk.update("state_update", state="running")
    talk.want(Cancel("a"))
    talk.lose()
    cancel = talk.store.sessions["a"].cancel
    assert cancel is not None
    assert cancel.status == "no_answer"


def test_requests_of_another_life_are_void(talk: Talk) -> None:
    """S20: the new process uses the same id; the old question cannot be answered any more."""
    [old] = [request.key for request in _asked(talk)]
    talk.lose()
    talk.start()
    talk.open("b", "B")
    talk.ask(0, "B")
    assert talk.want(AnswerPermission(old, "y")) == []
    assert [request.generation for request in talk.store.waiting()] == [2]


def _asked(talk: Talk) -> list[object]:
    talk.ask(0)
    return talk.store.waiting()  # type: ignore[return-value]


def test_nothing_is_resent(talk: Talk) -> None:
    talk.say("hello")
    talk.lose()
    talk.start()
    assert talk.sent().count("session/prompt") == 1
    held = talk.store.entity(talk.tail()[0])
    assert isinstance(held, Submission)
    assert talk.want(SendHeld(held.key)) == []


def test_a_lost_session_can_still_be_closed(talk: Talk) -> None:
    talk.lose()
    talk.want(CloseSession("a"))
    assert talk.store.sessions["a"].phase == "closed"


def test_a_session_that_was_opening_has_failed() -> None:
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    talk.lose()
    session = talk.store.sessions["a"]
    assert session.phase == "failed"
    assert session.failure is not None
    assert session.failure.message == "The connection was lost."


def test_a_session_that_was_closing_is_closed(talk: Talk) -> None:
    talk.want(CloseSession("a"))
    talk.lose()
    assert talk.store.sessions["a"].phase == "closed"


def test_losing_twice_is_losing_once(talk: Talk) -> None:
    talk.lose("first")
    talk.lose("second")
    assert talk.store.connection.failure == "first"
