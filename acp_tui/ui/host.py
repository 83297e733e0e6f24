"""Starts agents and outlives the app: every agent runs in a task group that is left only after every one of
them has ended, and the app before. Imports no Textual.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from anyio import create_task_group, to_thread
from anyio.abc import TaskGroup

from acp_tui import __version__
from acp_tui.agent.front import Agent
from acp_tui.agent.leftovers import Leftover, leftovers, remains
from acp_tui.agent.spawn import Spawned
from acp_tui.base import paths
from acp_tui.base.clock import Clock
from acp_tui.base.shelf import Shelf
from acp_tui.base.spill import Spill
from acp_tui.client.jobs import EVERY_SERVICE, Serves
from acp_tui.client.machine import Client
from acp_tui.protocol.initialize import (
    ClientAuthCapabilities,
    ClientCapabilities,
    ElicitationCapabilities,
    ElicitationFormCapabilities,
    ElicitationUrlCapabilities,
    Implementation,
    TerminalAuthCapabilities,
)
from acp_tui.services.known_agents.catalog import bundled
from acp_tui.services.launching import prepare
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.claims import Claims
from acp_tui.ui.conversation import Conversation, Link

if TYPE_CHECKING:
    from acp_tui.base.config import Settings
    from acp_tui.base.processes import Process
    from acp_tui.ui.aftermath import Aftermath
    from acp_tui.ui.library.indexer import Indexer

INFO = Implementation(name="acp-tui", title="acp-tui", version=__version__)
CAPABILITIES = ClientCapabilities(
    auth=ClientAuthCapabilities(terminal=TerminalAuthCapabilities()),
    elicitation=ElicitationCapabilities(form=ElicitationFormCapabilities(), url=ElicitationUrlCapabilities()),
)
"""What the user can do here; only what works end to end."""


def serves(settings: Settings | None, command: tuple[str, ...] = ()) -> Serves:
    """What an agent may use of this machine, by these settings and by what is known of it."""
    if settings is None:
        offered = EVERY_SERVICE
    else:
        files, terminals = settings.serve.files, settings.serve.terminals
        offered = Serves(read=files, write=files, terminals=terminals)
    kept_back: dict[str, bool] = dict.fromkeys(bundled().unserved(command), False)
    return replace(offered, **kept_back)


class Host:
    """The agents of this run."""

    def __init__(
        self,
        group: TaskGroup,
        environment: dict[str, str],
        clock: Callable[[], float] | None = None,
        settings: Callable[[], Settings | None] = lambda: None,
    ) -> None:
        self.group = group
        self.environment = environment
        self.clock = clock or Clock(self._measuring)
        """Seconds since the epoch."""
        self.settings = settings
        """Those that hold now; None where the user has made none."""
        self.links: list[Link] = []
        self.claims = Claims()
        self.unsaved: list[str] = []
        """What was lost of the conversations there were at the end, in sentences."""

    def _measuring(self) -> bool:
        """The time of something is shown, or is waited for."""
        return any(link.measuring for link in self.links)

    @cached_property
    def indexer(self) -> Indexer:
        """Brings the library's index up to date."""
        from acp_tui.ui.library.indexer import Indexer

        return Indexer(self.group)

    def start(
        self,
        command: tuple[str, ...],
        cwd: str,
        directories: tuple[str, ...] = (),
        spawned: Spawned | None = None,
    ) -> Conversation:
        """Start an agent, by its name in the settings too, unless its process is there; ask it for a session
        as soon as it can have one.
        """
        link = self._begin(Store(Spill(paths.state_dir())), command, cwd, spawned)
        conversation = link.converse(link.agent.cwd, directories)
        conversation.open()
        return conversation

    def resume(
        self,
        command: tuple[str, ...],
        cwd: str,
        sessions: Sequence[Session],
        shelf: Shelf,
        journals: Sequence[Path] = (),
        replay: bool = True,
    ) -> Conversation:
        """Start the agent of a conversation that was read from `journals`, and go on with it: the first of
        `sessions` is it, the others are those of its subagents. Its agent is asked as soon as it can answer;
        with `replay` it tells what it remembers.
        """
        session = sessions[0]
        link = self._begin(Store(shelf), command, cwd, before=journals)
        link.agent.client.adopt(sessions)
        conversation = link.converse(session.cwd, session.additional_directories, session.ref)
        conversation.open(replay)
        return conversation

    def _begin(
        self,
        store: Store,
        command: tuple[str, ...],
        cwd: str,
        spawned: Spawned | None = None,
        before: Sequence[Path] = (),
    ) -> Link:
        forced = spawned is not None  # its command was found before: no word of it is a name any more
        launch = prepare(self.settings(), command, cwd, self.environment, forced=forced)
        client = Client(
            store,
            info=INFO,
            capabilities=CAPABILITIES,
            protocol_versions=(2, 1),
            serves=serves(self.settings(), launch.command),
        )
        agent = Agent(
            store,
            client,
            launch.command,
            launch.cwd,
            launch.env,
            None,
            self.clock,
            spawned=spawned,
            before=before,
        )
        link = Link(store, agent, launch.command, launch)
        self.links.append(link)
        self.group.start_soon(agent.run)
        return link

    def restart(self, link: Link) -> None:
        """Start it again, in place."""
        self.group.start_soon(self._restart, link)

    async def _restart(self, link: Link) -> None:
        await link.agent.restart()
        for conversation in link.conversations:
            session = conversation.session
            if session is None or session.phase == "failed":
                conversation.open()

    def drop(self, link: Link) -> None:
        """End one agent; it is not shown any more."""
        if link in self.links:
            self.links.remove(link)
            self.group.start_soon(link.agent.stop)

    def look_back(self, told: Callable[[Aftermath], object]) -> None:
        """Whether an earlier run ended without a word: `told` is given what is left of it, if anything is."""
        self.group.start_soon(self._look_back, told)

    async def _look_back(self, told: Callable[[Aftermath], object]) -> None:
        found = await to_thread.run_sync(remains)
        if not (found.ended or found.living):
            return
        from acp_tui.ui.aftermath import look

        past = await to_thread.run_sync(look, found)
        if past.sessions or past.living:
            told(past)
        await to_thread.run_sync(found.settle)

    def end_leftover(self, left: Leftover, told: Callable[[list[Process]], object]) -> None:
        """End it (S39); `told` is given what lives on nevertheless."""
        self.group.start_soon(self._end_leftover, left, told)

    async def _end_leftover(self, left: Leftover, told: Callable[[list[Process]], object]) -> None:
        still = await left.end()
        await to_thread.run_sync(leftovers)  # its record goes
        told(still)

    async def stop(self) -> None:
        """End them all, at the same time, each with its own patience (CL-02)."""
        links, self.links = self.links, []
        async with create_task_group() as ending:
            for link in links:
                ending.start_soon(link.agent.stop)
        connections = (link.store.connection for link in links)
        self.unsaved = [one.save_problem for one in connections if not one.saved and one.save_problem]
        await to_thread.run_sync(self.claims.release_all)
