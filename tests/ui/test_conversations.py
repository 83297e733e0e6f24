"""Several conversations in one window: with one agent and with several."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.screens.conversations import ConversationsScreen
from acp_tui.ui.screens.new_conversation import Folders, NewConversationScreen, folder

from .driving import Driven, driving

pytestmark = pytest.mark.anyio
DEMO = (sys.executable, "-m", "acp_tui.demo")


def shown(driven: Driven) -> ChatScreen:
    screen = driven.app.chats.shown
    assert screen is not None
    return screen


async def another(driven: Driven) -> ChatScreen:
    """A second conversation with the same agent."""
    count = len(driven.app.chats.screens)
    await driven.press("f7")
    await driven.until(lambda: isinstance(driven.app.screen, NewConversationScreen))
    await driven.press("enter")
    await driven.until(lambda: len(driven.app.chats.screens) == count + 1)
    await driven.until(lambda: driven.app.screen is driven.app.chats.screens[-1])
    chat = shown(driven)
    await driven.until(lambda: (session := chat.conversation.session) and session.phase == "open")
    return chat


async def test_a_second_one_with_the_same_agent_is_a_session_of_its_own() -> None:
    async with driving(DEMO) as driven:
        await driven.ready()
        first = driven.chat
        second = await another(driven)
        assert len(driven.host.links) == 1
        assert second.conversation.ref != first.conversation.ref
        await driven.until("2/2")


async def test_switched_away_and_back_it_looks_the_same() -> None:
    async with driving(DEMO) as driven:
        await driven.ready()
        await driven.say("/diff")
        await driven.until(lambda: driven.session.completions and not driven.session.busy)
        driven.composer.focus()
        await driven.type("half a thou")
        await driven.press("pageup")
        await driven.until(lambda: driven.chat.composer.text == "half a thou")
        await driven.pilot.pause()
        before = driven.rows()[1:]
        await another(driven)
        assert driven.rows()[1:] != before
        await driven.press("ctrl+pageup")
        await driven.until("1/2")
        assert driven.rows()[1:] == before


async def test_what_comes_elsewhere_is_said_and_shown_when_looked_at() -> None:
    async with driving(DEMO) as driven:
        await driven.ready()
        first = driven.chat
        await another(driven)
        driven.submit("hello from elsewhere")
        await driven.until("•1")
        await driven.press("f8")
        await driven.until(lambda: driven.app.screen is first)
        await driven.until("hello from elsewhere")
        assert first.others.unread == 0


async def test_a_request_elsewhere_is_counted_and_reached_by_one_key() -> None:
    async with driving(DEMO) as driven:
        await driven.ready()
        first = driven.chat
        await another(driven)
        driven.submit("/permission")
        await driven.until("‖2")
        await driven.press("f8")
        await driven.until(lambda: driven.app.screen is first)
        assert first.panel.request is not None


async def test_the_list_shows_what_each_does_and_ends_one() -> None:
    async with driving(DEMO) as driven:
        await driven.ready()
        await another(driven)
        await driven.press("f6")
        await driven.until(lambda: isinstance(driven.app.screen, ConversationsScreen))
        await driven.until("○ ready")
        await driven.press("1")
        await driven.until(lambda: shown(driven) is driven.app.chats.screens[0])
        await driven.press("f6", "down", "delete")
        await driven.until(lambda: len(driven.app.chats.screens) == 1)
        assert len(driven.host.links[0].conversations) == 1
        await driven.press("escape")
        await driven.until(lambda: driven.app.screen is driven.app.chats.screens[0])


async def test_the_death_of_one_agent_touches_no_other() -> None:
    at = [1.0e9]
    async with driving(DEMO, clock=lambda: at[0]) as driven:
        await driven.ready()
        await driven.press("f7")
        await driven.until(lambda: isinstance(driven.app.screen, NewConversationScreen))
        new = driven.app.screen
        new.query_one("#new-command").focus()
        await driven.press("n", "o", "t", "h", "e", "r", "e", "enter")
        await driven.until(lambda: len(driven.host.links) == 2)
        await driven.until("could not be started")
        at[0] += 5  # past the moments in which it hears nothing
        await driven.press("escape")
        await driven.until(lambda: driven.app.screen is driven.app.chats.screens[0])
        assert driven.session.phase == "open"
        assert len(driven.app.chats.screens) == 1


async def test_a_start_that_fails_out_of_sight_takes_no_screen() -> None:
    async with driving(DEMO) as driven:
        await driven.ready()
        first = driven.chat
        failing = driven.host.start(("/bin/sh", "-c", "read line; exit 3"), "/")
        driven.app.chats.open(failing)
        driven.app.chats.show(first)
        await driven.until(lambda: failing.store.connection.phase == "failed")
        await driven.pilot.pause()
        assert driven.app.screen is first
        await driven.press("ctrl+pagedown")
        await driven.until("could not be started")


async def test_a_folder_that_is_not_there_is_told() -> None:
    async with driving(DEMO) as driven:
        await driven.ready()
        await driven.press("f7")
        await driven.until(lambda: isinstance(driven.app.screen, NewConversationScreen))
        field = driven.app.screen.query_one("#new-folder")
        field.focus()
        await driven.press("end", "x", "q", "z", "enter")
        await driven.until("There is no folder")
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))


def test_folders_are_completed_and_understood(tmp_path: Path) -> None:
    (tmp_path / "source" / "deep").mkdir(parents=True)
    (tmp_path / "spare.txt").write_text("")
    assert Folders(str(tmp_path)).completed("so") == "source"
    assert Folders(str(tmp_path)).completed("source/d") == "source/deep"
    assert Folders(str(tmp_path)).completed("sp") is None
    assert Folders(str(tmp_path), several=True).completed("/tmp so") == "/tmp source"
    assert folder("source/..", str(tmp_path)) == str(tmp_path)
    assert folder("nowhere", str(tmp_path)) is None
