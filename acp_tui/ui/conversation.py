"""What a screen shows: one session with one agent, and what is being written to it.

The draft belongs to the conversation: panels, screens and restarts of the agent do not touch it. Imports no
Textual.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from acp_tui.agent.front import Agent
from acp_tui.client.intents import Intent, OpenSession, ResumeSession, SetConfigOption
from acp_tui.services.launching import Launch
from acp_tui.store.keys import Key
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.writing.composing import Composing

if TYPE_CHECKING:
    from acp_tui.services.forms import Filling

_UNDER_WAY = frozenset({"starting", "initializing", "closing"})


@dataclass(slots=True, eq=False)
class Link:
    """One agent: its process, what is known of it, and the conversations with it that are open."""

    store: Store
    agent: Agent
    command: tuple[str, ...]
    launch: Launch = field(default_factory=Launch)
    """What the settings give it and its sessions."""
    conversations: list[Conversation] = field(default_factory=list)
    written: dict[Key, str] = field(default_factory=dict)
    """Why requests are to be rejected, as far as the user has written it."""
    forms: dict[Key, Filling] = field(default_factory=dict)
    """What was typed so far into the forms that wait."""

    @property
    def gone(self) -> bool:
        """There is no process to talk to."""
        return self.store.connection.phase in ("failed", "lost", "closed")

    @property
    def measuring(self) -> bool:
        """How long something takes is shown, or what is due waits for its time."""
        store, connection = self.store, self.store.connection
        if self.agent.due or store.requests or connection.login or connection.phase in _UNDER_WAY:
            return True
        return any(
            one.busy or one.tail or one.background or one.phase in ("opening", "closing")
            for one in store.sessions.values()
        )

    def converse(self, cwd: str, directories: tuple[str, ...] = (), ref: str = "") -> Conversation:
        """Another conversation with this agent; it has no session before `open`, or the one of this `ref`."""
        conversation = Conversation(self, ref or self.store.new_ref(), cwd, directories)
        self.conversations.append(conversation)
        return conversation

    def holder(self, ref: str) -> Conversation | None:
        """The conversation that shows this session, itself or above the one it has."""
        return next((c for c in self.conversations if ref in c.refs()), None)


@dataclass(slots=True, eq=False)
class Conversation:
    """One session of an agent, as the user has it before him."""

    link: Link
    ref: str
    """`Session.ref`."""
    cwd: str
    directories: tuple[str, ...] = ()
    """More folders the session may work in, absolute."""
    draft: str = ""
    composing: Composing = field(default_factory=Composing)
    """What there is to the draft beside its words."""
    bare: bool = False
    """Its sessions get no MCP servers: the agent refused one with them (SS-08)."""
    preferring: bool = False
    """The options that the settings name are still to be set, once there is a session."""
    seen: int = 0
    """Members of the timeline there were when the user last looked away."""

    @property
    def store(self) -> Store:
        """What is known of the agent."""
        return self.link.store

    @property
    def agent(self) -> Agent:
        """The agent's front."""
        return self.link.agent

    @property
    def folder(self) -> str:
        """Where the session works: what the agent was asked for, or says of one that was resumed."""
        session = self.session
        return session.cwd if session is not None else self.cwd

    @property
    def env(self) -> Mapping[str, str]:
        """The environment of the agent and of other programs that are started."""
        return self.link.agent.env

    @property
    def session(self) -> Session | None:
        """The session, once it was asked for."""
        return self.link.store.sessions.get(self.ref)

    @property
    def gone(self) -> bool:
        """There is no agent to talk to."""
        return self.link.gone

    @property
    def unread(self) -> int:
        """Members of the timeline that came since the user looked away."""
        session = self.session
        return max(0, len(session.timeline) - self.seen) if session is not None else 0

    def look_away(self) -> None:
        """What is there now has been seen."""
        session = self.session
        self.seen = len(session.timeline) if session is not None else 0

    def refs(self) -> Iterator[str]:
        """The session and those that it continues, the newest first."""
        ref: str | None = self.ref
        while ref is not None:
            yield ref
            session = self.link.store.sessions.get(ref)
            ref = session.continues if session is not None else None

    def now(self) -> float:
        """Seconds since the epoch, by the agent's clock."""
        return self.link.agent.now()

    def do(self, intent: Intent) -> None:
        """Ask something of the agent."""
        self.link.agent.do(intent)

    def open(self, replay: bool = True) -> None:
        """A session: the one that is shown again if the agent knows it, else a new one."""
        session = self.session
        if session is not None and session.session_id is not None:
            self.do(ResumeSession(self.ref, session.session_id, session.cwd, replay, *self._with))
        else:
            self.preferring = True
            self.do(OpenSession(self.ref, self.cwd, *self._with))

    def open_once_more(self) -> None:
        """After a failure, with an agent that is there: without MCP servers where they may be at fault, then
        without its history; the same session where the agent may still know it; else another one.
        """
        session = self.session
        if session is None:
            return
        servers = session.refused_with_servers
        self.bare = self.bare or servers
        if session.inactive or (servers and session.session_id is not None):
            self.open()
        elif session.refused_with_replay:
            self.open(replay=False)
        else:
            self.open_another()

    def open_another(self) -> None:
        """A new session in place of one that cannot be had again, which stays readable above it."""
        before, self.ref = self.ref, self.store.new_ref()
        self.preferring = True
        self.do(OpenSession(self.ref, self.cwd, *self._with, continues=before))

    def prefer(self) -> list[str]:
        """Set the options that the settings name, once, in a new session; in words what cannot be set."""
        session = self.session
        if not self.preferring or session is None or session.phase != "open":
            return []
        self.preferring = False
        if not self.link.launch.options:
            return []
        from acp_tui.services.options import settings
        from acp_tui.services.preferred import preferred

        chosen, told = preferred(settings(session), self.link.launch.options)
        for id, value in chosen:
            self.do(SetConfigOption(self.ref, id, value))
        return told

    @property
    def _with(self) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...]]:
        return self.directories, () if self.bare else self.link.launch.mcp_servers
