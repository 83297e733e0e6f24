"""A saved session is read without its agent, as it looked; and followed while another acp-tui writes it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from acp_tui.base import paths
from acp_tui.journal.library import Library
from acp_tui.ui.claims import Claims
from acp_tui.ui.reader import Spot
from acp_tui.ui.screens.child import ChildScreen
from acp_tui.ui.screens.detail import DetailScreen
from acp_tui.ui.screens.launcher import LauncherScreen
from acp_tui.ui.screens.notices import NoticesScreen
from acp_tui.ui.screens.saved import SavedScreen
from acp_tui.ui.transcript.widget import Transcript
from tests.journal.keeping import INITIALIZE, Program, Said, ask, chunk, opened, run, state, turn, update
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio

HOLD = """
import pathlib, sys
from acp_tui.ui.claims import Claims
assert Claims(pathlib.Path(sys.argv[1])).take(sys.argv[2]) is None
print(flush=True)
sys.stdin.read()
"""


@contextmanager
def another(id: str) -> Iterator[int]:
    """Another acp-tui has this session open; its pid."""
    command = [sys.executable, "-c", HOLD, str(paths.state_dir() / "locks"), id]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None and holder.stdin is not None
        holder.stdout.readline()
        yield holder.pid
        holder.stdin.close()


def only() -> str:
    """The id of the one session that is saved."""
    [entry] = Library().entries()
    return entry.id


def kept(*said: Said) -> Program:
    """A run of acp-tui that is over, with one session."""
    return run(paths.journal_dir(), [*INITIALIZE, *opened("a"), *said])


async def opened_there(driven: Driven, id: str, spot: Spot | None = None) -> SavedScreen:
    """It is read in and drawn."""
    driven.app.returning.read(id, spot)
    await driven.until(lambda: isinstance(driven.app.screen, SavedScreen | ChildScreen))
    await driven.until(lambda: driven.app.screen.query(Transcript))
    screen = next(one for one in driven.app.screen_stack if isinstance(one, SavedScreen))
    await driven.until(lambda: screen.transcript.rows or screen.reader.problems)
    return screen


def said_in(driven: Driven) -> list[str]:
    """What stands in the transcript, without the cursor."""
    return [row.strip("❯ ") for row in driven.rows()[1:12]]


def more_than(driven: Driven, completions: int) -> bool:
    """The agent has finished once more."""
    return driven.session.completions > completions


async def test_it_looks_as_it_did_and_needs_no_agent(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        for said in ("touch=x plan", "one two"):
            before = driven.session.completions
            await driven.say(said)
            await driven.until(partial(more_than, driven, before))
        await driven.until("you said two")
        looked = said_in(driven)
        id = only()
    async with driving(cwd=str(tmp_path)) as driven:
        await opened_there(driven, id)
        await driven.until("○ saved · read only")
        assert said_in(driven) == looked
        assert not driven.host.links
        assert driven.rows()[0].startswith(" touch=x plan")
        await driven.pilot.resize_terminal(40, 20)
        await driven.until("touch=x plan  ")
        assert driven.rows()[0].startswith(" touch=x plan")
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))


async def test_all_of_a_reader_s_keys_are_there_and_none_that_would_need_the_agent() -> None:
    kept(*turn("a", 1, 2))
    async with driving() as driven:
        screen = await opened_there(driven, only())
        await driven.until("answer 1")
        await driven.press("up", "o")
        await driven.until(lambda: isinstance(driven.app.screen, DetailScreen))
        await driven.press("3")  # its history, of a journal that is not ours
        await driven.until("agent_message_chunk")
        await driven.press("q", "slash", *"question", "enter")
        await driven.until("1/1")
        await driven.press("escape", "escape")
        await driven.until(lambda: driven.app.screen is not screen)


async def test_it_opens_where_something_was_found_with_that_marked() -> None:
    many = [said for number in range(1, 40) for said in turn("a", number, number + 1)]
    kept(*many)
    async with driving() as driven:
        screen = await opened_there(driven, only(), Spot("user_message", "u7", "a", "question"))
        await driven.until(lambda: screen.transcript.found.at)
        await driven.until("question 7")
        assert "question 30" not in driven.text()
        await driven.until(lambda: not screen.transcript.found.more)
        assert (screen.transcript.found.at, screen.transcript.found.total) == (7, 39)
        await driven.press("n")
        await driven.until("8/39")


async def test_what_was_found_in_a_subagent_is_shown_there() -> None:
    call = {"subagentId": "x", "sessionId": "child", "title": "Look into it"}
    kept(
        update("a", "subagent_update", **call, status="in_progress"),
        chunk("child", "m1", "a needle in the child"),
        state("a", "idle", stopReason="end_turn"),
    )
    async with driving() as driven:
        driven.app.returning.read(only(), Spot("agent_message", "m1", "child", "needle"))
        await driven.until(lambda: isinstance(driven.app.screen, ChildScreen))
        await driven.until("a needle in the child")
        await driven.until("saved · read only")


async def test_what_is_missing_or_open_is_said_at_the_top_and_among_the_notices() -> None:
    program = kept(
        ask(2, "session/prompt", sessionId="a", prompt=[{"type": "text", "text": "are you there"}])
    )
    with program.path.open("ab") as file:
        file.write(b"no record\n")
    async with driving() as driven:
        await opened_there(driven, only())
        await driven.until("Interrupted: ")
        await driven.until("1 prompt: it is not known whether the agent took it.")
        await driven.until("1 line of its journals cannot be read.")
        await driven.press("f2")
        await driven.until(lambda: isinstance(driven.app.screen, NoticesScreen))
        await driven.until("Interrupted: ")


async def test_what_another_acp_tui_writes_comes_as_it_is_written() -> None:
    program = kept(*turn("a", 1, 2))
    id = only()
    with another(id) as pid:
        async with driving() as driven:
            await opened_there(driven, id)
            await driven.until(f"open in another acp-tui, pid {pid}: read only, live")
            assert "resume" not in driven.rows()[-1]
            program.say(turn("a", 2, 3))
            await driven.until("answer 2")
            await driven.press("r")
            await driven.until("go on with it there")
            assert not driven.host.links
    async with driving() as driven:
        await opened_there(driven, id)
        await driven.until("r resume")


async def test_when_the_other_one_has_left_it_may_be_gone_on_with() -> None:
    kept(*turn("a", 1, 2))
    id = only()
    async with driving() as driven:
        with another(id):
            await opened_there(driven, id)
            await driven.until("read only, live")
        await driven.until("has left")
        await driven.until("r resume")


async def test_a_session_that_is_not_there_is_said_to_be_so() -> None:
    async with driving() as driven:
        driven.app.returning.read("0123456789ab")
        await driven.until("o session")
        await driven.press("q")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))


async def test_a_journal_that_cannot_be_read_is_said_to_be_so() -> None:
    program = kept(*turn("a", 1, 2))
    id = only()
    async with driving() as driven:
        screen = await opened_there(driven, id)
        await driven.press("q")
        await driven.until(lambda: driven.app.screen is not screen)
        program.path.unlink()
        driven.app.returning.read(id)
        await driven.until(lambda: "o session" in driven.text() or "cannot be read" in driven.text())


async def test_a_session_has_a_lock_as_long_as_it_is_open_here(tmp_path: Path) -> None:
    async with driving(words(), cwd=str(tmp_path)) as driven:
        await driven.ready()
        await driven.say("one")
        await driven.until("you said one")
        id, other = only(), Claims()
        await driven.until(lambda: (paths.state_dir() / "locks" / f"{id}.lock").exists())
        assert driven.host.claims.holder(id) is driven.conversation
        assert other.other(id) is None, "it is this process"
        driven.app.returning.read(id)
        await driven.pilot.pause()
        assert driven.app.screen is driven.app.chats.screens[0]
    assert list((paths.state_dir() / "locks").iterdir()) == []


def test_what_another_acp_tui_has_open_is_not_taken() -> None:
    with another("abc") as pid:
        owner = Claims().other("abc")
        assert owner is not None and owner.pid == pid
        taken = Claims().take("abc")
        assert taken is not None and taken.pid == pid
    assert Claims().take("abc") is None
