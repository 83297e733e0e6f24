"""A widget that is being taken down is left alone, also where Textual does not say that it is."""

from __future__ import annotations

import asyncio

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.events import Unmount
from textual.screen import Screen

from acp_tui.store.keys import Key, Kind
from acp_tui.ui.transcript.widget import Transcript
from tests.store.seen import Fed
from tests.ui.transcript.stage import prose, text

pytestmark = pytest.mark.anyio


class Lingering(Transcript):
    """Its scrollbar is gone, and it stays a while; text has just come."""

    settle_was_due = False

    def __init__(self, fed: Fed) -> None:
        super().__init__(fed.store, fed.session.ref, lambda: fed.at)
        self.fed = fed

    @on(Unmount)
    async def linger(self) -> None:
        """Before the transcript puts away what is pending."""
        self.settle_was_due = self.pending
        await asyncio.sleep(0.4)

    def say(self, number: int) -> Key:
        """Text of more than a window."""
        self.fed("agent_message_chunk", messageId="a", content=text(prose(number, 900)))
        return Key(self.fed.session.ref, Kind.AGENT_MESSAGE, "a")


class Chat(Screen[None]):
    """One of several."""

    def __init__(self, fed: Fed) -> None:
        super().__init__()
        self.transcript = Lingering(fed)
        self.transcript.say(1)

    def compose(self) -> ComposeResult:
        yield self.transcript


async def test_a_chat_behind_another_settles_nothing_while_the_app_ends() -> None:
    """Textual closes a screen that is not on its stack without marking its widgets as pruned."""
    chat = Chat(Fed())
    app = App[None]()
    async with app.run_test(size=(80, 24)) as pilot:
        app.install_screen(chat, "chat")
        await app.push_screen("chat")
        await pilot.pause()
        chat.transcript.scroll_home(animate=False, immediate=True)
        await pilot.pause(0.1)
        await app.pop_screen()
        chat.transcript.mark([chat.transcript.say(2)])
        chat.transcript.settle_soon(0.3)
    assert chat.transcript.settle_was_due
