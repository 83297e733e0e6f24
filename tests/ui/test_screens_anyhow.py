"""The screens on top of a chat, in any order of events: resized, clicked, Escape, with nothing in them, and
with an agent that dies below them."""

from __future__ import annotations

from itertools import product

import pytest

from acp_tui.base.config import load
from acp_tui.ui.screens.chat import ChatScreen
from tests.clock import Clock
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio

KEYS = ["f1", "f2", "f3", "f4", "f6", "f7", "f9", "f10", "f12", "ctrl+o", "shift+f9"]


async def opened(driven: Driven, key: str) -> None:
    """Press it; where there is nothing to open, that is said."""
    await driven.press(key)
    await driven.pilot.pause()


async def back(driven: Driven) -> None:
    """One Escape closes one thing."""
    for _ in range(3):
        if isinstance(driven.app.screen, ChatScreen):
            break
        await driven.press("escape")
        await driven.pilot.pause()
    await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))


async def test_resized_clicked_and_left() -> None:
    async with driving(words(), config=load()) as driven:
        await driven.ready()
        await driven.type("draft")
        for key, size in product(KEYS, ((40, 10), (120, 40), (80, 24))):
            await opened(driven, key)
            await driven.pilot.resize_terminal(*size)
            await driven.pilot.pause()
            top = driven.app.screen
            for place in ((2, 2), (size[0] // 2, size[1] // 2), (size[0] - 1, 0)):
                await driven.pilot.click(offset=place)
                await driven.pilot.pause()
                if driven.app.screen is not top:
                    break
            await back(driven)
            assert driven.conversation.draft == "draft", key
            await driven.until(lambda: driven.app.focused is not None)


@pytest.mark.parametrize("key", KEYS)
async def test_the_agent_dies_below_it(key: str) -> None:
    clock = Clock()
    async with driving(words(), clock=clock, config=load()) as driven:
        await driven.ready()
        driven.submit("command=ls")
        await driven.until(" asks ")
        await opened(driven, key)
        driven.conversation.agent.kill()
        await driven.until(lambda: driven.conversation.gone)
        await driven.pilot.pause()
        assert driven.text().strip()
        await back(driven)
        await driven.until("✗ agent ")
        assert not driven.panel.asked
        await driven.until(lambda: driven.app.focused is not None)


async def test_opened_over_an_agent_that_is_gone() -> None:
    async with driving(words(), config=load()) as driven:
        await driven.ready()
        driven.conversation.agent.kill()
        await driven.until(lambda: driven.conversation.gone)
        for key in KEYS:
            await opened(driven, key)
            await driven.press("down")
            await back(driven)
