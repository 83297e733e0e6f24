"""All sessions there are: what the index has, and over it a glance at the journals it does not have yet.

Invariants: an index that cannot be read is as none; at most `GLANCES` journals are looked at for one list,
the newest; what was read is used again while neither index nor journals changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Set
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from acp_tui.journal import index
from acp_tui.journal.files import File, files
from acp_tui.journal.glancing import glance
from acp_tui.journal.indexed import (
    BRIEF,
    SHOWN,
    Pair,
    Row,
    facts,
    journals_of,
    pair,
    pairs,
    pairs_in,
    peers,
    plain,
    row,
    sessions,
)
from acp_tui.journal.saved import Journaled, Saved
from acp_tui.journal.scanning import SCANNER, scan

GLANCES = 200
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


class All(NamedTuple):
    """Everything there is."""

    rows: list[Row]
    """The one active last first."""
    told: list[Told]


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
        self._indexed = All(self._rows, self._told)
        self._known: dict[str, tuple[int, int]] = {}
        self._version = -1
        self._made = All([], [])
        self._made_of: tuple[object, ...] = ()
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

    def __del__(self) -> None:
        self.close()

    def broken(self, error: sqlite3.Error) -> None:
        """The index failed us; if it is damaged the next indexing makes it again."""
        self.close()
        if index.damaged(error):
            index.flag(self._cache)

    def all(self, *, soon: bool = False) -> All:
        """All sessions; the same where nothing changed. `soon`: as the index has them, if it has any.

        To ask 10,000 journals whether they changed takes longer than everything else a first picture needs.
        """
        self._read()
        if soon and self._rows:
            return self._indexed
        now = files(self.root)
        stale = [path for path, file in now.items() if self._known.get(path) != file]
        stale.sort(key=lambda path: now[path].changed, reverse=True)
        looked = {path: now[path] for path in stale[:GLANCES]}
        gone = self._known.keys() - now.keys()
        if (self._version, looked, gone) != self._made_of or self._version < 0:
            self._made = self._over(looked, gone) if looked or gone else self._indexed
            self._made_of = self._version, looked, gone
        return self._made

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
        row = next((one for one in self.all().rows if one.id == id), None)
        if row is None:
            return None
        who = row.agent, row.session_id
        journals = self._peers({who})
        told = journals_of(row if row.rest else self.whole(id) or row)
        for path in {*self._fresh(who, journals), *(path for path in told if path not in journals)}:
            journals[path] = scan(self.root / path, journals.get(path))
        found = sessions(self.root, journals, {who})
        return next((saved for saved in found if saved.id == id), None)

    def _fresh(self, who: Pair, journals: Mapping[str, Journaled]) -> list[str]:
        """Journals of it that are not as the index knows them."""
        now = files(self.root)
        changed = [path for path in journals if path in now and self._known.get(path) != now[path]]
        new = [path for path in now if path not in self._known]
        return [*changed, *(path for path in new if who in self._glance(path, now[path]))]

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
                found = cursor.execute(f"SELECT {BRIEF} FROM session")
                self._rows = sorted(map(Row._make, found), key=lambda row: -row.active)  # faster than SQLite
                found = cursor.execute(
                    "SELECT path, size, changed FROM journal WHERE scanner = ?", (SCANNER,)
                )
                self._known = {path: (size, changed) for path, size, changed in found}
                self._told = [Told(*one) for one in cursor.execute(f"SELECT {_TOLD} FROM listed")]
                self._indexed = All(self._rows, self._told)
            finally:
                cursor.execute("COMMIT")

    def _forget(self) -> None:
        self._rows, self._known, self._told, self._version = [], {}, [], -1
        self._indexed = All(self._rows, self._told)

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

    def _over(self, stale: Mapping[str, File], gone: Set[str]) -> All:
        """What a glance at these says in the place of what the index says of the same."""
        seen: dict[str, Journaled] = {}
        partly: dict[str, str] = {}
        """Paths of those of which a glance was taken, by their names."""
        for path, file in stale.items():
            if (found := self._look(path, file)) is not None:
                seen[path] = found[0]
                partly |= {} if found[1] else {found[0].name: path}
        touched = self._had(stale, gone).union(*map(pairs, seen.values()))
        before = {path: one for path, one in self._peers(touched).items() if path not in gone}
        known = {one.id: one for one in self._rows}
        made: dict[str, Row] = {}
        for saved in sessions(self.root, {**before, **seen}, touched):
            exact = not any(part.journal.name in partly for part in saved.parts)
            made[saved.id] = self._fresher(row(saved, self.root, exact), known.get(saved.id), stale)
        glanced = frozenset(partly.values())
        for one in self._rows:  # of what was looked at as a whole all was made again
            holds = one.path in glanced if (one.agent, one.session_id) in touched else one.path not in gone
            if holds:
                made.setdefault(one.id, one)
        return All(sorted(made.values(), key=lambda one: -one.active), _told(self._told, seen.values()))

    def _had(self, stale: Mapping[str, File], gone: Set[str]) -> set[Pair]:
        """What the index knows of that may stand in its journals no more: something was taken out of them."""
        try:
            db = self.database()
            shrunk = [path for path, file in stale.items() if self._shrunk(path, file)]
            return pairs_in(db, shrunk) | pairs_in(db, gone, elsewhere=True)
        except (index.Unusable, sqlite3.Error):
            return set()

    def _shrunk(self, path: str, file: File) -> bool:
        before = self._known.get(path)
        return before is not None and file.size < before[0]

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
            whole = before is not None or self._shrunk(path, file)
            found = (scan(self.root / path, before), True) if whole else glance(self.root / path)
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


def _told(before: list[Told], journals: Iterable[Journaled]) -> list[Told]:
    """And what stands in these."""
    found = {(one.agent, one.session_id): one for one in before}
    for journal in journals:
        for one in journal.listed.values():
            who = pair(journal.agent, one.session_id)
            known = found.get(who, Told(*who, 0.0, "", "", "", 0.0))
            if one.at >= known.at:
                cwd, title = plain(one.cwd), plain(one.title or "")
                written = plain(one.updated_at or "")
                found[who] = replace(known, at=one.at, cwd=cwd, title=title, updated_at=written)
        for session_id, at in journal.deleted.items():
            who = pair(journal.agent, session_id)
            known = found.get(who, Told(*who, 0.0, "", "", "", 0.0))
            found[who] = replace(known, deleted_at=max(at, known.deleted_at))
    return list(found.values())
