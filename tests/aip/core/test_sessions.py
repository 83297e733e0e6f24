"""The graph of a session (checks 22, 25, 26 of the pure half)."""

from __future__ import annotations

from acp_tui.aip.core import sessions
from acp_tui.aip.core.words import Other, SessionState


def test_26_a_session_that_is_dead_is_not_worth_a_token() -> None:
    dead = {state.value for state in SessionState if not sessions.resumable(state)}
    assert dead == {"failed", "cancelled", "settled"}
    assert sessions.resumable(Other("resting"))


def test_22_closing_is_a_move_to_cancelled() -> None:
    closable = {state.value for state in SessionState if sessions.closable(state)}
    assert closable == {"active", "queued", "processing", "streaming", "waiting_for_human"}


def test_every_state_leads_to_settled_and_that_to_nothing() -> None:
    for state in SessionState:
        reached, fringe = {state}, {state}
        while fringe:
            fringe = {after for before in fringe for after in sessions.MOVES[before]} - reached
            reached |= fringe
        assert SessionState.SETTLED in reached
    assert sessions.MOVES[SessionState.SETTLED] == frozenset()
    assert {state for state in SessionState if sessions.over(state)} == sessions.OVER
