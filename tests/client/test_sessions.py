"""New, close, delete, list (SS, CL)."""

from __future__ import annotations

import pytest

from acp_tui.client.effects import Notify, Restore
from acp_tui.client.intents import CloseSession, DeleteSession, ListSessions, OpenSession, ResumeSession
from acp_tui.store.entities import ToolCall
from acp_tui.store.session import Session
from tests.client.talk import Talk, answers, names, only


def test_one_session_is_opened_once() -> None:
    """S50: typing and opening again while it is on its way begins no second one."""
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    talk.want(OpenSession("a", "/w"))
    talk.say("hello")
    talk.reply("session/new", {"sessionId": "A"})
    talk.want(OpenSession("a", "/w"))
    assert talk.sent() == ["initialize", "session/new", "session/prompt"]


def test_updates_before_the_answer_are_kept_in_order() -> None:
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    talk.update("agent_message", messageId="m")
    talk.update("tool_call_update", toolCallId="c")
    talk.update("agent_message", "other", messageId="n")
    talk.reply("session/new", {"sessionId": "A"})
    assert [key.id for key in talk.store.sessions["a"].timeline] == ["m", "c"]
    talk.open("b", "other")
    assert talk.store.sessions["b"].timeline == []


def test_a_request_for_a_session_without_a_name_does_not_block_its_opening() -> None:
    """An agent that waits for the answer before it names the session must not wait for ever."""
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    assert answers(talk.ask(5)) == {5: -32002}


def test_what_was_typed_for_a_session_that_fails_comes_back() -> None:
    talk = Talk()
    talk.start(authMethods=[])
    talk.want(OpenSession("a", "/w"))
    talk.say("hello")
    [back] = only(talk.reply("session/new", error=(-32602, "no such folder")), Restore)
    assert (back.ref, back.reason) == ("a", "no such folder")
    assert talk.store.sessions["a"].phase == "failed"


def test_a_failed_session_may_be_tried_again() -> None:
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    talk.reply("session/new", error=(-32603, "try later"))
    talk.open()
    assert talk.store.sessions["a"].phase == "open"
    assert talk.store.sessions["a"].failure is None


def test_two_sessions_of_one_name_are_not_mixed() -> None:
    talk = Talk()
    talk.start()
    talk.open("a", "A")
    talk.open("b", "A")
    assert talk.store.sessions["b"].phase == "failed"
    talk.update("agent_message", messageId="m")
    assert len(talk.store.sessions["a"].timeline) == 1


def test_only_what_is_advertised_is_sent_and_the_user_is_told() -> None:
    talk = Talk()
    talk.start()
    servers = (
        {"type": "stdio", "name": "ours", "command": "/x"},
        {"type": "http", "name": "theirs", "url": "u"},
    )
    effects = talk.want(OpenSession("a", "/w", additional_directories=("/more",), mcp_servers=servers))
    assert talk.requests("session/new")[0].params == {"cwd": "/w", "mcpServers": [servers[0]]}
    told = [notify.notice.description for notify in only(effects, Notify)]
    assert told == ["/more", "theirs"]


def test_closing_answers_first_then_closes() -> None:
    talk = Talk()
    talk.start()
    session = talk.open()
    talk.ask(5)
    effects = talk.want(CloseSession("a"))
    assert names(effects) == ["answer", "session/close"]
    assert [close.params for close in talk.requests("session/close")] == [{"sessionId": "A"}]
    assert answers(effects) == {5: {"outcome": {"outcome": "cancelled"}}}
    assert session.phase == "closing"
    assert answers(talk.ask(6)) == {6: {"outcome": {"outcome": "cancelled"}}}
    talk.reply("session/close")
    assert session.phase == "closed"
    talk.update("agent_message", messageId="ghost")
    assert session.timeline == []
    assert answers(talk.ask(7)) == {7: -32002}


def test_a_session_closed_before_it_has_a_name_is_closed_when_it_has() -> None:
    talk = Talk()
    talk.start()
    talk.want(OpenSession("a", "/w"))
    talk.want(CloseSession("a"))
    assert "session/close" not in talk.sent()
    assert names(talk.reply("session/new", {"sessionId": "A"})) == ["session/close"]
    talk.reply("session/close")
    assert talk.store.sessions["a"].phase == "closed"


def test_a_close_that_fails_leaves_the_session_open() -> None:
    talk = Talk()
    talk.start()
    session = talk.open()
    talk.want(CloseSession("a"))
    assert only(talk.reply("session/close", error=(-32603, "busy")), Notify)
    assert session.phase == "open"
    talk.want(CloseSession("a"))
    talk.reply("session/close", error=(-32002, "gone"))
    assert session.phase == "closed"


def test_an_open_session_is_closed_before_it_is_deleted() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    talk.want(DeleteSession("A"))
    assert names(talk.reply("session/close")) == ["session/delete"]
    assert talk.requests("session/delete")[0].params == {"sessionId": "A"}


