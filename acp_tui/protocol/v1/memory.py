"""What the adapter has to remember between two messages: plain data, to be kept and given to another.

Invariants: it grows with what the sessions hold, never with what passes by; what belongs to one connection
(requests, turns) is forgotten with it, what belongs to a session (the names it has used) is not, so that a
name is never given twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from acp_tui.protocol.v1 import ids

Entity = tuple[str, str]
"""A kind (`user`, `agent`, `thought`, `tool`, `compaction`) and the name it has here."""


@dataclass(slots=True, kw_only=True)
class Asked:
    """A request of ours that is not answered yet."""

    method: str
    session_id: str | None
    config_id: str = ""
    """The agent's name of an option that is to be set."""
    value: str | bool = ""
    """What an option, a mode or a model is to be."""


@dataclass(slots=True, kw_only=True)
class Held:
    """The answer to a `session/load`, until the replay has been silent for a while."""

    answer: Any
    due: float
    last: float
    """It waits no longer than until then, whatever comes."""


@dataclass(slots=True, kw_only=True)
class Talk:
    """One session."""

    answered: bool = False
    """It is known by an answer of the agent, or was asked for by its name."""
    counts: dict[str, int] = field(default_factory=dict)
    """How many names were made up, by their word."""
    known: set[Entity] = field(default_factory=set)
    """The members of its timeline."""
    last: Entity | None = None
    """The newest member, while a message may still go on in it."""
    turns: list[str] = field(default_factory=list)
    """Prompts that are not answered, by the key of their request."""
    prompt: str = ""
    """The message of the last prompt, as long as what comes may be its echo (V1-20)."""
    echoed: bool = False
    aliases: dict[str, str] = field(default_factory=dict)
    """Names the agent gave to messages that have one of ours."""
    titles: dict[str, str] = field(default_factory=dict)
    """Of tool calls: permission requests have none of their own (V1-32)."""
    terminals: set[str] = field(default_factory=set)
    """Terminals that are shown in a tool call."""
    asking: set[str] = field(default_factory=set)
    """Permission requests that wait, by the key of their id."""
    options: list[Any] = field(default_factory=list)
    """Config options of the agent's own, as they are called here."""
    modes: dict[str, Any] | None = None
    models: dict[str, Any] | None = None
    before: set[Entity] = field(default_factory=set)
    """Its timeline before the replay that is under way."""

    def new(self, word: str) -> str:
        """A name that nothing in this session has had."""
        self.counts[word] = self.counts.get(word, 0) + 1
        return ids.made(word, self.counts[word])

    def appeared(self, entity: Entity) -> None:
        """The timeline has a new member, which ends the message before it (V1-21); known ones end nothing."""
        if entity not in self.known:
            self.known.add(entity)
            self.last = entity

    def close(self) -> None:
        """Whatever comes next is something new."""
        self.last, self.prompt, self.echoed = None, "", False

    def disconnected(self) -> None:
        """Nobody answers any more."""
        self.close()
        self.turns.clear()
        self.asking.clear()
        self.known |= self.before
        self.before = set()

    def learn(self, members: Iterable[Entity]) -> None:
        """These stand in its timeline, as a record tells."""
        for kind, name in members:
            self.known.add((kind, name))
            if ids.is_made(name):
                self.counts[kind] = max(self.counts.get(kind, 0), ids.number(name))


@dataclass(slots=True, kw_only=True)
class Memory:
    """All of it."""

    asked: dict[str, Asked] = field(default_factory=dict)
    """By the key of the request's id."""
    talks: dict[str, Talk] = field(default_factory=dict)
    """By the agent's id of the session."""
    held: dict[str, Held] = field(default_factory=dict)

    def talk(self, session_id: Any) -> Talk:
        """What is known of a session; of one that nobody asked for, nothing is kept."""
        if not isinstance(session_id, str):
            return Talk()
        known = self.talks.get(session_id)
        if known is None:
            known = Talk()
            if any(one.method == "session/new" for one in self.asked.values()):
                self.talks[session_id] = known
        return known

    def begin(self, session_id: str) -> Talk:
        """A session that we ask for by its name."""
        talk = self.talks.setdefault(session_id, Talk())
        talk.answered = True
        return talk

    def born(self, session_id: str) -> Talk:
        """A session that was answered to us; agents use ids again, and a new session begins from nothing."""
        if self.talk(session_id).answered or session_id not in self.talks:
            self.talks[session_id] = Talk()
        self.talks[session_id].answered = True
        return self.talks[session_id]

    def disconnected(self) -> None:
        """The connection ended."""
        self.asked.clear()
        self.held.clear()
        for session_id, talk in list(self.talks.items()):
            if talk.answered:
                talk.disconnected()
            else:
                del self.talks[session_id]

    @property
    def resting(self) -> bool:
        """Nothing waits: it can be taken down."""
        working = any(talk.turns or talk.asking for talk in self.talks.values())
        return not (self.asked or self.held or working)
