"""Which agents run, kept where the next start of the program finds what a killed one left behind (S39)."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter

from acp_tui.agent.family import Family
from acp_tui.agent.process import Child
from acp_tui.base import atomic, processes, redact
from acp_tui.base.paths import running_dir
from acp_tui.base.processes import Process
from acp_tui.journal import log


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """One agent that runs, or ran when its client was killed."""

    pid: int
    birth: str
    command: list[str]
    cwd: str
    started: float
    client_pid: int
    client_birth: str
    journal: str = ""


@dataclass(frozen=True, slots=True)
class Leftover:
    """An agent, or what is left of its group, whose client is dead."""

    running: Running
    living: list[Process]

    @property
    def words(self) -> str:
        """The pids that live, and the command they came from."""
        return f"pid {', '.join(str(p.pid) for p in self.living)} of {shlex.join(self.running.command)}"

    async def end(self) -> list[Process]:
        """TERM, then KILL; returns who is still there."""
        return await Family(self.running.pid).end()


def register(
    child: Child, command: tuple[str, ...], cwd: str, started: float, journal: str = ""
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
        atomic.write(path, json.dumps(asdict(running)).encode())
    except OSError:
        return None
    return path


def leftovers() -> list[Leftover]:
    """Agents without a client that still live; records of the others go, their journals are repaired."""
    found = []
    for path in running_dir().glob("*.json"):
        running = _read(path)
        if running is not None and processes.alive(running.client_pid, running.client_birth):
            continue
        living = _living(running) if running is not None else []
        if running is not None and living:
            found.append(Leftover(running, living))
        else:
            _put_away(path, running)
    return found


def _living(running: Running) -> list[Process]:
    """Its pid may belong to somebody else by now, but its group then is somebody else's too."""
    now = processes.find(running.pid)
    if now is not None and now.birth != running.birth:
        return []
    return Family(running.pid).look()


def _put_away(path: Path, running: Running | None) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
    if running is not None and running.journal:
        with contextlib.suppress(OSError):
            log.repair(Path(running.journal))


def _read(path: Path) -> Running | None:
    try:
        return TypeAdapter(Running).validate_python(json.loads(path.read_bytes()))
    except (OSError, ValueError, RecursionError):
        return None
