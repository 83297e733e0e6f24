"""Which processes exist and who started whom: `/proc` where there is one, else `ps`.

A process is named by its pid *and* its birth, because pids are used again. A zombie is dead: it runs nothing.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROC = Path("/proc")


@dataclass(frozen=True, slots=True)
class Process:
    """One process at the time of the look. `birth` is an opaque word, new when a pid is used again."""

    pid: int
    parent: int
    group: int
    birth: str
    zombie: bool = False
    session: int = 0
    """The pid of who began its session; 0 where that cannot be known."""


def snapshot() -> dict[int, Process]:
    """All processes we can see, by pid."""
    if _has_proc():
        found = (_from_proc(int(name)) for name in os.listdir(PROC) if name.isdecimal())
        return {process.pid: process for process in found if process is not None}
    return from_ps(_run_ps("-A"))


def find(pid: int) -> Process | None:
    """The process with this pid, alive or a zombie."""
    return _from_proc(pid) if _has_proc() else from_ps(_run_ps("-p", str(pid))).get(pid)


def alive(pid: int, birth: str) -> bool:
    """The process that had this pid and birth still runs."""
    process = find(pid)
    return process is not None and process.birth == birth and not process.zombie


def descendants(roots: Iterable[int], among: dict[int, Process]) -> list[Process]:
    """Children, their children and so on; one whose parent died before is not to be found this way."""
    children: dict[int, list[Process]] = {}
    for process in among.values():
        children.setdefault(process.parent, []).append(process)
    found: dict[int, Process] = {}
    waiting = list(roots)
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child.pid not in found:
                found[child.pid] = child
                waiting.append(child.pid)
    return list(found.values())


def from_ps(text: str) -> dict[int, Process]:
    """What `ps -o pid=,ppid=,pgid=,stat=,lstart=` printed."""
    found = {}
    for line in text.splitlines():
        words = line.split(None, 4)
        if len(words) == 5 and words[0].isdecimal():
            pid, parent, group = (int(word) for word in words[:3])
            found[pid] = Process(pid, parent, group, " ".join(words[4].split()), words[3].startswith("Z"))
    return found


@cache
def _has_proc() -> bool:
    return (PROC / "self" / "stat").exists()


@cache
def _boot() -> str:
    """Start times count from the boot, so a birth names the boot too."""
    try:
        return (PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _from_proc(pid: int) -> Process | None:
    try:
        stat = (PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The name stands in parentheses and may hold anything, parentheses and spaces too.
    state, parent, group, session, *rest = stat[stat.rindex(b")") + 1 :].split()
    birth = f"{_boot()}:{int(rest[15])}"
    return Process(pid, int(parent), int(group), birth, state in (b"Z", b"X"), int(session))


def _run_ps(*which: str) -> str:
    """Empty when there is no `ps`: then nothing is known of any process."""
    command = ["ps", *which, "-o", "pid=,ppid=,pgid=,stat=,lstart="]
    try:
        environment = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}
        return subprocess.run(command, capture_output=True, text=True, timeout=5, env=environment).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
