"""While it works: queue and send now, cancel and its escalation, what the status says (S01, S02, S06,
S08, CX).
"""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from acp_tui.base import processes
from acp_tui.store.connection import Connection
from acp_tui.ui.screens.quit import QuitScreen
from acp_tui.ui.screens.stop import StopScreen
from acp_tui.ui.standing import SILENT
from acp_tui.ui.widgets.status_line import StatusLine
from tests.clock import Clock
from tests.store.seen import Fed
from tests.ui.driving import driving, words

pytestmark = pytest.mark.anyio


async def test_the_status_says_what_goes_on_and_for_how_long() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        assert not driven.conversation.link.measuring, "the clock may be set"
        await driven.say("wait")
        await driven.until("◐ working")
        assert driven.conversation.link.measuring
        await driven.until("Esc cancel")
        clock.at += 12
        await driven.until("working 12 s")
        assert "silent 12 s" in driven.text()
        await driven.press("escape")
        await driven.until("○ ready")


async def test_words_of_one_long_message_are_signs_of_life() -> None:
    fed = Fed()
    fed.store.connection.phase = "ready"
    fed("state_update", state="running")

    class Bare(App[None]):
        def compose(self) -> ComposeResult:
            yield StatusLine(lambda: fed.at)

    async with Bare().run_test(size=(80, 1)) as pilot:
        line = pilot.app.query_one(StatusLine)
        line.show(fed.store, fed.session.ref)
        for _ in range(2 * int(SILENT)):
            fed("agent_message_chunk", messageId="m", content={"type": "text", "text": "word "})
        assert "working 20 s" in str(line.render()) and "silent" not in str(line.render())
        fed.at += SILENT
        assert "working 30 s · silent 10 s" in str(line.render())
        fed("subagent_update", sessionId="child")
        child = fed.store.sessions[next(ref for ref in fed.store.sessions if ref != fed.session.ref)]
        fed.at += SILENT
        fed.feed({"sessionUpdate": "state_update", "state": "running"}, child)
        assert "silent" not in str(line.render()), "who waits for a subagent that works"


async def test_enter_queues_and_up_takes_the_newest_back() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("wait")
        await driven.until("◐ working")
        await driven.say("second")
        await driven.say("third")
        await driven.until("2 queued")
        await driven.press("up")
        await driven.until(lambda: driven.composer.text == "third")
        await driven.until("1 queued")


async def test_alt_s_sends_now() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("wait")
        await driven.until("◐ working")
        driven.composer.put("hello")
        await driven.press("alt+s")
        await driven.until("you said hello")
        assert driven.composer.text == ""


async def test_what_was_queued_is_held_after_a_cancel_and_sent_only_when_told() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("wait")
        await driven.until("◐ working")
        await driven.say("hello")
        await driven.until("1 queued")
        await driven.press("escape")
        await driven.until("1 held")
        assert "you said hello" not in driven.text()
        await driven.press("alt+s")
        await driven.until("you said hello")


async def test_a_refused_prompt_comes_back_before_what_is_being_written() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("refuse this")
        await driven.until(lambda: "refuse this" in driven.composer.text)


async def test_cancel_says_asked_until_it_is_confirmed_and_then_offers_to_stop_the_agent() -> None:
    clock = Clock()
    async with driving(words("child"), clock=clock) as driven:
        await driven.ready()
        await driven.say("deaf")
        await driven.until("◐ working")
        await driven.press("escape")
        await driven.until("cancel asked")
        await driven.press("escape")
        await driven.pilot.pause()
        assert not isinstance(driven.app.screen, StopScreen)
        clock.at += 4
        await driven.until("cancel asked 4 s")
        await driven.type("still usable")
        assert driven.composer.text == "still usable"
        family = processes.descendants([driven.store.connection.pid or 0], processes.snapshot())
        await driven.press("escape")
        await driven.until("has not confirmed the cancel")
        assert isinstance(driven.app.screen, StopScreen)
        driven.app.screen.ear.appeared(float("inf"))  # however slow the machine, it has only just come
        await driven.press("enter")
        assert isinstance(driven.app.screen, StopScreen)
        driven.app.screen.ear.appeared(float("-inf"))
        driven.app.screen.ear.hears("yes", float("inf"))
        await driven.press("y")
        await driven.until(lambda: driven.store.connection.phase == "lost")
        await driven.until("agent")
        assert family and not any(processes.alive(p.pid, p.birth) for p in family)
        assert driven.composer.text == "still usable"
        assert "deaf" in driven.text()


async def test_an_agent_that_dies_leaves_the_conversation_and_enter_starts_it_again() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("hello")
        await driven.until("you said hello")
        await driven.say("die=3")
        await driven.until("exited with status 3")
        assert "you said hello" in driven.text()
        assert "F5 restart" in driven.text()
        await driven.press("enter")
        await driven.until(lambda: driven.store.connection.phase == "ready")
        await driven.ready()
        assert "you said hello" in driven.text()
        await driven.say("again")
        await driven.until("you said again")


