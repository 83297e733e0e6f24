"""Stopping and changing things (CX, TC, TM, CF, SA)."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.client.effects import Notify, Wake
from acp_tui.client.intents import Cancel, CancelTerminal, CancelToolCall, SetConfigOption
from acp_tui.store.entities import Submission, Terminal, ToolCall
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from tests.client.talk import Talk, names, only

MODE = {
    "configId": "mode",
    "name": "Mode",
    "type": "select",
    "currentValue": "ask",
    "options": [{"value": "ask", "name": "Ask"}, {"value": "go", "name": "Go"}],
}
SWITCH = {"configId": "brave", "name": "Brave", "type": "boolean", "currentValue": False}


@pytest.fixture
def talk() -> Talk:
    talk = Talk()
    talk.start()
    talk.open()
    return talk


def session(talk: Talk) -> Session:
    return talk.store.sessions["a"]


def status(talk: Talk) -> str | None:
    cancel = session(talk).cancel
    return cancel.status if cancel is not None else None


@pytest.mark.parametrize(("reason", "settled"), [("cancelled", "confirmed"), ("end_turn", "finished")])
def test_a_cancel_is_asked_then_settled_by_the_agent(talk: Talk, reason: str, settled: str) -> None:
    talk.update("state_update", state="running")
    assert names(talk.want(Cancel("a"))) == ["session/cancel"]
    assert (status(talk), session(talk).state) == ("asked", "running")
    talk.update("state_update", state="idle", stopReason=reason)
    assert status(talk) == settled


def test_a_cancel_without_answer_says_so_and_can_be_repeated(talk: Talk) -> None:
    talk.update("state_update", state="running")
    [wake] = only(talk.want(Cancel("a")), Wake)
    assert wake.at == talk.now + 12
    talk.later(11)
    assert status(talk) == "asked"
    talk.later(1)
    assert status(talk) == "no_answer"
    assert session(talk).cancelling
    assert names(talk.want(Cancel("a"))) == ["session/cancel"]
    assert status(talk) == "asked"
    talk.later(12)
    assert status(talk) == "no_answer"


def test_a_cancel_while_idle_waits_for_nothing(talk: Talk) -> None:
    assert names(talk.want(Cancel("a"))) == ["session/cancel"]
    assert status(talk) is None


def test_the_queue_is_held_by_a_cancel(talk: Talk) -> None:
    talk.update("state_update", state="running")
    talk.say("later")
    talk.want(Cancel("a"))
    talk.update("state_update", state="idle", stopReason="cancelled")
    assert talk.submissions() == ["held"]


@pytest.mark.parametrize("cancellable", [True, False])
def test_a_subagent_is_cancelled_only_where_it_may_be(talk: Talk, cancellable: bool) -> None:
    capabilities: Any = {"cancel": {}} if cancellable else None
    talk.update("subagent_update", sessionId="kid", capabilities=capabilities, state={"state": "running"})
    child = next(one for one in talk.store.sessions.values() if one.parent == "a")
    effects = talk.want(Cancel(child.ref))
    assert names(effects) == (["session/cancel"] if cancellable else [])


def test_nothing_else_of_a_subagent_can_be_changed(talk: Talk) -> None:
    """SA-03: even where its own updates offer that."""
    talk.update("subagent_update", sessionId="kid", capabilities={"cancel": {}}, state={"state": "running"})
    child = next(one for one in talk.store.sessions.values() if one.parent == "a")
    talk.update("config_option_update", "kid", configOptions=[MODE])
    talk.update("tool_call_update", "kid", toolCallId="c", status="in_progress", capabilities={"cancel": {}})
    talk.update("terminal_update", "kid", terminalId="t", capabilities={"cancel": {}})
    assert child.config_options and len(child.entities) == 2
    assert talk.want(SetConfigOption(child.ref, "mode", "go")) == []
    assert talk.want(CancelToolCall(Key(child.ref, Kind.TOOL_CALL, "c"))) == []
    assert talk.want(CancelTerminal(Key(child.ref, Kind.TERMINAL, "t"))) == []


def test_a_subagent_asks_for_itself(talk: Talk) -> None:
    talk.update("state_update", state="running")
    talk.update("subagent_update", sessionId="kid", state={"state": "running"})
    talk.ask(5, "kid")
    assert names(talk.want(Cancel("a"))) == ["session/cancel"]
    assert [request.request_id for request in talk.store.waiting()] == [5]


def test_a_child_may_not_take_the_name_of_an_open_session(talk: Talk) -> None:
    other = talk.open("b", "B")
    talk.update("subagent_update", sessionId="B")
    talk.update("agent_message", "B", messageId="m")
    assert len(other.timeline) == 1
    assert other.parent is None


def test_what_the_user_is_warned_of_is_kept_for_the_log(talk: Talk) -> None:
    talk.update("tool_call_update", toolCallId="c", status="in_progress", capabilities={"cancel": {}})
    talk.want(CancelToolCall(Key("a", Kind.TOOL_CALL, "c")))
    warned = only(talk.reply("tool_call/cancel", error=(-32602, "too late")), Notify)
    assert [one.notice for one in warned] == talk.store.connection.told != []


def test_a_call_is_stopped_only_while_that_is_offered(talk: Talk) -> None:
    key = Key("a", Kind.TOOL_CALL, "c")
    talk.update("tool_call_update", toolCallId="c", status="in_progress")
    assert talk.want(CancelToolCall(key)) == []
    talk.update("tool_call_update", toolCallId="c", capabilities={"cancel": {}})
    assert names(talk.want(CancelToolCall(key))) == ["tool_call/cancel"]
    call = talk.store.entity(key)
    assert isinstance(call, ToolCall)
    assert call.cancelling
    assert talk.want(CancelToolCall(key)) == []
    assert only(talk.reply("tool_call/cancel", error=(-32602, "too late")), Notify)
    assert not call.cancelling
    talk.want(CancelToolCall(key))
    talk.reply("tool_call/cancel")
    assert call.cancelling
    talk.update("tool_call_update", toolCallId="c", status="cancelled")
    assert not call.cancelling
    assert talk.want(CancelToolCall(key)) == []


def test_a_terminal_likewise(talk: Talk) -> None:
    key = Key("a", Kind.TERMINAL, "t")
    talk.update("terminal_update", terminalId="t", capabilities={"cancel": {}})
    assert names(talk.want(CancelTerminal(key))) == ["terminal/cancel"]
    terminal = talk.store.entity(key)
    assert isinstance(terminal, Terminal)
    assert terminal.cancelling
    talk.update("terminal_update", terminalId="t", exitStatus={"signal": "SIGTERM"})
    assert not terminal.cancelling


def test_options_change_when_the_agent_says_so(talk: Talk) -> None:
    talk.update("config_option_update", configOptions=[MODE, SWITCH])
    talk.want(SetConfigOption("a", "mode", "go"))
    talk.want(SetConfigOption("a", "brave", True))
    assert talk.want(SetConfigOption("a", "nothing", "x")) == []
    assert [r.params for r in talk.requests("session/set_config_option")] == [
        {"sessionId": "A", "configId": "mode", "type": "id", "value": "go"},
        {"sessionId": "A", "configId": "brave", "type": "boolean", "value": True},
    ]
    before = session(talk).config_options
    assert only(talk.reply("session/set_config_option", error=(-32602, "no")), Notify)
    assert session(talk).config_options == before
    talk.want(SetConfigOption("a", "brave", True))
    talk.reply("session/set_config_option", {"configOptions": [{**SWITCH, "currentValue": True}]})
    [option] = session(talk).config_options
    assert option.current_value is True  # type: ignore[union-attr]


def test_an_option_that_was_asked_for_is_marked_until_the_agent_answers(talk: Talk) -> None:
    talk.update("config_option_update", configOptions=[MODE, SWITCH])
    talk.want(SetConfigOption("a", "mode", "go"))
    assert session(talk).options_asked == {"mode": "go"}
    assert getattr(session(talk).config_options[0], "current_value", None) == "ask"
    talk.want(SetConfigOption("a", "mode", "ask"))
    first, second = talk.requests("session/set_config_option")
    talk.hear({"id": first.id, "result": {"configOptions": [{**MODE, "currentValue": "go"}]}})
    assert session(talk).options_asked == {"mode": "ask"}
    talk.hear({"id": second.id, "error": {"code": -32602, "message": "no"}})
    assert session(talk).options_asked == {}
    assert getattr(session(talk).config_options[0], "current_value", None) == "go"


def test_nothing_is_on_its_way_to_an_agent_that_was_lost(talk: Talk) -> None:
    talk.update("config_option_update", configOptions=[MODE])
    talk.want(SetConfigOption("a", "mode", "go"))
    talk.lose()
    assert session(talk).options_asked == {}


@pytest.mark.parametrize(("ended", "status"), [("cancelled", "confirmed"), ("completed", "finished")])
def test_what_became_of_stopping_a_call(talk: Talk, ended: str, status: str) -> None:
    key = Key("a", Kind.TOOL_CALL, "c")
    talk.update("tool_call_update", toolCallId="c", status="in_progress", capabilities={"cancel": {}})
    assert only(talk.want(CancelToolCall(key)), Wake)
    talk.reply("tool_call/cancel")
    call = talk.store.entity(key)
    assert isinstance(call, ToolCall)
    assert call.cancel is not None
    assert (call.cancel.status, call.cancel.accepted) == ("asked", True)
    talk.later(12)
    assert call.cancel.status == "no_answer"
    assert call.cancelling
    assert names(talk.want(CancelToolCall(key))) == ["tool_call/cancel"]
    talk.update("tool_call_update", toolCallId="c", status=ended)
    assert call.cancel.status == status
    revision = call.revision
    talk.later(60)
    assert (call.cancel.status, call.revision) == (status, revision)


def test_a_cancel_is_one_message_and_reaches_only_what_was_sent_before_it(talk: Talk) -> None:
    """CX-08, CX-15, PR-20: no `$/cancel_request` for our prompts; those are the agent's to withdraw."""
    talk.update("state_update", state="running")
    talk.say("before", now=True)
    assert names(talk.want(Cancel("a"))) == ["session/cancel"]
    talk.say("after", now=True)
    first, second = talk.requests("session/prompt")
    talk.hear({"id": first.id, "error": {"code": -32800, "message": "withdrawn"}})
    talk.update("state_update", state="idle", stopReason="cancelled")
    assert talk.submissions() == ["pending"]
    talk.hear({"id": second.id, "result": {"messageId": "u"}})
    sent = [one for one in session(talk).entities.values() if isinstance(one, Submission)]
    assert [one.status for one in sent] == ["withdrawn", "inserted"]


def test_an_option_changes_while_work_runs(talk: Talk) -> None:
    """CF-11, CF-06: and the whole list is the one of the result."""
    talk.update("config_option_update", configOptions=[MODE, SWITCH])
    talk.update("state_update", state="running")
    assert names(talk.want(SetConfigOption("a", "mode", "go"))) == ["session/set_config_option"]
    talk.reply("session/set_config_option", {"configOptions": [{**MODE, "currentValue": "go"}]})
    [option] = session(talk).config_options
    assert (getattr(option, "current_value", None), session(talk).state) == ("go", "running")


def test_of_a_result_and_an_update_the_later_one_holds(talk: Talk) -> None:
    """CF-12: in either order."""
    talk.update("config_option_update", configOptions=[MODE])
    talk.want(SetConfigOption("a", "mode", "go"))
    talk.update("config_option_update", configOptions=[{**MODE, "currentValue": "other"}])
    talk.reply("session/set_config_option", {"configOptions": [{**MODE, "currentValue": "go"}]})
    assert getattr(session(talk).config_options[0], "current_value", None) == "go"
    talk.update("config_option_update", configOptions=[{**MODE, "currentValue": "other"}])
    assert getattr(session(talk).config_options[0], "current_value", None) == "other"
