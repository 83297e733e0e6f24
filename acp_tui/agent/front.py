"""The one front to an agent: what the user interface talks to.

Carries out the effects of the pure client against a real process, and keeps the journal. Invariants: everything the
agent says is in the journal before it is applied, everything we say before it leaves (DESIGN 5.1); on every way out,
cancellation included, the process and its family are ended in bounded time; each start is a generation of its own
with its own journal; nothing is ever sent again by itself (LC-08).
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import anyio
from anyio import to_thread

from acp_tui import __version__
from acp_tui.agent import failures, leftovers
from acp_tui.agent.chores import Alarm, Saver
from acp_tui.agent.process import GRACE, Child, NotStarted, spawn
from acp_tui.agent.pump import Cause, Pump
from acp_tui.base import paths
from acp_tui.client.effects import Close, Effect, Notify, Restart, Send, Wake
from acp_tui.client.intents import Intent, Leave, OpenSession, ResumeSession
from acp_tui.client.machine import Client
from acp_tui.journal.log import Header, Journal
from acp_tui.protocol.errors import INTERNAL_ERROR, Error
from acp_tui.protocol.jsonrpc import LIMIT, Incoming, Malformed, Outgoing, Request, Response, encode, to_raw
from acp_tui.store.entities import NoticeRecord
from acp_tui.store.session import Session
from acp_tui.store.store import CONNECTION, Store

LEAVE = 1.5
"""Seconds all sessions together get to close before stdin is closed."""
LAST_WORDS = 1.0
"""Seconds between the first sign of the end and the end: exit status and last messages come apart."""
FLUSH = 0.3
"""Seconds an agent that does not read gets for what is still queued."""
EARLY = 100
"""Effects kept for a user interface that is not there yet."""
BY_ITSELF: frozenset[Cause] = frozenset({"exit", "stdout", "stdin"})


class Agent:
    """One agent, started any number of times. `run` must be running, in a task group that outlives the app."""

    def __init__(
        self,
        store: Store,
        client: Client,
        command: Sequence[str],
        cwd: str,
        env: Mapping[str, str],
        journal: Path | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.client = client
        self.command = tuple(command)
        self.cwd = cwd
        self.env = dict(env)
        self.now = clock
        """Seconds since the epoch: the time of everything in the store."""
        self._folder = journal or paths.journal_dir()
        self._on_effect: Callable[[Effect], None] | None = None
        self._early: list[Effect] = []
        self._alarm = Alarm(clock)
        self._pump: Pump | None = None
        self._child: Child | None = None
        self._journal: Journal
        self._saver: Saver
        self._record: Path | None = None
        self._chores_scope: anyio.CancelScope
        self._leaving = anyio.Event()
        """The client needs the connection no more: set by `Close`."""
        self._again = anyio.Event()
        """A restart, or the end, is wanted."""
        self._started = anyio.Event()
        self._ended = anyio.Event()
        self._running = False
        self._stopping = False
        self._reopen: dict[str, Session] = {}
        self._faulty = False
        store.connection.command, store.connection.cwd = self.command, cwd

    # For the user interface

    @property
    def on_effect(self) -> Callable[[Effect], None] | None:
        """Gets what is for the user: Ask, Restore, Notify, Completed. What came before it was set comes then."""
        return self._on_effect

    @on_effect.setter
    def on_effect(self, told: Callable[[Effect], None] | None) -> None:
        self._on_effect = told
        early, self._early = self._early, []
        for effect in early:
            self._tell(effect)

    def do(self, intent: Intent) -> None:
        """Ask something of the agent; before it is ready, most wait for that."""
        self._carry_out(self.client.intent(intent, self.now()))

    async def restart(self) -> None:
        """End what runs and start it again in place; returns when that has happened or failed."""
        if self._running and not self._stopping:
            started = self._started
            self._finish("restart")
            await started.wait()

    async def stop(self) -> None:
        """Leave every session, end the process and `run`; takes a few seconds at most (CL-02)."""
        self._stopping = True
        if self._running:
            self._finish("stop")
            await self._ended.wait()

    def kill(self) -> None:
        """End the process and its family now, unasked. It can be restarted."""
        if self._child is not None and self._pump is not None:
            self._pump.finish("kill")
            self._child.kill()

    async def run(self) -> None:
        """Start the agent, and again as often as asked, until `stop` or cancellation."""
        self._running = True
        try:
            while not self._stopping:
                self._again = anyio.Event()
                await self._generation()
                if not self._stopping:
                    await self._again.wait()
        finally:
            self._running = False
            self._started.set()
            self._ended.set()

    def _finish(self, cause: Cause) -> None:
        self._again.set()
        if self._pump is not None:
            self._pump.finish(cause)

    # One start

    async def _generation(self) -> None:
        at = self.now()
        connection = self.store.connection
        connection.pid, connection.stderr_tail = None, []
        effects = self.client.start(at)
        self._journal = journal = Journal(self._folder, self._header(connection.generation, at))
        self._saver = Saver(journal, self.now, self._note_saving)
        self._note_saving()
        child = spawn(self.command, self.cwd, self.env)
        if isinstance(child, NotStarted):
            self._remember_open()
            self._lose(child.failure)
            self._say_started()
        else:
            connection.pid = child.pid
            await self._live(child, effects)
        await to_thread.run_sync(journal.close, self.now())
        self._note_saving()

    async def _live(self, child: Child, effects: list[Effect]) -> None:
        """From the first byte to the end of the process, whatever ends it."""
        self._leaving, self._faulty = anyio.Event(), False
        self._child, self._pump = child, Pump(child, self._receive, self._heard_stderr)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._pump.run)
                tasks.start_soon(self._chores, self._pump)
                try:
                    self._carry_out(effects)
                    self._open_again()
                    self._say_started()
                    await to_thread.run_sync(self._register, child)
                    await self._pump.over.wait()
                finally:
                    with anyio.CancelScope(shield=True):
                        await self._wind_down(child, self._pump)
                    self._pump.end_tasks()
                    self._chores_scope.cancel()
        finally:
            self._child = self._pump = None
            child.release()

    async def _chores(self, pump: Pump) -> None:
        """Like the pump's tasks these outlive a cancellation from outside."""
        with anyio.CancelScope(shield=True) as self._chores_scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._alarm.run, lambda: self._carry_out(self.client.tick(self.now())))
                tasks.start_soon(self._saver.run)
                await pump.exited.wait()
                self._leaving.set()  # there is nobody to take leave of

    def _register(self, child: Child) -> None:
        at, journal = self.store.connection.started_at, str(self._journal.path)
        self._record = leftovers.register(child, self.command, self.cwd, at, journal)

    def _say_started(self) -> None:
        self._started.set()
        self._started = anyio.Event()

    # Its end

    async def _wind_down(self, child: Child, pump: Pump) -> None:
        """In order: say goodbye or say what happened, end everything, hear the last of it, tell the client."""
        cause = pump.cause or "stop"
        self._remember_open()
        if cause in BY_ITSELF:
            await self._hear_last(child, pump)
        elif cause == "too_long":
            self._lose(failures.too_long(LIMIT))
        elif cause == "kill":
            self._lose(failures.stopped())
        elif cause != "close":
            await self._leave()
        await pump.close_stdin(FLUSH)
        left = await child.end(GRACE if cause in ("close", "restart", "stop") else 0)
        with anyio.move_on_after(LAST_WORDS):
            await pump.stdout_ended.wait()
            await pump.stderr_ended.wait()
        if left:
            self._tell_problem("Not everything could be ended", failures.survivors([p.pid for p in left]))
        elif self._record is not None:
            self._record.unlink(missing_ok=True)
        if cause in ("close", "restart", "stop"):
            self._lose(failures.stopped())

    async def _hear_last(self, child: Child, pump: Pump) -> None:
        """It ended by itself: what was still under way, then why (LC-06)."""
        with anyio.move_on_after(LAST_WORDS):
            for end in (pump.exited, pump.stdout_ended, pump.stderr_ended):
                await end.wait()
        connection, code = self.store.connection, child.exit_code
        connection.exit_code = code
        connection.signal = failures.signal_name(-code) if code is not None and code < 0 else None
        self._lose(failures.ended(code, connection.ready_at is not None))

    async def _leave(self) -> None:
        """Answer what waits and close every session; the second `Leave` closes what took too long."""
        self.do(Leave())
        with anyio.move_on_after(LEAVE):
            await self._leaving.wait()
        self.do(Leave())

    def _lose(self, reason: str) -> None:
        connection, at = self.store.connection, self.now()
        self._journal.note("connection_lost", at, reason=reason, exit_code=connection.exit_code)
        self._carry_out(self.client.lost(at, reason))

    def _remember_open(self) -> None:
        for session in self.store.sessions.values():
            if session.parent is None and session.phase in ("opening", "open"):
                self._reopen[session.ref] = session

    def _open_again(self) -> None:
        """The sessions that were open at the last end (LC-07)."""
        remembered, self._reopen = self._reopen, {}
        for session in remembered.values():
            rest = (session.additional_directories, session.mcp_servers)
            if session.session_id is None:
                self.do(OpenSession(session.ref, session.cwd, *rest))
            else:
                self.do(ResumeSession(session.ref, session.session_id, session.cwd, True, *rest))

    # Effects

    def _carry_out(self, effects: Iterable[Effect]) -> None:
        for effect in effects:
            match effect:
                case Send(message, ref):
                    self._send(message, ref)
                case Wake(at):
                    self._alarm.set(at)
                case Restart():
                    self._finish("restart")
                case Close():
                    self._leaving.set()
                    if self._pump is not None:
                        self._pump.finish("close")
                case _:
                    self._tell(effect)

    def _send(self, message: Outgoing, ref: str | None) -> None:
        if self._pump is None or not self._pump.writable:
            return
        session = self.store.sessions.get(ref) if ref is not None else None
        name = session.session_id if session is not None else self.client.route(message, True)
        line = encode(message)
        self._journal.append(">", [(name, to_raw(message))], self.now())
        self._kept()
        self._pump.send(line)

    def _tell(self, effect: Effect) -> None:
        if self._on_effect is not None:
            self._on_effect(effect)
        elif len(self._early) < EARLY:
            self._early.append(effect)

    def _tell_problem(self, title: str, description: str) -> None:
        self._tell(Notify(None, NoticeRecord(self.now(), "error", title, description)))

    # What the agent says

    def _receive(self, messages: Sequence[Incoming]) -> None:
        at = self.now()
        entries = [
            (self.client.route(m, False), m.raw if isinstance(m, Malformed) else to_raw(m)) for m in messages
        ]
        self._journal.append("<", entries, at)
        self._kept()
        for message in messages:
            self._carry_out(self._apply(message, at))

    def _apply(self, message: Incoming, at: float) -> list[Effect]:
        """A fault of ours over one message must not end the conversation: it is kept, told once, and answered."""
        try:
            return self.client.receive(message, at)
        except Exception as error:
            self._journal.note("fault", at, error=repr(error), trace=traceback.format_exc(limit=-8))
            if not self._faulty:
                self._faulty = True
                self._tell_problem(
                    "A message of the agent could not be processed", f"Fault of acp-tui: {error!r}"
                )
            if not isinstance(message, Request):
                return []
            return [Send(Response(message.id, error=Error(code=INTERNAL_ERROR, message="Internal error")))]

    def _heard_stderr(self) -> None:
        if self._pump is not None:
            self.store.connection.stderr_tail = self._pump.tail.lines()
            self.store.touch(CONNECTION)

    # The journal

    def _header(self, generation: int, at: float) -> Header:
        return Header(
            generation=generation,
            command=self.command,
            cwd=self.cwd,
            started=at,
            pid=os.getpid(),
            version=__version__,
        )

    def _kept(self) -> None:
        self._saver.poke()
        if self._journal.problem != self.store.connection.save_problem:
            self._note_saving()

    def _note_saving(self) -> None:
        connection, problem = self.store.connection, self._journal.problem
        if problem != connection.save_problem:
            connection.saved, connection.save_problem = not problem, problem
            self.store.touch(CONNECTION)
