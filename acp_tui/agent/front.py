"""The one front to an agent: what the user interface talks to.

Carries out the effects of the pure client against real processes, one generation after the other. Invariants:
`run` returns, on every way out, only after all that the agent started has ended; a restart happens only when
asked for, and resends nothing (LC-08, LC-11).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import anyio
from anyio import to_thread

from acp_tui.agent.acquainting import Acquainting
from acp_tui.agent.generation import Generation, SavedAs
from acp_tui.agent.pump import Cause
from acp_tui.agent.spawn import Spawned, spawn
from acp_tui.base import paths
from acp_tui.client.effects import (
    Agreed,
    Close,
    Effect,
    Keep,
    ReleaseTerminals,
    Restart,
    Send,
    Serve,
    StopServing,
    Wake,
)
from acp_tui.client.intents import Intent, OpenSession, ResumeSession
from acp_tui.client.machine import Client
from acp_tui.protocol.jsonrpc import LIMIT, Incoming
from acp_tui.store.session import Session
from acp_tui.store.store import Store

EARLY = 100
"""Effects kept for a user interface that is not there yet."""


class Agent:
    """One agent, started any number of times. `run` must run, in a task group that outlives the app."""

    def __init__(
        self,
        store: Store,
        client: Client,
        command: Sequence[str],
        cwd: str,
        env: Mapping[str, str],
        journal: Path | None = None,
        clock: Callable[[], float] = time.time,
        limit: int = LIMIT,
        spawned: Spawned | None = None,
        before: Sequence[Path] = (),
    ) -> None:
        self.store = store
        self.client = client
        self.command = tuple(command)
        self.cwd = cwd
        self.env: Mapping[str, str] = dict(env)
        self.now = clock
        """Seconds since the epoch: the time of everything in the store."""
        self.limit = limit
        """Bytes of one message at most (TR-08)."""
        self._folder = journal or paths.journal_dir()
        self._spawned = spawned
        """The process of the first generation, where it was started before all this was loaded."""
        self.on_messages: Callable[[Sequence[Incoming]], None] | None = None
        """Gets what the agent says, as it came: after it is in the journal, before it is applied."""
        self._on_effect: Callable[[Effect], None] | None = None
        self._early: list[Effect] = []
        self._generation: Generation | None = None
        self._kept = list(before)
        """Journals of the generations that ended, those of earlier runs first."""
        self.saved_as: dict[str, SavedAs] = {}
        """What its sessions are in the library, by `Session.ref`; noted where one is resumed."""
        self._again = anyio.Event()
        """A restart, or the end, is wanted."""
        self._started = anyio.Event()
        """The next generation has begun."""
        self._ended = anyio.Event()
        self._acquainting = Acquainting(self.command)
        self._running = False
        self._stopping = False
        self._reopen: dict[str, Session] = {}
        store.connection.command, store.connection.cwd = self.command, cwd
        store.connection.generation += len(before)

    # For the user interface

    @property
    def on_effect(self) -> Callable[[Effect], None] | None:
        """Gets what is for the user: Ask, Restore, Notify, Completed; what came too early comes when set."""
        return self._on_effect

    @on_effect.setter
    def on_effect(self, told: Callable[[Effect], None] | None) -> None:
        self._on_effect = told
        early, self._early = self._early, []
        for effect in early:
            self._tell(effect)

    def do(self, intent: Intent) -> None:
        """Ask something of the agent; before it is ready, most wait for that."""
        self.carry_out(self.client.intent(intent, self.now()))

    @property
    def journals(self) -> tuple[Path, ...]:
        """What was said to and by this agent, in one file for each start; the last may be a folder, where
        nothing could be kept."""
        running = self._generation
        return (*self._kept, running.journal) if running is not None else tuple(self._kept)

    @property
    def due(self) -> bool:
        """The client waits for a time."""
        return self._generation is not None and self._generation.alarm.due

    def note(self, event: str, **facts: str) -> None:
        """Keep something that happened here and that nobody says."""
        if self._generation is not None:
            self._generation.note(event, **facts)

    def begins(self, session_id: str) -> int:
        """The how-manieth session of this agent's id now begins in the journal: agents use ids again."""
        return self._generation.begins(session_id) if self._generation is not None else 1

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
        self._abandon()

    def kill(self) -> None:
        """End the process and its family now, unasked. It can be restarted."""
        if self._generation is not None:
            self._generation.kill()

    async def run(self) -> None:
        """Start the agent, and again as often as asked, until `stop` or cancellation."""
        self._running = True
        try:
            if (known := await to_thread.run_sync(self._acquainting.look)) is not None:
                self.client.prefer(known)
            while not self._stopping:
                self._again = anyio.Event()
                await self._once()
                if not self._stopping:
                    await self._again.wait()
        finally:
            self._running = False
            self._abandon()
            self._started.set()
            self._ended.set()

    # For the generation

    def carry_out(self, effects: Iterable[Effect]) -> None:
        """Do what the client wants done, in order."""
        for effect in effects:
            match effect:
                case Send():
                    if self._generation is not None:
                        self._generation.send(effect)
                case Wake(at):
                    if self._generation is not None:
                        self._generation.alarm.set(at)
                case Serve() | StopServing() | ReleaseTerminals() | Keep():
                    if self._generation is not None:
                        self._generation.work(effect)
                case Close():
                    self._close()
                case Agreed() if self._generation is not None:
                    self._generation.aside(partial(self._acquainting.learn, effect, self.now()))
                case Restart(unused=unused):
                    self._finish("again" if unused else "restart")
                case _:
                    self._tell(effect)

    def hear(self, messages: Sequence[Incoming]) -> None:
        """The agent said this."""
        if self.on_messages is not None:
            self.on_messages(messages)

    def spawn(self) -> Spawned:
        """Start the process, unless that was done."""
        spawned, self._spawned = self._spawned, None
        return spawned or spawn(self.command, self.cwd, self.env)

    def started(self) -> None:
        """Who waits for a restart has it now."""
        self._started.set()
        self._started = anyio.Event()

    def ending(self) -> None:
        """Remember what is open, for the next start."""
        for session in self.store.sessions.values():
            if session.parent is None and session.phase in ("opening", "open"):
                self._reopen[session.ref] = session

    async def _once(self) -> None:
        at, connection = self.now(), self.store.connection
        effects = self.client.start(at)
        connection.pid, connection.stderr_tail = None, []
        self._generation = Generation(self, self._folder, at, self._kept[-1] if self._kept else None)
        try:
            self._open_again()
            await self._generation.run(effects)
        finally:
            self._kept.append(self._generation.journal)
            self._generation = None

    def _open_again(self) -> None:
        """The sessions that were open at the last end (LC-07); the client asks as soon as it may."""
        remembered, self._reopen = self._reopen, {}
        for session in remembered.values():
            rest = (session.additional_directories, session.mcp_servers)
            if session.session_id is None:
                self.do(OpenSession(session.ref, session.cwd, *rest))
            else:
                self.do(ResumeSession(session.ref, session.session_id, session.cwd, True, *rest))

    def _abandon(self) -> None:
        """It was stopped before the first generation."""
        spawned, self._spawned = self._spawned, None
        if spawned is not None:
            spawned.abandon()

    def _finish(self, cause: Cause) -> None:
        self._again.set()
        if self._generation is not None:
            self._generation.finish(cause)

    def _close(self) -> None:
        if self._generation is not None:
            self._generation.leaving.set()
            self._generation.finish("close")

    def _tell(self, effect: Effect) -> None:
        if self._on_effect is not None:
            self._on_effect(effect)
        elif len(self._early) < EARLY:
            self._early.append(effect)
