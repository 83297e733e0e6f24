"""What the user did to sessions: the last word counts, whatever became of the lines before."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.journal.marks import NONE, Mark, Marks


@pytest.fixture
def marks(tmp_path: Path) -> Marks:
    return Marks(tmp_path / "state" / "marks.ndjson")


def test_the_last_of_each_sort_counts(marks: Marks) -> None:
    assert marks.all() == {}
    marks.rename("a", " The  parser\n", 1)
    marks.pin("a", 2)
    marks.trash("b", 3)
    marks.rename("a", "The lexer", 4)
    assert marks.all() == {"a": Mark("The lexer", True, None), "b": Mark(trashed_at=3.0)}
    marks.unpin("a", 5)
    marks.restore("b", 6)
    marks.rename("a", "", 7)
    assert marks.all() == {"a": NONE, "b": NONE}


def test_the_file_is_the_owners_alone(marks: Marks) -> None:
    marks.pin("a", 1)
    assert marks.path.stat().st_mode & 0o777 == 0o600


@given(cut=st.integers(0, 200), junk=st.binary(max_size=30))
def test_torn_and_strange_lines_are_passed_over(
    cut: int, junk: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    marks = Marks(tmp_path_factory.mktemp("marks") / "marks.ndjson")
    marks.pin("a", 1)
    whole = marks.path.read_bytes()
    marks.rename("a", "long name", 2)
    marks.path.write_bytes(whole + marks.path.read_bytes()[len(whole) :][:cut] + junk)
    marks.trash("b", 3)
    found = marks.all()
    assert found["a"].pinned
    assert found["b"] == Mark(trashed_at=3.0)


@pytest.mark.parametrize("line", ["[]", "7", '{"session":7}', '{"session":"a","do":"later","t":{}}', "{"])
def test_marks_of_others_are_kept(marks: Marks, line: str) -> None:
    marks.pin("a", 1)
    with marks.path.open("a") as file:
        file.write(line + "\n")
    marks.rename("a", "x", 2)
    assert marks.all()["a"] == Mark("x", True)
    assert line in marks.path.read_text()


def test_a_full_disk_leaves_no_half_of_a_mark(marks: Marks, monkeypatch: pytest.MonkeyPatch) -> None:
    marks.pin("a", 1)
    before, write = marks.path.read_bytes(), os.write

    def full(fd: int, data: bytes | memoryview) -> int:
        if len(data) < 10:
            raise OSError(28, "No space left on device")
        return write(fd, data[:-5])

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="space"):
        marks.rename("a", "x", 2)
    assert marks.path.read_bytes() == before


def _many(path: Path, who: str) -> None:
    for n in range(50):
        Marks(path).rename(who, f"{who} {n}", n)


def test_many_writers_at_once_lose_nothing(marks: Marks) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_many, args=(marks.path, name)) for name in "ab"]
    for each in writers:
        each.start()
    for each in writers:
        each.join(60)
    assert marks.path.read_text().count("\n") == 100
    assert marks.all() == {"a": Mark("a 49"), "b": Mark("b 49")}
