"""Which agents run, and commands for them, kept where the next start of the program finds what a killed one
left behind (S39).

Invariant: nothing is ended here unasked. An agent without its client may be stuck, or in the midst of a build
that its user waits for; only he knows, and ending cannot be undone.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from acp_tui.agent.family import Family
from acp_tui.agent.process import Started
from acp_tui.base import atomic, processes, redact
from acp_tui.base.paths import running_dir
from acp_tui.base.processes import Process
from acp_tui.journal import log


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """One agent, or a command for one, that runs, or ran when its client was killed."""

    pid: int
    birth: str
    command: list[str]
    cwd: str
    started: float
    client_pid: int
    client_birth: str
    journal: str = ""
    died: bool = False
    """It ended by itself with sessions open, before its client: kept for the next start to tell of."""
    told: bool = False
    """The user was told that its client has ended."""


class Record(NamedTuple):
    """Where it stands that an agent ran."""

    path: Path
    running: Running


@dataclass(frozen=True, slots=True)
class Leftover:
    """An agent, or what is left of its group, whose client is dead."""

    record: Record
    living: list[Process]

    @property
    def running(self) -> Running:
        """What is known of it."""
        return self.record.running

    @property
    def words(self) -> str:
        """The pids that live, and the command they came from."""
        return f"pid {', '.join(str(p.pid) for p in self.living)} of {shlex.join(self.running.command)}"

    async def end(self) -> list[Process]:
        """TERM, then KILL; returns who is still there."""
        return await Family(self.running.pid).end()


def register(
    child: Started, command: tuple[str, ...], cwd: str, started: float, journal: str = ""
) -> Path | None:
    """Remember that it runs; None where that cannot be written, which harms nothing now."""
    me = processes.find(os.getpid())
    running = Running(
        pid=child.pid,
        birth=child.birth,
        command=redact.command(command),
        cwd=cwd,
        started=started,
        client_pid=os.getpid(),
        client_birth=me.birth if me else "",
        journal=journal,
    )
    path = running_dir() / f"{running.client_pid}-{child.pid}.json"
    try:
        _write(path, running)
    except OSError:
        return None
    return path


def amend(path: Path, journal: str, *, died: bool = False) -> None:
    """What is kept of one is not so any more; where that cannot be written it stays as it was."""
    running = _read(path)
    if running is not None:
        with contextlib.suppress(OSError):
            _write(path, replace(running, journal=journal, died=died))


@dataclass(frozen=True, slots=True)
class Remains:
    """What is left of clients that ended without a word, and of agents that did."""

    ended: list[Record]
    """Nothing of these agents lives."""
    living: list[Leftover]

    @property
    def untold(self) -> list[Running]:
        """Those that nobody was told of."""
        every = [*(one.running for one in self.ended), *(one.running for one in self.living)]
        return [running for running in every if not running.told]

    def settle(self) -> None:
        """The user was told: the records of those that have ended go, their journals are repaired."""
        for path, running in self.ended:
            with contextlib.suppress(OSError):
                path.unlink()
            if running.journal:
                with contextlib.suppress(OSError):
                    log.repair(Path(running.journal))
        for left in self.living:
            if not left.running.told:
                with contextlib.suppress(OSError):
                    _write(left.record.path, replace(left.running, told=True))


def remains() -> Remains:
    """By the records there are; those that nobody can read go."""
    found = Remains([], [])
    for path in running_dir().glob("*.json"):
        running = _read(path)
        if running is None:
            with contextlib.suppress(OSError):
                path.unlink()
        elif not processes.alive(running.client_pid, running.client_birth):
            record = Record(path, running)
            if living := _living(running):
                found.living.append(Leftover(record, living))
            else:
                found.ended.append(record)
    return found


def leftovers() -> list[Leftover]:
    """Agents without a client that still live; the others are settled."""
    found = remains()
    found.settle()
    return found.living


def _write(path: Path, running: Running) -> None:
    atomic.write(path, json.dumps(asdict(running)).encode())


def _living(running: Running) -> list[Process]:
    """Its pid may belong to somebody else by now, but its group then is somebody else's too."""
    if running.died:
        return []
    now = processes.find(running.pid)
    if now is not None and now.birth != running.birth:
        return []
    return Family(running.pid).look()


def _read(path: Path) -> Running | None:
    try:
        return TypeAdapter(Running).validate_python(json.loads(path.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return None
