"""What a library shows: an entry for each session there ever was, and hits of a search in them. Facts only.

Invariant: what nobody knows is None, empty or a badge that is missing, never a guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal


class Badge(StrEnum):
    """What can be said of a session beside its numbers; several may hold. The values are words to show."""

    SAVED = "saved here"
    RESUMABLE = "agent can resume"
    """The agent listed it, or went on with it, and did not refuse or delete it since."""
    NOT_RESUMABLE = "agent cannot resume"
    """The agent refused it when last asked, or deleted it. Without either nobody knows."""
    RUNNING = "running"
    """An acp-tui that is alive has it open."""
    INTERRUPTED = "interrupted"
    """The records end in the middle, and who wrote them is dead."""
    LISTED = "listed only"
    """The agent told of it; nothing of it is saved here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One session. Texts are as they came, not cleaned for a screen."""

    id: str
    """Ours, 12 hex digits: of the saved session, or made of agent and session id where it is listed only."""
    agent: str
    """As its agent names itself, else the first word of the command."""
    session_id: str
    """The agent's id."""
    command: tuple[str, ...] = ()
    """What starts its agent, secrets redacted; empty: it is listed only."""
    cwd: str = ""
    branch: str = ""
    """Of git, where the session was last begun or gone on with; the first digits of a commit where it stood
    on none; empty: no git, or never seen."""
    branch_kept: bool = False
    """False: nobody kept it, and `branch` is the folder's as it is now or was when last seen."""
    title: str = ""
    """The user's name for it, else the agent's, else the beginning of the first prompt."""
    named: bool = False
    """The title is the user's."""
    created: float = 0.0
    """Seconds since the epoch; 0: not known."""
    active: float = 0.0
    """When something was last said or done, seconds since the epoch; 0: not known."""
    messages: int = 0
    tool_calls: int = 0
    turns: int = 0
    cost: tuple[float, str] | None = None
    """Amount and currency as last reported."""
    badges: frozenset[Badge] = frozenset()
    pinned: bool = False
    trashed_at: float | None = None
    """When the user put it into the trash; None: it is not there."""
    refused: str = ""
    """Why the agent would not go on with it when last asked, in its words."""
    uncertain: int = 0
    """Prompts of which nobody knows whether the agent took them."""
    newer: bool = False
    """A part was written by a newer acp-tui: shown as far as it is understood."""
    journals: tuple[Path, ...] = ()
    """In the order in which they were written; empty: it is listed only."""
    exact: bool = True
    """False: only a glance was taken so far; counts, cost, title and times may be less than there is."""
    matched: tuple[int, ...] = ()
    """Where the letters of `Query.words` stand in `title`."""


Order = Literal["active", "created", "title"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which entries, in which order. All conditions must hold."""

    folder: str | None = None
    """Absolute: sessions in it or anywhere below. None: all folders."""
    agent: str | None = None
    """`Entry.agent`."""
    badges: frozenset[Badge] = frozenset()
    """All of these."""
    words: str = ""
    """Letters that the title has in this order; then the best match comes first, whatever `order` says."""
    trashed: bool = False
    """True: what is in the trash, and nothing else."""
    order: Order = "active"
    """Newest first; titles by the alphabet. Pinned ones go before all others."""
    limit: int = 100
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One thing of a session in which all words stand."""

    entry: Entry
    session_id: str
    """The agent's id of the session it belongs to: the entry's, or that of one of its subagents."""
    kind: str
    """`store.keys.Kind`: user_message, agent_message, agent_thought, tool_call, plan, compaction, turn …;
    `info`: the title."""
    id: str
    """Of the entity; `Key(ref, Kind(kind), id)` is its key where the session is opened."""
    at: float
    """When it was first told of, seconds since the epoch."""
    snippet: str
    """What stands around the first place where most of the words are near to each other; whole lines are not
    kept together. As it came, not cleaned."""
    matches: tuple[tuple[int, int], ...]
    """What was found, as (start, end) in `snippet`."""
    found: str
    """The first match as it is written there: what to seek in the opened session."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far the index is behind the journals."""

    state: Literal["current", "behind", "missing"]
    """`missing`: also when it is of another version or damaged; it is made again by the next indexing."""
    indexed: int = 0
    """Bytes of journals whose words can be found."""
    total: int = 0
    """Bytes of all journals."""
    sessions: int = 0
    """Saved sessions known to the index."""

    @property
    def words(self) -> str:
        """One sentence for the user; empty: everything is found."""
        if self.state == "current":
            return ""
        done = min(99, self.indexed * 100 // self.total) if self.total else 0
        if self.state == "missing" or not self.indexed:
            return "The index is not there yet: the newest sessions are listed, their words cannot be found."
        return f"The index is behind: {done} % of what is saved here can be found."
