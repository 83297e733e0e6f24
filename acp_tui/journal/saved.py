"""Saved sessions: what the journals have of one conversation, over any number of files.

`Journaled` is what `scanning` found in one journal: its header and a `Stretch` for each session of the agent.
`joined` puts the stretches of many journals together into `Saved` sessions. Pure. Invariants: a saved session
keeps its id whatever is added, and whichever of its journals is looked at where those name it; `session/new`
always begins another one, for agents use ids again; no clock that goes back parts one; what an agent replays
counts once; nothing here is needed to make it again but the journals.
"""

from __future__ import annotations

import hashlib
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

VERSION = 1
"""Of the journals we write; the header names it."""


@dataclass(slots=True, kw_only=True)
class Head:
    """What the header of a journal says; empty where there is none."""

    version: int = VERSION
    generation: int = 0
    command: tuple[str, ...] = ()
    cwd: str = ""
    started: float = 0.0
    order: float = 0.0
    """As `started`, but after the journals it goes on from; 0: an older acp-tui did not keep it."""
    pid: int = 0
    """Of the acp-tui that wrote it."""
    program: str = ""
    """The version of that acp-tui."""
    first: int = 0
    """The number of its first record: what was before stood in a file that was taken away."""


@dataclass(slots=True, kw_only=True)
class Counts:
    """How long a conversation is. Exact, but for agents that come back to one of many older entities, or
    replay others than they told."""

    messages: int = 0
    """Of the user and of the agent; thoughts do not count."""
    tool_calls: int = 0
    turns: int = 0


@dataclass(slots=True, kw_only=True)
class Stretch:
    """What one journal has of one session of the agent. Offsets are bytes in that file."""

    session_id: str
    """The agent's id."""
    number: int
    """The how-manieth with this id in this journal, from 1."""
    begun: Literal["new", "resume"]
    asked: int
    """Where the request stands that opened it first."""
    since: int
    """From where on records with its id belong to it; before, to an earlier one."""
    until: int | None = None
    """From where on they belong to a later one; None: there is none."""
    end: int = 0
    """Behind the last record that belongs to it."""
    cwd: str = ""
    additional_directories: tuple[str, ...] = ()
    midway: bool = False
    """Its beginning in this journal was lost; `asked` is where it is first spoken of."""
    opened: bool = False
    """The agent agreed at least once to `session/new` or `session/resume`."""
    refused: str = ""
    """Why the agent refused the last resume, in its words; empty: it did not."""
    refused_code: int | None = None
    continues: str = ""
    """Id of the saved session that it was begun below: the agent could not go on with that."""
    kept_as: str = ""
    """Id of the saved session that was gone on with, as who resumed it knew it; empty: not kept."""
    branch: str | None = None
    """Of git, in its folder, when it was last opened; empty: there was none; None: not kept."""
    replays: bool = False
    """A replay is under way, or was when the records end."""
    title: str | None = None
    first_prompt: str = ""
    """The beginning of what the user said first: a title where there is none."""
    created: float = 0.0
    active: float = 0.0
    """When something was last said or done in it, seconds since the epoch; replays do not count."""
    live: Counts = field(default_factory=Counts)
    replayed: Counts = field(default_factory=Counts)
    """The same for the last replay."""
    cost: float | None = None
    currency: str = ""
    state: str = ""
    """The last that was reported: `idle`, `running` …; empty: none was."""
    stop_reason: str | None = None
    prompts: dict[str, float] = field(default_factory=dict)
    """Prompts of ours without an answer, by the request's id as JSON, and when they left."""
    questions: dict[str, float] = field(default_factory=dict)
    """Requests of the agent without an answer."""
    nameless: str = ""
    """The kind of the message that goes on without a name; v1 agents give none (V1-21)."""
    calls: list[str] = field(default_factory=list)
    """Tool calls without a final status, by the agent's id; the last 256."""
    closed: bool = False
    """Closed in order, or refused; otherwise it was open when the records end."""
    children: list[str] = field(default_factory=list)
    """The agent's ids of its subagents' sessions."""
    left: int | None = None
    """Where the agent let go of it; None: it is attached, as far as was read."""
    recent: list[str] = field(default_factory=list)
    """The entities that were told of last, so that each counts once."""

    @property
    def content(self) -> bool:
        """There is something to read or to go on with."""
        return self.opened or bool(self.live.messages or self.replayed.messages or self.live.tool_calls)


