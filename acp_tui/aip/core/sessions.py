"""The graph of a session: what is allowed, which is not what happens; actions do not drive it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from acp_tui.aip.core.words import Other, SessionState

S = SessionState
MOVES: Final[Mapping[SessionState, frozenset[SessionState]]] = {
    S.NEW: frozenset({S.ACTIVE}),
    S.ACTIVE: frozenset({S.QUEUED, S.PROCESSING, S.CANCELLED}),
    S.QUEUED: frozenset({S.PROCESSING, S.CANCELLED, S.FAILED}),
    S.PROCESSING: frozenset({S.STREAMING, S.WAITING_FOR_HUMAN, S.COMPLETED, S.FAILED, S.CANCELLED}),
    S.STREAMING: frozenset({S.COMPLETED, S.FAILED, S.CANCELLED, S.WAITING_FOR_HUMAN}),
    S.WAITING_FOR_HUMAN: frozenset({S.PROCESSING, S.COMPLETED, S.CANCELLED, S.FAILED}),
    S.COMPLETED: frozenset({S.SETTLED}),
    S.FAILED: frozenset({S.SETTLED}),
    S.CANCELLED: frozenset({S.SETTLED}),
    S.SETTLED: frozenset(),
}
OVER: Final = frozenset({S.COMPLETED, S.FAILED, S.CANCELLED, S.SETTLED})
"""No work follows."""
_DEAD: Final = frozenset({S.FAILED, S.CANCELLED, S.SETTLED})


def allowed(before: SessionState | Other, after: SessionState | Other) -> bool:
    """Whether the graph has that move; of a state nobody told us about we forbid nothing."""
    return isinstance(before, Other) or isinstance(after, Other) or after in MOVES[before]


def closable(state: SessionState | Other) -> bool:
    """Closing is a move to `cancelled`: from elsewhere the gateway will refuse it."""
    return allowed(state, S.CANCELLED)


def resumable(state: SessionState | Other) -> bool:
    """Whether asking is worth a token: the server replaces it before it notices that a session is over, and
    then tells nobody the new one.
    """
    return state not in _DEAD


def over(state: SessionState | Other) -> bool:
    """Shown as closed."""
    return state in OVER
