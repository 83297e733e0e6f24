"""All we know, and who wants to hear of it.

Facts live in `Session` and `Connection`; the reducer and the client change them and `touch` the keys they
changed. Invariants: a subscription is told at most once a flush and only of its own keys; nobody else is told
anything; the order of telling is the order of subscribing. `on_dirty` is called when the first key after a
flush gets dirty, not again until the next flush.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from acp_tui.base.shelf import MEMORY, Shelf
from acp_tui.protocol.session import SessionInfo
from acp_tui.store.connection import Connection
from acp_tui.store.entities import AgentRequest, Entity
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session

CONNECTION: Final = Key("", Kind.CONNECTION)
SESSIONS: Final = Key("", Kind.SESSIONS)
REQUESTS: Final = Key("", Kind.REQUESTS)

Callback = Callable[[frozenset[Key]], None]


class Subscription:
    """Who is told of what; made by `Store.watch`."""

    __slots__ = ("_store", "callback", "keys", "number", "sessions")

    def __init__(self, store: Store, number: int, callback: Callback) -> None:
        self._store: Store | None = store
        self.number = number
        self.callback = callback
        self.keys: frozenset[Key] = frozenset()
        self.sessions: frozenset[str] = frozenset()

    @property
    def closed(self) -> bool:
        return self._store is None

    def set(self, keys: Iterable[Key] = (), sessions: Iterable[str] = ()) -> None:
        """Watch these from now on, and nothing else."""
        if self._store is not None:
            self._store._watchers.move(self, frozenset(keys), frozenset(sessions))

    def close(self) -> None:
        """Never called again, not even for what is dirty already."""
        self.set()
        self._store = None


_NOBODY: Final[frozenset[Subscription]] = frozenset()


class _Watchers:
    """Subscriptions by what they watch, so that a flush costs what changed and who is told."""

    __slots__ = ("_by_key", "_by_session")

    def __init__(self) -> None:
        self._by_key: dict[Key, set[Subscription]] = {}
        self._by_session: dict[str, set[Subscription]] = {}

    def move(self, one: Subscription, keys: frozenset[Key], sessions: frozenset[str]) -> None:
        _rewire(self._by_key, one, one.keys, keys)
        _rewire(self._by_session, one, one.sessions, sessions)
        one.keys, one.sessions = keys, sessions

    def concerned(self, dirty: Iterable[Key]) -> list[tuple[Subscription, frozenset[Key]]]:
        told: dict[Subscription, set[Key]] = {}
        for key in dirty:
            for one in self._by_key.get(key, _NOBODY):
                told.setdefault(one, set()).add(key)
            for one in self._by_session.get(key.session, _NOBODY):
                told.setdefault(one, set()).add(key)
        return [(one, frozenset(told[one])) for one in sorted(told, key=lambda one: one.number)]


def _rewire(
    index: dict[Any, set[Subscription]], one: Subscription, old: frozenset[Any], new: frozenset[Any]
) -> None:
    for name in old - new:
        index[name].discard(one)
        if not index[name]:
            del index[name]
    for name in new - old:
        index.setdefault(name, set()).add(one)


class Store:
    """The single place of truth; everything above reads it and learns of changes by `watch`."""

    def __init__(self, shelf: Shelf = MEMORY) -> None:
        self.shelf = shelf
        """Where big content is put aside."""
        self.sessions: dict[str, Session] = {}
        """By our reference, in the order they were added."""
        self.connection = Connection(shelf=shelf)
        self.requests: list[Key] = []
        """Requests of the agent that wait for the user, oldest first."""
        self.names: dict[str, str] = {}
        """What the user calls sessions, by our reference; where he does not, none."""
        self.listed: dict[str, SessionInfo] = {}
        """What `session/list` told, by the agent's session id."""
        self.listed_pages = 0
        """How many pages of that list have come since it was asked for anew."""
        self.not_listed = ""
        """Why the agent did not list more when last asked, in its words; empty: it did, or was not asked."""
        self.on_dirty: Callable[[], None] | None = None
        self._loose: dict[Key, Entity] = {}
        self._dirty: set[Key] = set()
        self._watchers = _Watchers()
        self._refs = 0
        self._subscriptions = 0

    def new_ref(self) -> str:
        """A reference that no session has or had: "s1", "s2", …"""
        self._refs += 1
        return f"s{self._refs}"

    def add(self, session: Session) -> Session:
        """Know a session from now on, under its `ref`."""
        session.shelf = self.shelf
        self.sessions[session.ref] = session
        self.touch(SESSIONS)
        self.touch(Key(session.ref, Kind.SESSION))
        return session

    def name(self, ref: str, name: str) -> None:
        """The user calls a session so; empty: as its agent does."""
        self.names[ref] = name
        self.touch(Key(ref, Kind.INFO))

    def title(self, ref: str) -> str:
        """What a session is called: by the user, else by its agent; empty: by nobody."""
        session = self.sessions.get(ref)
        return self.names.get(ref) or (session.info.title if session is not None else None) or ""

    def entity(self, key: Key) -> Entity | None:
        """The entity of that name; None if nothing has told of it yet (EN-07)."""
        session = self.sessions.get(key.session)
        return session.entities.get(key) if session is not None else self._loose.get(key)

    # Requests of the agent

    def put_request(self, request: AgentRequest) -> None:
        """A permission or elicitation begins to wait; without a session its key's session part is empty."""
        session = self.sessions.get(request.key.session)
        (session.entities if session is not None else self._loose)[request.key] = request
        self.requests.append(request.key)
        self.touch(request.key)
        self.touch(REQUESTS)

    def settle_request(
        self, key: Key, at: float, *, outcome: Any = None, by: str = "", why: str = ""
    ) -> bool:
        """The request is answered, or void where nobody can (no `by`, LC-05). False if it did not wait."""
        request = self.entity(key)
        if not isinstance(request, AgentRequest) or request.status != "pending":
            return False
        request.status = "answered" if by else "void"
        request.outcome, request.answered_by, request.answered_at = outcome, by, at
        request.answered_why = why
        request.updated_at = at
        request.revision += 1
        self.requests.remove(key)
        self.touch(key)
        self.touch(REQUESTS)
        return True

    def waiting(self, ref: str | None = None) -> list[AgentRequest]:
        """What waits for the user, oldest first; all of it, or that of one session."""
        found = (self.entity(key) for key in self.requests if ref is None or key.session == ref)
        return [request for request in found if isinstance(request, AgentRequest)]

    # Changes

    def touch(self, key: Key) -> None:
        """What this key names has changed; its watchers are told at the next flush."""
        clean = not self._dirty
        self._dirty.add(key)
        if clean and self.on_dirty is not None:
            self.on_dirty()

    def watch(
        self, callback: Callback, keys: Iterable[Key] = (), sessions: Iterable[str] = ()
    ) -> Subscription:
        """Call `callback` once a flush with the changed ones of `keys` and of the keys of `sessions`."""
        self._subscriptions += 1
        subscription = Subscription(self, self._subscriptions, callback)
        subscription.set(keys, sessions)
        return subscription

    def flush(self) -> int:
        """Tell each subscription once what changed for it since the last flush; returns how many were told.

        What a callback touches is told at the next flush.
        """
        dirty, self._dirty = self._dirty, set()
        told = 0
        for subscription, keys in self._watchers.concerned(dirty):
            if not subscription.closed:
                told += 1
                subscription.callback(keys)
        return told
