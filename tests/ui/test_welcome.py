"""A conversation that has not begun says who is there and what to do, and costs nothing once it has."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_tui.ui.widgets.welcome import Welcome
from tests.ui.driving import driving, words

pytestmark = pytest.mark.anyio
DEMO = (sys.executable, "-m", "acp_tui.demo")


async def test_it_says_who_where_and_what_to_do() -> None:
    async with driving(words(), size=(60, 15)) as driven:
        await driven.until("Words 1")
        await driven.until("the agent's 3 commands")
        text = driven.text()
        assert "Enter  sends what you write below" in text
        assert "/web" in text and "Search" in text
        assert "F1     all keys" in text
        assert Path.cwd().name in text[: text.index("Enter  sends")]


async def test_the_demo_leads_to_the_tour() -> None:
    async with driving(DEMO) as driven:
        await driven.until("/tour")


async def test_it_is_gone_with_the_first_entry_and_watches_nothing_then() -> None:
    async with driving(words()) as driven:
        await driven.until("Words 1")
        welcome = driven.app.screen.query_one(Welcome)
        assert not driven.chat.transcript.display
        await driven.say("hello")
        await driven.until("you said hello")
        assert not welcome.display
        assert driven.chat.transcript.display
        assert not welcome._subscriptions
        assert "Words 1" not in driven.text()


async def test_tab_stays_where_one_can_write() -> None:
    async with driving(words()) as driven:
        await driven.until("Words 1")
        await driven.press("tab")
        await driven.type("hi")
        await driven.press("shift+tab", "pageup", "ctrl+end")
        await driven.type("!")
        assert driven.composer.text == "hi!"


async def test_it_is_not_shown_where_there_is_no_session() -> None:
    async with driving(words("login")) as driven:
        await driven.until("wants a login")
        chat = driven.app.chats.shown
        assert chat is not None
        assert not chat.query_one(Welcome).display


async def test_hostile_names_are_only_names() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        info = driven.store.connection.agent_info
        assert info is not None
        info.title, info.version = "[bold]\x1b[31mEvil\n", "\u202e1"
        driven.chat.show_session()
        await driven.until("[bold]")
        assert "\x1b" not in driven.text() and "\u202e" not in driven.text()
