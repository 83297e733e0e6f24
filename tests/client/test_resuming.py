"""Resume: into nothing, into what is shown, after a loss (SS, LC)."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.client.effects import Completed, Notify
from acp_tui.client.intents import Cancel, ListSessions, OpenSession, ResumeSession, Submit
from acp_tui.protocol.content import TextContent
from acp_tui.store.entities import Message, Terminal, ToolCall, Turn
from acp_tui.store.keys import Key, Kind
from tests.client.talk import AGENT, Talk, names, only

RESUME = ResumeSession("a", "A", "/w")


def text(talk: Talk, name: str, kind: Kind = Kind.AGENT_MESSAGE) -> str:
    message = talk.store.entity(Key("a", kind, name))
    assert isinstance(message, Message)
    return message.content.text()


def chunk(
    talk: Talk, name: str, words: str, kind: str = "agent_message_chunk", session_id: str = "A"
) -> None:
    talk.update(kind, session_id, messageId=name, content={"type": "text", "text": words})


def working() -> Talk:
    """A session whose agent has begun to work on its first prompt."""
    talk = Talk()
    talk.start()
    talk.open()
    talk.say("hello")
    talk.reply("session/prompt", {"messageId": "u"})
    chunk(talk, "u", "hello", "user_message_chunk")
    talk.update("state_update", state="running")
    return talk


def lived() -> Talk:
    """A session with one turn, whose agent was lost."""
    talk = working()
    chunk(talk, "m", "one ")
    chunk(talk, "m", "two")
    talk.update("tool_call_update", toolCallId="c", status="in_progress")
    talk.update("state_update", state="idle", stopReason="end_turn", background=[])
    talk.lose()
    talk.now += 10
    return talk


def again(talk: Talk) -> None:
    talk.effects += talk.client.start(talk.now)
    talk.want(RESUME)
    talk.reply("initialize", AGENT)


def replay(talk: Talk) -> None:
    chunk(talk, "u", "hello", "user_message_chunk")
    chunk(talk, "m", "one two")
    talk.update("tool_call_update", toolCallId="c", status="completed")


def test_a_resumed_session_is_there_before_its_updates_and_counts_nothing() -> None:
    talk = Talk()
    talk.start()
    talk.want(RESUME)
    assert talk.requests("session/resume")[0].params == {
        "sessionId": "A",
        "cwd": "/w",
        "replayFrom": {"type": "start"},
    }
    session = talk.store.sessions["a"]
    assert session.state == "unknown"
    talk.update("state_update", state="running")
    chunk(talk, "m", "x")
    talk.update("available_commands_update", availableCommands=[{"name": "new", "description": "d"}])
    talk.update("state_update", state="idle", stopReason="end_turn")
    talk.reply(
        "session/resume", {"availableCommands": [{"name": "old", "description": "d"}], "configOptions": []}
    )
    assert (session.phase, session.state, session.completions) == ("open", "idle", 0)
    assert only(talk.effects, Completed) == []
    assert [command.name for command in session.commands] == ["new"]  # type: ignore[union-attr]


def test_prompts_typed_meanwhile_follow() -> None:
    talk = Talk()
    talk.start()
    talk.want(RESUME)
    talk.want(Submit("a", (TextContent(type="text", text="hi"),)))
    talk.update("state_update", state="idle")
    assert names(talk.reply("session/resume")) == ["session/prompt"]


def test_an_attached_session_is_not_loaded_twice() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    assert talk.want(RESUME) == []
    assert talk.want(ResumeSession("other", "A", "/w")) == []
    assert talk.store.sessions["other"].phase == "failed"


def test_an_answer_alone_does_not_mean_that_the_agent_rests() -> None:
    """SS-12: an agent that says no state has not said that it is idle."""
    talk = Talk()
    talk.start()
    talk.want(RESUME)
    talk.reply("session/resume")
    session = talk.store.sessions["a"]
    assert (session.phase, session.state, session.busy) == ("open", "unknown", True)
    assert names(talk.want(Cancel("a"))) == ["session/cancel"] and session.cancelling


def test_after_a_loss_the_replay_replaces_and_nothing_doubles() -> None:
    talk = lived()
    session = talk.store.sessions["a"]
    before = list(session.timeline)
    message = session.entities[Key("a", Kind.AGENT_MESSAGE, "m")]
    again(talk)
    assert session.timeline == before
    replay(talk)
    assert text(talk, "m") == "one two"
    assert session.state == "unknown"
    talk.update("state_update", state="idle", stopReason="end_turn")
    talk.reply("session/resume")
    assert session.timeline == before
    assert (session.state, session.phase, session.completions) == ("idle", "open", 1)
    renewed = session.entities[message.key]
    assert renewed.revision > message.revision
    assert isinstance(renewed, Message)
    assert [key.kind for key in session.timeline] == [
        Kind.USER_MESSAGE,
        Kind.AGENT_MESSAGE,
        Kind.TOOL_CALL,
        Kind.TURN,
    ]
    user = session.entities[Key("a", Kind.USER_MESSAGE, "u")]
    assert isinstance(user, Message)
    assert user.submission == 1
    chunk(talk, "m", "!")
    assert text(talk, "m") == "one two!"


def test_a_second_resume_costs_no_more_than_the_first() -> None:
    """S26: five times the same session is the same session."""
    talk = lived()
    session = talk.store.sessions["a"]
    for _ in range(5):
        again(talk)
        replay(talk)
        talk.update("state_update", state="idle")
        talk.reply("session/resume")
        talk.lose()
    assert len(session.timeline) == 4
    assert text(talk, "m") == "one two"


def test_an_agent_that_forgot_does_not_take_our_view_away() -> None:
    talk = lived()
    session = talk.store.sessions["a"]
    again(talk)
    chunk(talk, "new", "while you were away")
    talk.update("state_update", state="idle")
    talk.reply("session/resume")
    assert text(talk, "m") == "one two"
    assert text(talk, "new") == "while you were away"
    assert [key.kind for key in session.timeline][-2:] == [Kind.AGENT_MESSAGE, Kind.TURN]
    note = session.entities[session.timeline[-1]]
    assert isinstance(note, Turn)
    assert note.note.startswith("The agent remembers 0 of 2 messages")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ((-32002, "No such session."), "does not know this session"),
        ((-32603, "The disk is full."), "Not resumed: The disk is full. The above"),
        ((-32603, "Internal", {"details": "It is put away."}), "Not resumed: Internal: It is put away. The"),
    ],
)
def test_a_resume_that_fails_keeps_the_view_and_says_so(error: tuple[Any, ...], said: str) -> None:
    talk = lived()
    session = talk.store.sessions["a"]
    again(talk)
    chunk(talk, "m", "on")
    talk.reply("session/resume", error=error)
    assert text(talk, "m") == "one two"
    assert (session.phase, session.state) == ("failed", "disconnected")
    note = session.entities[session.timeline[-1]]
    assert isinstance(note, Turn)
    assert said in note.note
    talk.update("agent_message", messageId="late")
    assert Key("a", Kind.AGENT_MESSAGE, "late") not in session.entities


def test_a_replay_that_is_cut_off_keeps_the_view() -> None:
    talk = lived()
    again(talk)
    chunk(talk, "m", "on")
    talk.lose()
    session = talk.store.sessions["a"]
    assert text(talk, "m") == "one two"
    assert session.state == "disconnected"
    assert not session.replaying
    again(talk)
    replay(talk)
    talk.update("state_update", state="idle")
    talk.reply("session/resume")
    assert session.phase == "open"


def test_without_replay_what_is_shown_stays() -> None:
    talk = lived()
    session = talk.store.sessions["a"]
    talk.effects += talk.client.start(talk.now)
    talk.want(ResumeSession("a", "A", "/w", replay=False))
    talk.reply("initialize", AGENT)
    talk.update("state_update", state="running")
    talk.reply("session/resume")
    assert text(talk, "m") == "one two"
    assert (session.state, session.phase) == ("running", "open")
    talk.update("state_update", state="idle", stopReason="end_turn")
    assert session.completions == 2


def test_a_prompt_whose_answer_was_lost_is_found_by_nobody_and_one_that_was_accepted_is() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    talk.say("accepted")
    talk.reply("session/prompt", {"messageId": "u1"})
    talk.say("unanswered")
    talk.lose()
    assert talk.submissions() == ["inserted", "uncertain"]
    again(talk)
    chunk(talk, "u1", "accepted", "user_message_chunk")
    chunk(talk, "u2", "unanswered", "user_message_chunk")
    talk.update("state_update", state="idle")
    talk.reply("session/resume")
    assert talk.submissions() == ["uncertain"]
    assert len(talk.requests("session/prompt")) == 2


def test_children_are_replayed_with_their_parent() -> None:
    talk = Talk()
    talk.start()
    talk.open()
    talk.update("subagent_update", sessionId="kid", title="K", state={"state": "running"})
    chunk(talk, "m", "child", session_id="kid")
    child = next(one for one in talk.store.sessions.values() if one.parent == "a")
    talk.lose()
    assert child.state == "disconnected"
    again(talk)
    talk.update("subagent_update", sessionId="kid", title="K", state={"state": "idle"})
    chunk(talk, "m", "child", session_id="kid")
    talk.update("state_update", state="idle")
    talk.reply("session/resume")
    message = child.entities[Key(child.ref, Kind.AGENT_MESSAGE, "m")]
    assert isinstance(message, Message)
    assert message.content.text() == "child"
    assert child.state == "idle"
    assert len([one for one in talk.store.sessions.values() if one.parent == "a"]) == 1
    chunk(talk, "m", "!", session_id="kid")
    message = child.entities[message.key]
    assert isinstance(message, Message)
    assert message.content.text() == "child!"


def test_tool_calls_take_the_agents_word() -> None:
    talk = lived()
    again(talk)
    replay(talk)
    talk.update("state_update", state="idle")
    talk.reply("session/resume")
    call = talk.store.entity(Key("a", Kind.TOOL_CALL, "c"))
    assert isinstance(call, ToolCall)
    assert (call.status, call.no_final) == ("completed", "")


def test_nothing_of_an_earlier_request_is_taken_for_granted() -> None:
    """SS-09: folders and servers go along again, whole."""
    talk = Talk()
    more: dict[str, Any] = {"session": {"additionalDirectories": {}, "mcp": {"stdio": {}}}}
    talk.start(capabilities=more)
    servers = ({"type": "stdio", "name": "ours", "command": "/x"},)
    talk.want(OpenSession("a", "/w", ("/more",), servers))
    talk.reply("session/new", {"sessionId": "A"})
    talk.lose()
    talk.start(capabilities=more)
    talk.want(ResumeSession("a", "A", "/w", True, ("/more",), servers))
    assert talk.requests("session/resume")[0].params == {
        **talk.requests("session/new")[0].params,
        "sessionId": "A",
        "replayFrom": {"type": "start"},
    }
    assert talk.requests("session/new")[0].params["additionalDirectories"] == ["/more"]


def test_a_notice_in_a_replay_is_as_live_as_any() -> None:
    """SS-15."""
    talk = lived()
    again(talk)
    told = talk.update("notice", severity="warning", title="Careful")
    assert [one.notice.title for one in only(told, Notify)] == ["Careful"]


def test_a_cursor_that_is_refused_is_not_silently_left_out() -> None:
    """SS-17: -32602 is told; no second request goes out without replay."""
    talk = lived()
    again(talk)
    assert names(talk.reply("session/resume", error=(-32602, "unknown cursor"))) == []
    assert len(talk.requests("session/resume")) == 1
    assert talk.store.sessions["a"].phase == "failed"


def test_a_session_that_is_gone_leaves_the_list_and_no_other_takes_its_place() -> None:
    """SS-17."""
    talk = lived()
    talk.effects += talk.client.start(talk.now)
    talk.want(ListSessions())
    talk.want(RESUME)
    talk.reply("initialize", AGENT)
    talk.reply(
        "session/list", {"sessions": [{"sessionId": "A", "cwd": "/w"}, {"sessionId": "B", "cwd": "/"}]}
    )
    assert names(talk.reply("session/resume", error=(-32002, "gone"))) == []
    assert list(talk.store.listed) == ["B"]
    assert len(talk.requests("session/new")) == 1


def test_no_update_moves_a_session_to_another_folder() -> None:
    """SS-28."""
    talk = lived()
    talk.update("session_info_update", title="T", cwd="/else", additionalDirectories=["/x"])
    session = talk.store.sessions["a"]
    assert (session.cwd, session.additional_directories) == ("/w", ())


def test_a_replay_does_not_change_how_long_things_took() -> None:
    """What was seen to its end keeps its times; what was not has no time that is known."""
    talk = working()
    chunk(talk, "t", "hm", "agent_thought_chunk")
    talk.now += 3
    talk.update("tool_call_update", toolCallId="c", status="in_progress")
    talk.update("tool_call_update", toolCallId="open", status="in_progress")
    talk.update("terminal_update", terminalId="x", command="make")
    talk.update("terminal_update", terminalId="y", command="make")
    talk.now += 2
    talk.update("tool_call_update", toolCallId="c", status="completed")
    talk.update("terminal_update", terminalId="x", exitStatus={"exitCode": 0})
    talk.update("state_update", state="idle", stopReason="end_turn", background=[])
    talk.lose()
    talk.now += 3600
    again(talk)
    chunk(talk, "u", "hello", "user_message_chunk")
    chunk(talk, "t", "hm", "agent_thought_chunk")
    for name in ("c", "open"):
        talk.update("tool_call_update", toolCallId=name, status="in_progress")
        talk.now += 1
        talk.update("tool_call_update", toolCallId=name, status="completed")
    for name in ("x", "y"):
        talk.update("terminal_update", terminalId=name, command="make", exitStatus={"exitCode": 0})
    talk.reply("session/resume", {})
    talk.update("state_update", state="idle", stopReason="end_turn")

    def took(kind: Kind, name: str) -> float | None:
        match talk.store.entity(Key("a", kind, name)):
            case Message(closed_at=float(end), created_at=begun):
                return end - begun
            case Terminal(exited_at=float(end), created_at=begun):
                return end - begun
            case ToolCall(ended_at=float(end), started_at=float(begun)):
                return end - begun
        return None

    assert took(Kind.AGENT_THOUGHT, "t") == 3
    assert took(Kind.TOOL_CALL, "c") == 2
    assert took(Kind.TOOL_CALL, "open") is None
    assert took(Kind.TERMINAL, "x") == 2
    assert took(Kind.TERMINAL, "y") == 0
