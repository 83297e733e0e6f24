"""The files one can mention: found in the background, looked for in steps, found anew after a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from acp_tui.ui.writing.mentioning import Files

pytestmark = pytest.mark.anyio


class Shown:
    """What a list would show, each time it is told that there is something else."""

    def __init__(self, root: Path, **how: float) -> None:
        self._told = asyncio.Event()
        self.times = 0
        self.files = Files((str(root),), self.changed, **how)

    def changed(self) -> None:
        self.times += 1
        self._told.set()

    @property
    def paths(self) -> list[str]:
        return [found.path for found in self.files.found]

    async def until(self, condition: Callable[[], object]) -> None:
        with anyio.fail_after(60):
            while not condition():
                self._told.clear()
                await self._told.wait()


async def test_nothing_is_looked_for_before_it_is_asked_for_and_after_that(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    shown = Shown(tmp_path)
    assert not shown.files.building and len(shown.files) == 0
    shown.files.look_for("a")
    await shown.until(lambda: shown.paths == ["a.py"])
    shown.files.look_for(None)
    assert shown.files.found == [] and shown.times
    shown.files.close()


async def test_what_came_later_is_found_when_one_asks_again_later(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("")
    shown = Shown(tmp_path, fresh=0.0)
    shown.files.look_for("py")
    await shown.until(lambda: not shown.files.building and shown.paths == ["a.py"])
    (tmp_path / "b.py").write_text("")
    while not shown.files.building:  # soon: when it is twenty times as old as it took
        shown.files.look_for(None)
        shown.files.look_for("py")
    assert len(shown.files) == 1, "the old one serves until the new one is whole"
    await shown.until(lambda: shown.paths == ["a.py", "b.py"])
    shown.files.close()


async def test_the_loop_goes_round_between_the_steps_of_a_search_and_the_newest_wins(tmp_path: Path) -> None:
    for n in range(9000):
        (tmp_path / f"name{n}").touch()
    shown = Shown(tmp_path, busy=0.0)
    shown.files.look_for("n")
    await shown.until(lambda: not shown.files.building and len(shown.files) == 9000)
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    counting = asyncio.get_running_loop().create_task(count())
    shown.files.look_for("nm8999")
    await shown.until(lambda: shown.paths == ["name8999"])
    counting.cancel()
    assert turns >= 4
    shown.files.look_for("nm3")
    shown.files.look_for("name1234")
    await shown.until(lambda: shown.paths == ["name1234"])
    assert [found.path for found in shown.files.best("name4321")] == ["name4321"], (
        "for a key that cannot wait"
    )
    shown.files.close()
