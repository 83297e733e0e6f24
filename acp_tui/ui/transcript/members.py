"""The members of one session's timeline: which there are, in which order, and the view of each.

Invariants:
* Members are the timeline and after it the tail; the timeline only grows, the tail comes and goes. Above a
  session that continues another stands the timeline of that one, which has ended.
* What the user folded outlives the views, and so does what he wants of all thoughts.
* A view that fails is told about and replaced by one line; the others do not notice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import TypeVar

from acp_tui.render.view import View
from acp_tui.store.entities import Compaction, Entity
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.transcript.broken import BrokenView, instead_of

MakeView = Callable[[Entity], View]
Broke = Callable[[Key, Exception], None]
Answer = TypeVar("Answer")


def unheard(key: Key, error: Exception) -> None:
    """Nobody wants to be told of a view that failed."""
    raise error


class Members:
    """See the module."""

    def __init__(self, store: Store, ref: str, make: MakeView, broke: Broke = unheard) -> None:
        self.ref = ref
        self.views: list[View] = []
        self._store = store
        self._make = make
        self._broke = broke
        """Told of a view that failed, before it is replaced; may raise."""
        self._session: Session | None = None
        self._above: list[Key] = []  # what stands above, of sessions that this one continues
        self._timeline: list[Key] = []
        self._settled = 0  # members that are of the timeline
        self._tail: list[Key] = []
        self._places: dict[Key, int] = {}
        self._users: dict[Key, set[Key]] = {}  # related key → members that draw it
        self._compactions: list[int] = []
        self._choices: dict[Key, bool] = {}  # what the user folded and unfolded
        self._thoughts_folded: bool | None = None  # what he wants of all thoughts, also those to come

    def __len__(self) -> int:
        return len(self.views)

    @property
    def session(self) -> Session | None:
        """The session as it was when members were last taken in."""
        return self._session

    @property
    def settled(self) -> int:
        """How many members are of the timeline; the others are the tail."""
        return self._settled

    def place(self, key: Key) -> int | None:
        """The index of a member."""
        return self._places.get(key)

    def concerned(self, keys: Collection[Key]) -> set[int]:
        """Members that show any of these: the member itself, or one that draws it."""
        found = {self._places[key] for key in keys if key in self._places}
        for key in keys:
            found.update(self._places[user] for user in self._users.get(key, ()) if user in self._places)
        return found

    def foreign(self) -> set[Key]:
        """Keys of other sessions that members here draw."""
        return {key for key in self._users if key.session != self.ref}

    def sync(self) -> bool:
        """Take in members that came and let go those that went; True if anything did."""
        session = self._store.sessions.get(self.ref)
        timeline, tail = (session.timeline, session.tail) if session is not None else ([], [])
        listed = len(self._above) + len(timeline)
        if session is not self._session or timeline is not self._timeline or listed < self._settled:
            self._session, self._timeline, self._settled = session, timeline, 0  # a replay was swapped in
            self._above = self._continued(session)
        elif listed == self._settled and tail == self._tail:
            return False
        self._truncate(self._settled)
        self._extend(self._above[self._settled :])
        self._extend(islice(timeline, len(self.views) - len(self._above), None))
        self._settled = len(self.views)
        self._tail = list(tail)
        self._extend(tail)
        return True

    def _continued(self, session: Session | None) -> list[Key]:
        """The timelines of the sessions that this one continues, the oldest first."""
        above: list[Key] = []
        while session is not None and session.continues is not None:
            session = self._store.sessions.get(session.continues)
            above[:0] = session.timeline if session is not None else []
        return above

    def _extend(self, keys: Iterable[Key]) -> None:
        for key in keys:
            entity = self._store.entity(key)
            assert entity is not None, f"{key} is listed but not known"
            index = self._places[key] = len(self.views)
            self.views.append(self._view(entity))
            if isinstance(entity, Compaction):
                self._compactions.append(index)
            self._draws(index)

    def _truncate(self, count: int) -> None:
        for view in self.views[count:]:
            del self._places[view.key]
        del self.views[count:]
        self._compactions = [index for index in self._compactions if index < count]

    def _view(self, entity: Entity) -> View:
        try:
            view = self._make(entity)
        except Exception as error:  # as in `ask`
            self._broke(entity.key, error)
            return BrokenView(entity, self._store, float)
        choice = self._choices.get(entity.key)
        if choice is None and entity.key.kind is Kind.AGENT_THOUGHT:
            choice = self._thoughts_folded
        if choice is not None:
            view.folded = choice
        return view

    def _draws(self, index: int) -> None:
        """Remember whose changes are this member's changes."""
        key = self.views[index].key
        for related in self.ask(index, lambda view: view.related()):
            self._users.setdefault(related, set()).add(key)

    def ask(self, index: int, question: Callable[[View], Answer]) -> Answer:
        """What a member's view says. One that fails is replaced until its entity changes."""
        try:
            return question(self.views[index])
        except Exception as error:  # of whatever kind: one entity must not take the others down
            self._broke(self.views[index].key, error)
            self.views[index] = instead_of(self.views[index])
            return question(self.views[index])

    @property
    def past(self) -> int:
        """How many members stand above the last compaction."""
        entities = ((index, self.views[index].entity) for index in reversed(self._compactions))
        return next((i for i, e in entities if isinstance(e, Compaction) and e.status == "completed"), 0)
