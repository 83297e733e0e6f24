"""Does what the client wants done for a v1 agent: reads and writes files, runs commands (`Serve`).

Invariants: each job ends with one result, unless it was stopped; files of a session are touched one after the
other, in the order in which that was asked for; whatever ends the connection, `end` returns in bounded time
and nothing of what was started lives on unnoticed.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
from anyio import to_thread
from anyio.abc import TaskGroup

from acp_tui.agent import failures, terminals
from acp_tui.agent.process import Started
from acp_tui.agent.terminals import Terminal
from acp_tui.base import paths
from acp_tui.base.processes import Process
from acp_tui.client import permits
from acp_tui.client.jobs import Began, Done, Elsewhere, Failed, Job, RequestId, Result, Wrote
from acp_tui.protocol import errors
from acp_tui.protocol.errors import Error
from acp_tui.protocol.jsonrpc import id_key
from acp_tui.protocol.served import (
    AskOutput,
    AwaitExit,
    CreateTerminal,
    KillTerminal,
    ReadTextFile,
    ReleaseTerminal,
    WriteTextFile,
)
from acp_tui.services import textfiles
from acp_tui.services.textfiles import Abandoned, Policy, Refused

MOST = 64
"""Terminals of one session."""
PATIENCE = 3.0
"""Seconds everything together gets to end."""


@dataclass(frozen=True, slots=True)
class World:
    """What it needs of who has it."""

    env: Mapping[str, str]
    served: Callable[[Result], object]
    register: Callable[[Started, list[str], str], Path | None]
    """Remembers, in a thread, that a command runs in that folder."""
    fault: Callable[[Exception], object]
    """Told of mistakes of ours."""
    left: Callable[[list[Process]], object]
    """Told of what could not be ended."""


class Server:
    """The jobs and terminals of one connection. Its tasks run in the group it is given."""

    def __init__(self, world: World, tasks: TaskGroup) -> None:
        self._world = world
        self._tasks = tasks
        self._jobs: dict[str, anyio.CancelScope] = {}
        self._files: dict[str, anyio.Lock] = {}
        self._terminals: dict[tuple[str, str], Terminal] = {}
        self._ending: set[Terminal] = set()

    # For the generation

    def serve(self, job: Job) -> None:
        """Begin it."""
        scope = self._jobs[id_key(job.id)] = anyio.CancelScope()
        self._tasks.start_soon(self._run, job, scope)

    def stop(self, id: RequestId) -> None:
        """Nobody waits for it any more."""
        scope = self._jobs.get(id_key(id))
        if scope is not None:
            scope.cancel()

    def release(self, ref: str) -> None:
        """End the terminals of a session."""
        for key in [key for key in self._terminals if key[0] == ref]:
            self._tasks.start_soon(self._free, self._terminals.pop(key))

    async def end(self) -> None:
        """Stop all jobs and end all terminals."""
        for scope in list(self._jobs.values()):
            scope.cancel()
        every = [*self._terminals.values(), *self._ending]
        self._terminals.clear()
        with anyio.move_on_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                for terminal in every:
                    tasks.start_soon(self._free, terminal)

    # Jobs

    async def _run(self, job: Job, scope: anyio.CancelScope) -> None:
        result: Result | None = None
        with scope:
            try:
                result = await self._do(job)
            except Refused as refused:
                result = Failed(job.id, refused.error)
            except Abandoned:
                return
            except Exception as mistake:
                self._world.fault(mistake)
                result = Failed(job.id, Error(code=errors.INTERNAL_ERROR, message="Internal error"))
        if self._jobs.get(id_key(job.id)) is scope:
            del self._jobs[id_key(job.id)]
        if result is not None:
            self._world.served(result)

    async def _do(self, job: Job) -> Result:
        match job.wanted:
            case ReadTextFile() | WriteTextFile():
                async with self._files.setdefault(job.ref, anyio.Lock()):
                    return await self._file(job)
            case CreateTerminal():
                return await self._create(job, job.wanted)
            case ReleaseTerminal():
                terminal = self._terminal(job)
                del self._terminals[job.ref, terminal.name]
                await self._free(terminal)
                return Done(job.id, {})
            case KillTerminal():
                self._complain(await self._terminal(job).kill())
                return Done(job.id, {})
            case AwaitExit():
                terminal = self._terminal(job)
                await terminal.ended.wait()
                return Done(job.id, dict(terminal.exit_status))
            case AskOutput():
                return Done(job.id, self._output(self._terminal(job)))

    # Files

    async def _file(self, job: Job) -> Result:
        gone = False

        def given_up() -> bool:
            return gone

        try:
            return await to_thread.run_sync(partial(_file, job, given_up), abandon_on_cancel=True)
        finally:
            gone = True

    # Terminals

    async def _create(self, job: Job, wanted: CreateTerminal) -> Result:
        cwd = await to_thread.run_sync(_folder, job, wanted)
        if isinstance(cwd, Elsewhere):
            return cwd
        if sum(ref == job.ref for ref, _ in self._terminals) >= MOST:
            message = f"There are {MOST} terminals in this session already: release some"
            raise Refused(errors.INVALID_REQUEST, message)
        env = terminals.environment(wanted, self._world.env)
        command = terminals.words(wanted, env)
        try:
            started = await to_thread.run_sync(terminals.begin, command, cwd, env)
        except (OSError, ValueError) as error:
            raise _not_begun(command, cwd, env, error) from None
        terminal = self._adopt(started, job, wanted, partial(self._register, command, cwd))
        try:
            await anyio.lowlevel.checkpoint()
        except BaseException:  # stopped while it began
            del self._terminals[job.ref, job.name]
            self._tasks.start_soon(self._free, terminal)
            raise
        return Began(job.id, permits.command_line(wanted), cwd, terminals.COLUMNS, terminals.ROWS)

    def _register(self, command: list[str], cwd: str, started: Started) -> Path | None:
        return self._world.register(started, command, cwd)

    def _adopt(
        self,
        started: tuple[subprocess.Popen[bytes], int],
        job: Job,
        wanted: CreateTerminal,
        register: Callable[[Started], Path | None],
    ) -> Terminal:
        place, limit = (job.ref, job.name), wanted.output_byte_limit
        terminal = self._terminals[place] = Terminal(*started, place, limit, self._world.served)
        self._tasks.start_soon(terminal.run, register)
        return terminal

    def _terminal(self, job: Job) -> Terminal:
        name = getattr(job.wanted, "terminal_id", "")
        terminal = self._terminals.get((job.ref, name))
        if terminal is None:
            raise Refused(errors.RESOURCE_NOT_FOUND, f"No such terminal: {name}")
        return terminal

    def _output(self, terminal: Terminal) -> dict[str, Any]:
        printed = terminal.printed
        told: dict[str, Any] = {"output": printed.text, "truncated": printed.truncated}
        return {**told, "exitStatus": terminal.exit_status} if terminal.ended.is_set() else told

    async def _free(self, terminal: Terminal) -> None:
        self._ending.add(terminal)
        try:
            with anyio.move_on_after(PATIENCE, shield=True):
                self._complain(await terminal.free())
        finally:
            self._ending.discard(terminal)

    def _complain(self, left: list[Process]) -> None:
        if left:
            self._world.left(left)


def _policy(job: Job) -> Policy:
    ours = (paths.state_dir(), paths.cache_dir(), paths.config_file().parent)
    return Policy(
        roots=job.roots,
        once=job.once,
        folders=job.folders,
        home=os.path.realpath(os.path.expanduser("~")),
        ours=tuple(os.path.realpath(folder) for folder in ours),
    )


def _file(job: Job, given_up: Callable[[], bool]) -> Result:
    """In a thread. Raises `Refused`, `Abandoned`."""
    wanted = job.wanted
    assert isinstance(wanted, ReadTextFile | WriteTextFile)
    writes = isinstance(wanted, WriteTextFile)
    place = _policy(job).place(wanted.path, writes=writes)
    real, folder = place.real, "" if place.guarded else os.path.dirname(place.real)
    if isinstance(wanted, WriteTextFile):
        if place.why:
            change = textfiles.would(real, wanted.content)
            return Elsewhere(job.id, real, place.why, folder, change)
        return Wrote(job.id, real, textfiles.write(real, wanted.content, given_up))
    if place.why:
        textfiles.check(real)  # nobody is asked about what cannot be read anyway
        return Elsewhere(job.id, real, place.why, folder)
    return Done(job.id, {"content": textfiles.read(real, wanted.line, wanted.limit, given_up)})


def _folder(job: Job, wanted: CreateTerminal) -> str | Elsewhere:
    """Where a command is to run. In a thread. Raises `Refused`."""
    if any(not one.name or "=" in one.name for one in wanted.env):
        raise Refused(errors.INVALID_PARAMS, "A variable has a name that is none")
    place = _policy(job).place(wanted.cwd or job.roots[0], writes=False)
    if not os.path.isdir(place.real):
        raise Refused(errors.INVALID_PARAMS, f"No such folder: {place.real}")
    if place.why:
        return Elsewhere(job.id, place.real, place.why, "" if place.guarded else place.real)
    return place.real


def _not_begun(command: list[str], cwd: str, env: Mapping[str, str], error: OSError | ValueError) -> Refused:
    missing = isinstance(error, FileNotFoundError)
    code = errors.RESOURCE_NOT_FOUND if missing else errors.INVALID_PARAMS
    return Refused(code, failures.cannot_start(tuple(command), cwd, env, error))
