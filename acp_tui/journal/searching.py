"""A search through all that was said: which entities have all the words, newest first.

Invariants: the index gives them in the order of its numbers, which is that of time, so that a search ends
with the page it fills however often its words stand; texts are read only for the hits that are returned.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from acp_tui.journal.wanted import Phrase, Wanted


class Found(NamedTuple):
    """An entity in which all stands."""

    session: str
    """Id of the saved session."""
    child: str
    kind: str
    id: str
    at: float
    number: int


def found(db: sqlite3.Connection, sought: Wanted, folder: str | None, agent: str | None) -> Iterator[Found]:
    """All of them, newest first, as they are wanted. Raises `sqlite3.Error`."""
    expression = _expression(sought)
    if folder is not None:
        number = db.execute("SELECT number FROM folder WHERE path = ?", (folder,)).fetchone()
        if number is None:
            return
        expression = f"({expression}) AND place : f{number[0]}"
    yield from (
        Found(*one)
        for one in db.execute(
            "SELECT session.id, entity.child, entity.kind, entity.id, entity.at, entity.number FROM words"
            " CROSS JOIN entity ON entity.number = words.rowid"
            " CROSS JOIN session ON session.number = entity.session"
            " WHERE words MATCH ? AND (? IS NULL OR session.agent = ?) ORDER BY words.rowid DESC",
            (expression, agent, agent),
        )
    )


def text(db: sqlite3.Connection, number: int) -> str:
    """Of an entity. Raises `sqlite3.Error`."""
    row = db.execute("SELECT data FROM text WHERE number = ?", (number,)).fetchone()
    try:
        return zlib.decompress(row[0]).decode(errors="replace") if row is not None else ""
    except zlib.error as error:
        raise sqlite3.DatabaseError(str(error)) from None


def _expression(sought: Wanted) -> str:
    return " AND ".join(f"text : {_quoted(phrase)}" for phrase in sought.phrases)


def _quoted(phrase: Phrase) -> str:
    """Letters and digits only: nothing in it has a meaning of its own."""
    return f'"{" ".join(phrase.words)}"{" *" if phrase.open else ""}'
