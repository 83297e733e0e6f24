"""Stopping one thing: a tool call, a terminal, a prompt that was not accepted, whatever runs beside the work.

Invariants: only what the agent offers to stop is asked for (TC-12, TM-12, SA-03), and asked is not done: what
became of it is said by the thing itself. What cannot be stopped says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from acp_tui.client.intents import Cancel as CancelSession
from acp_tui.client.intents import CancelTerminal, CancelToolCall, Intent, Withdraw
from acp_tui.protocol.tool_call import SessionLink
from acp_tui.protocol.tool_call import Terminal as TerminalContent
from acp_tui.protocol.updates import BackgroundSubagent, BackgroundTerminal, BackgroundToolCall
from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.store.entities import Cancel, Entity, Subagent, Submission, Terminal, ToolCall
from acp_tui.store.holding import loaded, reference
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui import keys

ALONE = "The agent does not offer to stop this alone"


def unfinished(entity: Entity | None) -> bool:
    """It may still run."""
    if isinstance(entity, ToolCall):
        return not (entity.final or entity.no_final)
    return isinstance(entity, Terminal) and not (entity.exited or entity.no_final)


def stoppable(store: Store, key: Key) -> Intent | None:
    """What asks for its end; None if nothing can, or it was asked already and an answer may come."""
    session, entity = store.sessions.get(key.session), store.entity(key)
    if isinstance(entity, Subagent):  # of a subagent, too
        child = store.sessions.get(entity.child)
        able = child is not None and child.busy and entity.cancellable and not _asked(child.cancel)
        return CancelSession(entity.child) if able else None
    if session is None or session.parent is not None:
        return None
    if isinstance(entity, Submission):
        return Withdraw(key) if entity.status == "pending" and entity.withdraw_asked_at is None else None
    for one in _candidates(session, entity):
        if one.cancellable and unfinished(one) and not _asked(one.cancel):
            return CancelToolCall(one.key) if isinstance(one, ToolCall) else CancelTerminal(one.key)
    below = [wanted for one in _below(session, entity) if (wanted := stoppable(store, one.key)) is not None]
    return below[0] if len(below) == 1 else None


def _candidates(session: Session, entity: Entity | None) -> Iterator[ToolCall | Terminal]:
    """It, and the terminals a tool call shows."""
    if isinstance(entity, ToolCall | Terminal):
        yield entity
    for item in entity.content if isinstance(entity, ToolCall) else ():
        held = loaded(item)
        if isinstance(held, TerminalContent):
            found = session.entities.get(Key(session.ref, Kind.TERMINAL, held.terminal_id))
            if isinstance(found, Terminal):
                yield found


def _below(session: Session, entity: Entity | None) -> list[Subagent]:
    """The subagents a tool call shows."""
    named = [reference(item) for item in entity.content] if isinstance(entity, ToolCall) else []
    ids = [one.session_id for one in named if isinstance(one, SessionLink)]
    found = (session.entities.get(Key(session.ref, Kind.SUBAGENT, id)) for id in ids)
    return [one for one in found if isinstance(one, Subagent)]


def _asked(cancel: Cancel | None) -> bool:
    """It was asked, and may still be answered."""
    return cancel is not None and cancel.open and cancel.status == "asked"


def why_not(store: Store, key: Key) -> str:
    """Why `stoppable` found nothing, for the user."""
    session, entity = store.sessions.get(key.session), store.entity(key)
    if isinstance(entity, Submission):
        asked = entity.status == "pending"
        return "The agent was asked to give it back" if asked else words.SUBMISSIONS[entity.status]
    if isinstance(entity, Subagent):
        child = store.sessions.get(entity.child)
        if child is None or not child.busy:
            return "It runs no more"
        return "It was asked to stop already" if _asked(child.cancel) else ALONE
    if session is None or not isinstance(entity, ToolCall | Terminal):
        return "Nothing here can be stopped"
    if sum(stoppable(store, one.key) is not None for one in _below(session, entity)) > 1:
        return f"Several subagents work here: {keys.hint('chat.background')} lists them, to stop one"
    running = [one for one in _candidates(session, entity) if unfinished(one)]
    if not running:
        return "It runs no more"
    if session.parent is not None:
        return "What a subagent does cannot be stopped from here"
    return "It was asked to stop already" if any(_asked(one.cancel) for one in running) else ALONE


# What runs beside the work


@dataclass(frozen=True, slots=True)
class Running:
    """One thing that runs."""

    title: str
    key: Key | None
    """None: of a kind we do not know."""
    since: float | None
    state: str
    """Whether it can be stopped, or what became of the wish."""
    kind: str = ""
    """`tool call`, `terminal` or `subagent`: often two of them have the same title."""
    background: bool = True


def running(store: Store, ref: str) -> list[Running]:
    """What the agent reports to run beside the work of a session, then what of the work can be stopped."""
    session = store.sessions.get(ref)
    if session is None:
        return []
    listed = [_listed(store, session, item) for item in session.background or ()]
    told = {one.key for one in listed}
    rest = [
        _row(store, entity, background=False)
        for entity in session.entities.values()
        if isinstance(entity, ToolCall | Terminal | Subagent)
        and entity.key not in told
        and _worth_listing(store, entity)
    ]
    return [*listed, *rest]


def _worth_listing(store: Store, entity: ToolCall | Terminal | Subagent) -> bool:
    """It runs, and the agent offers to stop it."""
    if isinstance(entity, Subagent):
        return stoppable(store, entity.key) is not None
    overlaid = isinstance(entity, ToolCall) and entity.cancel_overlay
    return unfinished(entity) and entity.cancellable and not overlaid


def _listed(store: Store, session: Session, item: object) -> Running:
    match item:
        case BackgroundToolCall(tool_call_id=id):
            key, name = Key(session.ref, Kind.TOOL_CALL, id), "tool call"
        case BackgroundTerminal(terminal_id=id):
            key, name = Key(session.ref, Kind.TERMINAL, id), "terminal"
        case BackgroundSubagent(session_id=id):
            key, name = Key(session.ref, Kind.SUBAGENT, id), "subagent"
        case _:
            return Running(
                f"work of the kind {one_line(str(getattr(item, 'type', '?')), 40)}", None, None, ""
            )
    entity = store.entity(key)
    if isinstance(entity, ToolCall | Terminal | Subagent):
        return _row(store, entity, background=True)
    return Running(f"{name} {one_line(key.id, 60)}", key, None, "not seen yet")


def _row(store: Store, entity: ToolCall | Terminal | Subagent, *, background: bool) -> Running:
    match entity:
        case ToolCall():
            since = entity.started_at or entity.created_at
            title = entity.title or entity.name or entity.kind
        case Terminal():
            since, title = entity.created_at, entity.command or "terminal"
        case Subagent():
            since, title = entity.created_at, entity.title or "subagent"
    kind = entity.key.kind.replace("_", " ")
    return Running(one_line(title, 200), entity.key, since, _state(store, entity), kind, background)


def _state(store: Store, entity: ToolCall | Terminal | Subagent) -> str:
    if isinstance(entity, Subagent):
        alone = stoppable(store, entity.key) is not None
        return "can be stopped" if alone else "its own conversation"
    if entity.cancel is not None:
        return words.CANCELS[entity.cancel.status]
    if not unfinished(entity):
        return words.NO_FINAL.get(entity.no_final) or "has ended"
    return "can be stopped" if stoppable(store, entity.key) is not None else "cannot be stopped alone"