async def test_a_prompt_for_an_agent_that_is_gone_stays_in_the_composer() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("die=0")
        await driven.until(lambda: driven.store.connection.phase == "lost")
        await driven.say("precious words")
        await driven.until("starts it again")
        assert driven.composer.text == "precious words"
        await driven.press("f5")
        await driven.ready()
        assert driven.composer.text == "precious words"


async def test_header_plan_notice_and_unknown_updates() -> None:
    async with driving(words(), size=(100, 30)) as driven:
        await driven.ready()
        await driven.say("usage title=Fix_it plan notice=Careful unknown garbage")
        await driven.until("Fix it")
        await driven.until("38%  $0.42")
        await driven.until("plan 1/3 · think hard")
        await driven.until("Careful")
        assert "[bold]not markup[/bold]" in driven.text()
        await driven.until("1 unknown update")
        await driven.until("1 stray line")
        await driven.press("alt+p")
        await driven.until("○ write")
        await driven.press("f2")
        await driven.until("Notices 2")
        await driven.press("tab")
        await driven.until("weather_update")
        await driven.press("escape")
        await driven.until("○ ready")


async def test_quitting_tells_what_runs() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("background")
        await driven.say("wait")
        await driven.until("◐ working")
        await driven.press("ctrl+q")
        await driven.until(lambda: isinstance(driven.app.screen, QuitScreen))
        await driven.until("what the agent is working on")
        await driven.press("ctrl+q")
        await driven.until(lambda: driven.app.return_value is not None)


def test_a_hundred_of_a_kind_are_told_in_one_line() -> None:
    """Nothing else would have a place, not even the keys that answer."""
    asked = QuitScreen(["one prompt", *["what the agent is working on"] * 100, *map(str, range(20))])
    assert [*asked.said][:3] == ["  one prompt", "  what the agent is working on (×100)", "  0"]
    assert [*asked.said][8:] == ["  and 14 more"]


async def test_quitting_at_rest_asks_nothing() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.press("ctrl+q")
        await driven.until(lambda: driven.app.return_value == 0)


async def test_ctrl_c_clears_the_draft_then_cancels_then_says_how_to_quit() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("wait")
        await driven.until("◐ working")
        await driven.type("draft")
        await driven.press("ctrl+c")
        assert driven.composer.text == ""
        await driven.press("ctrl+underscore")
        assert driven.composer.text == "draft"
        await driven.press("ctrl+c", "ctrl+c")
        await driven.until("○ ready")
        await driven.press("ctrl+c")
        await driven.until("Ctrl+Q quits")


async def test_help_is_made_from_the_table() -> None:
    async with driving(words(), size=(100, 70)) as driven:
        await driven.ready()
        await driven.press("f1")
        await driven.until("While you write")
        await driven.until("send now, while the agent works")
        await driven.press("escape")
        await driven.until("○ ready")


async def test_nothing_runs_at_rest() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("hello")
        await driven.until("○ ready")
        clocks = [
            widget.clock for widget in driven.chat.query("*") if getattr(widget, "clock", None) is not None
        ]
        assert len(clocks) == 4
        assert not any(clock._active.is_set() for clock in clocks)


async def test_alt_and_a_letter_that_does_nothing_says_so_and_one_that_does_says_nothing() -> None:
    """Escape and the letter in one read of the terminal is the same (see `Escape` of the driver)."""
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("wait")
        await driven.until("◐ working")
        await driven.press("alt+h", *"ello")
        await driven.until("Alt+H does nothing here")
        await driven.until("press Escape, then")
        assert driven.composer.text == "ello"
        assert not driven.session.cancelling
        await driven.press("alt+s")
        await driven.until("you said ello")
        assert "Alt+S" not in driven.text()


async def test_an_agent_that_takes_one_prompt_at_a_time_gets_the_next_when_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """V1-22: of such an agent the store knows (`one_prompt_at_a_time`); all else follows from that."""
    monkeypatch.setattr(Connection, "one_prompt_at_a_time", True)
    async with driving(words(), size=(120, 30)) as driven:
        await driven.ready()
        await driven.say("wait")
        await driven.until("◐ working")
        assert "queue" in driven.rows()[-1] and "send now" not in driven.rows()[-1]
        await driven.type("next")
        await driven.press("alt+s")
        await driven.until("This agent takes one prompt at a time")
        await driven.until("1 queued")
        assert len(driven.session.tail) == 1
        await driven.press("alt+s")
        await driven.until("1 queued")
        await driven.press("tab", "s")
        await driven.until("1 queued")
        assert "you said next" not in driven.text()
        await driven.press("escape", "escape")
        await driven.until("1 held")
        await driven.press("alt+s")
        await driven.until("you said next")
