"""Taking over a replay whose messages have no names of the agent's (V1-41).

Nothing in it can be matched by name with what is shown; prompts are found again by their words, from the
last, because agents like to tell of prompts that nobody made. Each turn is the one the agent tells, unless
that lacks tool calls that are kept here, or words and has none instead (Codex forgets why a turn failed); and
the whole old view stays where the agent does not tell of all its prompts: what is kept here must not be lost
(S46). Invariant: what is ours (ends of turns, notices of rules, what we served) stands in the turn in which
it stood.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from acp_tui.client import permits
from acp_tui.store.entities import Message
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session

OURS = frozenset({Kind.TURN, Kind.SUBMISSION, Kind.REQUEST})

_Keys = list[Key]
_SPOKEN = (Kind.AGENT_MESSAGE, Kind.AGENT_THOUGHT)


def replace(session: Session, replayed: Session) -> str:
    """Show the replay in place of what is shown; or not, then a sentence says why."""
    old, new = _turns(session.timeline), _turns(replayed.timeline)
    places = _places(session, replayed, old, new)
    if len(places) < len(old):
        told = f"The agent tells of {len(places) - 1} of {len(old) - 1} prompts"
        return f"{told}; the conversation is shown as kept here."
    _tie(session, replayed, old, new, places)
    timeline = _woven(session, replayed, old, new, places)
    stays = {key: one for key, one in session.entities.items() if _is_ours(key) or key.kind is Kind.TERMINAL}
    stays |= {key: session.entities[key] for key in timeline if key in session.entities}
    shown = _shown(session, replayed, set(timeline))
    session.open_calls = {**replayed.open_calls, **{key: None for key in session.open_calls if key in stays}}
    session.timeline, session.entities = timeline, {**replayed.entities, **stays}
    session.subagents, session.plans, session.shown_in = replayed.subagents, replayed.plans, shown
    return ""


def _is_ours(key: Key) -> bool:
    """No agent tells of it: it was made here, files and commands that we served among it."""
    served = key.kind in (Kind.TOOL_CALL, Kind.TERMINAL) and key.id.startswith(permits.OURS)
    return served or key.kind in OURS


def _turns(timeline: Iterable[Key]) -> list[_Keys]:
    """Cut before each message of the user; the first part has none."""
    turns: list[_Keys] = [[]]
    for key in timeline:
        if key.kind is Kind.USER_MESSAGE:
            turns.append([])
        turns[-1].append(key)
    return turns


def _places(
    session: Session, replayed: Session, old: Sequence[_Keys], new: Sequence[_Keys]
) -> dict[int, int]:
    """Turns of the new view by those of the old one whose prompts have the same words."""
    found, before = {0: 0}, len(new)
    for index in range(len(old) - 1, 0, -1):
        words = _words(session, old[index][:1])
        here = (place for place in range(before - 1, 0, -1) if words in _words(replayed, new[place][:1]))
        place = next(here, None)
        if place is not None:
            found[index] = before = place
    return found


def _words(session: Session, keys: Iterable[Key]) -> str:
    messages = (session.entities[key] for key in keys)
    return " ".join(
        word for one in messages if isinstance(one, Message) for word in one.content.text().split()
    )


def _woven(
    session: Session,
    replayed: Session,
    old: Sequence[_Keys],
    new: Sequence[_Keys],
    places: dict[int, int],
) -> list[Key]:
    """Turn by turn the richer view."""
    by_place = {place: old[index] for index, place in places.items()}
    timeline: list[Key] = []
    richer: _Keys = []
    for place, turn in enumerate(new):
        before = by_place.get(place)
        if before is not None:
            lacks = _lacks_calls(before, replayed) or _lacks_words(session, before, replayed, turn)
            richer = before if lacks else []
            timeline += richer or [*turn, *(key for key in before if _is_ours(key))]
        elif not (richer and _told(session, replayed, richer, turn)):
            timeline += turn
    return timeline


def _lacks_calls(turn: _Keys, replayed: Session) -> bool:
    """The agent does not tell of all its calls any more."""
    return any(
        key.kind is Kind.TOOL_CALL and not _is_ours(key) and key not in replayed.entities for key in turn
    )


def _lacks_words(session: Session, old: _Keys, replayed: Session, new: _Keys) -> bool:
    """The agent leaves out what it said or thought, and says nothing that is not kept here."""
    if any(key.kind is Kind.TOOL_CALL and key not in session.entities for key in new):
        return False
    kept, told = (
        [_words(of, [key for key in turn if key.kind is kind]) for kind in _SPOKEN]
        for of, turn in ((session, old), (replayed, new))
    )
    return kept != told and all(now in before for before, now in zip(kept, told, strict=True))


def _told(session: Session, replayed: Session, richer: _Keys, turn: _Keys) -> bool:
    """What the agent says in this turn, which nobody asked for here, stands in that one already."""
    said = _words(replayed, [key for key in turn if key.kind is Kind.AGENT_MESSAGE])
    return bool(said) and said in _words(session, [key for key in richer if key.kind is Kind.AGENT_MESSAGE])


def _shown(session: Session, replayed: Session, timeline: set[Key]) -> dict[Key, list[Key]]:
    """Where terminals and subagents stand."""
    found = {key: list(calls) for key, calls in replayed.shown_in.items()}
    for key, calls in session.shown_in.items():
        there = found.get(key, [])
        stay = [call for call in calls if call in timeline and call not in there]
        if there or stay:
            found[key] = [*there, *stay]
    return found


def _tie(
    session: Session, replayed: Session, old: Sequence[_Keys], new: Sequence[_Keys], places: dict[int, int]
) -> None:
    """The prompts are ours still."""
    for index, place in places.items():
        if index == 0:
            continue
        message, other = session.entities[old[index][0]], replayed.entities[new[place][0]]
        if isinstance(message, Message) and isinstance(other, Message):
            other.submission = message.submission