@dataclass(slots=True, kw_only=True)
class Listed:
    """What the agent's `session/list` said of one of its sessions."""

    session_id: str
    at: float
    """When it said so."""
    cwd: str = ""
    title: str | None = None
    updated_at: str | None = None
    """As the agent wrote it."""


@dataclass(slots=True, kw_only=True)
class Waiting:
    """A request of ours whose answer decides something here."""

    method: str
    offset: int
    at: float
    session_id: str = ""
    cwd: str = ""
    additional_directories: tuple[str, ...] = ()
    again: bool = False
    """The session was open when it was asked for."""
    anew: bool = False
    """Of a list: its first page, of all sessions."""
    kept_as: str = ""
    branch: str | None = None


@dataclass(slots=True, kw_only=True)
class Journaled:
    """What one journal says, as far as it was read. Made and continued by `scanning.scan`."""

    name: str
    """Of the file, without its folder."""
    offset: int = 0
    """So far it was read; what comes behind it is new."""
    seen: int = 0
    """Checksum of the last bytes before `offset`: another file under this name has another."""
    head: Head = field(default_factory=Head)
    agent: str = ""
    """`info.name` of the agent's answer to `initialize`, else the first word of the command."""
    protocol: int = 2
    """The version that is spoken."""
    agent_title: str = ""
    stretches: list[Stretch] = field(default_factory=list)
    """In the order in which they were asked for."""
    listed: dict[str, Listed] = field(default_factory=dict)
    """What the agent ever listed and did not delete for us, by its ids, as it said it last."""
    listed_at: float | None = None
    """When it last began to list; None: it was not asked."""
    deleted: dict[str, float] = field(default_factory=dict)
    """Sessions that the agent deleted for us, by its ids, and when."""
    ended: float | None = None
    """When the connection was noted as lost or closed; None: the records end without that."""
    reason: str = ""
    """Why, in words for the user."""
    active: float = 0.0
    broken: int = 0
    """Lines that are no record, the torn last one not included."""
    missing: int = 0
    """Records that are known to be lost: the disk was full."""
    waiting: dict[str, Waiting] = field(default_factory=dict)
    """By the request's id as JSON."""
    early: dict[str, Stretch] = field(default_factory=dict)
    """What came for sessions that no `session/new` has named yet."""
    owner: dict[str, int] = field(default_factory=dict)
    """Which of `stretches` the agent's id of an attached session or subagent belongs to now."""
    scanner: int = 0
    """Which scanner made this."""

    @property
    def newer(self) -> bool:
        """Written by a newer acp-tui: read as far as it can be understood."""
        return self.head.version > VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One stretch of a saved session, and the journal it stands in."""

    path: Path
    journal: Journaled
    stretch: Stretch


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """One conversation as it is kept here."""

    id: str
    """12 hex digits."""
    agent: str
    session_id: str
    """The agent's id; never a name for the saved session."""
    parts: tuple[Part, ...]
    """In the order in which they were said; at least one."""

    @property
    def last(self) -> Part:
        """Where it stands now."""
        return self.parts[-1]

    @property
    def command(self) -> tuple[str, ...]:
        """What starts its agent, secrets redacted."""
        return self.last.journal.head.command

    @property
    def cwd(self) -> str:
        """The folder the agent works in."""
        return next(
            (p.stretch.cwd for p in reversed(self.parts) if p.stretch.cwd), self.last.journal.head.cwd
        )

    @property
    def branch(self) -> str | None:
        """Of git, when it was last begun or gone on with; empty: there was none; None: not kept."""
        return next((p.stretch.branch for p in reversed(self.parts) if p.stretch.branch is not None), None)

    @property
    def named(self) -> str:
        """Its title as the agent told it in the session itself; empty: it did not."""
        return next((p.stretch.title for p in reversed(self.parts) if p.stretch.title), None) or ""

    @property
    def title(self) -> str:
        """As the agent named it, else the beginning of the first prompt; as it came, not cleaned."""
        return self.named or next((p.stretch.first_prompt for p in self.parts if p.stretch.first_prompt), "")

    @property
    def created(self) -> float:
        return self.parts[0].stretch.created

    @property
    def active(self) -> float:
        """When something was last said or done, seconds since the epoch; never before it was created."""
        return max(self.created, *(p.stretch.active for p in self.parts))

    @property
    def messages(self) -> int:
        return self._count("messages")

    @property
    def tool_calls(self) -> int:
        return self._count("tool_calls")

    @property
    def turns(self) -> int:
        return self._count("turns")

    def _count(self, what: Literal["messages", "tool_calls", "turns"]) -> int:
        """A replay tells again what there is, and perhaps more, that was said elsewhere."""
        count = 0
        for part in self.parts:
            lived: int = getattr(part.stretch.live, what)
            replayed: int = getattr(part.stretch.replayed, what)
            if part.stretch.begun == "resume":
                count = max(count, replayed) + lived
            else:
                count = max(count + lived, replayed)
        return count

    @property
    def cost(self) -> tuple[float, str] | None:
        """Amount and currency as last reported; None: never."""
        told = (p.stretch for p in reversed(self.parts) if p.stretch.cost is not None)
        found = next(told, None)
        return (found.cost, found.currency) if found is not None and found.cost is not None else None

    @property
    def broken_off(self) -> bool:
        """The records end in the middle: no goodbye, or work or a prompt under way when the agent was lost.

        While the acp-tui that writes it is alive that means *running*, afterwards *interrupted*.
        """
        stretch, journal = self.last.stretch, self.last.journal
        if stretch.closed:
            return False
        return journal.ended is None or bool(stretch.prompts) or stretch.state not in ("", "idle")

    @property
    def uncertain(self) -> int:
        """Prompts of which nobody knows whether the agent took them."""
        return sum(len(p.stretch.prompts) for p in self.parts)

    @property
    def refused(self) -> str:
        """Why the agent would not go on with it when last asked; empty: it would, or was not asked."""
        return self.last.stretch.refused

    @property
    def continues(self) -> str:
        """Id of the saved session whose conversation stands above it; empty: it began for itself."""
        return next((p.stretch.continues for p in self.parts if p.stretch.continues), "")

    @property
    def newer(self) -> bool:
        """A part of it was written by a newer acp-tui."""
        return any(p.journal.newer for p in self.parts)


