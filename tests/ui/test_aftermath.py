"""After a run that ended without a word: what was interrupted is told once, can be opened again; its agents
that still run are named, and ended only when the user wants that (S39).
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import monotonic

import pytest

from acp_tui.base import paths, processes
from acp_tui.ui.screens.aftermath import AftermathScreen
from acp_tui.ui.screens.launcher import LauncherScreen
from acp_tui.ui.screens.quit import QuitScreen
from acp_tui.ui.screens.saved import SavedScreen
from tests.journal.keeping import INITIALIZE, Said, opened, run, turn
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio

PROMPTED = [*INITIALIZE, *opened("one"), *turn("one", 1, 5)[:1]]
"""A prompt has left."""
AT_WORK = [*INITIALIZE, *opened("one"), *turn("one", 1, 5)[:6]]
"""The agent says something."""
CALLING = [*INITIALIZE, *opened("one"), *turn("one", 1, 5)[:7]]
"""A tool call runs."""


def broken_off(many: Iterable[Said], at: float = 1000.0) -> Path:
    """A journal whose acp-tui ended in the midst of it."""
    return run(paths.journal_dir(), many, at=at).path


def ran(journal: Path | str, pid: int = 0, birth: str = "x", *, died: bool = False) -> Path:
    """The record of an agent whose acp-tui is dead."""
    facts = {"pid": pid, "birth": birth, "command": ["sleep", "600"], "cwd": "/", "started": 1000.0}
    more = {"client_pid": 1, "client_birth": "another time", "journal": str(journal), "died": died}
    path = paths.private(paths.running_dir()) / f"1-{pid or 2**22 - 1}.json"
    path.write_text(json.dumps({**facts, "pid": pid or 2**22 - 1, **more}))
    return path


@pytest.fixture
def agent() -> Iterator[subprocess.Popen[bytes]]:
    """One that was left behind."""
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as left:
        yield left
        left.kill()


async def open_it(driven: Driven) -> None:
    await driven.press("shift+f11")
    await driven.until(lambda: isinstance(driven.app.screen, AftermathScreen))


async def ask_to_end(driven: Driven) -> None:
    """And let the deaf moment pass."""
    await driven.press("d")
    await driven.until("End what still runs?")
    asked = driven.app.screen
    assert isinstance(asked, QuitScreen)
    await driven.until(lambda: not asked.ear.deaf(monotonic()))


async def test_what_was_interrupted_is_told_once_with_what_was_under_way() -> None:
    record = ran(broken_off(CALLING))
    async with driving() as driven:
        await driven.until("! 1 session was interrupted. Shift+F11 shows more.")
        await open_it(driven)
        await driven.until("question 1")
        await driven.until("1 tool call without an end: what was done is unknown")
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, SavedScreen))
        await driven.until("look")
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))
        assert "interrupted" not in driven.app.past_words, "it was opened"
    assert not record.exists()
    async with driving() as driven:
        await driven.until("Start an agent")
        await driven.press("shift+f11")
        await driven.until("Nothing of an earlier run broke off")


async def test_a_prompt_without_an_answer_and_work_of_unknown_length_are_said() -> None:
    ran(broken_off(PROMPTED))
    async with driving() as driven:
        await driven.until("interrupted")
        await open_it(driven)
        await driven.until("1 prompt without an answer: what became of it is unknown")


async def test_an_agent_that_died_alone_is_told_of_too() -> None:
    """Its acp-tui was ended in order later, and the session never opened again."""
    record = ran(broken_off([*CALLING, ("#", "The agent was ended by SIGKILL.")]), died=True)
    async with driving(size=(140, 40)) as driven:
        await driven.until("! 1 session was interrupted. Shift+F11 shows more.")
        await open_it(driven)
        await driven.until(
            "1 tool call without an end: what was done is unknown; The agent was ended by SIGKILL"
        )
    assert not record.exists()


async def test_from_there_it_is_gone_on_with() -> None:
    ran(broken_off(AT_WORK))
    async with driving() as driven:
        await driven.until("interrupted")
        await open_it(driven)
        await driven.until("the agent was at work")
        await driven.press("r")
        await driven.until("The folder is not there any more")


async def test_nobody_who_writes_is_interrupted_by_it() -> None:
    ran(broken_off(CALLING))
    async with driving(words()) as driven:
        await driven.ready()
        await driven.until("An earlier run broke off")
        await driven.type("hello")
        assert driven.composer.text == "hello" and driven.composer.has_focus
        await driven.press("enter")
        await driven.until("you said hello")


async def test_what_ended_in_order_is_not_told_of() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("hello")
        await driven.until("you said hello")
    (journal,) = paths.journal_dir().glob("*/*.ndjson")
    record = ran(journal)
    async with driving() as driven:
        await driven.until(lambda: not record.exists())
        assert not driven.app.past_words


async def test_an_agent_left_behind_is_named_and_ended_only_when_wanted(
    agent: subprocess.Popen[bytes],
) -> None:
    found = processes.find(agent.pid)
    assert found is not None
    record = ran(broken_off(CALLING), agent.pid, found.birth)
    async with driving() as driven:
        await driven.until("1 session was interrupted, 1 of its agents still runs.")
        await open_it(driven)
        await driven.until(f"still runs: pid {agent.pid} of sleep 600")
        await driven.press("escape")
    assert processes.alive(agent.pid, found.birth) and record.exists()
    async with driving() as driven:
        await driven.until("! 1 of its agents still runs.")
        await open_it(driven)
        await ask_to_end(driven)
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, AftermathScreen))
        assert processes.alive(agent.pid, found.birth)
        await ask_to_end(driven)
        await driven.press("y")
        await driven.until(f"Ended: pid {agent.pid}")
        await driven.until(lambda: isinstance(driven.app.screen, LauncherScreen))
    assert not processes.alive(agent.pid, found.birth) and not record.exists()


@pytest.mark.parametrize("size", [(80, 24), (40, 12), (140, 40)])
async def test_every_size_works(size: tuple[int, int]) -> None:
    for number in range(12):
        path = ran(broken_off(CALLING, at=1000.0 + 100 * number))
        path.rename(path.with_name(f"1-{number}.json"))
    async with driving(size=size) as driven:
        await driven.until(lambda: driven.app.past_words)
        await open_it(driven)
        await driven.until("question 1")
        await driven.press("end")
        await driven.until("resume")
