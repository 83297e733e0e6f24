"""What is to be exported: a session or a part of it, and the facts to stand above it.

Entries are numbered from 1 in the order of the timeline, those that show nothing (a turn that just ended)
too: what is said later changes no number. What stands in a place is found by its number, or by the name that
a search gives it: `KIND/ID`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from acp_tui.journal.entry import Entry
from acp_tui.journal.export.washing import Washed
from acp_tui.journal.folding import Folded
from acp_tui.journal.shared import homely, washed
from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.view import Lookup, View
from acp_tui.render.views import make_view
from acp_tui.store.entities import Plan, Subagent, Submission
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session

TITLE = 200
"""Cells of a title that are shown."""


class NoSuchPlace(LookupError):
    """There is no such entry; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What stands above; times in seconds since the epoch, 0 where nobody knows."""

    id: str = ""
    """Of the saved session; empty: it is not saved."""
    title: str = ""
    agent: str = ""
    session_id: str = ""
    """The agent's id."""
    cwd: str = ""
    created: float = 0.0
    active: float = 0.0
    messages: int = 0
    tool_calls: int = 0
    turns: int = 0
    cost: tuple[float, str] | None = None

    def line(self) -> list[str]:
        """Agent, folder, time, length and cost, in words; what nobody knows is left out."""
        length = [words.count(self.messages, "message")] if self.messages else []
        length += [words.count(self.tool_calls, "tool call")] if self.tool_calls else []
        cost = words.cost(*self.cost) if self.cost else ""
        said = [self.agent, homely(self.cwd), period(self.created, self.active), ", ".join(length), cost]
        return [one_line(one) for one in said if one]


def facts_of(entry: Entry) -> Facts:
    """From the library."""
    return Facts(
        id=entry.id,
        title=entry.title,
        agent=entry.agent,
        session_id=entry.session_id,
        cwd=entry.cwd,
        created=entry.created,
        active=entry.active,
        messages=entry.messages,
        tool_calls=entry.tool_calls,
        turns=entry.turns,
        cost=entry.cost,
    )


def _washed(facts: Facts) -> Facts:
    cost = (facts.cost[0], one_line(facts.cost[1], 8)) if facts.cost else None
    return replace(
        facts,
        title=one_line(washed(facts.title), TITLE),
        agent=one_line(washed(facts.agent), TITLE),
        session_id=one_line(facts.session_id),
        cwd=one_line(washed(facts.cwd)),
        cost=cost,
    )


def period(start: float, end: float) -> str:
    """`2026-11-30 14:51–15:20`."""
    if not start:
        return ""
    first, last = (time.strftime("%Y-%m-%d %H:%M", time.localtime(at)) for at in (start, end or start))
    if first == last:
        return first
    return f"{first}–{last[11:]}" if first[:10] == last[:10] else f"{first} – {last}"


class Member(NamedTuple):
    """One entry that shows something."""

    number: int
    view: View


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """See the module. Members are made when they are asked for, and hold nothing afterwards."""

    facts: Facts
    store: Washed
    session: Session
    at: float
    """What the clock says: nothing in it moves."""
    first: int
    last: int
    """Numbers of the first and the last entry."""
    parent: str = ""
    """Of a subagent's conversation: what it stands for in the one above, in one line."""

    @property
    def whole(self) -> bool:
        """Nothing is left out."""
        return self.first <= 1 and self.last >= len(_keys(self.session))

    def members(self, unfold: bool = True) -> Iterator[Member]:
        """In order; `unfold`: everything in them stands open."""
        for number, key in enumerate(_keys(self.session)[self.first - 1 : self.last], self.first):
            entity = self.store.entity(key)
            if entity is not None:
                view = make_view(entity, self.store, lambda: self.at)
                if unfold and view.foldable:
                    view.folded = False
                yield Member(number, view)

    def plans(self) -> list[Plan]:
        """Those that stood at the end and say something; only the whole session has them."""
        found = [self.store.entity(key) for key in self.session.plans] if self.whole else []
        plans = [plan for plan in found if isinstance(plan, Plan)]
        return [
            plan
            for plan in plans
            if getattr(plan.plan, "entries", True) and getattr(plan.plan, "content", True)
        ]

    def children(self) -> Iterator[Excerpt]:
        """The conversations of the subagents that are among the entries, with those of theirs."""
        yield from _children(self, {self.session.ref})


