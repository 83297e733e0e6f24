"""The first picture, before what talks to agents is loaded: it looks as the chat does, and keeps what is
typed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from textual import events

from acp_tui.ui.app import AcpApp
from acp_tui.ui.host import Host
from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.screens.launcher import LauncherScreen
from acp_tui.ui.screens.opening import OpeningScreen
from tests.ui.driving import Driven, words

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def opening(command: tuple[str, ...], size: tuple[int, int] = (80, 24)) -> AsyncIterator[Driven]:
    """The app as it starts, with a host that is not told to it before `begin`."""
    async with anyio.create_task_group() as group:
        host = Host(group, {"PATH": "/usr/bin:/bin"}, lambda: 1_000_000.0)
        app = AcpApp(None, None, str(Path.cwd()), command=command, theme="acp-dark")
        try:
            async with app.run_test(size=size, notifications=True) as pilot:
                await app.painted.wait()
                yield Driven(app, pilot, host)
        finally:
            with anyio.CancelScope(shield=True):
                await host.stop()
            group.cancel_scope.cancel()


def begin(driven: Driven) -> None:
    """What talks to agents is loaded."""
    app = driven.app
    app.begin(driven.host, driven.host.start(app.command, app.cwd) if app.command else None)


async def chat(driven: Driven) -> None:
    """Wait for the chat."""
    await driven.until(lambda: isinstance(driven.app.screen, ChatScreen) and driven.app.focused is not None)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_it_looks_as_the_chat_does_while_the_agent_starts(size: tuple[int, int]) -> None:
    async with opening(words("mute"), size) as driven:
        first = driven.text()
        assert isinstance(driven.app.screen, OpeningScreen)
        begin(driven)
        await chat(driven)
        await driven.pilot.pause()
        assert driven.text() == first


async def test_what_is_typed_is_shown_and_the_chat_gets_it() -> None:
    async with opening(words("mute")) as driven:
        await driven.type("one two")
        await driven.until("❯ one two")
        await driven.press("backspace", "3")
        assert "❯ one two" in driven.text(), "what does more than write waits for the composer"
        begin(driven)
        await chat(driven)
        await driven.until("❯ one tw3")
        assert driven.composer.text == "one tw3"


async def test_a_paste_and_enter_do_what_they_do_in_the_chat() -> None:
    async with opening(words()) as driven:
        driven.app.post_message(events.Paste("pasted"))
        await driven.press("enter")
        begin(driven)
        await driven.until("you said pasted")


async def test_quit_waits_too() -> None:
    async with opening(words("mute")) as driven:
        await driven.press("ctrl+q")
        assert driven.app.is_running
        begin(driven)
        await driven.until(lambda: not driven.app.is_running)


async def test_the_mouse_does_nothing_yet() -> None:
    async with opening(()) as driven:
        await driven.until("demo")
        for kind in (events.MouseDown, events.MouseUp):
            driven.app.post_message(kind(None, 8, 6, 0, 0, 1, False, False, False, screen_x=8, screen_y=6))
        await driven.pilot.pause()
        assert isinstance(driven.app.screen, LauncherScreen)
        begin(driven)
        await driven.press("enter")
        await driven.until(lambda: driven.host.links)


async def test_a_key_that_moves_the_focus_moves_it_before_the_next_one() -> None:
    async with opening(()) as driven:
        await driven.until("demo")
        await driven.press("tab")
        await driven.type("./no-such --flag")
        await driven.press("enter")
        begin(driven)
        await driven.until("could not be started")
        await driven.until("./no-such --flag")


async def test_leaving_before_there_is_an_agent() -> None:
    async with opening(words()) as driven:
        driven.app.leave()
        await driven.until(lambda: not driven.app.is_running)
        driven.app.keep_drafts()
        assert driven.app.return_value == 0
