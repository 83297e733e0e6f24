"""What went wrong with cancelling and with the end of work in other clients, each a test named after its
symptom.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.store.entities import Message
from acp_tui.ui.screens.launcher import LauncherScreen
from acp_tui.ui.screens.quit import QuitScreen
from acp_tui.ui.screens.stop import StopScreen
from tests.clock import Clock
from tests.ui.acting import acting, call, chunk, heard, says, state
from tests.ui.driving import Driven, driving

pytestmark = pytest.mark.anyio
RUNNING = state("running")
DONE = state("idle", "end_turn")
CANCELLED = state("idle", "cancelled")


async def working(driven: Driven, words: str = "go") -> None:
    """The agent is at work on this."""
    await driven.ready()
    await driven.say(words)
    await driven.until("◐ working")


async def test_late_output_of_cancelled_work_stands_with_that_work(
    tmp_path: Path,
) -> None:
    """S03, CX-04: three pieces and a result came after the cancel and stood below the next prompt."""
    late = [chunk("late one "), chunk("late two "), chunk("late three"), call(status="completed")]
    on = {
        "say go": [RUNNING, says("early "), call()],
        "session/cancel": [],
        "say tell": [*late, CANCELLED],
        "say next": [RUNNING, says("of the next", "m2"), DONE],
    }
    async with driving(acting(tmp_path, on), size=(80, 40)) as driven:
        await working(driven)
        await driven.press("escape")
        await driven.until("cancel asked")
        await driven.say("next")
        await driven.until("1 queued")
        assert [one["params"]["prompt"][0]["text"] for one in heard(tmp_path, "session/prompt")] == ["go"]
        driven.submit("tell")
        await driven.until("1 held")
        await driven.press("alt+s")
        await driven.until("of the next")
        old, mark, new = driven.text().partition("cancelled by you")
        assert mark
        assert "late one late two late three" in old and "✓" in old and "late" not in new
        assert new.index("next") < new.index("of the next")


async def test_an_error_while_the_cancel_is_sent_does_not_make_it_fail(tmp_path: Path) -> None:
    """S04: the permissions had been answered, and the interrupt was lost with the pipe."""
    clock = Clock()
    on = {"say go": [RUNNING, {"ask": {}}, {"deaf": True}]}
    async with driving(acting(tmp_path, on), clock=clock) as driven:
        await driven.ready()
        await driven.say("go")
        await driven.until(" asks ")
        driven.composer.focus()
        await driven.type("my draft")
        await driven.press("escape")
        await driven.until(lambda: driven.panel.request is None)
        await driven.until(lambda: driven.store.connection.phase == "lost")
        await driven.until("F5 restart")
        assert driven.composer.text == "my draft"


async def test_a_cancel_that_is_refused_is_never_said_to_have_stopped_it(
    tmp_path: Path,
) -> None:
    """S05, CX-05, CX-06: it went on for seconds, and the client claimed that it had stopped."""
    error = {"sessionUpdate": "notice", "severity": "error", "title": "cancel is unsupported"}
    on: dict[str, Any] = {
        "say go": [RUNNING, says("one")],
        "session/cancel": [error, says("still at it", "m2")],
        "say end": [says("the end", "m3"), DONE],
    }
    clock = Clock()
    async with driving(acting(tmp_path, on), clock=clock, size=(100, 40)) as driven:
        await working(driven)
        await driven.press("escape")
        await driven.until("cancel is unsupported")
        await driven.until("still at it")
        assert "cancel asked" in driven.text() and "cancelled by you" not in driven.text()
        assert "○ ready" not in driven.text()
        clock.at += 13
        driven.link.agent.carry_out(driven.link.agent.client.tick(clock.at))
        await driven.until("cancel asked, no answer")
        clock.at += 1
        driven.submit("end")
        await driven.until("○ ready")
        await driven.until("finished anyway")
        assert "cancelled by you" not in driven.text()


async def test_a_cancel_while_the_context_is_compacted_is_not_lost(tmp_path: Path) -> None:
    """S06, PR-13: afterwards each prompt failed with "already active", and its words were gone."""
    compacting = {"sessionUpdate": "compaction_update", "compactionId": "k", "status": "in_progress"}
    busy = {"error": {"code": -32600, "message": "a prompt is already active"}}
    on: dict[str, Any] = {
        "session/new": [
            {"result": {"sessionId": "s1"}},
            *({**one, "session": "s1"} for one in (RUNNING, compacting)),
        ],
        "say busy": [busy],
    }
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.until("compacting the conversation")
        await driven.until("Esc cancel")
        driven.composer.focus()
        await driven.type("busy")
        await driven.press("alt+s")
        await driven.until("a prompt is already active")
        await driven.until(lambda: driven.composer.text == "busy")
        await driven.press("escape")
        await driven.until("cancel asked")
        await driven.until(lambda: heard(tmp_path, "session/cancel"))


async def test_a_call_that_was_left_open_neither_spins_nor_counts_as_failed(tmp_path: Path) -> None:
    """S09: one client let it spin for ever, another one turned 28 good calls into errors."""
    on = {
        "say go": [
            RUNNING,
            call("c1", "Build it"),
            call("c2", "Test it", "completed"),
            says("done"),
            state("idle", "end_turn", background=[]),
        ]
    }
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.say("go")
        await driven.until("○ ready")
        await driven.until("no final status reported")
        row = next(row for row in driven.rows() if "Build it" in row)
        assert "◌" in row and "✗" not in row and "◐" not in row
        assert "✓" in next(row for row in driven.rows() if "Test it" in row)


async def test_a_new_prompt_does_not_change_how_the_work_before_it_ended(tmp_path: Path) -> None:
    """S10: the end of a turn was lost; the next prompt called the whole answer cancelled."""
    on = {
        "say one": [RUNNING, says("the first answer")],
        "say two": [RUNNING, says("the second answer", "m2"), DONE],
    }
    async with driving(acting(tmp_path, on)) as driven:
        await driven.ready()
        await driven.say("one")
        await driven.until("the first answer")
        driven.composer.put("two")
        await driven.press("alt+s")
        await driven.until("the second answer")
        await driven.until("○ ready")
        assert "cancel" not in driven.text() and "stopped" not in driven.text()
        assert not heard(tmp_path, "session/cancel")


@pytest.mark.parametrize("thought", [True, False])
async def test_work_that_ends_without_a_word_says_so_and_is_no_failure(tmp_path: Path, thought: bool) -> None:
    """S11: it was a quiet success here and a failure there."""
    said = [chunk("hm", "t1", "agent_thought_chunk")] if thought else []
    async with driving(acting(tmp_path, {"say go": [RUNNING, *said, DONE]})) as driven:
        await driven.ready()
        await driven.say("go")
        await driven.until("ended without any output")
        await driven.until("○ ready")
        assert "✗" not in driven.text()


async def test_two_sessions_that_stream_lose_nothing_while_one_switches_between_them(tmp_path: Path) -> None:
    """S12: starting a second thread stopped the first and lost what it said."""
    count = 60
    turns = [
        [chunk(f"{name}{part}.{n} ", "m1") | {"session": name} for n in range(5) for name in ("s1", "s2")]
        for part in range(count)
    ]
    begin = [RUNNING | {"session": "s1"}, RUNNING | {"session": "s2"}]
    end = [DONE | {"session": "s1"}, DONE | {"session": "s2"}]
    async with driving(acting(tmp_path, {"say begin": begin, "say more": [*turns, end]})) as driven:
        await driven.ready()
        second = driven.link.converse(str(tmp_path))
        second.open()
        await driven.until(lambda: second.session is not None and second.session.phase == "open")
        driven.app.chats.open(second)
        await driven.until("2/2")
        driven.submit("begin")
        await driven.until("◐ working")
        for _ in range(count + 1):
            driven.submit("more")
            await driven.press("ctrl+pageup")
        await driven.until(lambda: not any(one.busy for one in driven.store.sessions.values()))
        for name, session in zip(("s1", "s2"), driven.store.sessions.values(), strict=True):
            [message] = [one for key, one in session.entities.items() if key.id == "m1"]
            assert isinstance(message, Message)
            said = "".join(f"{name}{part}.{n} " for part in range(count) for n in range(5))
            assert message.content.text() == said


async def test_escape_at_rest_cancels_nothing_and_waits_for_nothing(tmp_path: Path) -> None:
    """CX-06: nothing confirms what was not running, and "cancelling" stood there for ever."""
    async with driving(acting(tmp_path, {})) as driven:
        await driven.ready()
        await driven.until("○ ready")
        await driven.press("escape", "escape")
        await driven.pilot.pause()
        assert "cancel" not in driven.text() and "○ ready" in driven.text()
        assert not heard(tmp_path, "session/cancel")


async def test_cancelled_is_no_failure(tmp_path: Path) -> None:
    """CX-01, CX-02, CX-16: cancelled work stood there in the colours of errors."""
    on = {"say go": [RUNNING, call()], "session/cancel": [CANCELLED]}
    async with driving(acting(tmp_path, on)) as driven:
        await working(driven)
        await driven.press("escape")
        await driven.until("cancelled by you")
        await driven.until("○ ready")
        assert [one["params"] for one in heard(tmp_path, "session/cancel")] == [{"sessionId": "s1"}]
        error = driven.app.theme_variables["text-error"]
        assert error not in colours(driven, "cancelled by you") | colours(driven, "Build")
        assert "✗" not in driven.text() and "wrong" not in driven.text()


def colours(driven: Driven, words: str) -> set[str]:
    """Those of the row with these words."""
    strips = driven.app.screen._compositor.render_strips()
    row = next(strip for strip in strips if words in strip.text)
    found = [segment.style.color for segment in row if segment.style is not None and segment.text.strip()]
    return {colour.name.upper() for colour in found if colour is not None}


async def stopping(driven: Driven, clock: Clock) -> StopScreen:
    """Nobody confirmed the cancel, and the question what to do has stood there for a moment."""
    await working(driven)
    await driven.press("escape")
    await driven.until("cancel asked")
    assert "Esc ways to stop" in driven.text(), "the key is said to do what it does: stopping is one of four"
    clock.at += 5
    await driven.press("escape")
    await driven.until("has not confirmed the cancel")
    assert isinstance(driven.app.screen, StopScreen)
    driven.app.screen.ear.appeared(float("-inf"))
    return driven.app.screen


async def test_harder_means_are_offered_in_order(tmp_path: Path) -> None:
    """CX-18: there was nothing between asking once and killing the agent with all its sessions."""
    clock = Clock()
    on = {"say go": [RUNNING], "session/cancel": []}
    async with driving(acting(tmp_path, on), clock=clock) as driven:
        await stopping(driven, clock)
        ways = ("cancel again", "close the session", "stop the agent", "keep waiting")
        places = [driven.text().index(way) for way in ways]
        assert places == sorted(places)
        await driven.press("c")
        await driven.until(lambda: len(heard(tmp_path, "session/cancel")) == 2)
        await driven.until("cancel asked")
        assert driven.session.busy


async def test_an_agent_that_hears_no_cancel_may_yet_close_the_session(tmp_path: Path) -> None:
    """CX-18, SS-23: its other sessions go on, and what was said stays."""
    clock = Clock()
    on = {"say go": [RUNNING, says("half a")], "session/cancel": []}
    async with driving(acting(tmp_path, on), clock=clock) as driven:
        await stopping(driven, clock)
        await driven.press("x")
        await driven.until(lambda: heard(tmp_path, "session/close"))
        await driven.until("session closed")
        assert "half a" in driven.text() and driven.store.connection.phase == "ready"
        await driven.press("f5")
        await driven.until("○ ready")
        await driven.until("half a")


async def test_an_agent_that_lives_but_does_not_answer_is_started_again(tmp_path: Path) -> None:
    """S36: at rest, with a prompt it never took, there was no way to end it but to end the program."""
    silent: dict[str, Any] = {"say are you there?": [{"silence": True}]}
    async with driving(acting(tmp_path, silent)) as driven:
        await driven.ready()
        await driven.say("are you there?")
        await driven.until("not accepted")
        await driven.press("f5")
        await driven.until("Start Acting again? This ends:")
        await driven.until("prompts: 1 not accepted yet")
        assert isinstance(driven.app.screen, QuitScreen)
        driven.app.screen.ear.appeared(float("-inf"))
        await driven.press("enter")
        await driven.until(lambda: len(heard(tmp_path, "initialize")) == 2)
        await driven.until("not known whether it arrived")
        assert len(heard(tmp_path, "session/prompt")) == 1


async def test_from_a_session_that_never_opens_one_gets_back(tmp_path: Path) -> None:
    """S08: the hint said so, and the key did nothing."""
    async with driving(acting(tmp_path, {"session/new": [{"silence": True}]})) as driven:
        await driven.until("opening a session")
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))