def test_one_that_the_agent_does_not_know_counts_as_deleted() -> None:
    """SS-25: any other error leaves it in the list, and is told."""
    talk = Talk()
    talk.start()
    talk.want(ListSessions())
    talk.reply("session/list", {"sessions": [{"sessionId": name, "cwd": "/"} for name in ("1", "2")]})
    talk.want(DeleteSession("1"))
    assert not only(talk.reply("session/delete", error=(-32002, "gone")), Notify)
    assert [*talk.store.listed] == ["2"]
    talk.want(DeleteSession("2"))
    assert only(talk.reply("session/delete", error=(-32603, "no")), Notify)
    assert [*talk.store.listed] == ["2"]


def test_nothing_is_deleted_where_the_agent_cannot() -> None:
    talk = Talk()
    talk.start(capabilities={"session": {}})
    assert talk.want(DeleteSession("A")) == []


def test_the_list_is_read_page_by_page_and_never_in_a_circle() -> None:
    talk = Talk()
    talk.start()
    talk.want(ListSessions())
    pages = [{"sessions": [{"sessionId": "1", "cwd": "/"}, {"cwd": "/"}], "nextCursor": ""}]
    talk.reply("session/list", pages[0])
    assert talk.client.next_cursor == ""
    talk.want(ListSessions(cursor=""))
    assert talk.requests("session/list")[-1].params == {"cursor": ""}
    talk.reply("session/list", {"sessions": [{"sessionId": "2", "cwd": "/"}], "nextCursor": "x"})
    talk.want(ListSessions(cursor="x"))
    talk.reply("session/list", {"sessions": None, "nextCursor": "x"})
    assert talk.client.next_cursor is None
    assert list(talk.store.listed) == ["1", "2"]
    assert talk.store.listed_pages == 3
    talk.want(ListSessions())
    talk.reply("session/list", {"sessions": []})
    assert talk.store.listed == {}


def test_why_the_agent_lists_nothing_is_known_until_it_does() -> None:
    talk = Talk()
    talk.start()
    talk.want(ListSessions())
    error = {"code": -32603, "message": "The disk is away."}
    talk.hear({"id": talk.requests("session/list")[-1].id, "error": error})
    assert talk.store.not_listed == "The disk is away."
    talk.want(ListSessions())
    talk.reply("session/list", {"sessions": []})
    assert talk.store.not_listed == ""


def test_an_error_that_names_a_session_tells_which_one_is_gone() -> None:
    """ER-03: the agent has forgotten B; A is untouched, and B can be resumed."""
    talk = Talk()
    talk.start()
    talk.open("a", "A")
    gone = talk.open("b", "B")
    talk.update("tool_call_update", "B", toolCallId="c", status="in_progress")
    talk.ask(5, "B")
    talk.say("hello", "b")
    prompt = talk.requests("session/prompt")[0]
    error = {"code": -32002, "message": "No such session.", "data": {"sessionId": "B"}}
    effects = talk.hear({"id": prompt.id, "error": error})
    assert [back.reason for back in only(effects, Restore)] == ["No such session."]
    assert answers(effects) == {5: {"outcome": {"outcome": "cancelled"}}}
    assert (gone.phase, gone.state) == ("failed", "disconnected")
    assert talk.store.sessions["a"].phase == "open"
    assert names(talk.want(ResumeSession("b", "B", "/w"))) == ["session/resume"]


def test_an_error_that_names_a_stranger_harms_nobody() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    talk.say("hello")
    prompt = talk.requests("session/prompt")[0]
    for data in ({"sessionId": "X"}, {"sessionId": 7}, "A", None):
        talk.hear({"id": prompt.id, "error": {"code": -32002, "message": "no", "data": data}})
    assert talk.store.sessions["a"].phase == "open"


def test_what_a_closed_session_left_open_does_not_look_alive() -> None:
    talk = Talk()
    talk.start()
    session = talk.open()
    talk.update("state_update", state="running")
    talk.update("tool_call_update", toolCallId="c", status="in_progress")
    talk.want(CloseSession("a"))
    talk.reply("session/close")
    call = session.entities[session.timeline[0]]
    assert isinstance(call, ToolCall)
    assert not call.running
    assert not session.busy


def test_subagents_of_a_closed_session_work_no_more() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    talk.update("subagent_update", sessionId="kid", state={"state": "running"})
    talk.want(CloseSession("a"))
    talk.reply("session/close")
    [child] = [one for one in talk.store.sessions.values() if one.parent is not None]
    assert (child.phase, child.state) == ("closed", "disconnected")


def test_very_many_subagents_are_closed_in_one_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """SF-06: each was compared with all the others, field by field, so that thousands held up the end."""

    def compared(*_: object) -> bool:
        raise AssertionError("sessions are told from each other by their names")

    talk = Talk()
    talk.start()
    talk.open()
    for number in range(40):
        talk.update("subagent_update", sessionId=f"kid {number}", state={"state": "running"})
        talk.update("subagent_update", f"kid {number}", sessionId=f"grandchild {number}")
    talk.want(CloseSession("a"))
    monkeypatch.setattr(Session, "__eq__", compared)
    talk.reply("session/close")
    monkeypatch.undo()
    assert len(talk.store.sessions) == 81
    assert {one.phase for one in talk.store.sessions.values()} == {"closed"}
