"""An index brought up to date in a test, and what stands in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from acp_tui.journal import index
from acp_tui.journal.index import NAME
from acp_tui.journal.indexing import Indexing


def bring_up(state: Path, cache: Path) -> list[dict[str, Any]]:
    """One indexing, in this process; what it told."""
    told: list[dict[str, Any]] = []
    Indexing(state / "journal", cache / "library", told.append, lambda: False).run()
    return told


def content(cache: Path) -> dict[str, Any]:
    """All that can be read in it, without its numbers."""
    with closing(index.reading(cache / "library")) as db:
        columns = "id, agent, session_id, title, cwd, created, active, broken_off, refused_at, resumed"
        more = "pid, started, path, rest, stands, told, size"
        names: dict[int, Any] = {
            number: tuple(name)
            for number, *name in db.execute(
                "SELECT entity.number, session.id, child, kind, entity.id FROM entity"
                " JOIN session ON session.number = entity.session"
            )
        }
        folders = {f"f{number}": path for number, path in db.execute("SELECT number, path FROM folder")}
        return {
            "sessions": sorted(db.execute(f"SELECT {columns}, {more} FROM session")),
            "listed": sorted(db.execute("SELECT * FROM listed")),
            "journals": sorted(path for (path,) in db.execute("SELECT path FROM journal")),
            "entities": sorted(names.values()),
            "words": words(cache, names, folders),
        }


def words(cache: Path, names: dict[int, Any], folders: dict[str, str]) -> list[tuple[Any, ...]]:
    """Every word of the index and where it stands."""
    with closing(sqlite3.connect(cache / "library" / NAME)) as db:
        db.execute("CREATE VIRTUAL TABLE temp.every USING fts5vocab (main, words, instance)")
        found = db.execute("SELECT term, doc, col, offset FROM every")
        return sorted((folders.get(t, t) if c == "place" else t, names[d], c, o) for t, d, c, o in found)
