"""Single tool calls, terminals and what runs in the background are stopped by themselves, and the screen says
what became of that: asked, confirmed, finished anyway, no answer (TC-12 to TC-14, TM-12, BG-01 to BG-08, CX).
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_tui.client.intents import Cancel
from acp_tui.store.keys import Key, Kind
from acp_tui.ui.screens.background import BackgroundScreen
from acp_tui.ui.screens.detail import DetailScreen
from acp_tui.ui.stopping import running as listed
from acp_tui.ui.stopping import stoppable, why_not
from tests.clock import Clock
from tests.store.seen import Fed
from tests.ui.driving import Driven, driving

pytestmark = pytest.mark.anyio

RUNNING = (sys.executable, str(Path(__file__).parent / "agents" / "running.py"))


async def running(driven: Driven, words: str) -> None:
    """These run in the background."""
    await driven.ready()
    await driven.say(words)
    await driven.until("in background")
    await driven.until("○ ready")


async def test_a_tool_call_is_stopped_by_a_key_on_its_entry() -> None:
    async with driving(RUNNING) as driven:
        await running(driven, "tool=obeys")
        await driven.press("tab", "delete")
        await driven.until("cancel confirmed")


async def test_one_that_completes_although_it_was_to_stop_says_so() -> None:
    async with driving(RUNNING) as driven:
        await running(driven, "tool=anyway")
        await driven.press("tab", "delete")
        await driven.until("finished anyway")


async def test_one_that_never_answers_is_asked_and_after_twelve_seconds_without_an_answer() -> None:
    clock = Clock()
    async with driving(RUNNING, clock=clock) as driven:
        await running(driven, "tool=mute")
        await driven.press("tab", "delete")
        await driven.until("cancel asked")
        assert "no answer" not in driven.text()
        await driven.press("delete")
        await driven.until("It was asked to stop already")
        clock.at += 13
        driven.conversation.agent.carry_out(driven.conversation.agent.client.tick(clock.at))
        await driven.until("cancel asked, no answer")


async def test_a_refusal_is_told_and_the_call_runs_on() -> None:
    async with driving(RUNNING) as driven:
        await running(driven, "tool=refuses")
        await driven.press("tab", "delete")
        await driven.until("it is mine")
        assert "cancel asked" not in driven.text()


async def test_what_cannot_be_stopped_alone_says_so() -> None:
    async with driving(RUNNING) as driven:
        await running(driven, "plain")
        await driven.press("tab", "delete")
        await driven.until("does not offer to stop")


async def test_a_tool_call_is_stopped_on_its_own_screen() -> None:
    async with driving(RUNNING) as driven:
        await running(driven, "tool=obeys")
        await driven.press("tab", "o")
        await driven.until(lambda: isinstance(driven.app.screen, DetailScreen))
        await driven.until("Del stop it")
        await driven.press("delete")
        await driven.until("cancel confirmed")
        assert "Del stop it" not in driven.text()


async def test_what_runs_is_listed_with_since_when_and_what_can_be_stopped() -> None:
    clock = Clock()
    async with driving(RUNNING, clock=clock) as driven:
        await running(driven, "tool=obeys terminal=obeys plain strange")
        clock.at += 12
        assert "4 in background (F10)" in driven.text()
        await driven.press("f10")
        await driven.until(lambda: isinstance(driven.app.screen, BackgroundScreen))
        rows = [row.strip() for row in driven.rows()]
        assert any("Serve" in row and "tool call · can be stopped · 12 s" in row for row in rows)
        assert any("make watch" in row and "terminal · can be stopped · 12 s" in row for row in rows)
        assert any("Index" in row and "cannot be stopped alone · 12 s" in row for row in rows)
        assert any("work of the kind _dream" in row for row in rows)
        await driven.press("down", "delete")
        await driven.until(lambda: "make watch" not in driven.text())
        await driven.press("up", "delete")
        await driven.until(lambda: "Serve" not in driven.text())
        await driven.press("escape")
        await driven.until("2 in background")
        assert "SIGTERM" in driven.text() or "cancel confirmed" in driven.text()


async def test_one_listed_thing_opens_whole_and_back() -> None:
    async with driving(RUNNING) as driven:
        await running(driven, "terminal=obeys")
        await driven.press("f10")
        await driven.until(lambda: isinstance(driven.app.screen, BackgroundScreen))
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, DetailScreen))
        await driven.press("escape", "escape")
        await driven.until("○ ready")


async def test_with_nothing_running_the_list_says_what_is_known() -> None:
    async with driving(RUNNING) as driven:
        await driven.ready()
        await driven.press("f10")
        await driven.until("does not say what runs beside its work")
        assert "Esc back" in driven.text() and "stop it" not in driven.text(), "there is nothing to stop"
        await driven.press("escape")
        await driven.say("hello")
        await driven.until("○ ready")
        await driven.press("f10")
        await driven.until("Nothing runs beside the work")


def test_subagents_that_stand_under_a_call_are_reached_by_it_or_by_the_list() -> None:
    """Their lines take no keys; and an agent need not report them to run in the background."""
    fed = Fed()
    links = [{"type": "session", "sessionId": name} for name in ("one", "two")]
    fed("tool_call_update", toolCallId="c", title="Ask two", status="in_progress", content=links)
    call = Key(fed.session.ref, Kind.TOOL_CALL, "c")
    can = {"capabilities": {"cancel": {}}, "state": {"state": "running"}}
    fed("subagent_update", sessionId="one", title="One", **can)
    child = fed.store.sessions[next(ref for ref in fed.store.sessions if ref != fed.session.ref)]
    assert stoppable(fed.store, call) == Cancel(child.ref)
    fed("subagent_update", sessionId="two", title="Two", **can)
    assert stoppable(fed.store, call) is None
    assert "F10" in why_not(fed.store, call)
    rows = listed(fed.store, fed.session.ref)
    assert [(one.title, one.state) for one in rows] == [("One", "can be stopped"), ("Two", "can be stopped")]
