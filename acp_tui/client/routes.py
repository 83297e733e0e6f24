"""Which session an agent's id means on this connection.

Invariant: only sessions that are attached here (new, resumed, or announced as a child) have a route; updates
for anything else are ignored, requests refused (SS-27). While a replay is under way the route leads to its
shadow.
"""

from __future__ import annotations

from collections.abc import Iterator

from acp_tui.store.session import Session
from acp_tui.store.store import Store


class Routes:
    """Attached sessions by the agent's id."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._attached: dict[str, Session] = {}
        self._shadows: dict[str, Session] = {}

    def session(self, session_id: str) -> Session | None:
        """The session the user sees under this id, if it is attached."""
        return self._attached.get(session_id)

    def target(self, session_id: str) -> Session | None:
        """Where updates for this id go: the projection being rebuilt, if there is one (SS-14)."""
        return self._shadows.get(session_id) or self._attached.get(session_id)

    def attach(self, session: Session) -> None:
        """From now on the agent may speak about it."""
        if session.session_id is not None:
            self._attached[session.session_id] = session

    def detach(self, session: Session) -> None:
        """The session was closed or lost, and its children with it."""
        for one in [session, *self.children(session)]:
            if one.session_id is not None:
                self._attached.pop(one.session_id, None)
                self._shadows.pop(one.session_id, None)

    def shadow(self, shadow: Session) -> None:
        """Updates go to this projection until `take_shadow`."""
        if shadow.session_id is not None:
            self._shadows[shadow.session_id] = shadow

    def take_shadow(self, session: Session) -> Session | None:
        """End the detour."""
        return self._shadows.pop(session.session_id, None) if session.session_id is not None else None

    def children(self, session: Session) -> list[Session]:
        """All sessions below this one, however deep."""
        under: dict[str | None, list[Session]] = {}
        for one in self._store.sessions.values():
            under.setdefault(one.parent, []).append(one)
        below: list[Session] = []
        level = [session]
        while level:
            level = [child for one in level for child in under.pop(one.ref, ())]
            below += level
        return below

    def clear(self) -> list[Session]:
        """The connection ended; the sessions that were attached."""
        gone = list(self._attached.values())
        self._attached.clear()
        self._shadows.clear()
        return gone

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._attached.values()))
