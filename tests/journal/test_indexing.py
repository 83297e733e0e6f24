"""However it is made, the index says the same: what the journals say."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.journal import index
from acp_tui.journal.gathering import BIG
from acp_tui.journal.index import NAME
from acp_tui.journal.library import Library
from tests.journal.indexing_run import bring_up, content
from tests.journal.keeping import INITIALIZE, Said, answer, ask, chunk, opened, run, turn, update
from tests.journal.test_folding import CHILD, STORIES, tell

LISTS = [
    ask(90, "session/list"),
    answer(90, sessions=[{"sessionId": "x", "cwd": "/x", "title": "X"}, {"sessionId": "a", "cwd": "/w"}]),
    ask(91, "session/list"),
    answer(91, sessions=[{"sessionId": "y", "cwd": "/x", "title": "\ud800"}]),
]


def some(state: Path, *more: Said) -> Path:
    said = [*INITIALIZE, *opened("a"), *turn("a", 1, 2), *CHILD, *LISTS, *more]
    return run(state / "journal", said).path


@settings(max_examples=20)
@given(stories=st.lists(STORIES, min_size=1, max_size=2), data=st.data())
def test_made_bit_by_bit_it_is_what_it_is_made_at_once(
    stories: list[list[list[Said] | str]], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("bits")
    for number, story in enumerate(stories):
        tell(folder / f"whole{number}" / "journal", story).say(LISTS)
    whole = {
        Path(f"journal/month/{number}-{path.name}"): path.read_bytes()
        for number in range(len(stories))
        for path in (folder / f"whole{number}").rglob("*.ndjson")
    }
    state, bits, once = folder / "state", folder / "bits", folder / "once"
    for _ in range(data.draw(st.integers(0, 3))):
        for path, said in whole.items():
            before = (state / path).stat().st_size if (state / path).exists() else 0
            write(state / path, said[: data.draw(st.integers(before, len(said)))])
        bring_up(state, bits)
    for path, said in whole.items():
        write(state / path, said)
    bring_up(state, bits)
    bring_up(state, once)
    bit, all = content(bits), content(once)
    for name, rows in all.items():
        assert bit[name] == rows


def write(path: Path, said: bytes) -> None:
    """As it grows: what stands there stays."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab") as file:
        file.write(said[file.tell() :])


def test_where_nothing_changed_nothing_is_done(tmp_path: Path) -> None:
    some(tmp_path)
    assert {told["phase"] for told in bring_up(tmp_path, tmp_path / "cache")} == {"scan", "words"}
    assert bring_up(tmp_path, tmp_path / "cache") == []


def test_what_is_removed_goes_from_the_index(tmp_path: Path) -> None:
    first = some(tmp_path)
    run(tmp_path / "journal", [*INITIALIZE, *opened("b"), *turn("b", 2, 3)], pid=8)
    bring_up(tmp_path, tmp_path / "cache")
    first.unlink()
    bring_up(tmp_path, tmp_path / "cache")
    bring_up(tmp_path, tmp_path / "other")
    assert content(tmp_path / "cache") == content(tmp_path / "other")
    library = Library(tmp_path, tmp_path / "cache")
    assert library.search('"question 1"') == []
    assert [hit.found for hit in library.search('"question 2"')] == ["question 2"]


