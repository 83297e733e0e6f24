from __future__ import annotations

import os
import subprocess
import sys

import pytest

from acp_tui.base import processes

PARENT = """
import subprocess
subprocess.Popen(["cat"], start_new_session=True)
print("up", flush=True)
input()
"""


def test_we_see_ourselves_and_our_parent() -> None:
    found = processes.snapshot()
    me = found[os.getpid()]
    assert (me.parent, me.group) == (os.getppid(), os.getpgid(0))
    assert processes.alive(me.pid, me.birth)
    assert not processes.alive(me.pid, me.birth + "0")


def test_the_dead_are_not_alive() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        zombie = processes.find(child.pid)
        assert zombie is not None and zombie.zombie
        assert not processes.alive(child.pid, zombie.birth)
    assert processes.find(child.pid) is None


def test_descendants_are_found_in_other_sessions_too() -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None and child.stdout.readline() == b"up\n"
        (found,) = processes.descendants([child.pid], processes.snapshot())
        assert found.group == found.pid != child.pid
        child.communicate()


def test_ps_says_the_same_as_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    by_proc = processes.snapshot()[os.getpid()]
    monkeypatch.setattr(processes, "_has_proc", lambda: False)
    by_ps = processes.find(os.getpid())
    assert by_ps is not None
    assert (by_ps.pid, by_ps.parent, by_ps.group, by_ps.zombie) == (
        by_proc.pid,
        by_proc.parent,
        by_proc.group,
        False,
    )
    assert by_ps.birth == processes.snapshot()[os.getpid()].birth


def test_lines_of_ps_that_make_no_sense_are_passed_over() -> None:
    text = "ps: illegal\n\n  7 1 7 Z+   Mon Nov 30  08:45:00 2026\n 8 7 7 S"
    assert processes.from_ps(text) == {7: processes.Process(7, 1, 7, "Mon Nov 30 08:45:00 2026", True)}
