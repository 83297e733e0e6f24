"""How a session began and what was said last, by the index.

Invariants: two short reads however long the session is; what is not in the index yet is empty.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from acp_tui.journal import searching

LONGEST = 4_000
"""Characters of each."""
_ONE = (
    "SELECT entity.number FROM session JOIN entity ON entity.session = session.number"
    " WHERE session.id = ? AND entity.child = '' AND entity.kind = ? ORDER BY entity.number "
)


class Glimpse(NamedTuple):
    """Texts as they came, not cleaned."""

    first: str = ""
    """The first prompt."""
    last: str = ""
    """The last of the agent's messages."""


def glimpse(db: sqlite3.Connection, id: str) -> Glimpse:
    """Of a saved session. Raises `sqlite3.Error`."""
    return Glimpse(
        _text(db, f"{_ONE} LIMIT 1", id, "user_message"),
        _text(db, f"{_ONE} DESC LIMIT 1", id, "agent_message"),
    )


def _text(db: sqlite3.Connection, statement: str, id: str, kind: str) -> str:
    row = db.execute(statement, (id, kind)).fetchone()
    return searching.text(db, row[0])[:LONGEST] if row is not None else ""
