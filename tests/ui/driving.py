"""The real app with a real agent process under Pilot: what the tests of the user interface share.

Nothing sleeps: a test waits for a condition, and fails with the screen's text if it does not come true in
time.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
from textual.pilot import Pilot

from acp_tui.base.config import Config
from acp_tui.client.intents import Submit
from acp_tui.protocol.content import TextContent
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.app import AcpApp
from acp_tui.ui.conversation import Conversation, Link
from acp_tui.ui.host import Host
from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.widgets.composer import Composer
from acp_tui.ui.widgets.permission_panel import PermissionPanel
from tests.clock import Clock

AGENT = Path(__file__).parent / "agents" / "words.py"
LIMIT = 30.0


def words(*arguments: str) -> tuple[str, ...]:
    """The command of the scripted agent."""
    return (sys.executable, str(AGENT), *arguments)


@dataclass
class Driven:
    """A running app and hands on it."""

    app: AcpApp
    pilot: Pilot[int]
    host: Host

    @property
    def link(self) -> Link:
        return self.host.links[0]

    @property
    def conversation(self) -> Conversation:
        return self.link.conversations[0]

    @property
    def store(self) -> Store:
        return self.link.store

    @property
    def session(self) -> Session:
        return self.store.sessions[self.conversation.ref]

    @property
    def chat(self) -> ChatScreen:
        assert isinstance(self.app.screen, ChatScreen)
        return self.app.screen

    @property
    def composer(self) -> Composer:
        return self.chat.composer

    @property
    def panel(self) -> PermissionPanel:
        return self.chat.panel

    def rows(self) -> list[str]:
        """What the screen shows, row by row."""
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    def text(self) -> str:
        """What the screen shows."""
        return "\n".join(row.rstrip() for row in self.rows())

    async def until(self, what: str | Callable[[], object]) -> None:
        """Wait until the screen shows this text, or until this is true."""
        with anyio.move_on_after(LIMIT):
            while not (what in self.text() if isinstance(what, str) else what()):
                await self.pilot.pause()
                await anyio.sleep(0.01)
            return
        raise AssertionError(f"never came: {what}\n{self.text()}")

    async def press(self, *keys: str) -> None:
        """Press keys."""
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        """Type text, without Enter."""
        await self.pilot.press(*("space" if character == " " else character for character in text))

    async def say(self, text: str) -> None:
        """Write a prompt and send it."""
        self.composer.focus()
        self.composer.put(text)
        await self.pilot.press("enter")

    def submit(self, text: str) -> None:
        """Send a prompt at once, past the composer."""
        self.conversation.do(Submit(self.conversation.ref, (TextContent(type="text", text=text),), now=True))

    async def ready(self) -> None:
        """Wait until the session is open."""
        await self.until(lambda: self.conversation.session is not None and self.session.phase == "open")


@asynccontextmanager
async def driving(
    command: tuple[str, ...] = (),
    *,
    cwd: str = "",
    size: tuple[int, int] = (80, 24),
    clock: Callable[[], float] | None = None,
    theme: str = "acp-dark",
    config: Config | None = None,
) -> AsyncIterator[Driven]:
    """Run the app as the command line does, without a terminal."""
    async with anyio.create_task_group() as group:
        folder = cwd or str(Path.cwd())
        settings = (config or Config(Path("none"))).settings
        host = Host(group, {"PATH": "/usr/bin:/bin"}, clock, lambda: settings)
        first = host.start(command, folder) if command else None
        app = AcpApp(host, first, folder, theme=theme, config=config)
        try:
            async with app.run_test(size=size, notifications=True) as pilot:
                driven = Driven(app, pilot, host)
                await driven.until(lambda: app.focused is not None)
                yield driven
            assert app.broken == {}
        finally:
            with anyio.CancelScope(shield=True):
                await host.stop()
            group.cancel_scope.cancel()


async def asked(driven: Driven, clock: Clock, what: str) -> None:
    """Let the agent ask, wait for the panel, and let its deaf moment pass."""
    await driven.ready()
    await driven.say(what)
    await driven.until(" asks ")
    await driven.pilot.pause()
    clock.at += 5


def asked_text(driven: Driven) -> str:
    """What stands in the panel and below."""
    return driven.text().partition(" asks ")[2]
