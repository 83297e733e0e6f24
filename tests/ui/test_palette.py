"""The palette holds everything that can be done here, with its key, and does it."""

from __future__ import annotations

import pytest
from textual.command import CommandInput

from acp_tui.ui import keys
from acp_tui.ui.keys import BOUND
from acp_tui.ui.palette import Palette, offers
from acp_tui.ui.screens.help import HelpScreen
from acp_tui.ui.screens.notices import NoticesScreen
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


def ids(driven: Driven) -> dict[str, str]:
    return {offer.id: offer.keys for offer in offers(driven.app.screen, driven.app.key_changes)}


def of(*places: str) -> set[str]:
    return {id for id, (deed, _) in BOUND.items() if deed.where in places}


async def test_every_action_of_a_screen_is_there_with_its_key() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("hello perm=1")
        await driven.until("Allow once")
        await driven.until("you said hello")
        here = ids(driven)
        assert {*here} >= of("everywhere", "chat", "composer", "panel", "transcript")
        assert (here["chat.follow"], here["transcript.up"]) == ("Ctrl+End", "Up, k")


@pytest.mark.parametrize(("key", "place"), [("f1", "page"), ("f2", "detail"), ("f4", "settings")])
async def test_every_screen_has_its_actions_in_it(key: str, place: str) -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.press(key)
        await driven.until(lambda: len(driven.app.screen_stack) == 3)
        assert {*ids(driven)} >= of("everywhere", place)


async def test_what_is_chosen_is_done() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.type("a draft")
        await driven.press("f3")
        await driven.until(lambda: isinstance(driven.app.screen, Palette))
        assert not driven.app.screen.query_one(CommandInput).cursor_blink
        await driven.type("notices")
        await driven.until("Notices, and updates")
        await driven.press("enter", "enter")
        await driven.until(lambda: isinstance(driven.app.screen, NoticesScreen))
        await driven.press("escape")
        await driven.until(lambda: driven.composer.has_focus)
        assert driven.composer.text == "a draft"


async def test_escape_leaves_everything_as_it_was() -> None:
    async with driving(words(), size=(80, 24)) as driven:
        await driven.ready()
        await driven.press("f3")
        await driven.until("What do you want to do?")
        await driven.until("F4, Ctrl+,")
        await driven.press("escape")
        await driven.until(lambda: driven.composer.has_focus)


async def test_an_action_goes_where_its_key_is_heard() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("hello")
        await driven.until("you said hello")
        await driven.press("f3")
        await driven.until("What do you want to do?")
        await driven.type("transcript.search")
        await driven.until("Search in all of the session")
        await driven.press("enter", "enter")
        await driven.until(lambda: driven.chat.transcript.searching)


async def test_the_palette_and_help_do_not_pile_up() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.press("f3", "f3")
        await driven.until("What do you want to do?")
        assert len(driven.app.screen_stack) == 3
        await driven.press("escape", "f1")
        await driven.until(lambda: isinstance(driven.app.screen, HelpScreen))


def test_the_readline_keys_stay_in_the_composer() -> None:
    assert keys.hint("everywhere.palette") == "F3"
