from __future__ import annotations

import os
import random
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from acp_tui.journal import log
from acp_tui.journal.log import Header, Journal, read, repair

WRITER = Path(__file__).parent / "writer.py"
HEADER = Header(generation=1, command=("agent", "-v"), cwd="/w", started=0.0, pid=77, version="0.1")


def records(journal: Journal) -> list[dict[str, Any]]:
    return list(read(journal.path))


def said(found: list[dict[str, Any]]) -> list[Any]:
    return [r.get("msg", r.get("raw", r.get("event"))) for r in found if "seq" in r]


@contextmanager
def disk_full_at(size: int) -> Iterator[None]:
    """No file may grow past `size`, as far as this process is concerned."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_header_and_records_for_the_owner_only(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "journal", HEADER)
    journal.append("<", [("s1", {"a": "ä€😀"}), (None, "garbage")], 1.5)
    journal.append(">", [("s1", {"b": 2})], 2.5)
    journal.note("exit", 3.5, code=1)
    header, *rest = records(journal)
    command = ["agent", "-v"]
    facts = {"generation": 1, "command": command, "cwd": "/w", "started": 0.0, "pid": 77, "version": "0.1"}
    assert header == {"acp-tui-journal": 1, **facts, "order": 0.0, "first": 0}
    assert rest == [
        {"seq": 0, "t": 1.5, "dir": "<", "session": "s1", "msg": {"a": "ä€😀"}},
        {"seq": 1, "t": 1.5, "dir": "<", "session": None, "raw": "garbage"},
        {"seq": 2, "t": 2.5, "dir": ">", "session": "s1", "msg": {"b": 2}},
        {"seq": 3, "t": 3.5, "dir": "#", "session": None, "event": "exit", "code": 1},
    ]
    assert journal.path.relative_to(tmp_path) == Path("journal/1970-01/19700101T000000Z-77-1.ndjson")
    folders = journal.path, journal.path.parent, journal.path.parent.parent
    assert [p.stat().st_mode & 0o777 for p in folders] == [0o600, 0o700, 0o700]


def test_one_write_for_a_burst_and_it_is_there_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = Journal(tmp_path, HEADER)
    writes: list[int] = []
    monkeypatch.setattr(log, "_write_all", lambda fd, data: writes.append(os.write(fd, data)))
    journal.append("<", [("s", {"n": n}) for n in range(50)], 1.0)
    assert len(writes) == 1
    assert said(records(journal)) == [{"n": n} for n in range(50)]


def test_two_connections_in_one_second_have_two_files(tmp_path: Path) -> None:
    assert Journal(tmp_path, HEADER).path != Journal(tmp_path, HEADER).path


def test_secrets_do_not_get_in(tmp_path: Path) -> None:
    header = Header(generation=1, command=("a", "--token=hunter2"), cwd="/", started=0.0, pid=1, version="0")
    journal = Journal(tmp_path, header)
    journal.append(">", [(None, {"params": {"env": [{"name": "K", "value": "hunter2"}]}})], 0.0)
    journal.append("<", [(None, "password: hunter2")], 0.0)
    assert b"hunter2" not in journal.path.read_bytes()


def test_lone_surrogates_come_back(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    journal.append("<", [(None, {"text": "\ud800"})], 0.0)
    assert said(records(journal)) == [{"text": "\ud800"}]


def test_a_torn_tail_is_passed_over_and_repaired(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    journal.append("<", [(None, {"n": 1})], 0.0)
    whole = journal.path.read_bytes()
    for torn in (b'{"seq":1,"t":0', b"\0" * 10_000, b"{" * 5000, b'"text"'):
        journal.path.write_bytes(whole + torn)
        assert said(records(journal)) == [{"n": 1}]
        assert repair(journal.path) == len(torn)
        assert journal.path.read_bytes() == whole
    assert repair(journal.path) == 0


def test_a_full_disk_is_said_and_nothing_is_lost_when_there_is_room_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    journal.append("<", [(None, {"n": 0})], 0.0)
    with disk_full_at(journal.path.stat().st_size + 30):
        journal.append("<", [(None, {"n": 1, "text": "x" * 100})], 1.0)
        assert "disk is full" in journal.problem and journal.dirty
        journal.append(">", [(None, {"n": 2})], 5.0)
    assert journal.problem
    journal.append("<", [(None, {"n": 3})], 5.5)
    assert journal.problem, "no new attempt within a second"
    journal.append("<", [(None, {"n": 4})], 6.5)
    assert journal.problem == ""
    assert [m["n"] for m in said(records(journal))] == [0, 1, 2, 3, 4]
    assert [r["seq"] for r in records(journal)[1:]] == [0, 1, 2, 3, 4]


def test_what_no_memory_was_left_for_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "KEEP_WAITING", 200)
    journal = Journal(tmp_path, HEADER)
    with disk_full_at(journal.path.stat().st_size):
        for n in range(10):
            journal.append("<", [(None, {"n": n, "text": "x" * 100})], 1.0)
    journal.append("<", [(None, {"n": 10})], 3.0)
    journal.append("<", [(None, {"n": 11})], 3.0)
    found = records(journal)
    assert [r.get("missing", r.get("msg", {}).get("n")) for r in found[1:]] == [0, 1, 9, 11]
    assert [r["seq"] for r in found[1:]] == [0, 1, 2, 3]


def test_a_folder_that_cannot_be_made_is_tried_again(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    journal = Journal(tmp_path / "file" / "journal", HEADER)
    journal.append("<", [(None, {"n": 1})], 0.5)
    assert "file exists" in journal.problem
    (tmp_path / "file").unlink()
    assert journal.sync_job(2.0) is not None
    assert journal.problem == ""
    assert said(records(journal)) == [{"n": 1}]


def test_a_removed_file_is_begun_anew_and_said(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    journal.append("<", [(None, {"n": 1})], 1.0)
    journal.sync_job(1.0)
    journal.append("<", [(None, {"n": 2})], 1.5)
    journal.path.unlink()
    assert journal.sync_job(2.0) is not None
    assert "removed" in journal.problem and journal.keeps
    assert said(records(journal)) == [{"n": 2}], "it was written since the file was last seen"
    journal.append("<", [(None, {"n": 3})], 2.5)
    assert records(journal)[0]["first"] == 1
    assert said(records(journal)) == [{"n": 2}, {"n": 3}]
    assert "removed" in journal.problem, "what was said before is gone for good"


def test_a_file_put_in_our_place_is_left_alone(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    taken = journal.path
    taken.unlink()
    taken.write_text("precious")
    assert journal.sync_job(2.0) is not None
    journal.append("<", [(None, {"n": 2})], 2.5)
    assert taken.read_text() == "precious"
    assert said(records(journal)) == [{"n": 2}]


def test_syncing_leaves_it_clean_until_the_next_record(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    job = journal.sync_job(1.0)
    assert job is not None and not journal.dirty
    job()
    journal.append("<", [(None, {"n": 1})], 1.0)
    assert journal.dirty
    journal.close(2.0)
    assert not journal.dirty


@pytest.mark.parametrize(
    ("room", "lost"), [(True, "The last 3 records of this conversation"), (False, "This conversation")]
)
def test_what_a_full_disk_took_is_said_at_the_end(room: bool, lost: str, tmp_path: Path) -> None:
    if not room:
        (tmp_path / "j").write_text("")
    journal = Journal(tmp_path / "j", HEADER)
    journal.append("<", [("s1", {"n": 0})], 1.0)
    if room:
        with disk_full_at(journal.path.stat().st_size):
            journal.append("<", [("s1", {"n": n}) for n in (1, 2, 3)], 2.0)
            journal.close(2.1)
        assert [record["msg"] for record in records(journal)[1:]] == [{"n": 0}]
    else:
        journal.close(2.1)
    assert journal.problem.startswith(f"{lost} could not be saved: ")
    assert not journal.keeps


def test_the_last_attempt_is_made_whenever_the_one_before_was(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    with disk_full_at(journal.path.stat().st_size):
        journal.append("<", [("s1", {"n": 1})], 2.0)
    journal.close(2.1)
    assert journal.problem == ""
    assert records(journal)[1]["msg"] == {"n": 1}


def test_a_failing_disk_is_said_and_the_file_opened_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path, HEADER)
    journal.failed(OSError(5, "Input/output error"), 1.0)
    assert "input/output error" in journal.problem and journal.dirty
    journal.append("<", [(None, {"n": 1})], 2.5)
    assert journal.problem == ""
    assert said(records(journal)) == [{"n": 1}]


@pytest.mark.parametrize("seed", range(6))
def test_a_killed_writer_loses_nothing_it_told_of(tmp_path: Path, seed: int) -> None:
    lines = random.Random(seed).randrange(1, 400)
    with subprocess.Popen([sys.executable, WRITER, tmp_path], stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        for _ in range(lines):
            writer.stdout.readline()
        writer.kill()
        told = lines + writer.stdout.read().count(b"\n")
    (path,) = tmp_path.rglob("*.ndjson")
    found = [r["msg"] for r in read(path) if "msg" in r]
    assert [m["n"] for m in found[: 3 * told]] == [n for n in range(told) for _ in range(3)]
    repair(path)
    assert path.read_bytes().endswith(b"\n")
