"""What we say in a session where the agent says nothing any more."""

from __future__ import annotations

from acp_tui.store.entities import Terminal, ToolCall, Turn
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.change import changed, place
from acp_tui.store.session import Session
from acp_tui.store.store import Store

DISCONNECTED = "disconnected"


def add_note(store: Store, session: Session, at: float, note: str, *, lost: bool = False) -> None:
    """Put it at the end of the timeline; `lost`: work was running when the agent was lost (LC-04)."""
    number = sum(1 for key in session.timeline if key.kind is Kind.TURN)
    turn = Turn(
        shelf=store.shelf,
        key=Key(session.ref, Kind.TURN, f"note-{number}"),
        created_at=at,
        updated_at=at,
        stop_reason=DISCONNECTED if lost else None,
        started_at=session.work_started_at if lost else None,
        had_output=session.had_output if lost else True,
        note=note,
    )
    place(store, session, turn, at)


def mark_unknown(store: Store, session: Session, at: float) -> None:
    """Nothing will be heard of unfinished calls and terminals: they keep their status, marked (LC-09); a call
    that was cancelled with its turn is none.
    """
    confirmed = session.cancel is not None and session.cancel.status == "confirmed"
    for entity in session.entities.values():
        if isinstance(entity, ToolCall):
            unfinished = not (entity.final or entity.no_final or (confirmed and entity.cancel_overlay))
        elif isinstance(entity, Terminal):
            unfinished = not (entity.exited or entity.no_final)
        else:
            continue
        if entity.cancelling and entity.cancel is not None:
            entity.cancel.status, entity.cancel.settled_at = "no_answer", at
        if unfinished:
            entity.no_final = "disconnected"
            changed(store, entity, at)
