"""One start of an agent, from the first byte to the end of the last process.

Invariants: what the agent says is in the journal before it is applied, what we say before it leaves (DESIGN
5.1); whatever ends it, cancellation included, it winds down in order and in bounded time: goodbye or last
words, stdin closed, the family ended, the client told, the journal closed.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from acp_tui import __version__
from acp_tui.agent import failures, leftovers
from acp_tui.agent.chores import Alarm, Saver
from acp_tui.agent.process import GRACE, Child, NotStarted, adopt
from acp_tui.agent.pump import Cause, Pump
from acp_tui.agent.spawn import Spawned
from acp_tui.client.effects import Effect, Keep, Notify, ReleaseTerminals, Send, Serve, StopServing
from acp_tui.client.intents import Leave
from acp_tui.client.jobs import Result
from acp_tui.client.machine import Client
from acp_tui.journal import log
from acp_tui.journal.branches import branch
from acp_tui.journal.log import Header, Journal
from acp_tui.protocol.errors import INTERNAL_ERROR, Error
from acp_tui.protocol.jsonrpc import Incoming, Malformed, Request, Response, encode, to_raw
from acp_tui.store.entities import NoticeRecord
from acp_tui.store.store import CONNECTION, Store

if TYPE_CHECKING:
    from acp_tui.agent.process import Started
    from acp_tui.agent.serving import Server
    from acp_tui.base.processes import Process

LEAVE = 1.5
"""Seconds all sessions together get to close before stdin is closed."""
LAST_WORDS = 1.0
"""Seconds between the first sign of the end and the end: exit status and last messages come apart."""
FLUSH = 0.3
"""Seconds an agent that does not read gets for what is still queued."""
WAITING = "It goes on; what is said waits in memory until it can be saved."

BY_ITSELF: frozenset[Cause] = frozenset({"exit", "stdout", "stdin"})
OPENING = frozenset({"session/new", "session/resume", "session/load"})
POLITE: frozenset[Cause] = frozenset({"close", "restart", "again", "stop"})


@dataclass(frozen=True, slots=True)
class SavedAs:
    """A session in the library: our id, and its agent's name there."""

    id: str
    agent: str


