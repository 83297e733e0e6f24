"""Cancelling, stopping, waiting and logging in, seen on the screen with the reference agent."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_tui.ui.screens.login import LoginScreen
from tests.clock import Clock
from tests.interop import client_rules
from tests.interop.node import Launch
from tests.interop.stage import TEE
from tests.interop.test_app_words import clock, seen
from tests.trace import load
from tests.ui.driving import Driven, driving

__all__ = ["clock"]

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


async def test_a_running_tool_call_is_cancelled_with_its_work(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("SLOWTOOL")
        await driven.until("◐ working")
        await driven.until(lambda: driven.session.open_calls)
        await driven.press("escape")
        await driven.until("cancelled by you")
        await driven.until("○ ready")


async def test_background_work_is_listed_and_stopped_by_itself(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("BACKGROUND")
        await driven.until("in background (F10)")
        await driven.until("○ ready")
        await driven.press("f10")
        await driven.until("What runs")
        await driven.until("can be stopped")
        await driven.press("delete")
        await driven.until(lambda: any(message.get("method") in STOPS for message in sent(tmp_path)))
        await driven.press("escape")
        await driven.until("cancel confirmed")


STOPS = ("tool_call/cancel", "terminal/cancel")


def sent(folder: Path) -> list[dict[str, object]]:
    """What went to the agent."""
    lines = load(folder / "wire.ndjson")
    return [raw for side, raw in lines if side == ">" and isinstance(raw, dict)]


async def asked(driven: Driven, words: str) -> None:
    """Work that stands still until a question is answered."""
    await driven.say(words)
    await driven.until(lambda: driven.store.requests)
    await driven.until(" asks ")


async def answer(driven: Driven, clock: Clock) -> None:
    """Let it go on."""
    clock.at += 5
    driven.panel.focus()
    await driven.press("1")


@pytest.mark.parametrize(
    ("stop", "held"),
    [
        ("max_tokens", "the work stopped at the token limit"),
        ("max_turn_requests", "the work stopped at the request limit"),
        ("refusal", "the agent refused to go on"),
        ("error", "the work ended with an error"),
        ("_custom", "the work stopped"),
    ],
)
async def test_what_waits_is_held_after_every_end_but_a_good_one(
    reference_agent: Launch, tmp_path: Path, clock: Clock, stop: str, held: str
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await asked(driven, f"PERM STOP:{stop}")
        await driven.say("HELLO")
        await driven.until("1 queued")
        await answer(driven, clock)
        await driven.until(f"held: {held}")
        assert "Hello from the reference agent" not in driven.text()
        await driven.press("alt+s")
        await driven.until("Hello from the reference agent")


async def test_what_waits_goes_on_after_a_good_end(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await asked(driven, "PERM")
        await driven.say("HELLO")
        await driven.until("1 queued")
        await answer(driven, clock)
        await driven.until("Hello from the reference agent")


async def test_a_refused_prompt_comes_back_with_the_reason(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("REFUSE")
        await driven.until("I refuse this prompt")
        await driven.until(lambda: driven.composer.text == "REFUSE")


async def test_updates_before_the_answer_are_the_same_message(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("EARLY HELLO")
        await driven.until("Hello from the reference agent")
        await driven.until("○ ready")
        assert sum("EARLY HELLO" in row for row in driven.rows()) == 1
        assert "accepted" not in driven.text()


async def test_a_request_that_is_taken_back_leaves_with_a_reason(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("CANCELREQ")
        await driven.until(lambda: driven.store.requests)
        await driven.until(lambda: not driven.store.requests)
        await driven.until("○ ready")


async def test_the_login_of_the_agent_opens_the_session(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    wire = tmp_path / "wire.ndjson"
    launch = Launch(reference_agent.argv, {**reference_agent.env, "REF_AGENT_AUTH": "1"})
    command = (sys.executable, TEE, str(wire), *launch.command)
    async with driving(command, cwd=str(tmp_path), size=(120, 40), clock=clock) as driven:
        await driven.until(lambda: isinstance(driven.app.screen, LoginScreen))
        await driven.until("Lab login")
        await driven.until("Always works")
        await driven.press("enter")
        await driven.ready()
        await driven.say("HELLO")
        await driven.until("Hello from the reference agent")
    assert client_rules.breaches(load(wire)) == []
