from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from acp_tui.base import processes
from acp_tui.base.lock import Lock

HOLD = """
import pathlib, sys
from acp_tui.base.lock import Lock
print(Lock(pathlib.Path(sys.argv[1])).take(), flush=True)
input()
"""


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    first, second = Lock(tmp_path / "lock"), Lock(tmp_path / "lock")
    assert first.take() is None
    owner = second.take()
    assert owner is not None and owner.pid == os.getpid()
    second.release()
    assert second.take() is not None
    first.release()
    assert second.take() is None
    second.release()
    assert list(tmp_path.iterdir()) == []


def test_another_process_holds_it_until_it_dies(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None and holder.stdout.readline() == b"None\n"
        owner = Lock(path).take()
        assert owner is not None and owner.pid == holder.pid
        holder.kill()
    assert path.exists()
    assert Lock(path).take() is None


def test_a_pid_that_was_used_again_holds_nothing(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text(json.dumps({"pid": os.getppid(), "birth": "another time"}))
    lock = Lock(path)
    assert lock.take() is None
    me = processes.find(os.getpid())
    assert me is not None
    assert json.loads(path.read_bytes()) == {"pid": os.getpid(), "birth": me.birth}


@pytest.mark.parametrize(
    "written", [b"", b'{"pid": \xff', b"[" * 4096, b'{"pid": "1", "birth": ""}', b"[1, 2]"]
)
def test_a_damaged_file_holds_nothing(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "lock"
    path.write_bytes(written)
    assert Lock(path).take() is None


def test_who_holds_it_is_seen_without_taking_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert Lock(path).owner() is None
    holder = Lock(path)
    holder.take()
    owner = Lock(path).owner()
    assert owner is not None and owner.pid == os.getpid()
    holder.release()
    assert Lock(path).owner() is None
    path.write_text(json.dumps({"pid": os.getpid(), "birth": "another time"}))
    assert Lock(path).owner() is None
    assert path.exists()
