"""How a session began and ended, by the index."""

from __future__ import annotations

from pathlib import Path

from acp_tui.journal.catalog import Told
from acp_tui.journal.entry import Badge
from acp_tui.journal.glimpse import Glimpse
from acp_tui.journal.library import Library
from tests.journal.indexing_run import bring_up
from tests.journal.keeping import INITIALIZE, opened, run, turn


def kept(tmp_path: Path) -> Library:
    """One session of two turns."""
    run(tmp_path / "journal", [*INITIALIZE, *opened("a"), *turn("a", 1, 2), *turn("a", 2, 3)])
    return Library(tmp_path, tmp_path / "cache")


def test_the_first_prompt_and_the_last_answer(tmp_path: Path) -> None:
    library = kept(tmp_path)
    [entry] = library.entries()
    assert library.glimpse(entry.id) == Glimpse("", ""), "there is no index yet"
    bring_up(tmp_path, tmp_path / "cache")
    assert library.glimpse(entry.id) == Glimpse("question 1", "answer 2: 222")
    assert library.glimpse("ffffffffffff") == Glimpse()


def test_what_an_agent_tells_now_counts_before_the_index_has_it(tmp_path: Path) -> None:
    library = kept(tmp_path)
    library.heard = tuple(Told("test agent", id, 5.0, "/w", "Told", "", 0.0) for id in "ab")
    saved, listed = library.entries()
    assert Badge.RESUMABLE in saved.badges
    assert (listed.session_id, listed.title) == ("b", "Told")
    assert Badge.LISTED in listed.badges and Badge.SAVED not in listed.badges
    library.heard = ()
    assert len(library.entries()) == 1
