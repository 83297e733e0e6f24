"""The life of sessions, prompts and background work with the reference agent, through our client."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.client.intents import (
    Cancel,
    CancelTerminal,
    CancelToolCall,
    CloseSession,
    DeleteSession,
    ListSessions,
    Login,
    OpenSession,
    ResumeSession,
    SetConfigOption,
    Withdraw,
)
from acp_tui.store.entities import Terminal
from acp_tui.store.keys import Kind
from tests.interop.node import Launch
from tests.interop.stage import Stage, staged

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


@pytest.mark.parametrize("word", ["SLOW", "SLOWTOOL", "PERM", "FORM"])
async def test_cancel_is_confirmed(stage: Stage, word: str) -> None:
    stage.submit(word)
    await stage.until(lambda: stage.said() or stage.calls() or stage.store.requests)
    stage.agent.do(Cancel("s1"))
    assert stage.session.cancelling
    assert all(call.display_status == "cancelled" for call in stage.calls())

    await stage.until(lambda: not stage.session.cancelling)

    assert stage.session.cancel is not None
    assert (stage.session.cancel.status, stage.session.stop_reason) == ("confirmed", "cancelled")
    # A call whose question was answered "cancelled" before the cancel arrived ends as "failed".
    assert all(call.status in ("cancelled", "failed") for call in stage.calls())
    await stage.until(lambda: not stage.store.requests)


@pytest.mark.parametrize("stop", [CancelToolCall, CancelTerminal])
async def test_background_work_is_stopped_by_itself(
    stage: Stage, stop: type[CancelToolCall] | type[CancelTerminal]
) -> None:
    await stage.play("BACKGROUND")
    (call,), (terminal,) = stage.calls(), stage.of(Kind.TERMINAL, Terminal)
    assert len(stage.session.background or ()) == 2
    assert (call.cancellable, terminal.cancellable) == (True, True)

    stage.agent.do(stop(call.key if stop is CancelToolCall else terminal.key))
    await stage.until(lambda: call.final and terminal.exited and stage.session.background == [])

    assert call.status == "cancelled"
    assert terminal.exit_status is not None
    assert terminal.exit_status.signal == "SIGTERM"
    assert stage.session.completions == 1


async def test_prompts_are_queued_here_or_held_there(stage: Stage) -> None:
    stage.submit("SLOW")
    await stage.until(lambda: stage.said())
    queued = stage.submit("HELLO")
    held = stage.submit("HELP", now=True)
    withdrawn = stage.submit("THOUGHTS", now=True)
    assert (queued.status, held.status) == ("queued", "pending")

    await heard(stage)
    stage.agent.do(Withdraw(withdrawn.key))
    await stage.until(lambda: withdrawn.status == "withdrawn")
    assert (held.status, stage.session.state) == ("pending", "running")
    stage.agent.do(Cancel("s1"))
    await stage.until(lambda: held.status == "withdrawn" and not stage.session.busy)

    assert queued.status == "held"


async def heard(stage: Stage) -> None:
    """Wait until the agent has taken in all that was sent before: it answers what comes after."""
    stage.agent.do(SetConfigOption("s1", "model", "large"))
    await stage.until(lambda: getattr(stage.session.config_options[1], "current_value", "") == "large")


async def test_an_option_is_changed(stage: Stage) -> None:
    stage.agent.do(SetConfigOption("s1", "model", "large"))
    await stage.until(lambda: getattr(stage.session.config_options[1], "current_value", "") == "large")
    stage.agent.do(SetConfigOption("s1", "thinking", False))

    await stage.until(lambda: getattr(stage.session.config_options[2], "current_value", True) is False)


async def test_old_sessions_are_listed_resumed_closed_and_deleted(stage: Stage) -> None:
    for known in (3, 6, 8):
        stage.agent.do(ListSessions(cursor=None if known == 3 else cursor(stage)))
        await stage.until(lambda known=known: len(stage.store.listed) == known)
    ref = stage.store.new_ref()
    stage.agent.do(ResumeSession(ref, "sess_old_1", stage.store.listed["sess_old_1"].cwd))
    await stage.until(lambda: stage.store.sessions[ref].phase == "open")

    old = stage.store.sessions[ref]
    kinds = [key.kind for key in old.timeline]
    assert kinds == [Kind.USER_MESSAGE, Kind.AGENT_MESSAGE, Kind.TOOL_CALL]
    assert (old.state, old.completions) == ("idle", 0)

    stage.agent.do(CloseSession(ref))
    await stage.until(lambda: ref not in stage.store.sessions or old.phase == "closed")
    stage.agent.do(DeleteSession("sess_old_1"))
    await stage.until(lambda: "sess_old_1" not in stage.store.listed)


def cursor(stage: Stage) -> str:
    """The cursor that the agent gave last."""
    results = [m["result"] for d, m in stage.lines if d == "<" and "nextCursor" in m.get("result", {})]
    return str(results[-1]["nextCursor"])


async def test_a_dead_agent_is_started_again_and_the_session_resumed(stage: Stage) -> None:
    await stage.play("HELLO")
    stage.submit("EXIT")
    await stage.until(lambda: stage.store.connection.phase == "lost")
    assert stage.store.connection.exit_code == 3
    assert stage.session.state == "disconnected"

    await stage.agent.restart()
    await stage.until(lambda: stage.session.phase == "open" and stage.session.state == "idle")

    assert stage.said()[0].startswith("# Hello")
    assert stage.store.connection.generation == 2


async def test_login(reference_agent: Launch, tmp_path: Path) -> None:
    launch = Launch(reference_agent.argv, {**reference_agent.env, "REF_AGENT_AUTH": "1"})

    class Guarded(Stage):
        async def open(self) -> None:
            self.agent.do(OpenSession(self.store.new_ref(), self.cwd))
            await self.until(lambda: self.store.connection.auth_required)
            self.agent.do(Login("lab-login"))
            await self.until(lambda: self.session.phase == "open")

    async with staged(launch, tmp_path, Guarded) as stage:
        await stage.play("HELLO")

    assert stage.said()[-1].startswith("# Hello")
