"""What a v1 agent asks of this machine (V1-51 to V1-60), without doing it."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import pytest

from acp_tui.client import jobs
from acp_tui.client.effects import Ask, Keep, ReleaseTerminals, Serve, StopServing
from acp_tui.client.intents import AnswerPermission, Cancel, CloseSession
from acp_tui.client.jobs import EVERY_SERVICE, NO_SERVICE, Serves
from acp_tui.protocol.errors import Error
from acp_tui.store.entities import AgentRequest, Terminal, ToolCall
from acp_tui.store.keys import Key, Kind
from tests.client.talk import Talk, answers, only

DIFF = {"type": "diff", "changes": [{"operation": "add", "path": "/etc/x"}]}


def speaking(serves: Serves = EVERY_SERVICE, protocol: int = 1) -> Talk:
    talk = Talk(serves=serves)
    talk.start()
    talk.open()
    talk.store.connection.protocol = protocol
    return talk


@pytest.fixture
def talk() -> Talk:
    return speaking()


def want(talk: Talk, id: Any, method: str, session_id: str = "A", **params: Any) -> list[Any]:
    return talk.hear({"id": id, "method": method, "params": {"sessionId": session_id, **params}})


def did(talk: Talk, result: jobs.Result) -> list[Any]:
    return talk._did(talk.client.served(result, talk.now))


def elsewhere(talk: Talk, id: Any = 5, folder: str = "/etc") -> AgentRequest:
    """A write outside, about which the user is asked."""
    want(talk, id, "fs/write_text_file", path="/etc/x", content="new")
    [ask] = only(did(talk, jobs.Elsewhere(id, "/etc/x", "it lies outside", folder, DIFF)), Ask)
    found = talk.store.entity(ask.request)
    assert isinstance(found, AgentRequest)
    return found


def calls(talk: Talk) -> list[tuple[str | None, str]]:
    entities = (talk.store.entity(key) for key in talk.store.sessions["a"].timeline)
    return [(one.title, one.display_status) for one in entities if isinstance(one, ToolCall)]


@pytest.mark.parametrize(
    ("serves", "protocol", "code"),
    [(NO_SERVICE, 1, -32601), (EVERY_SERVICE, 2, -32601), (Serves(write=True), 1, -32601)],
)
def test_only_what_the_agent_was_told_of_is_done(serves: Serves, protocol: int, code: int) -> None:
    talk = speaking(serves, protocol)
    effects = want(talk, 5, "fs/read_text_file", path="/w/f")
    assert answers(effects) == {5: code}
    assert not only(effects, Serve)


def test_a_read_is_done_and_answered_once(talk: Talk) -> None:
    effects = want(talk, 5, "fs/read_text_file", path="/w/f", line=2, limit="many")
    [effect] = only(effects, Serve)
    assert (effect.job.id, effect.job.roots, effect.job.wanted.line, effect.job.wanted.limit) == (
        5,
        ("/w",),
        2,
        None,
    )
    assert answers(effects) == {}
    assert answers(want(talk, 5, "fs/read_text_file", path="/w/g")) == {5: -32600}
    assert answers(did(talk, jobs.Done(5, {"content": "x"}))) == {5: {"content": "x"}}
    assert did(talk, jobs.Done(5, {"content": "x"})) == []
    assert talk.client.standing() is not None


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("fs/read_text_file", {}, -32602),
        ("fs/write_text_file", {"path": "/w/f"}, -32602),
        ("fs/write_text_file", {"path": "/w/f", "content": None}, -32602),
        ("terminal/create", {"command": ""}, -32602),
        ("terminal/create", {"command": "x", "args": ["a", 1]}, -32602),
        ("terminal/create", {"command": "x", "env": [{"name": "A"}]}, -32602),
        ("terminal/output", {"terminalId": 5}, -32602),
        ("fs/read_text_file", {"path": "/w/f", "sessionId": "other"}, -32002),
        ("terminal/resize", {"terminalId": "t"}, -32601),
    ],
)
def test_what_is_no_request_is_refused(talk: Talk, method: str, params: dict[str, Any], code: int) -> None:
    given = {"sessionId": "A", **params}
    effects = talk.hear({"id": 1, "method": method, "params": given})
    assert answers(effects) == {1: code}
    assert not only(effects, Serve)


def test_a_cancel_of_the_agent_stops_the_work_and_is_answered_once(talk: Talk) -> None:
    want(talk, "r", "terminal/wait_for_exit", terminalId="t")
    effects = talk.hear({"method": "$/cancel_request", "params": {"requestId": "r"}})
    assert (only(effects, StopServing), answers(effects)) == ([StopServing("r")], {"r": -32800})
    assert did(talk, jobs.Done("r", {})) == []
    assert talk.hear({"method": "$/cancel_request", "params": {"requestId": "r"}}) == []


def test_outside_the_user_is_asked_and_sees_what_would_be_done(talk: Talk) -> None:
    asked = elsewhere(talk)
    assert asked.ours
    assert [option.kind for option in asked.params.options] == ["allow_once", "allow_always", "reject_once"]
    assert "it lies outside" in asked.params.description
    assert calls(talk) == [("Write /etc/x", "pending")]
    effects = talk.want(AnswerPermission(asked.key, "once"))
    [again] = only(effects, Serve)
    assert (again.job.once, answers(effects)) == ("/etc/x", {})
    assert calls(talk) == [("Write /etc/x", "in_progress")]
    assert answers(did(talk, jobs.Wrote(5, "/etc/x", DIFF))) == {5: {}}
    assert calls(talk) == [("Write /etc/x", "completed")]


def test_a_refusal_is_an_error(talk: Talk) -> None:
    effects = talk.want(AnswerPermission(elsewhere(talk).key, "reject"))
    assert (answers(effects), only(effects, Serve)) == ({5: -32602}, [])
    assert calls(talk) == [("Write /etc/x", "rejected")]


def test_a_folder_is_allowed_for_its_session_and_for_this_kind(talk: Talk) -> None:
    talk.open("b", "B")
    [effect] = only(talk.want(AnswerPermission(elsewhere(talk).key, "folder")), Serve)
    did(talk, jobs.Wrote(5, "/etc/x", DIFF))
    folders = {}
    for id, (session_id, method) in enumerate([("A", "write"), ("A", "read"), ("B", "write")], 10):
        params = {"path": "/etc/y", "content": ""}
        [effect] = only(want(talk, id, f"fs/{method}_text_file", session_id, **params), Serve)
        folders[session_id, method] = effect.job.folders
    assert folders == {("A", "write"): ("/etc",), ("A", "read"): (), ("B", "write"): ()}


def test_a_guarded_place_is_allowed_one_by_one(talk: Talk) -> None:
    asked = elsewhere(talk, folder="")
    assert [option.option_id for option in asked.params.options] == ["once", "reject"]
    assert answers(talk.want(AnswerPermission(asked.key, "folder"))) == {}


def test_cancelling_the_work_answers_what_we_ask(talk: Talk) -> None:
    asked = elsewhere(talk)
    effects = talk.want(Cancel("a"))
    assert answers(effects) == {5: -32800}
    assert (asked.status, talk.store.requests) == ("answered", [])
    assert did(talk, jobs.Wrote(5, "/etc/x", DIFF)) == []


@pytest.mark.parametrize("shown_by", ["the agent", "us"])
def test_a_command_that_runs_on_after_a_cancel_is_not_called_cancelled(talk: Talk, shown_by: str) -> None:
    """fast-agent confirms a cancel and lets its command run: we see that it does, and when it ends."""
    talk.say("run it")
    name = terminal(talk)
    if shown_by == "the agent":
        shown = [{"type": "terminal", "terminalId": name}]
        talk.update("tool_call", toolCallId="c", title="make", status="in_progress", content=shown)
    else:
        want(talk, 8, "terminal/wait_for_exit", terminalId=name)
    talk.want(Cancel("a"))
    talk.reply("session/prompt", {"stopReason": "cancelled"})
    [(_, status)] = calls(talk)
    assert status == "in_progress"
    [call] = [one for one in talk.store.sessions["a"].entities.values() if isinstance(one, ToolCall)]
    moving = [call.running]
    did(talk, jobs.Ended("a", name, 0, None))
    assert [*moving, call.running] == [True, False]
    assert (call.status, call.no_final) == (
        ("in_progress", "turn ended") if shown_by == "the agent" else ("completed", "")
    )


def test_the_agent_takes_back_what_we_ask_about(talk: Talk) -> None:
    elsewhere(talk)
    effects = talk.hear({"method": "$/cancel_request", "params": {"requestId": 5}})
    assert (answers(effects), talk.store.requests) == ({5: -32800}, [])


def test_a_lost_connection_voids_it(talk: Talk) -> None:
    asked = elsewhere(talk)
    want(talk, 6, "fs/read_text_file", path="/w/f")
    assert answers(talk.lose()) == {}
    assert asked.status == "void"
    assert answers(did(talk, jobs.Done(6, {}))) == {}


def test_a_write_is_seen_where_the_agent_does_not_tell_of_it(talk: Talk) -> None:
    talk.update("tool_call_update", toolCallId="c", status="in_progress", locations=[{"path": "/w/told"}])
    for id, name in enumerate(("told", "silent")):
        want(talk, id, "fs/write_text_file", path=f"/w/{name}", content="x")
        assert answers(did(talk, jobs.Wrote(id, f"/w/{name}", DIFF))) == {id: {}}
    assert calls(talk) == [(None, "in_progress"), ("Write /w/silent", "completed")]


def test_the_agents_own_call_shows_what_was_written(talk: Talk) -> None:
    """It says where, and some agents no more than that."""
    told = [{"type": "diff", "changes": [{"operation": "add", "path": "/w/b"}]}]
    for name, content in (("a", []), ("b", told)):
        place = [{"path": f"/w/{name}"}]
        update = {"toolCallId": name, "status": "in_progress", "locations": place, "content": content}
        talk.update("tool_call_update", **update)
        want(talk, name, "fs/write_text_file", path=f"/w/{name}", content="x")
        did(talk, jobs.Wrote(name, f"/w/{name}", DIFF))
    found = [talk.store.entity(Key("a", Kind.TOOL_CALL, name)) for name in ("a", "b")]
    assert [len(one.content) for one in found if isinstance(one, ToolCall)] == [1, 1]


def terminal(talk: Talk, id: Any = 7) -> str:
    """One that runs."""
    [effect] = only(want(talk, id, "terminal/create", command="make", args=["all it"]), Serve)
    name: str = effect.job.name
    answer = answers(did(talk, jobs.Began(id, "make 'all it'", "/w", 120, 40)))
    assert answer == {id: {"terminalId": name}}
    return name


def test_a_terminal_of_ours_is_one_like_the_agents(talk: Talk) -> None:
    name = terminal(talk)
    assert terminal(talk, 8) != name
    did(talk, jobs.Output("a", name, b"one\n"))
    [kept] = only(did(talk, jobs.Output("a", name, b"\xfftwo", kept=True)), Keep)
    assert b64decode(kept.own.facts["update"]["data"]) == b"\xfftwo"
    did(talk, jobs.Ended("a", name, 0, None))
    found = talk.store.entity(Key("a", Kind.TERMINAL, name))
    assert isinstance(found, Terminal)
    assert (found.command, found.cwd, found.output.data()) == ("make 'all it'", "/w", b"one\n\xfftwo")
    assert found.exit_status is not None and found.exit_status.exit_code == 0


def test_a_terminal_that_nobody_shows_is_shown(talk: Talk) -> None:
    shown, hidden = terminal(talk, 7), terminal(talk, 8)
    item = {"type": "terminal", "terminalId": shown}
    talk.update("tool_call_update", toolCallId="c", title="Build", status="in_progress", content=[item])
    for id, name in enumerate((shown, hidden), 20):
        want(talk, id, "terminal/wait_for_exit", terminalId=name)
    assert calls(talk) == [("Build", "in_progress"), ("make 'all it'", "in_progress")]
    did(talk, jobs.Ended("a", shown, 0, None))
    did(talk, jobs.Ended("a", hidden, 2, None))
    assert calls(talk) == [("Build", "in_progress"), ("make 'all it'", "failed")]


def test_a_command_that_ends_at_once_is_shown_where_the_agent_shows_it(talk: Talk) -> None:
    """It may end before the agent has said where, and the agent may never say it."""
    talk.say("go")
    shown, hidden = terminal(talk, 7), terminal(talk, 8)
    did(talk, jobs.Ended("a", shown, 0, None))
    did(talk, jobs.Ended("a", hidden, 0, None))
    assert calls(talk) == []
    item = {"type": "terminal", "terminalId": shown}
    talk.update("tool_call_update", toolCallId="c", title="Build", status="in_progress", content=[item])
    want(talk, 9, "terminal/wait_for_exit", terminalId=shown)
    assert calls(talk) == [("Build", "in_progress")]
    talk.reply("session/prompt", {"stopReason": "end_turn"})
    assert calls(talk) == [("Build", "in_progress"), ("make 'all it'", "completed")]


def test_what_we_show_ends_the_message_before_it() -> None:
    """V1-21: what the agent says next is below the command, though its chunks have no names."""
    talk = Talk(versions=(2, 1), serves=EVERY_SERVICE)
    talk.start_v1()
    session = talk.open()
    talk.say("go")
    name = terminal(talk, 7)
    for words in ("before", "after"):
        talk.update("agent_message_chunk", content={"type": "text", "text": words})
        want(talk, words, "terminal/wait_for_exit", terminalId=name)
    said = [key.kind for key in session.timeline]
    assert said == [Kind.USER_MESSAGE, Kind.AGENT_MESSAGE, Kind.TOOL_CALL, Kind.AGENT_MESSAGE]


def test_what_is_too_much_for_the_journal_ends_with_its_tail(talk: Talk) -> None:
    name = terminal(talk)
    assert not only(did(talk, jobs.Output("a", name, b"flood", kept=False)), Keep)
    kept = only(did(talk, jobs.Ended("a", name, None, "SIGKILL", 1005, b"flood")), Keep)
    datas = [one.own.facts["update"].get("data") for one in kept]
    [tail] = [b64decode(data) for data in datas if data]
    assert tail.endswith(b"flood") and b"1,000 bytes were not kept" in tail


def test_closing_gives_up_and_releases(talk: Talk) -> None:
    terminal(talk)
    want(talk, 9, "terminal/wait_for_exit", terminalId="t")
    talk.want(CloseSession("a"))
    assert answers(want(talk, 10, "fs/read_text_file", path="/w/f")) == {10: -32002}
    effects = talk.reply("session/close")
    assert (answers(effects), only(effects, ReleaseTerminals)) == ({9: -32800}, [ReleaseTerminals("a")])


def test_what_was_kept_makes_the_same_again(talk: Talk) -> None:
    """A second client is given what the first one kept, instead of what was done."""
    other = speaking()
    seen = len(talk.effects)
    name = terminal(talk)
    did(talk, jobs.Output("a", name, b"out"))
    did(talk, jobs.Ended("a", name, 1, None))
    talk.want(AnswerPermission(elsewhere(talk).key, "reject"))
    elsewhere(talk, 6)
    for effect in talk.effects[seen:]:
        if isinstance(effect, Keep):
            other._did(other.client.recall(effect.own, other.now))
    mine, theirs = talk.store.sessions["a"], other.store.sessions["a"]
    assert theirs.timeline == mine.timeline
    again = other.store.entity(Key("a", Kind.TERMINAL, name))
    assert isinstance(again, Terminal)
    assert (again.output.data(), again.exited) == (b"out", True)
    assert [(one.ours, one.status, one.outcome) for one in other.client.requests] == [
        (one.ours, one.status, one.outcome) for one in talk.client.requests
    ]
    assert calls(other) == calls(talk)


def test_what_nobody_understands_of_a_record_is_passed_over(talk: Talk) -> None:
    for own in (
        jobs.Own("A", "update", {}),
        jobs.Own("A", "request", {"request": 5, "params": {}}),
        jobs.Own("A", "answer", {"request": 5, "outcome": None}),
        jobs.Own("A", "later", {}),
        jobs.Own("other", "update", {"update": {}}),
    ):
        assert talk.client.recall(own, talk.now) == []


def test_a_failure_is_told_as_it_is(talk: Talk) -> None:
    want(talk, 5, "fs/read_text_file", path="/w/f")
    assert answers(did(talk, jobs.Failed(5, Error(code=-32002, message="No such file")))) == {5: -32002}
