"""The foreground state: what the agent says it is doing, and where its work ended.

Invariants: only a `state_update` changes the state (PR-15, ST-11, ST-12, ST-17); repeating a state is no
transition (ST-09); work ends exactly once, with a `Turn` at the end of the timeline, and never by a replay
(ST-10, SS-13).
"""

from __future__ import annotations

from acp_tui.protocol.updates import IdleStateUpdate, StateUpdate, UnknownStateUpdate
from acp_tui.store.entities import Submission, Turn
from acp_tui.store.holding import same
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.change import changed, close_last, place, touch_session
from acp_tui.store.reducers.tools import mark_unreported
from acp_tui.store.session import NONE_SEEN, Session
from acp_tui.store.store import Store

RESTING = frozenset({"idle", "disconnected", NONE_SEEN})
"""States from which idle is no completion: no work was seen (ST-10, SS-12)."""


def state(store: Store, session: Session, update: StateUpdate, at: float) -> None:
    """A snapshot of the foreground work (ST-01 to ST-10) and of what runs beside it (BG-01 to BG-03)."""
    before = session.state
    now = f"unknown:{update.state}" if isinstance(update, UnknownStateUpdate) else update.state
    told = _background(session, update)
    if isinstance(update, IdleStateUpdate):
        told |= _outcome(session, update)
    if now != before:
        session.state, session.state_since, told = now, at, True
        if now == "idle":
            _work_ended(store, session, before, at)
        elif before in RESTING:
            session.work_started_at, session.had_output = at, False
    if now == "idle":
        mark_unreported(store, session, at)
    if told:
        touch_session(store, session)


def _background(session: Session, update: StateUpdate) -> bool:
    """Each update replaces the report; without one nothing is known (BG-02), as in an unknown state."""
    new = None if isinstance(update, UnknownStateUpdate) else update.background
    told = not same(session.background, new)
    session.background = list(new) if new is not None else None
    return told


def _outcome(session: Session, update: IdleStateUpdate) -> bool:
    """The error belongs to the stop reason `error` only (ST-07)."""
    error = update.error if update.stop_reason == "error" else None
    told = update.stop_reason != session.stop_reason or not same(session.error, error)
    session.stop_reason, session.error = update.stop_reason, error
    return told


def _work_ended(store: Store, session: Session, before: str, at: float) -> None:
    if before in RESTING or _replaying(store, session):
        close_last(store, session, at)
    else:
        _complete(store, session, at)
    session.work_started_at = None


def _replaying(store: Store, session: Session | None) -> bool:
    """Children are replayed with the session they belong to."""
    while session is not None:
        if session.replaying:
            return True
        session = store.sessions.get(session.parent) if session.parent is not None else None
    return False


def _complete(store: Store, session: Session, at: float) -> None:
    asked_at = _settle_cancel(session, at)
    session.completions += 1
    turn = Turn(
        shelf=store.shelf,
        key=Key(session.ref, Kind.TURN, str(session.completions)),
        created_at=at,
        stop_reason=session.stop_reason,
        error=session.error,
        started_at=session.work_started_at,
        cancel_asked_at=asked_at,
        had_output=session.had_output,
        by_agent=not _prompted(session),
    )
    place(store, session, turn, at)
    changed(store, turn, at)


def _settle_cancel(session: Session, at: float) -> float | None:
    """Cancelling is over: confirmed, or the work was faster (CX-05). When it was asked for, if it was."""
    cancel = session.cancel
    if cancel is None or not session.cancelling:
        return None
    cancel.settle(at, confirmed=session.stop_reason == "cancelled")
    return cancel.asked_at


def _prompted(session: Session) -> bool:
    """A user message stands in the turn that ends, or a prompt of ours was sent and not refused (ST-13)."""
    for key in reversed(session.timeline):
        if key.kind is Kind.TURN:
            break
        if key.kind in (Kind.USER_MESSAGE, Kind.SUBMISSION):
            return True
    tail = (session.entities[key] for key in session.tail)
    return any(isinstance(one, Submission) and one.status in ("pending", "inserted") for one in tail)
