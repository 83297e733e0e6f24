"""The life of a session with the peer: settings, ends of turns, history, listing, login."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.client.intents import (
    CloseSession,
    ListSessions,
    Login,
    OpenSession,
    ResumeSession,
    SetConfigOption,
)
from acp_tui.protocol.v1 import ids
from acp_tui.store.entities import Plan, Submission, Turn
from acp_tui.store.keys import Kind
from tests.interop.v1.stage import OldStage

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


# ------------------------------------------------------------------- settings


def values(stage: OldStage) -> dict[str, Any]:
    """The options as the agent has confirmed them."""
    return {one.config_id: one.current_value for one in stage.session.config_options}  # type: ignore[union-attr]


def option(stage: OldStage, name: str) -> Any:
    return next(one for one in stage.session.config_options if getattr(one, "config_id", None) == name)


async def test_modes_and_options_are_options(stage: OldStage) -> None:
    assert values(stage) == {ids.MODE: "ask", "model": "small", "verbose": False}
    mode, model = option(stage, ids.MODE), option(stage, "model")
    assert (mode.category, [(one.value, one.name) for one in mode.options]) == (
        "mode",
        [("ask", "Ask"), ("code", "Code")],
    )
    assert [(group.group_id, [one.value for one in group.options]) for group in model.options] == [
        ("house", ["small"]),
        ("guests", ["large"]),
    ]


@pytest.mark.parametrize(("name", "value"), [(ids.MODE, "code"), ("model", "large"), ("verbose", True)])
async def test_an_option_is_set(stage: OldStage, name: str, value: str | bool) -> None:
    before = values(stage)
    stage.agent.do(SetConfigOption(stage.ref, name, value))
    assert values(stage) == before  # CF-07
    await stage.until(lambda: not stage.session.options_asked)

    assert values(stage) == {**before, name: value}


async def test_a_value_that_the_agent_refuses(stage: OldStage) -> None:
    before = values(stage)
    stage.agent.do(SetConfigOption(stage.ref, ids.MODE, "none"))
    await stage.until(lambda: not stage.session.options_asked)

    assert values(stage) == before


@pytest.mark.parametrize("word", ["MODE", "MODEID"])
async def test_the_agent_changes_its_mode(stage: OldStage, word: str) -> None:
    await stage.play(word)
    assert values(stage)[ids.MODE] == "code"

    await stage.play(f"{word}:ask")
    assert values(stage)[ids.MODE] == "ask"


async def test_a_real_option_for_the_mode_stands_for_the_made_one(stage: OldStage) -> None:
    await stage.play("CONFIG")

    assert values(stage) == {"mode": "high", "model": "small", "verbose": False}


# --------------------------------------------------------------- ends of turns


@pytest.mark.parametrize("reason", ["max_tokens", "max_turn_requests", "refusal", "cancelled"])
async def test_a_reason(stage: OldStage, reason: str) -> None:
    await stage.play(f"STOP:{reason}")

    assert (stage.session.state, stage.session.stop_reason) == ("idle", reason)
    turn, *notes = stage.of(Kind.TURN, Turn)
    assert (turn.stop_reason, turn.error) == (reason, None)
    assert [one.note.startswith("The agent forgets this prompt") for one in notes] == [True] * (
        reason == "refusal"
    )  # V1-23


@pytest.mark.parametrize(
    ("word", "code", "message"),
    [("FAIL", -32050, "The model is asleep"), ("CRASH", -32603, "Internal error")],
)
async def test_a_failure(stage: OldStage, word: str, code: int, message: str) -> None:
    await stage.play(word)

    assert (stage.session.state, stage.session.stop_reason) == ("idle", "error")
    assert stage.session.error is not None
    assert (stage.session.error.code, stage.session.error.message) == (code, message)
    (submission,) = stage.of(Kind.SUBMISSION, Submission)
    assert submission.status == "inserted"  # V1-26

    await stage.play("HELLO")

    assert (stage.session.stop_reason, stage.session.error) == ("end_turn", None)


async def test_what_comes_after_the_end_is_kept_and_marked(stage: OldStage) -> None:
    await stage.play("LATE")
    await stage.until(lambda: "After the end." in stage.said())

    (call,) = stage.calls()
    assert (call.status, call.late) == ("completed", True)
    assert (stage.session.state, stage.session.completions) == ("idle", 1)


async def test_one_prompt_at_a_time(stage: OldStage) -> None:
    first = stage.submit("PERM")
    (request,) = await stage.asked()
    second = stage.submit("HELLO", now=True)
    assert (first.status, second.status) == ("inserted", "queued")
    stage.choose(request, 0)
    await stage.until(lambda: stage.session.completions == 2)

    assert second.status == "inserted"
    assert [kind for kind, _ in stage.shape()] == [
        "user_message",
        "tool_call",
        "agent_message",
        "user_message",
        "agent_message",
    ]


# -------------------------------------------------------------------- sessions


async def test_a_loaded_session_looks_like_the_live_one(stage: OldStage, tmp_path: Path) -> None:
    for words in ("HELLO", "THOUGHTS TOOL DIFF", "BETWEEN PLAN"):
        await stage.play(words)
    await stage.play("MODE")
    live, before = stage.session, stage.shape()
    stage.agent.do(CloseSession(stage.ref))
    await stage.until(lambda: live.phase == "closed")

    again = stage.store.new_ref()
    stage.agent.do(ResumeSession(again, str(live.session_id), str(tmp_path)))
    await stage.until(lambda: stage.store.sessions[again].phase == "open")

    assert stage.shape(again) == before
    loaded = stage.store.sessions[again]
    assert (loaded.state, loaded.completions, loaded.replaying) == ("idle", 0, False)
    assert [call.no_final for call in loaded.entities.values() if getattr(call, "no_final", "")] == []
    stage.ref = again
    assert values(stage)[ids.MODE] == "code"

    await stage.play("HELLO")

    assert stage.shape() == [*before, *before[:2]]
    assert stage.session.completions == 1


async def test_old_sessions_are_listed_loaded_resumed_and_closed(stage: OldStage) -> None:
    stage.agent.do(ListSessions())
    await stage.until(lambda: "old-1" in stage.store.listed)
    assert stage.agent.client.next_cursor == "old-2"
    stage.agent.do(ListSessions(cursor="old-2"))
    await stage.until(lambda: "old-2" in stage.store.listed)
    assert [(one.title, one.cwd) for one in stage.store.listed.values()] == [
        ("Session old-1", "/tmp"),
        ("Session old-2", "/tmp"),
    ]

    stage.ref = stage.store.new_ref()
    stage.agent.do(ResumeSession(stage.ref, "old-1", "/tmp"))
    await stage.until(lambda: stage.session.phase == "open")
    assert stage.shape() == [
        ("user_message", "First question, in two pieces"),
        ("agent_thought", "Thinking of it."),
        ("agent_message", "First answer."),
        ("tool_call", "Search"),
        ("agent_message", "Found."),
        ("user_message", "Second question"),
        ("agent_message", "Second answer."),
    ]
    assert [len(plan.plan.entries) for plan in stage.of(Kind.PLAN, Plan)] == [1]
    assert (stage.session.state, stage.session.completions) == ("idle", 0)

    stage.ref = stage.store.new_ref()
    stage.agent.do(ResumeSession(stage.ref, "old-2", "/tmp", replay=False))
    await stage.until(lambda: stage.session.phase == "open")
    assert (stage.shape(), stage.session.state) == ([], "idle")
    await stage.play("HELLO")
    assert len(stage.said()) == 1


async def test_a_session_that_the_agent_does_not_have(stage: OldStage) -> None:
    stage.ref = stage.store.new_ref()
    stage.agent.do(ResumeSession(stage.ref, "nobody", "/tmp"))
    await stage.until(lambda: stage.session.phase == "failed")

    assert stage.session.failure is not None
    assert stage.session.failure.code == -32002


async def test_close_while_it_works(stage: OldStage) -> None:
    stage.submit("WAIT")
    await stage.until(lambda: stage.said())
    stage.agent.do(CloseSession(stage.ref))
    await stage.until(lambda: stage.session.phase == "closed")

    assert stage.store.connection.phase == "ready"


async def test_login(stage: OldStage, tmp_path: Path) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    stage.ref = stage.store.new_ref()
    stage.agent.do(OpenSession(stage.ref, str(locked)))
    await stage.until(lambda: stage.store.connection.auth_required)
    stage.agent.do(Login("peer-login"))
    await stage.until(lambda: stage.session.phase == "open")

    await stage.play("HELLO")
    assert not stage.store.connection.auth_required
