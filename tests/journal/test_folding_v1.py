"""Whatever a v1 agent tells, in whatever pieces: its journal is folded to what was live (V1)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.client.effects import Ask, Keep, Serve
from acp_tui.client.intents import AnswerPermission
from acp_tui.client.jobs import EVERY_SERVICE, Began, Elsewhere, Ended, Output, Result
from acp_tui.journal.folding import fold
from acp_tui.journal.playing import Player
from acp_tui.journal.record import Line
from acp_tui.protocol.jsonrpc import from_raw
from acp_tui.protocol.v1 import ids
from acp_tui.store.entities import AgentRequest, Message, Terminal, ToolCall
from acp_tui.store.keys import Key, Kind
from tests.client.talk import Talk, only
from tests.journal.keeping import V1_INITIALIZE, Program, Said, ask, library, opened, run, sessions

WORDS = {"user_message_chunk": "user", "agent_message_chunk": "agent", "agent_thought_chunk": "thought"}


def update(kind: str, **fields: Any) -> Said:
    told = {"sessionUpdate": kind, **fields}
    return "<", {"method": "session/update", "params": {"sessionId": "a", "update": told}}


def chunk(kind: str, text: str, name: str | None = None) -> Said:
    named = {} if name is None else {"messageId": name}
    return update(kind, content={"type": "text", "text": text}, **named)


def reply(request_id: Any, result: Any) -> Said:
    return "<", {"id": request_id, "result": result}


def prompt(request_id: int) -> Said:
    return ask(request_id, "session/prompt", sessionId="a", prompt=[{"type": "text", "text": "q"}])


NAMES = st.sampled_from([None, None, None, "m", "synth:agent:1", "synth:user:1", "synth::user:1"])
PIECES: st.SearchStrategy[list[Said]] = st.one_of(
    st.builds(lambda kind, name: [chunk(kind, "x ", name)], st.sampled_from(sorted(WORDS)), NAMES),
    st.builds(
        lambda kind, name, title: [update(kind, toolCallId=name, title=title, status="in_progress")],
        st.sampled_from(["tool_call", "tool_call_update"]),
        st.sampled_from(["c", "d"]),
        st.sampled_from(["T", None]),
    ),
    st.sampled_from(
        [
            [update("plan", entries=[{"content": "p", "priority": "low", "status": "pending"}])],
            [update("current_mode_update", currentModeId="code")],
            [update("session_info_update", title="T", _meta={"x": 1})],
            [update("usage_update", used=1, size=2, cost=None)],
            [update("state_update", state="running")],
            [update("agent_message_chunk", content=3)],
            [("<", {"id": 7, "method": "session/request_permission", "params": {"sessionId": "a"}})],
            [(">", {"method": "session/cancel", "params": {"sessionId": "a"}})],
        ]
    ),
)
PERMISSION = {
    "sessionId": "a",
    "toolCall": {"toolCallId": "c"},
    "options": [{"optionId": "y", "name": "Y", "kind": "allow_once"}],
}


@st.composite
def stories(draw: st.DrawFn) -> list[Said | str]:
    """Turns, whole or not, histories told before and after their answer, and ends of the connection."""
    story: list[Said | str] = []
    for n in range(draw(st.integers(1, 5))):
        pieces = [piece for many in draw(st.lists(PIECES, max_size=6)) for piece in many]
        match draw(st.sampled_from(["turn", "turn", "open", "load", "restart", "nothing", "asks"])):
            case "turn":
                story.append(prompt(10 + n))
                story += [
                    *pieces,
                    reply(10 + n, {"stopReason": draw(st.sampled_from(["end_turn", "refusal"]))}),
                ]
            case "open":
                story.append(prompt(10 + n))
                story += pieces
            case "load":
                cut = draw(st.integers(0, len(pieces)))
                story.append(ask(10 + n, "session/load", sessionId="a", cwd="/w", mcpServers=[]))
                story += [*pieces[:cut], reply(10 + n, None), *pieces[cut:]]
            case "restart":
                story += ["restart", ask(10 + n, "session/resume", sessionId="a", cwd="/w", mcpServers=[])]
                story += [reply(10 + n, {}), *pieces]
            case "asks":
                story.append(prompt(10 + n))
                story.append(
                    ("<", {"id": 90 + n, "method": "session/request_permission", "params": PERMISSION})
                )
                outcome = {"outcome": {"outcome": "selected", "optionId": "y"}}
                story += [*pieces, (">", {"id": 90 + n, "result": outcome}), reply(10 + n, {})]
            case _:
                story += pieces
    return story


def tell(folder: Path, story: list[Said | str]) -> Program:
    program = run(folder, [*V1_INITIALIZE, *opened("a", 1)])
    for said in story:
        if isinstance(said, str):
            program.say([("#", "Gone.")])
            program.start()
            program.say(V1_INITIALIZE)
        else:
            program.say([said])
    program.say([("#", "Gone.")])
    return program


@settings(deadline=None, max_examples=70)
@given(story=stories())
def test_any_story_is_folded_to_what_was_live(
    story: list[Said | str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("story")
    live = tell(folder, story).live
    [saved] = library(folder)
    folded = fold(saved)
    assert folded.problems == []
    assert sessions(folded)["a"] == sessions(live)["a"]


@settings(deadline=None, max_examples=40)
@given(story=stories(), data=st.data())
def test_another_client_goes_on_from_wherever_it_rests(
    story: list[Said | str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What the adapter remembers stands with the rest, so that a checkpoint loses nothing."""
    first = tell(tmp_path_factory.mktemp("one"), story[: data.draw(st.integers(0, len(story)))])
    known = first.live.client.standing()
    assert known is not None
    second = run(tmp_path_factory.mktemp("two"), [])
    second.live.client.stand(known)
    assert second.live.client.store.sessions.keys() == first.live.client.store.sessions.keys()
    assert second.live.client._dialect.memory == first.live.client._dialect.memory


