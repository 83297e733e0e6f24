"""What is removed for good is gone whole; everything else stays as it was, under its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from acp_tui.base.config.model import Kept
from acp_tui.journal.entry import Query
from acp_tui.journal.folding import fold
from acp_tui.journal.library import Library
from acp_tui.journal.purging import purge
from acp_tui.journal.saved import Saved
from acp_tui.journal.tidying import DAY, tidy
from acp_tui.journal.writers import Writers
from tests.journal.indexing_run import bring_up
from tests.journal.keeping import INITIALIZE, Program, Said, library, opened, run, sessions, turn
from tests.journal.test_folding import STORIES, tell

NOBODY = Writers(frozenset(), ())


def saved(folder: Path) -> dict[str, Saved]:
    return {one.id: one for one in library(folder)}


def begun_twice(one: Saved) -> bool:
    """Its agent gave its id twice on one connection: then the id of the second is not for ever."""
    journals = [part.journal for part in one.parts]
    return any([s.session_id for s in j.stretches].count(one.session_id) > 1 for j in journals)


@settings(max_examples=60)
@given(story=STORIES, data=st.data())
def test_the_others_are_as_they_were(
    story: list[list[Said] | str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("purge")
    tell(folder, story)
    before = saved(folder)
    assume(before and not any(map(begun_twice, before.values())))
    gone = before[data.draw(st.sampled_from(sorted(before)))]
    others = {id: sessions(fold(one)) for id, one in before.items() if id != gone.id}
    assert purge(gone, NOBODY)
    assert {id: sessions(fold(one)) for id, one in saved(folder).items()} == others


def test_no_word_of_it_is_left(tmp_path: Path) -> None:
    said = [*INITIALIZE, *opened("mine"), *turn("mine", 1, 2), *opened("other", 5), *turn("other", 3, 4)]
    path = run(tmp_path, said).path
    (mine,) = [one for one in saved(tmp_path).values() if one.session_id == "mine"]
    assert purge(mine, NOBODY)
    assert b"mine" not in path.read_bytes()
    assert [one.session_id for one in saved(tmp_path).values()] == ["other"]


def test_a_journal_without_a_session_left_is_removed(tmp_path: Path) -> None:
    path = run(tmp_path, [*INITIALIZE, *opened("a"), *turn("a", 1, 2)]).path
    (one,) = saved(tmp_path).values()
    assert purge(one, NOBODY)
    assert not path.exists()


def test_what_is_being_written_stays_whole(tmp_path: Path) -> None:
    program = Program(tmp_path)
    for _ in range(2):
        program.start()
        program.say([*INITIALIZE, *opened("a"), *turn("a", 1, 2)])
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.ndjson")}
    for one in saved(tmp_path).values():
        writing = Writers(frozenset([str(one.last.path)]), ())
        assert not purge(one, writing)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.ndjson")} == before


class Shelf:
    """A library with two sessions, the second active later."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        run(folder / "journal", [*INITIALIZE, *opened("old"), *turn("old", 1, 2)])
        run(folder / "journal", [*INITIALIZE, *opened("new"), *turn("new", 1, 2)], at=1000 + 100 * DAY)
        bring_up(folder, folder / "cache")
        self.library = Library(folder, folder / "cache")

    def tidy(self, kept: Kept, day: float) -> None:
        tidy(self.library, kept, 2000 + day * DAY)
        bring_up(self.folder, self.folder / "cache")

    def has(self, *, trashed: bool = False) -> list[str]:
        return sorted(one.session_id for one in self.library.entries(Query(trashed=trashed)))

    def id(self, session_id: str) -> str:
        return next(one.id for one in self.library.entries() if one.session_id == session_id)


def test_nothing_goes_by_itself(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.tidy(Kept(), 10_000)
    assert shelf.has() == ["new", "old"]


def test_old_ones_go_to_the_trash_and_from_there_for_good(tmp_path: Path) -> None:
    shelf, kept = Shelf(tmp_path), Kept(sessions="30 days", trash="7 days")
    shelf.tidy(kept, 101)
    assert (shelf.has(), shelf.has(trashed=True)) == (["new"], ["old"])
    shelf.tidy(kept, 107)
    assert shelf.has(trashed=True) == ["old"], "not before its time"
    shelf.tidy(kept, 109)
    assert shelf.has(trashed=True) == []
    assert [one.session_id for one in saved(tmp_path).values()] == ["new"]


def test_pinned_ones_stay(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.library.marks.pin(shelf.id("old"), 2000.0)
    shelf.tidy(Kept(sessions="30 days"), 101)
    assert shelf.has() == ["new", "old"]


def test_what_is_brought_back_from_the_trash_stays(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.library.marks.trash(old := shelf.id("old"), 2000.0)
    shelf.library.marks.restore(old, 2001.0)
    shelf.tidy(Kept(), 10_000)
    assert shelf.has() == ["new", "old"]


def test_a_clock_set_back_removes_nothing(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.library.marks.trash(shelf.id("old"), 2000 + 500 * DAY)
    shelf.tidy(Kept(), 0)
    assert shelf.has(trashed=True) == ["old"]
