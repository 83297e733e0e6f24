"""Child sessions: announced, described and mirrored on their parent (SA-01 to SA-04).

The child is a `Session` of its own with updates of its own; its parent's timeline has a `Subagent` that
stands for it.
"""

from __future__ import annotations

from acp_tui.protocol.absent import Absent
from acp_tui.protocol.unknown import Invalid
from acp_tui.protocol.updates import IdleStateUpdate, StateUpdate, SubagentUpdate
from acp_tui.store.entities import Subagent
from acp_tui.store.holding import same
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.change import (
    changed,
    check_name,
    controllable,
    patch_meta,
    place,
    touch_session,
)
from acp_tui.store.reducers.state import state
from acp_tui.store.session import NONE_SEEN, Session
from acp_tui.store.store import Store


def subagent(store: Store, session: Session, update: SubagentUpdate, at: float) -> None:
    """The first update for a child registers it, later ones patch what is known of it (SA-01)."""
    key = Key(session.ref, Kind.SUBAGENT, update.session_id)
    known = session.entities.get(key)
    new = not isinstance(known, Subagent)
    if not isinstance(known, Subagent):
        check_name(update.session_id)
        child = _child(store, session, update.session_id)
        known = Subagent(shelf=store.shelf, key=key, created_at=at, child=child.ref)
        place(store, session, known, at)
        session.subagents.append(key)
    told = _patch(known, update)
    told |= _report(known, update)
    if told or new:
        session.had_output = True
        changed(store, known, at)
    _mirror(store, session, known, update, at)


def _child(store: Store, session: Session, session_id: str) -> Session:
    """The session of that name below this one, made now if there is none."""
    if session_id in _lineage(store, session):
        raise Invalid("a session cannot be its own child")
    for one in store.sessions.values():
        if one.session_id == session_id and one.parent == session.ref:
            return one
    child = Session(
        ref=store.new_ref(),
        cwd=session.cwd,
        session_id=session_id,
        additional_directories=session.additional_directories,
        parent=session.ref,
        phase="open",
        state=NONE_SEEN,
    )
    return store.add(child)


def _lineage(store: Store, session: Session) -> set[str | None]:
    """The agent's ids of this session and of all above it."""
    ids: set[str | None] = set()
    above: Session | None = session
    while above is not None:
        ids.add(above.session_id)
        above = store.sessions.get(above.parent) if above.parent is not None else None
    return ids


def _patch(known: Subagent, update: SubagentUpdate) -> bool:
    told = False
    for name in ("title", "description", "cwd", "additional_directories"):
        value = getattr(update, name)
        if not isinstance(value, Absent) and value != getattr(known, name):
            setattr(known, name, value)
            told = True
    cancellable = controllable(update.capabilities, known.cancellable)
    told |= cancellable != known.cancellable
    known.cancellable = cancellable
    return patch_meta(known, update.meta) or told


def _report(known: Subagent, update: SubagentUpdate) -> bool:
    if isinstance(update.state, Absent):
        return False
    reported = update.state.state if update.state is not None else None
    told = reported != known.reported_state
    known.reported_state = reported
    return told


def _mirror(store: Store, session: Session, known: Subagent, update: SubagentUpdate, at: float) -> None:
    """The child's place and state as its parent has them; a state that both report counts once (SA-04)."""
    child = store.sessions[known.child]
    cwd = known.cwd or session.cwd
    directories = known.additional_directories
    inherited = session.additional_directories if directories is None else tuple(directories)
    if not same((child.cwd, child.additional_directories), (cwd, inherited)):
        child.cwd, child.additional_directories = cwd, inherited
        touch_session(store, child)
    if update.state is None and child.state != NONE_SEEN:
        child.state, child.state_since, child.work_started_at = NONE_SEEN, at, None
        child.background = None
        touch_session(store, child)
    elif update.state is not None and not isinstance(update.state, Absent):
        state(store, child, _as_known(child, update.state), at)


def _as_known(child: Session, told: StateUpdate) -> StateUpdate:
    """The parent's bare `idle` does not take back how the child itself said that its work ended."""
    if isinstance(told, IdleStateUpdate) and told.stop_reason is None and child.state == "idle":
        return told.model_copy(update={"stop_reason": child.stop_reason, "error": child.error})
    return told
