"""All sessions there are: what the index has, and over it a glance at the journals it does not have yet.

Invariants: an index that cannot be read is as none; at most `GLANCES` journals are looked at for one list,
the newest; what was read is used again while neither index nor journals changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from acp_tui.journal import index
from acp_tui.journal.files import File, files
from acp_tui.journal.glancing import glance
from acp_tui.journal.indexed import BRIEF, SHOWN, Pair, Row, facts, pairs, peers, row, sessions
from acp_tui.journal.saved import Journaled, Saved
from acp_tui.journal.scanning import scan

GLANCES = 300
"""Journals that are looked at for one list: a quarter of a second."""
LITTLE = 1024 * 1024
"""Bytes that are read rather than glanced at, where the index knows what stands before them."""


_TOLD = "agent, session_id, at, cwd, title, updated_at, deleted_at"


@dataclass(frozen=True, slots=True)
class Told:
    """What an agent told of a session of its own."""

    agent: str
    session_id: str
    at: float
    """When; 0: never."""
    cwd: str
    title: str
    updated_at: str
    deleted_at: float
    """When it deleted it; 0: it did not."""

    @property
    def there(self) -> bool:
        """It was listed, and not deleted since."""
        return self.at > self.deleted_at


@dataclass(frozen=True, slots=True)
class Standing:
    """How the index stands to the journals."""

    missing: bool
    indexed: int
    total: int
    sessions: int


class Catalog:
    """Of the journals below `root`, with the index in `cache`. One thread at a time."""

    def __init__(self, root: Path, cache: Path) -> None:
        self.root = root
        self._cache = cache
        self._db: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._rows: list[Row] = []
        self._told: list[Told] = []
        self._known: dict[str, tuple[int, int]] = {}
        self._version = -1
        self._glanced: dict[str, tuple[File, tuple[Journaled, bool]]] = {}

    def database(self) -> sqlite3.Connection:
        """To read; the same as long as it is the one that bears the name. Raises `index.Unusable`."""
        file = index.identity(self._cache)
        if self._db is not None and file != self._file:
            self.close()
        if self._db is None:
            self._db, self._file = index.reading(self._cache), file
        return self._db

    def close(self) -> None:
        """Let go of the database."""
        if self._db is not None:
            self._db.close()
            self._db, self._version = None, -1

    def broken(self, error: sqlite3.Error) -> None:
        """The index failed us; if it is damaged the next indexing makes it again."""
        self.close()
        if index.damaged(error):
            index.flag(self._cache)

    def rows(self) -> list[Row]:
        """All saved sessions, the one active last first; the same list where nothing changed."""
        self._read()
        now = files(self.root)
        stale = [path for path, file in now.items() if self._known.get(path) != file]
        if not stale:
            return self._rows
        stale.sort(key=lambda path: now[path].changed, reverse=True)
        return self._over({path: now[path] for path in stale[:GLANCES]})

    def told(self) -> list[Told]:
        """What agents told of theirs, as far as that is in the index."""
        self._read()
        return self._told

    def told_of(self, agent: str, session_id: str) -> list[Told]:
        """What an agent told of one. Raises `index.Unusable`, `sqlite3.Error`."""
        where = "WHERE agent = ? AND session_id = ?"
        found = self.database().execute(f"SELECT {_TOLD} FROM listed {where}", (agent, session_id))
        return [Told(*one) for one in found]

    def whole(self, id: str) -> Row | None:
        """One of the index, with all that is known."""
        try:
            found = self.database().execute(f"SELECT {SHOWN} FROM session WHERE id = ?", (id,)).fetchone()
            return Row._make(found) if found is not None else None
        except index.Unusable:
            return None
        except sqlite3.Error as error:
            self.broken(error)
            return None

    def standing(self) -> Standing:
        """How far the index is."""
        self._read()
        now = files(self.root)
        known = sum(file.size for path, file in now.items() if self._known.get(path) == file)
        due = self._due()
        total = sum(file.size for file in now.values())
        return Standing(due is None, max(0, known - (due or 0)), total, len(self._rows))

    def saved(self, id: str) -> Saved | None:
        """A session as the journals have it now. Raises `OSError`."""
        pair = next(((one.agent, one.session_id) for one in self.rows() if one.id == id), None)
        if pair is None:
            return None
        journals = self._peers({pair})
        for path in self._fresh(pair, journals):
            journals[path] = scan(self.root / path, journals.get(path))
        found = sessions(self.root, journals, {pair})
        return next((saved for saved in found if saved.id == id), None)

    def _fresh(self, pair: Pair, journals: Mapping[str, Journaled]) -> list[str]:
        """Journals of it that are not as the index knows them."""
        now = files(self.root)
        changed = [path for path in journals if path in now and self._known.get(path) != now[path]]
        new = [path for path in now if path not in self._known]
        return [*changed, *(path for path in new if pair in self._glance(path, now[path]))]

    def _glance(self, path: str, file: File) -> set[Pair]:
        found = self._look(path, file)
        return pairs(found[0]) if found is not None else set()

    # From the index

    def _read(self) -> None:
        try:
            db = self.database()
            [(version,)] = db.execute("PRAGMA data_version")
            if version != self._version:
                self._version = -1
                self._take(db)
                self._version = version
        except index.Unusable:
            self._forget()
        except sqlite3.Error as error:
            self.broken(error)
            self._forget()

    def _take(self, db: sqlite3.Connection) -> None:
        with closing(db.cursor()) as cursor:
            cursor.execute("BEGIN")
            try:
                found = cursor.execute(f"SELECT {BRIEF} FROM session ORDER BY active DESC")
                self._rows = list(map(Row._make, found))
                found = cursor.execute("SELECT path, size, changed FROM journal")
                self._known = {path: (size, changed) for path, size, changed in found}
                self._told = [Told(*one) for one in cursor.execute(f"SELECT {_TOLD} FROM listed")]
            finally:
                cursor.execute("COMMIT")

    def _forget(self) -> None:
        self._rows, self._known, self._told, self._version = [], {}, [], -1

    def _due(self) -> int | None:
        """Bytes of sessions whose words are not in the index yet; None: there is no index."""
        try:
            found = self.database().execute("SELECT sum(size) FROM session WHERE told <> stands").fetchone()
            return int(found[0] or 0)
        except index.Unusable:
            return None
        except sqlite3.Error as error:
            self.broken(error)
            return None

    # From the journals

    def _over(self, stale: Mapping[str, File]) -> list[Row]:
        """The rows with what a glance at these says in the place of what the index says of the same."""
        seen: dict[str, Journaled] = {}
        partly: set[str] = set()
        for path, file in stale.items():
            if (found := self._look(path, file)) is not None:
                seen[path] = found[0]
                partly |= set() if found[1] else {found[0].name}
        touched = {pair for journal in seen.values() for pair in pairs(journal)}
        before = self._peers(touched)
        rows = {one.id: one for one in self._rows}
        for saved in sessions(self.root, {**before, **seen}, touched):
            exact = not any(part.journal.name in partly for part in saved.parts)
            rows[saved.id] = self._fresher(row(saved, self.root, exact), rows.get(saved.id), stale)
        return sorted(rows.values(), key=lambda one: -one.active)

    def _fresher(self, now: Row, before: Row | None, stale: Mapping[str, File]) -> Row:
        """Where the index knew more of it than a glance shows, that holds, but for when it was written to."""
        file = stale.get(now.path)
        written = file.changed / 1e9 if file is not None else 0.0
        if now.exact:
            return now
        kept = before or now
        newer = {name: getattr(now, name) for name in ("path", "pid", "started", "broken_off")}
        return kept._replace(**newer, active=max(kept.active, now.active, written), exact=False)

    def _look(self, path: str, file: File) -> tuple[Journaled, bool] | None:
        seen = self._glanced.get(path)
        if seen is not None and seen[0] == file:
            return seen[1]
        try:
            before = self._facts(path, file)
            found = (scan(self.root / path, before), True) if before is not None else glance(self.root / path)
        except OSError:
            return None
        self._glanced[path] = file, found
        return found

    def _facts(self, path: str, file: File) -> Journaled | None:
        """What the index knows of it, if little was added since."""
        before = self._known.get(path)
        if before is None or not 0 <= file.size - before[0] < LITTLE:
            return None
        try:
            return facts(self.database(), path)
        except (index.Unusable, sqlite3.Error):
            return None

    def _peers(self, wanted: set[Pair]) -> dict[str, Journaled]:
        try:
            return peers(self.database(), wanted)
        except index.Unusable:
            return {}
        except sqlite3.Error as error:
            self.broken(error)
            return {}
