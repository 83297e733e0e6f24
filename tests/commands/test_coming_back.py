"""Which session `--continue` and `--resume` mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.base import paths
from acp_tui.commands.coming_back import named, newest
from acp_tui.commands.mistake import Mistake
from tests.journal.keeping import INITIALIZE, opened, run, turn


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STATE", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"ACP_TUI_{name}_DIR", str(tmp_path / name.lower()))


def two() -> None:
    for number, name in enumerate(("first", "second"), 1):
        said = [*INITIALIZE, *opened(name), *turn(name, number, 2)]
        run(paths.journal_dir(), said, pid=number, at=1000.0 * number)


def test_the_last_of_the_folder() -> None:
    two()
    assert newest("/w").session_id == "second"


def test_one_in_which_nothing_was_said_only_where_there_is_no_other() -> None:
    run(paths.journal_dir(), [*INITIALIZE, *opened("left at once")], pid=3, at=3000.0)
    assert newest("/w").session_id == "left at once"
    two()
    assert newest("/w").session_id == "second"


def test_by_its_id_the_beginning_of_it_or_what_its_agent_calls_it() -> None:
    two()
    entry = newest("/w")
    assert named(entry.id) == named(entry.id[:8]) == named("second") == entry
    assert named("first") != entry


def test_of_those_that_an_agent_calls_the_same_the_newest() -> None:
    for pid in (1, 2):
        said = [*INITIALIZE, *opened("one"), *turn("one", pid, 2)]
        run(paths.journal_dir(), said, pid=pid, at=1000.0 * pid)
    assert named("one") == newest("/w")


@pytest.mark.parametrize("id", ["nobody", ""])
def test_what_cannot_be_meant_is_one_line(id: str) -> None:
    two()
    with pytest.raises(Mistake, match="--resume"):
        named(id)
    with pytest.raises(Mistake, match="nothing was saved in /elsewhere yet"):
        newest("/elsewhere")
