"""The options of the agent: what it confirmed, what was asked for, what it changes by itself (CF-01 to CF-14,
S19).
"""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.screens.options import OptionsScreen
from acp_tui.ui.widgets.header import Header
from tests.ui.driving import Driven, driving

pytestmark = pytest.mark.anyio
AGENT = Path(__file__).parent / "agents" / "asking.py"


@asynccontextmanager
async def choosing(*arguments: str, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Driven]:
    async with driving((sys.executable, str(AGENT), *arguments), size=size) as driven:
        await driven.ready()
        await driven.until("Ask first")
        yield driven


async def opened(driven: Driven) -> None:
    await driven.press("ctrl+o")
    await driven.until("Options of the agent")


def row(driven: Driven, words: str) -> str:
    """The row that has these words, without what is around it."""
    return next(line.strip(" ▌") for line in driven.rows() if words in line)


def change(options: list[dict[str, Any]]) -> str:
    return json.dumps({"options": options})


def mode(value: str = "auto", **more: Any) -> dict[str, Any]:
    choices = [{"value": "ask", "name": "Ask first"}, {"value": "auto", "name": "Auto"}]
    made = {"configId": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": value}
    return {**made, "options": choices, **more}


async def test_all_options_with_what_holds_in_the_agents_order() -> None:
    async with choosing() as driven:
        await opened(driven)
        rows = [line.split() for line in driven.text().splitlines() if "▌" in line]
        shown = [" ".join(words[1:]) for words in rows]
        at = shown.index("Mode Ask first")
        assert shown[at : at + 4] == [
            "Mode Ask first",
            "Model Small",
            "Search the web off",
            "Heat kind “_slider”",
        ]
        await driven.press("up")  # round to the last
        await driven.until("acp-tui does not know this kind of option")
        await driven.press("enter")
        assert "Options of the agent" in driven.text()


async def test_a_value_is_chosen_and_shown_once_the_agent_confirmed_it() -> None:
    async with choosing("mute") as driven:
        await opened(driven)
        await driven.press("down", "enter")
        await driven.until("Fast ones")
        assert row(driven, "● Small") and "Good ones" in driven.text()
        await driven.press("down", "enter")
        await driven.until("Large asked, not confirmed yet")
        assert row(driven, "Model").startswith("Model                     Small")
        assert driven.session.config_options[1].current_value == "small"  # type: ignore[union-attr]
        driven.submit("go")
        await driven.until(lambda: row(driven, "Model").split() == ["Model", "Large"])
        assert "Search the web" not in driven.text()  # it depended on the model
        await driven.press("escape")
        await driven.until("Large · Ask first")


async def test_a_refusal_is_explained_and_changes_nothing() -> None:
    async with choosing() as driven:
        await opened(driven)
        await driven.press("down", "enter", *"gone", "enter")
        await driven.until("Gone is not for you")
        await driven.until("The agent did not change the setting")
        assert row(driven, "Model").split() == ["Model", "Small"]


async def test_letters_find_values_and_options() -> None:
    async with choosing() as driven:
        await opened(driven)
        await driven.press(*"web", "enter")
        await driven.until(lambda: row(driven, "Search the web").endswith("on"))
        await driven.press("backspace", "backspace", "backspace", *"mdl")
        await driven.until(lambda: "Mode " not in driven.text())
        await driven.press("enter", *"lrg")
        await driven.until(lambda: "Small" not in driven.text().partition("Model")[2])
        assert row(driven, "Large") == "Large"
        await driven.press(*"zzz")
        assert "Large" not in driven.text()
        await driven.press("enter", "escape")
        await driven.until("Options of the agent")
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))


async def test_it_follows_the_agent_while_it_is_open() -> None:
    async with choosing() as driven:
        await opened(driven)
        driven.submit(change([mode("auto")]))
        await driven.until(lambda: row(driven, "Mode").split() == ["Mode", "Auto"])
        assert "Model" not in driven.text()
        await driven.press("enter")
        await driven.until("● Auto")
        driven.submit(change([mode("mad")]))
        await driven.until("● mad  not among the choices")
        driven.submit(change([]))
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        await driven.until("The agent has no options any more")


async def test_an_option_that_vanishes_takes_its_values_with_it() -> None:
    async with choosing() as driven:
        await opened(driven)
        await driven.press("down", "enter")
        await driven.until("Good ones")
        driven.submit(change([mode()]))
        await driven.until("Options of the agent")
        assert "Good ones" not in driven.text()


async def test_no_option_no_picker() -> None:
    async with choosing() as driven:
        driven.submit(change([]))
        await driven.until(lambda: not driven.session.config_options)
        await driven.press("ctrl+o", "alt+m")
        await driven.until("Asking has no options to choose")
        assert isinstance(driven.app.screen, ChatScreen)


async def test_a_key_goes_through_the_modes() -> None:
    async with choosing() as driven:
        await driven.press("alt+m")
        await driven.until("Small · Auto")
        await driven.press("alt+m", "alt+m", "alt+m")
        await driven.until("Small · Ask first")


async def test_what_was_asked_for_is_marked_in_the_header() -> None:
    async with choosing("mute") as driven:
        await driven.press("alt+m")
        await driven.until("Small · Ask first…")
        driven.submit("go")
        await driven.until(lambda: driven.rows()[0].rstrip().endswith("Small · Auto"))


async def test_a_click_in_the_header_opens_its_values() -> None:
    async with choosing() as driven:
        header = driven.chat.query_one(Header)
        at = driven.rows()[0].index("Small")
        await driven.pilot.click(header, offset=(at + 1, 0))
        await driven.until("Fast ones")
        assert isinstance(driven.app.screen, OptionsScreen)
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))


@pytest.mark.parametrize(("width", "shown"), [(40, "Ask first"), (26, "Asking")])
async def test_where_there_is_little_room_the_mode_stays_longest(width: int, shown: str) -> None:
    async with driving((sys.executable, str(AGENT)), cwd="/", size=(width, 24)) as driven:
        await driven.ready()
        await driven.until(shown)
        await driven.pilot.pause()
        assert "Small" not in driven.rows()[0] or width == 40


async def test_hostile_names_do_nothing() -> None:
    evil = "\x1b[2J\u202e[bold]x[/]"
    choices = [{"groupId": "g", "name": evil, "options": [{"value": "v", "name": evil, "description": evil}]}]
    async with choosing() as driven:
        driven.submit(change([mode(evil, name=evil, options=choices, description=evil)]))
        await driven.until("[2J<U+202E>[bold")
        await opened(driven)
        await driven.press("enter")
        await driven.until("not among the choices")
        assert not {c for c in driven.text() if c != "\n" and not c.isprintable()}


async def test_the_approve_everything_of_before_is_not_shown_as_on() -> None:
    """S19: the mode that is shown is the one the agent confirmed for this session, not one asked for."""
    async with choosing("mute") as driven:
        await driven.press("alt+m")
        await driven.until("Ask first…")
        await opened(driven)
        assert row(driven, "Mode").startswith("Mode                      Ask first  → Auto asked")