def _keys(session: Session) -> list[Key]:
    return [*session.timeline, *session.tail]


def _children(above: Excerpt, seen: set[str]) -> Iterator[Excerpt]:
    named = _keys(above.session)[above.first - 1 : above.last]
    for key in named:
        entity = above.store.entity(key) if key.kind is Kind.SUBAGENT else None
        if not isinstance(entity, Subagent):
            continue
        child = above.store.sessions.get(entity.child)
        if child is None or child.ref in seen or not child.timeline:
            continue
        seen.add(child.ref)
        title = one_line(entity.title or child.info.title or entity.description or "")
        made = Excerpt(
            facts=above.facts,
            store=above.store,
            session=child,
            at=above.at,
            first=1,
            last=len(_keys(child)),
            parent=title or "subagent",
        )
        yield made
        yield from _children(made, seen)


def excerpt_of(
    facts: Facts, store: Lookup, session: Session, at: float, start: str = "", end: str = ""
) -> Excerpt:
    """From one place to another, both included; empty: from the start, to the end. Raises `NoSuchPlace`."""
    keys = _keys(session)
    first = _number(store, session, start) if start else 1
    last = _number(store, session, end) if end else len(keys)
    if first > last and keys:
        raise NoSuchPlace(
            f"Entry {first} stands behind entry {last}: there is nothing from one to the other."
        )
    clean = Washed(store)
    return Excerpt(
        facts=_washed(facts), store=clean, session=clean.sessions[session.ref], at=at, first=first, last=last
    )


def excerpt_of_saved(entry: Entry, folded: Folded, start: str = "", end: str = "") -> Excerpt:
    """The same of a saved session. Raises `NoSuchPlace`."""
    session = folded.session
    if session is None:
        raise NoSuchPlace(f"Nothing that was said in {entry.id} can be read.")
    return excerpt_of(facts_of(entry), folded.store, session, folded.at, start, end)


def _number(store: Lookup, session: Session, place: str) -> int:
    count = len(_keys(session))
    if place.isdecimal() and len(place) < 12:
        number = int(place)
        if not 1 <= number <= count:
            raise NoSuchPlace(f"There is no entry {number}: they are numbered from 1 to {count}.")
        return number
    kind, slash, id = place.partition("/")
    if not slash or kind not in set(Kind):
        said = "give a number, as `acp-tui show --numbers` has them, or KIND/ID, as `acp-tui search` does"
        raise NoSuchPlace(f"{one_line(place, 60)} names no entry: {said}.")
    found = _placed(store, session, Kind(kind), id)
    if found is None:
        raise NoSuchPlace(f"There is no {one_line(place, 60)} among the entries of this session.")
    return found


def _placed(store: Lookup, session: Session, kind: Kind, id: str) -> int | None:
    """Where an entity stands, or the call or subagent in which it does."""
    keys = _keys(session)
    numbers = {(key.kind, key.id): number for number, key in enumerate(keys, 1)}
    shown = session.shown_in.get(Key(session.ref, kind, id))
    key = shown[-1] if shown and kind is Kind.TERMINAL else Key(session.ref, kind, id)
    if (key.kind, key.id) in numbers:
        return numbers[key.kind, key.id]
    for number, one in enumerate(keys, 1):
        entity = store.entity(one)
        if isinstance(entity, Submission) and kind is Kind.USER_MESSAGE and entity.message_id == id:
            return number
        child = store.sessions.get(entity.child) if isinstance(entity, Subagent) else None
        if child is not None and child.ref != session.ref and _placed(store, child, kind, id) is not None:
            return number
    return None