def joined(journals: Iterable[tuple[Path, Journaled]]) -> list[Saved]:
    """All saved sessions of these journals, in the order in which they began."""
    known: dict[str, list[Part]] = {}
    newest: dict[tuple[str, str], str] = {}
    for path, journal in sorted(journals, key=lambda found: _order(found[1])):
        for stretch in journal.stretches:
            who = (journal.agent, stretch.session_id)
            id = _gone_on_with(stretch, known, newest.get(who, ""))
            if not id:
                id = stretch.kept_as or saved_id(journal.name, stretch)
                if not stretch.content or id in known:  # nothing, or a copy of the journal
                    continue
                newest[who] = id
            known.setdefault(id, []).append(Part(path=path, journal=journal, stretch=stretch))
    return [
        Saved(id=id, agent=parts[0].journal.agent, session_id=parts[0].stretch.session_id, parts=tuple(parts))
        for id, parts in known.items()
    ]


def _order(journal: Journaled) -> tuple[float, int, str]:
    head = journal.head
    return head.order or head.started, head.first, journal.name


def _gone_on_with(stretch: Stretch, known: Container[str], newest: str) -> str:
    """Id of the saved session it belongs to, if one that was begun before."""
    if stretch.begun != "resume":
        return ""
    return stretch.kept_as if stretch.kept_as in known else newest


def saved_id(name: str, stretch: Stretch) -> str:
    """Of the saved session that begins with this stretch of the journal of that name."""
    origin = "\0".join((name, stretch.session_id, str(stretch.number)))
    return hashlib.blake2b(origin.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
