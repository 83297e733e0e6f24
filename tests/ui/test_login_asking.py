"""What an agent asks while a login is under way (AU-13, EL-21)."""

from __future__ import annotations

import sys

import pytest

from acp_tui.ui.screens.login import LoginScreen
from acp_tui.ui.widgets.forms import Forms
from tests.clock import Clock
from tests.ui.driving import Driven, driving
from tests.ui.test_forms import AGENT

pytestmark = pytest.mark.anyio
COMMAND = (sys.executable, str(AGENT), "login")


async def begun(driven: Driven, clock: Clock) -> None:
    """The login is under way, and its form before the user."""
    await driven.until(lambda: isinstance(driven.app.screen, LoginScreen))
    await driven.until("Asking wants a login")
    await driven.press("enter")
    await driven.until("Who are you?")
    assert not isinstance(driven.app.screen, LoginScreen), "it steps aside"
    await driven.until(lambda: driven.chat.query_one(Forms).holds(driven.app.screen.focused))
    clock.at += 5


async def test_its_form_is_shown_at_once_and_the_session_opens_when_it_is_sent() -> None:
    clock = Clock()
    async with driving(COMMAND, clock=clock) as driven:
        await begun(driven, clock)
        assert driven.store.connection.login == "in"
        await driven.press("ctrl+s")
        await driven.ready()
        [request] = driven.link.agent.client.requests
        assert request.outcome == {"action": "accept", "content": {}}
        assert request.key.session == ""


async def test_the_form_can_be_declined_and_the_login_is_the_agents_to_end() -> None:
    clock = Clock()
    async with driving(COMMAND, clock=clock) as driven:
        await begun(driven, clock)
        await driven.press("alt+n")
        await driven.ready()
        [request] = driven.link.agent.client.requests
        assert request.outcome == {"action": "decline"}


async def test_a_prompt_that_waits_for_the_login_is_sent_though_the_form_was_dismissed() -> None:
    clock = Clock()
    async with driving(COMMAND, clock=clock) as driven:
        await driven.until(lambda: isinstance(driven.app.screen, LoginScreen))
        await driven.press("escape")
        await driven.until("the agent wants a login first")
        await driven.say('{"options": []}')
        await driven.until("waiting here")
        await driven.press("enter")
        await begun(driven, clock)
        await driven.press("alt+x")
        await driven.until('▌ {"options": []}')
        [request] = driven.link.agent.client.requests
        assert request.outcome == {"action": "cancel"}
