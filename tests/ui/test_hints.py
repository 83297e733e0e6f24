"""The status line says what the next key does here and now."""

from __future__ import annotations

import pytest

from tests.clock import Clock
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


def status(driven: Driven) -> str:
    return driven.rows()[-1]


async def filled(driven: Driven) -> None:
    """More words than the screen has rows, and the agent still at work."""
    await driven.ready()
    await driven.say(" ".join(f"w{n}" for n in range(40)) + " later more wait")
    await driven.until("you said w39")


async def test_the_way_to_the_end_from_where_the_focus_is() -> None:
    async with driving(words()) as driven:
        await filled(driven)
        assert "↓" not in status(driven)
        await driven.press("pageup", "pageup")
        await driven.until("Ctrl+End ↓ to the end")
        driven.submit("go")
        await driven.until("Ctrl+End ↓ ")
        await driven.until(lambda: driven.chat.transcript.unseen == 2)
        await driven.until("Ctrl+End ↓ 2 new")
        driven.chat.transcript.focus()
        await driven.until("f ↓ 2 new")
        await driven.press("f")
        await driven.until("you said more")
        assert "↓ " not in status(driven).replace("↑ ↓", "")


async def test_ctrl_end_from_the_composer() -> None:
    async with driving(words()) as driven:
        await filled(driven)
        await driven.press("pageup", "pageup")
        await driven.until("Ctrl+End ↓")
        await driven.press("ctrl+end")
        await driven.until("you said w39")
        await driven.until(lambda: "Ctrl+End" not in status(driven))
        assert driven.composer.has_focus


async def test_what_tab_does_in_the_panel() -> None:
    clock = Clock()
    async with driving(words(), clock=clock, size=(100, 24)) as driven:
        await driven.ready()
        await driven.say("perm=2")
        await driven.until("1 of 2")
        await driven.until("Tab next · ")
        await driven.press("tab")
        await driven.until("2 of 2")
        await driven.until("Tab read")
        await driven.press("tab")
        await driven.until(lambda: driven.chat.transcript.has_focus)
        await driven.until("Shift+Tab answer")
        await driven.until("Tab write")
        await driven.press("tab")
        await driven.until(lambda: driven.composer.has_focus)
        await driven.until("Tab answer")
        await driven.press("tab")
        await driven.until("Tab next · ")


async def test_answering_in_the_other_order() -> None:
    clock = Clock()
    async with driving(words(), clock=clock, size=(100, 24)) as driven:
        await driven.ready()
        await driven.say("perm=3")
        await driven.until("1 of 3")
        await driven.press("tab", "tab")
        await driven.until("3 of 3")
        clock.at += 5
        await driven.press("3")
        await driven.until("2 of 2")
        await driven.until("Tab read")
        clock.at += 5
        await driven.press("2")
        await driven.until("Request 1")
        clock.at += 5
        await driven.press("1")
        await driven.until("answers: yes always no")


async def test_a_resize_and_an_escape_in_the_middle() -> None:
    clock = Clock()
    async with driving(words(), clock=clock, size=(100, 30)) as driven:
        await driven.ready()
        await driven.say("perm=3 hello")
        await driven.until("1 of 3")
        await driven.press("tab")
        await driven.until("2 of 3")
        await driven.pilot.resize_terminal(60, 15)
        await driven.until("2 of 3")
        await driven.until("Allow once")
        clock.at += 5
        await driven.press("escape")
        await driven.until("○ ready")
        assert not driven.panel.display
        assert driven.composer.has_focus


async def test_the_way_to_stop_is_said_wherever_the_focus_is() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("hello wait")
        await driven.until("◐ working")
        driven.chat.transcript.focus()
        await driven.until("Tab write")
        assert "Esc cancel" in status(driven)
        await driven.press("escape")
        await driven.until("○ ready")
        assert "Esc" not in status(driven)


async def test_the_prompt_sign_says_where_keys_go() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("hello")
        await driven.until("you said hello")
        sign = driven.chat.query_one("#prompt")
        lit = sign.styles.color
        driven.chat.transcript.focus()
        await driven.until(lambda: sign.styles.color != lit)
