"""Forms, addresses and options of the reference agent, on the screen of the real app."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.ui.widgets.forms import Forms
from tests.clock import Clock
from tests.interop.node import Launch
from tests.interop.test_app_words import seen
from tests.ui.driving import Driven

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def asked(driven: Driven, clock: Clock, word: str, shown: str) -> None:
    """Say the word, wait for what it asks, and let the deaf moment pass."""
    await driven.say(word)
    await driven.until(shown)
    await driven.until(lambda: not driven.composer.has_focus)
    clock.at += 5


async def test_a_form_is_filled_in(reference_agent: Launch, tmp_path: Path, clock: Clock) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await asked(driven, clock, "FORM", "How should I go on?")
        text = driven.text()
        for words in (
            *("Refactoring", "Strategy*", "balanced", "Named choice", "[✓] x", "[ ] z", "Name*", "Mail"),
            *("needed · 2 to 20 letters", "an e-mail address", "a whole number from 1 to 9"),
        ):
            assert words in text
        await driven.press("tab", "tab", "tab", "tab", *"A", "tab", *"ada")
        await driven.until("too short: 1 character, 2 at least")
        await driven.until("this is not an e-mail address")
        await driven.press("ctrl+s")
        assert driven.store.requests
        await driven.press(*"da", "tab", *"@lab", "ctrl+s")
        await driven.until("The form came back")
        content = {
            "strategy": "balanced",
            "many": ["x"],
            "name": "Ada",
            "mail": "ada@lab",
            "count": 3,
            "sure": True,
        }
        assert driven.link.agent.client.requests[-1].outcome == {"action": "accept", "content": content}


@pytest.mark.parametrize(("key", "action"), [("alt+n", "decline"), ("alt+x", "cancel")])
async def test_a_form_is_declined_or_cancelled(
    reference_agent: Launch, tmp_path: Path, clock: Clock, key: str, action: str
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await asked(driven, clock, "FORM", "How should I go on?")
        await driven.press(key)
        await driven.until(f'The form came back: {{"action":"{action}"}}')


async def test_the_cancelled_work_takes_its_form_along(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await asked(driven, clock, "FORM", "How should I go on?")
        await driven.press("escape", "escape")  # to the composer, and then cancel
        await driven.until("Closed: the work was cancelled")
        await driven.until("cancelled by you")
        assert not driven.chat.query_one(Forms).display


async def test_an_address_is_agreed_to_and_done(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await asked(driven, clock, "URL", "Please authorise the lab.")
        await driven.until("http://127.0.0.1:9/connect?e=eli_")
        await driven.pilot.click("#form-mine")
        await driven.until("The URL request came back")
        await driven.until("Done, says the agent")
        assert driven.app.clipboard.startswith("http://127.0.0.1:9/connect?e=eli_")


async def test_options_are_chosen_and_changed(reference_agent: Launch, tmp_path: Path, clock: Clock) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.until("Small · Ask first")
        await driven.press("ctrl+o", "down", "enter")
        await driven.until("Good")
        await driven.press("down", "enter")
        await driven.until("Model                     Large")
        await driven.press(*"thinking", "enter")
        await driven.until("Thinking                  off")
        await driven.press("escape")
        await driven.until("Large · Ask first")
        await driven.say("CONFIG")
        await driven.until("Small · Ask first")
        await driven.press("ctrl+o")
        await driven.until("Unknown type              kind “_lab_slider”")
