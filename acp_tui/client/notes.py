"""A sentence of ours in a session's timeline, where the agent has nothing to say."""

from __future__ import annotations

from acp_tui.store.entities import Turn
from acp_tui.store.keys import Key, Kind
from acp_tui.store.reducers.change import place
from acp_tui.store.session import Session
from acp_tui.store.store import Store

DISCONNECTED = "disconnected"


def add_note(store: Store, session: Session, at: float, note: str, *, lost: bool = False) -> None:
    """Put it at the end of the timeline; `lost`: work was running when the agent was lost (LC-04)."""
    number = sum(1 for key in session.timeline if key.kind is Kind.TURN)
    turn = Turn(
        key=Key(session.ref, Kind.TURN, f"note-{number}"),
        created_at=at,
        updated_at=at,
        stop_reason=DISCONNECTED if lost else None,
        started_at=session.work_started_at if lost else None,
        had_output=session.had_output if lost else True,
        note=note,
    )
    place(store, session, turn, at)