class Owner(Protocol):
    """What a generation needs of the front."""

    store: Store
    client: Client
    command: tuple[str, ...]
    cwd: str
    env: Mapping[str, str]
    now: Callable[[], float]
    limit: int
    saved_as: dict[str, SavedAs]

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Do what the client wants done."""

    def hear(self, messages: Sequence[Incoming]) -> None:
        """The agent said this; it is kept, not applied yet."""

    def spawn(self) -> Spawned:
        """The process, as the operating system has it."""

    def started(self) -> None:
        """The process exists, or could not be made."""

    def ending(self) -> None:
        """It ends now; the client still believes in it."""


class Generation:
    """The process, its pump and its journal."""

    def __init__(self, owner: Owner, folder: Path, at: float, before: Path | None = None) -> None:
        """`before`: the journal that this one goes on from."""
        self._owner = owner
        self._journal = Journal(folder, _header(owner, at, log.after(before, at)))
        self._saver = Saver(self._journal, owner.now, self._note_saving)
        self.alarm = Alarm(owner.now)
        self._child: Child | None = None
        self._pump: Pump | None = None
        self._scope = anyio.CancelScope(shield=True)
        self._record: Path | None = None
        """Where it stands that this agent runs …"""
        self._named: Path | None = None
        """… with this journal."""
        self._begun: dict[str, int] = {}
        """How many sessions stand in the journal, by the agent's id."""
        self._tasks: TaskGroup | None = None
        self._server: Server | None = None
        """Who works for the agent, once it has wanted something."""
        self._faulty = False
        self.leaving = anyio.Event()
        """The client needs the connection no more."""
        self._note_saving(begun=True)

    # For the front

    @property
    def journal(self) -> Path:
        """The file it is kept in; a folder while there is none."""
        return self._journal.path

    def finish(self, cause: Cause) -> None:
        """Wind down, unless that is under way."""
        if self._pump is not None:
            self._pump.finish(cause)

    def kill(self) -> None:
        """End the process and its family now, unasked."""
        if self._child is not None:
            self.finish("kill")
            self._child.kill()

    def send(self, effect: Send) -> None:
        """Journal it, then queue it; after stdin was closed nothing is sent (CL-03)."""
        if self._pump is None or not self._pump.writable:
            return
        owner, message, ref = self._owner, effect.message, effect.ref
        session = owner.store.sessions.get(ref) if ref is not None else None
        name = session.session_id if session is not None else owner.client.route(message, True)
        line = encode(message)
        self._journal.append(">", [(name, to_raw(message))], owner.now(), self._beside(effect))
        self._kept()
        self._pump.send(line)

    def _beside(self, effect: Send) -> Mapping[str, str]:
        """What is kept with a message: with one that opens a session, the branch it begins on, and which one
        of the library it is.
        """
        message = effect.message
        if not isinstance(message, Request) or message.method not in OPENING:
            return effect.beside
        kept, folder = dict(effect.beside), message.params.get("cwd")
        kept["branch"] = branch(folder) if isinstance(folder, str) else ""
        saved = self._owner.saved_as.get(effect.ref or "")
        if message.method != "session/new":
            self._begun.setdefault(str(message.params.get("sessionId")), 1)
            kept |= {"saved": saved.id, "agent": saved.agent} if saved is not None else {}
        return kept

    def begins(self, session_id: str) -> int:
        """One more session with this agent's id; its number in the journal, as a scan counts it."""
        self._begun[session_id] = self._begun.get(session_id, 0) + 1
        return self._begun[session_id]

    def aside(self, work: Callable[[], object]) -> None:
        """Do something small that may take its time, in a thread."""
        if self._tasks is not None:
            self._tasks.start_soon(to_thread.run_sync, work)

    def note(self, event: str, **facts: str) -> None:
        """Keep something that nobody says."""
        self._journal.note(event, self._owner.now(), **facts)
        self._kept()

    def work(self, effect: Serve | StopServing | ReleaseTerminals | Keep) -> None:
        """Do for the agent what it wants of this machine, and keep what only we know of that."""
        match effect:
            case Keep(own):
                self._journal.own(own, self._owner.now())
                self._kept()
            case Serve(job) if self._tasks is not None:
                self._server = self._server or self._serving(self._tasks)
                self._server.serve(job)
            case StopServing(id) if self._server is not None:
                self._server.stop(id)
            case ReleaseTerminals(ref) if self._server is not None:
                self._server.release(ref)

    async def run(self, effects: Iterable[Effect]) -> None:
        """Start the process, carry out the first effects, return when everything has ended."""
        owner = self._owner
        child = adopt(owner.spawn(), owner.command, owner.cwd, owner.env)
        try:
            if isinstance(child, NotStarted):
                owner.ending()
                self._lose(child.failure)
                owner.started()
            else:
                owner.store.connection.pid = child.pid
                await self._live(child, effects)
        finally:
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self._journal.close, owner.now())
            self._note_saving(over=True)

    async def _live(self, child: Child, effects: Iterable[Effect]) -> None:
        self._child = child
        self._pump = Pump(child, self._receive, self._heard_stderr, self._owner.limit)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._pump.run)
                tasks.start_soon(self._chores, self._pump)
                try:
                    self._owner.carry_out(effects)
                    self._owner.started()
                    await to_thread.run_sync(self._register, child)
                    await self._pump.over.wait()
                finally:
                    with anyio.CancelScope(shield=True):
                        await self._wind_down(child, self._pump)
                    self._pump.end_tasks()
                    self._scope.cancel()
        finally:
            self._child = self._pump = None
            child.release()

    async def _chores(self, pump: Pump) -> None:
        """Like the pump's tasks these outlive a cancellation from outside."""
        with self._scope:
            async with anyio.create_task_group() as tasks:
                self._tasks = tasks
                tasks.start_soon(self.alarm.run, self._ring)
                tasks.start_soon(self._saver.run)
                await pump.exited.wait()
                self.leaving.set()  # there is nobody to take leave of

    def _ring(self) -> None:
        self._owner.carry_out(self._owner.client.tick(self._owner.now()))

    def _register(self, child: Child) -> None:
        owner, at = self._owner, self._owner.store.connection.started_at
        self._named = self._journal.path
        self._record = leftovers.register(child, owner.command, owner.cwd, at, str(self._named))

    # The end

    async def _wind_down(self, child: Child, pump: Pump) -> None:
        """Say goodbye or say what happened, end everything, hear the last of it, tell the client."""
        cause = pump.cause or "stop"
        died = cause in (*BY_ITSELF, "too_long") and any(
            session.phase in ("opening", "open") for session in self._owner.store.sessions.values()
        )
        self._owner.ending()
        if cause in POLITE and cause not in ("close", "again"):
            await self._leave()
        if self._server is not None:
            await self._server.end()
        if cause in BY_ITSELF:
            await self._hear_last(child, pump)
        elif cause == "too_long":
            self._lose(failures.too_long(self._owner.limit))
        elif cause == "kill":
            self._lose(failures.stopped())
        await to_thread.run_sync(child.family.look)  # before anybody can lose his parent
        await pump.close_stdin(FLUSH)
        left = await child.end(GRACE if cause in POLITE else 0)
        with anyio.move_on_after(LAST_WORDS):
            await pump.stdout_ended.wait()
            await pump.stderr_ended.wait()
        if left:
            self._tell_problem("Not everything could be ended", failures.survivors([p.pid for p in left]))
        elif self._record is not None and died:
            leftovers.amend(self._record, str(self._journal.path), died=True)
        elif self._record is not None:
            self._record.unlink(missing_ok=True)
        if cause in POLITE:
            self._lose(failures.stopped())

    async def _hear_last(self, child: Child, pump: Pump) -> None:
        """It ended by itself: what was still under way, then why (LC-06)."""
        with anyio.move_on_after(LAST_WORDS):
            for end in (pump.exited, pump.stdout_ended, pump.stderr_ended):
                await end.wait()
        connection, code = self._owner.store.connection, child.exit_code
        connection.exit_code = code
        connection.signal = failures.signal_name(-code) if code is not None and code < 0 else None
        self._lose(failures.ended(code, connection.ready_at is not None), died=True)

    async def _leave(self) -> None:
        """Answer what waits and close every session; the second `Leave` closes what took too long."""
        for _ in range(2):
            self._owner.carry_out(self._owner.client.intent(Leave(), self._owner.now()))
            with anyio.move_on_after(LEAVE):
                await self.leaving.wait()

    def _lose(self, reason: str, *, died: bool = False) -> None:
        owner, at = self._owner, self._owner.now()
        exit_code = owner.store.connection.exit_code
        self._journal.note("connection_lost", at, reason=reason, exit_code=exit_code)
        owner.carry_out(owner.client.lost(at, reason, died=died))

    # What it wants of this machine

    def _serving(self, tasks: TaskGroup) -> Server:
        from acp_tui.agent.serving import Server, World  # few agents want anything

        told = (self._served, self._register_command, self._note_fault, self._tell_left)
        return Server(World(self._owner.env, *told), tasks)

    def _served(self, result: Result) -> None:
        self._owner.carry_out(self._owner.client.served(result, self._owner.now()))

    def _register_command(self, started: Started, command: list[str], cwd: str) -> Path | None:
        return leftovers.register(started, tuple(command), cwd, self._owner.now())

    def _tell_left(self, left: list[Process]) -> None:
        self._tell_problem("A command could not be ended", failures.survivors([p.pid for p in left]))

    # What the agent says

    def _receive(self, messages: Sequence[Incoming]) -> None:
        at, route = self._owner.now(), self._owner.client.route
        self._journal.append("<", [(route(message, False), _kept_form(message)) for message in messages], at)
        self._kept()
        self._owner.hear(messages)
        for message in messages:
            self._owner.carry_out(self._apply(message, at))

    def _apply(self, message: Incoming, at: float) -> list[Effect]:
        """A fault of ours over one message must not end the conversation: it is kept, told and answered."""
        try:
            return self._owner.client.receive(message, at)
        except Exception as error:
            self._note_fault(error)
            if not self._faulty:
                self._faulty = True
                self._tell_problem("A message of the agent was left out", f"Fault of acp-tui: {error!r}")
            if not isinstance(message, Request):
                return []
            return [Send(Response(message.id, error=Error(code=INTERNAL_ERROR, message="Internal error")))]

    def _note_fault(self, error: Exception) -> None:
        trace = "".join(traceback.format_exception(error, limit=-8))
        self._journal.note("fault", self._owner.now(), error=repr(error), trace=trace)

    def _heard_stderr(self) -> None:
        if self._pump is not None:
            self._owner.store.connection.stderr_tail = self._pump.tail.lines()
            self._owner.store.touch(CONNECTION)

    def _tell_problem(self, title: str, description: str) -> None:
        self._tell("error", title, description)

    def _tell(self, severity: str, title: str, description: str) -> None:
        notice = NoticeRecord(self._owner.now(), severity, title, description, shelf=self._owner.store.shelf)
        self._owner.store.connection.tell(notice)
        self._owner.store.touch(CONNECTION)
        self._owner.carry_out([Notify(None, notice)])

    # The journal

    def _kept(self) -> None:
        self._saver.poke()
        self._note_saving()

    def _note_saving(self, begun: bool = False, over: bool = False) -> None:
        """Tell what is not kept, and when that is over; `begun`: this journal, in place of another; `over`:
        it was closed.
        """
        connection, journal = self._owner.store.connection, self._journal
        if self._record is not None and self._named != journal.path:  # rare: it was taken away, begun again
            self._named = journal.path
            leftovers.amend(self._record, str(journal.path))
        was, before = connection.saved, connection.save_problem
        connection.saved, connection.save_problem = journal.keeps, journal.problem
        if journal.problem == before:
            return
        self._owner.store.touch(CONNECTION)
        if not journal.keeps:
            self._tell("error", "Not saved", journal.problem if over else f"{journal.problem} {WAITING}")
        elif journal.problem:
            self._tell("warning", "Saved in part", journal.problem)
        elif not was:
            rest = "what was said before is not." if begun else "nothing is missing."
            self._tell("info", "Saved again", f"This conversation is being saved again; {rest}")


def _kept_form(message: Incoming) -> dict[str, object] | str:
    return message.raw if isinstance(message, Malformed) else to_raw(message)


def _header(owner: Owner, at: float, order: float) -> Header:
    return Header(
        generation=owner.store.connection.generation,
        command=owner.command,
        cwd=owner.cwd,
        started=at,
        pid=os.getpid(),
        version=__version__,
        order=order,
    )