def spoil_bytes(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[100:] = os.urandom(len(data) - 100)
    path.write_bytes(data)


def spoil_a_table(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE stretch")


def make_newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 99")


def make_older(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("INSERT INTO words (words) VALUES ('delete-all')")  # it had other words
        db.execute("PRAGMA user_version = 2")


SPOILT: dict[str, Any] = {
    "gone": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "no database": lambda path: path.write_text("something else" * 1000),
    "cut": lambda path: os.truncate(path, 5000),
    "damaged": spoil_bytes,
    "without a table": spoil_a_table,
    "newer": make_newer,
    "older": make_older,
}


@pytest.mark.parametrize("how", SPOILT)
def test_spoilt_it_is_made_again(how: str, tmp_path: Path) -> None:
    some(tmp_path)
    cache = tmp_path / "cache"
    bring_up(tmp_path, cache)
    whole = content(cache)
    SPOILT[how](cache / "library" / NAME)
    library = Library(tmp_path, cache)
    assert [entry.session_id for entry in library.entries()][:1] == ["a"]
    assert isinstance(library.search("question"), list)
    assert library.progress().words in ("", library.progress().words)
    run(tmp_path / "journal", [*INITIALIZE, *opened("b")], pid=8).path.unlink()
    bring_up(tmp_path, cache)
    assert content(cache) == whole
    assert [hit.found for hit in library.search('"question 1"')] == ["question 1"]
    assert library.progress().state == "current"


@pytest.mark.parametrize("change", ["scanner = 0", "size = size + 1"])
def test_what_another_scanner_found_is_scanned_again(change: str, tmp_path: Path) -> None:
    some(tmp_path)
    cache = tmp_path / "cache"
    bring_up(tmp_path, cache)
    whole = content(cache)
    with closing(sqlite3.connect(cache / "library" / NAME)) as db, db:
        db.execute(f"UPDATE journal SET {change}")
        db.execute("UPDATE facts SET data = x'00'")
    library = Library(tmp_path, cache)
    [entry] = [entry for entry in library.entries() if entry.session_id == "a"]
    assert library.saved(entry.id) is not None
    assert library.search("question")
    bring_up(tmp_path, cache)
    assert content(cache) == whole


def test_facts_that_were_damaged_are_read_from_the_journal(tmp_path: Path) -> None:
    some(tmp_path)
    bring_up(tmp_path, tmp_path / "cache")
    with closing(sqlite3.connect(tmp_path / "cache" / "library" / NAME)) as db, db:
        db.execute("UPDATE facts SET data = x'00'")
    library = Library(tmp_path, tmp_path / "cache")
    [entry] = [entry for entry in library.entries() if entry.session_id == "a"]
    assert library.saved(entry.id) is not None


def test_checkpoints_can_go_at_any_time(tmp_path: Path) -> None:
    long = [chunk("a", f"m{n}", "many words " * 50) for n in range(BIG // 500)]
    path = some(tmp_path, *long)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) - 50_000])
    cache = tmp_path / "cache"
    bring_up(tmp_path, cache)
    assert list(Library(tmp_path, cache).checkpoints.glob("*.checkpoint"))
    shutil.rmtree(Library(tmp_path, cache).checkpoints)
    path.write_bytes(whole)
    bring_up(tmp_path, cache)
    bring_up(tmp_path, tmp_path / "other")
    assert content(cache) == content(tmp_path / "other")


class Process:
    """An indexing in a process of its own."""

    def __init__(self, state: Path, cache: Path) -> None:
        env = {**os.environ, "ACP_TUI_STATE_DIR": str(state), "ACP_TUI_CACHE_DIR": str(cache)}
        command = Library.indexer()
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def told(self) -> list[dict[str, Any]]:
        """All it says, when it ended."""
        assert self.process.stdout is not None
        assert self.process.stdin is not None
        with self.process.stdout:
            said = self.process.stdout.read()
        self.process.stdin.close()
        assert self.process.wait(60) == 0
        return [json.loads(line) for line in said.splitlines()]


@pytest.mark.slow
def test_two_at_once_are_one(tmp_path: Path) -> None:
    some(tmp_path, *(chunk("a", f"m{n}", f"word{n} here") for n in range(800)))
    both = [Process(tmp_path, tmp_path / "cache") for _ in range(2)]
    told = [each.told() for each in both]
    assert {said[-1]["phase"] for said in told} <= {"done", "busy"}
    assert "done" in {said[-1]["phase"] for said in told}
    bring_up(tmp_path, tmp_path / "other")
    assert content(tmp_path / "cache") == content(tmp_path / "other")


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, None], ids=["killed", "nobody wants it"])
def test_ended_in_the_midst_the_next_goes_on(how: signal.Signals | None, tmp_path: Path) -> None:
    for pid in range(12):
        said = [chunk("a", f"m{n}", f"word{n} here") for n in range(100)]
        run(tmp_path / "journal", [*INITIALIZE, *opened("a"), *said], pid=pid)
    first = Process(tmp_path, tmp_path / "cache")
    assert first.process.stdout is not None
    assert first.process.stdin is not None
    assert first.process.stdout.readline()
    if how is not None:
        first.process.send_signal(how)
    first.process.stdin.close()
    first.process.wait(60)
    first.process.stdout.close()
    assert Process(tmp_path, tmp_path / "cache").told()[-1]["phase"] == "done"
    bring_up(tmp_path, tmp_path / "other")
    assert content(tmp_path / "cache") == content(tmp_path / "other")


def test_its_files_are_the_owners_alone(tmp_path: Path) -> None:
    some(tmp_path)
    bring_up(tmp_path, tmp_path / "cache")
    for path in (tmp_path / "cache" / "library").rglob("*"):
        assert path.stat().st_mode & 0o077 == 0, path


def test_it_is_read_while_it_is_written(tmp_path: Path) -> None:
    some(tmp_path)
    bring_up(tmp_path, tmp_path / "cache")
    library = Library(tmp_path, tmp_path / "cache")
    with closing(index.writing(tmp_path / "cache" / "library")) as db:
        db.execute("BEGIN IMMEDIATE")
        db.execute("DELETE FROM session")
        assert [entry.session_id for entry in library.entries()][:1] == ["a"]
        assert library.search("question")
        db.execute("ROLLBACK")


def test_a_subagents_words_lead_to_it(tmp_path: Path) -> None:
    some(tmp_path, update("kid", "tool_call_update", toolCallId="c", title="look it up"))
    bring_up(tmp_path, tmp_path / "cache")
    [hit] = Library(tmp_path, tmp_path / "cache").search('"look it up"')
    assert (hit.session_id, hit.kind, hit.id, hit.entry.session_id) == ("kid", "tool_call", "c", "a")


@pytest.mark.slow
def test_nothing_is_imported_from_the_folder_it_is_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some(tmp_path)
    for name in ("json", "sqlite3", "acp_tui"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(3)")
    monkeypatch.chdir(tmp_path)
    assert Process(tmp_path, tmp_path / "cache").told()[-1]["phase"] == "done"
