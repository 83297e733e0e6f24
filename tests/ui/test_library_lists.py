"""What the agents that run list of their sessions, in the library: pages, refusals, resuming, deleting."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_tui.ui.screens.library import LibraryScreen
from tests.ui.driving import Driven, driving
from tests.ui.test_library import opened

pytestmark = pytest.mark.anyio

AGENT = Path(__file__).parent / "agents" / "listing.py"


def lister(how: str) -> tuple[str, ...]:
    """The command of the agent."""
    return (sys.executable, str(AGENT), how)


async def listed(driven: Driven) -> LibraryScreen:
    """The library, with all the agent has."""
    await driven.ready()
    screen = await opened(driven)
    await driven.until("Old session 1")
    await driven.until("all folders 8")
    return screen


async def test_all_pages_are_read_and_say_what_there_is_of_them() -> None:
    async with driving(lister("good"), size=(80, 30)) as driven:
        await listed(driven)
        text = driven.text()
        assert [f"Old session {n}" in text for n in range(1, 8)] == [True] * 7
        assert text.count("listed only") == 7
        assert text.index("Old session 7") < text.index("Old session 1"), "the newest first"
        await driven.press("down", "enter")
        await driven.until("Nothing of it is saved here; r")
        await driven.press("x")
        await driven.until("Nothing of it is saved here: there")


async def test_a_list_that_goes_in_a_circle_ends() -> None:
    async with driving(lister("loop"), size=(80, 30)) as driven:
        await driven.ready()
        await opened(driven)
        await driven.until("Old session 6")
        assert driven.store.listed_pages == 2
        assert driven.link.agent.client.next_cursor is None


async def test_an_agent_that_lists_nothing_is_named_with_its_reason() -> None:
    async with driving(lister("refuse"), size=(100, 30)) as driven:
        await driven.ready()
        await opened(driven)
        await driven.until("lister does not list its sessions: the shelf is locked")


async def test_one_that_only_its_agent_has_is_gone_on_with_by_the_agent_that_runs() -> None:
    async with driving(lister("good"), size=(80, 30)) as driven:
        screen = await listed(driven)
        while screen.marked is None or screen.marked.session_id != "old-5":
            await driven.press("down")
        await driven.press("r")
        await driven.until("what was said in old-5")
        assert len(driven.host.links) == 1
        assert len(driven.link.conversations) == 2
        await driven.until(lambda: driven.link.conversations[1].session)
        screen = await opened(driven)
        await driven.until(lambda: screen.marked is not None)


async def test_deleting_on_the_agent_is_chosen_in_so_many_words() -> None:
    async with driving(lister("good"), size=(80, 30)) as driven:
        screen = await listed(driven)
        await driven.press("down", "d")
        await driven.until("On the agent only: lister forgets it for good")
        await driven.press("enter")  # leave it as it is
        await driven.until(lambda: driven.app.screen is screen)
        assert len(driven.store.listed) == 7
        await driven.press("d", "down", "enter")
        await driven.until(lambda: len(driven.store.listed) == 6)
        await driven.until("all folders 7")
        assert "Old session 7" not in driven.text()


async def test_an_agent_that_cannot_delete_is_not_asked_to() -> None:
    async with driving(lister("keep"), size=(80, 30)) as driven:
        await listed(driven)
        await driven.press("down", "d")
        await driven.until("It cannot be deleted.")