@settings(deadline=None, max_examples=70)
@given(pieces=st.lists(st.tuples(st.sampled_from(sorted(WORDS)), NAMES, st.text(max_size=3)), max_size=12))
def test_nothing_is_lost_and_no_name_meets_another(pieces: list[tuple[str, str | None, str]]) -> None:
    """V1-20, V1-21: what is made up never is a message of the agent's, and every word is somewhere."""
    player = Player()
    player.client.assume_ready(0.0, 1)
    for side, said in [*opened("a", 1), *(chunk(kind, text, name) for kind, name, text in pieces)]:
        assert isinstance(said, dict)
        player.step(Line("client" if side == ">" else "agent", from_raw(said), 0.0))
    [session] = player.client.store.sessions.values()
    messages = [one for one in session.entities.values() if isinstance(one, Message)]
    kinds = {
        "user_message_chunk": Kind.USER_MESSAGE,
        "agent_message_chunk": Kind.AGENT_MESSAGE,
        "agent_thought_chunk": Kind.AGENT_THOUGHT,
    }
    for kind, key_kind in kinds.items():
        said_there = sorted("".join(text for k, _, text in pieces if k == kind))
        assert sorted("".join(m.content.text() for m in messages if m.key.kind is key_kind)) == said_there
        named = {ids.taken(name) for k, name, _ in pieces if k == kind and name is not None}
        assert named <= {m.key.id for m in messages if m.key.kind is key_kind}
        assert not any(ids.is_made(name) for name in named)


def test_what_was_served_is_read_again(tmp_path: Path) -> None:
    """Commands and what they printed, what we asked and was answered, what was to be written."""
    talk = Talk(serves=EVERY_SERVICE, versions=(2, 1))
    talk.start_v1()
    session = talk.open(session_id="a")
    run_it = {"sessionId": "a", "command": "make"}
    talk.hear({"id": 7, "method": "terminal/create", "params": run_it})
    [name] = [one.job.name for one in only(talk.effects, Serve)]
    change = {"type": "diff", "changes": [{"operation": "add", "path": "/etc/x"}]}
    done: list[Result] = [
        Began(7, "make", "/w", 80, 24),
        Output("a", name, b"\xffout"),
        Ended("a", name, 2, None),
    ]
    for result in done:
        talk._did(talk.client.served(result, talk.now))
    write = {"sessionId": "a", "path": "/etc/x", "content": "new"}
    talk.hear({"id": 8, "method": "fs/write_text_file", "params": write})
    talk._did(talk.client.served(Elsewhere(8, "/etc/x", "it lies outside", "/etc", change), talk.now))
    talk.want(AnswerPermission(only(talk.effects, Ask)[-1].request, "reject"))
    program = run(tmp_path, [*V1_INITIALIZE, *opened("a")])
    assert program.journal is not None
    for effect in only(talk.effects, Keep):
        program.journal.own(effect.own, program.at)

    again = fold(library(tmp_path)[0]).session
    assert again is not None
    assert [(key.kind, key.id) for key in again.timeline] == [(key.kind, key.id) for key in session.timeline]
    terminal = again.entities[Key(again.ref, Kind.TERMINAL, name)]
    assert isinstance(terminal, Terminal)
    assert (terminal.command, terminal.output.data(), terminal.exited) == ("make", b"\xffout", True)
    [asked] = [one for one in again.entities.values() if isinstance(one, AgentRequest)]
    assert (asked.ours, asked.status, asked.outcome["outcome"]["optionId"]) == (True, "answered", "reject")
    calls = [one for one in again.entities.values() if isinstance(one, ToolCall)]
    assert [(one.status, len(one.content)) for one in calls] == [("failed", 1), ("cancelled", 1)]
