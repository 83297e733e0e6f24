"""Taking over a replay whose messages have no names of the agent's (V1-41).

Nothing in it can be matched with what is shown, so one view stands for the other as a whole: the new one, or
the old one where the agent tells of fewer prompts than were made, for what is kept here must not be lost
(S46). Invariant: what is ours (ends of turns, notices of rules) stands in the turn in which it stood, counted
from the last, because agents like to tell of prompts that nobody made before the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from acp_tui.store.entities import AgentRequest, Message, Submission, Turn
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session

OURS = frozenset({Kind.TURN, Kind.SUBMISSION, Kind.REQUEST})


def replace(session: Session, replayed: Session) -> str:
    """Show the replay in place of what is shown; or not, then a sentence says why."""
    old, new = _turns(session.timeline), _turns(replayed.timeline)
    if len(new) < len(old):
        told = f"The agent tells of {len(new) - 1} of {len(old) - 1} prompts"
        return f"{told}; the conversation is shown as kept here."
    kept = [[key for key in turn if isinstance(session.entities[key], _KEPT)] for turn in old]
    kept = [[] for _ in range(len(new) - len(kept))] + kept
    _tie(session, replayed, old, new)
    ours = {key: one for key, one in session.entities.items() if key.kind in OURS}
    session.timeline = [key for turn, mine in zip(new, kept, strict=True) for key in [*turn, *mine]]
    session.entities = {**replayed.entities, **ours}
    session.subagents, session.plans = replayed.subagents, replayed.plans
    session.open_calls, session.shown_in = replayed.open_calls, replayed.shown_in
    return ""


_KEPT = Turn | Submission | AgentRequest


def _turns(timeline: Iterable[Key]) -> list[list[Key]]:
    """Cut before each message of the user; the first part has none."""
    turns: list[list[Key]] = [[]]
    for key in timeline:
        if key.kind is Kind.USER_MESSAGE:
            turns.append([])
        turns[-1].append(key)
    return turns


def _tie(session: Session, replayed: Session, old: Sequence[list[Key]], new: Sequence[list[Key]]) -> None:
    """The prompts are ours still."""
    for before, now in zip(old[:0:-1], new[:0:-1], strict=False):
        message, other = session.entities[before[0]], replayed.entities[now[0]]
        if isinstance(message, Message) and isinstance(other, Message):
            other.submission = message.submission
