"""Taking a replayed projection of a session over into the one that is shown (SS-14, LC-07).

Invariants: the `Session` object and its keys stay the same, so nobody has to be told where it is now; an
entity that stands for an older one of the same key has a greater revision; what is ours (ends of turns,
submissions, requests, notices) stays. A replay that lacks messages we have does not throw them away: the old
view stays, and says so (S46). Where messages have no names the one view stands for the other (`retelling`).
"""

from __future__ import annotations

from acp_tui.client import retelling
from acp_tui.client.dialect import made_up
from acp_tui.store.entities import AgentRequest, Entity, Message, Submission, Terminal, ToolCall, Turn
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import NONE_SEEN, Info, Session
from acp_tui.store.store import Store

_FACTS = (
    "state",
    "state_since",
    "stop_reason",
    "error",
    "background",
    "work_started_at",
    "had_output",
    "cancel",
    "replay_complete",
)
_COUNTED = frozenset({Kind.USER_MESSAGE, Kind.AGENT_MESSAGE})


def make(session: Session) -> Session:
    """An empty projection under the same reference and keys."""
    return Session(
        shelf=session.shelf,
        ref=session.ref,
        cwd=session.cwd,
        session_id=session.session_id,
        additional_directories=session.additional_directories,
        mcp_servers=session.mcp_servers,
        parent=session.parent,
        phase="open",
        state=NONE_SEEN,
        completions=session.completions,
        replaying=True,
    )


def take_over(store: Store, session: Session, replayed: Session) -> str:
    """Show what the agent replayed; a sentence if it remembers less than we have, else empty."""
    if made_up(session) or made_up(replayed):
        _renew(session, replayed)
        note = retelling.replace(session, replayed)
        _facts(session, replayed)
        _touch_all(store, session)
        return note
    messages = [key for key in session.timeline if key.kind in _COUNTED]
    remembered = sum(1 for key in messages if key in replayed.entities)
    _renew(session, replayed)
    if remembered == len(messages):
        _adopt(session, replayed)
    else:
        _keep(session, replayed)
    _facts(session, replayed)
    _touch_all(store, session)
    if remembered == len(messages):
        return ""
    memory = f"The agent remembers {remembered} of {len(messages)} messages"
    return f"{memory}; the rest is as kept here."


def add_to(store: Store, session: Session, replayed: Session) -> None:
    """The replay broke off: take only what is more than what is shown."""
    _renew(session, replayed)
    _keep(session, replayed)
    if replayed.state != NONE_SEEN:
        _facts(session, replayed)
    _touch_all(store, session)


def _touch_all(store: Store, session: Session) -> None:
    for key in [*session.entities, *(Key(session.ref, kind) for kind in _SINGLE)]:
        store.touch(key)


_SINGLE = (
    Kind.SESSION,
    Kind.TIMELINE,
    Kind.USAGE,
    Kind.INFO,
    Kind.COMMANDS,
    Kind.CONFIG_OPTIONS,
    Kind.NOTICES,
    Kind.UNKNOWN_UPDATES,
)


def _renew(session: Session, replayed: Session) -> None:
    """What will be seen in place of an older entity must look newer to every cache, and keep what was ours in
    it.
    """
    for key, new in replayed.entities.items():
        old = session.entities.get(key)
        if old is None:
            continue
        new.revision += old.revision + 1
        _keep_times(old, new)
        if isinstance(new, Message) and isinstance(old, Message):
            new.submission = old.submission
        elif isinstance(new, ToolCall) and isinstance(old, ToolCall):
            new.ruled, new.rejected = old.ruled, old.rejected


def _keep_times(old: Entity, new: Entity) -> None:
    """When things began and ended was seen here; a replay only says that they did."""
    seen_to_end = True
    match old, new:
        case Message(), Message() if new.closed_at is not None:
            new.closed_at = old.closed_at or max(old.created_at, old.updated_at)
        case ToolCall(), ToolCall() if new.final and old.final:
            new.started_at, new.ended_at = old.started_at, old.ended_at
        case Terminal(), Terminal() if new.exited:
            seen_to_end = old.exited
            new.exited_at = old.exited_at if seen_to_end else new.exited_at
    if seen_to_end:
        new.created_at = min(old.created_at, new.created_at)


def _adopt(session: Session, replayed: Session) -> None:
    """The replay has all we know: it is the session from now on."""
    told_by_us = _ours_by_neighbour(session)
    timeline = list(told_by_us.get(None, ()))
    for key in replayed.timeline:
        timeline += [key, *told_by_us.get(key, ())]
    ours = {key: one for key, one in session.entities.items() if key.kind in retelling.OURS}
    session.entities = {**replayed.entities, **ours}
    session.timeline = timeline
    session.subagents = replayed.subagents
    session.plans = replayed.plans
    session.open_calls = replayed.open_calls


def _ours_by_neighbour(session: Session) -> dict[Key | None, list[Key]]:
    """What no replay tells, by the entity it stood behind: ends of turns, prompts without a message, what a
    rule answered.
    """
    ours: dict[Key | None, list[Key]] = {}
    before: Key | None = None
    for key in session.timeline:
        if isinstance(session.entities[key], Turn | Submission | AgentRequest):
            ours.setdefault(before, []).append(key)
        else:
            before = key
    return ours


def _keep(session: Session, replayed: Session) -> None:
    """The old view stays; what it does not have yet comes after it."""
    new_members = [key for key in replayed.timeline if key not in session.entities]
    for key, new in replayed.entities.items():
        old = session.entities.get(key)
        if old is None or not _poorer(old, new):
            session.entities[key] = new
    session.timeline = session.timeline + new_members
    session.open_calls = replayed.open_calls
    session.subagents += [key for key in replayed.subagents if key not in session.subagents]
    session.plans += [key for key in replayed.plans if key not in session.plans]


def _poorer(old: Entity, new: Entity) -> bool:
    """A replayed message that has less text than ours."""
    return isinstance(old, Message) and isinstance(new, Message) and new.content.chars < old.content.chars


def _facts(session: Session, replayed: Session) -> None:
    """The agent's word wins for state; lists it did not send stay as they were."""
    told = replayed.state != NONE_SEEN or session.parent is None
    for name in _FACTS if told else ():  # a child's state may have been told by its parent only (SA-04)
        setattr(session, name, getattr(replayed, name))
    session.usage = replayed.usage or session.usage
    session.info = replayed.info if replayed.info != Info() else session.info
    session.commands = replayed.commands or session.commands
    session.config_options = replayed.config_options or session.config_options
    session.notices += replayed.notices
    session.unknown_updates += replayed.unknown_updates
    session.dropped += replayed.dropped
    session.heard_at = max(session.heard_at, replayed.heard_at)
