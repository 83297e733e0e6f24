"""What is written into the index: what was found in journals, and the words of their sessions.

Invariants: whatever the order and the portions in which it is given, the same journals leave the same
content, but for the numbers and for what is no longer to be seen of git; a method is one transaction, or
several short ones; words are written only where they changed.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from acp_tui.journal.branches import branch
from acp_tui.journal.indexed import COLUMNS, TITLE, Pair, Row, facts, pair, pairs, peers, plain, row, sessions
from acp_tui.journal.saved import Journaled, Listed, Saved
from acp_tui.journal.scanning import SCANNER, kept, known
from acp_tui.journal.wanted import parted

if TYPE_CHECKING:  # views are needed only where there is something new
    from acp_tui.journal.spoken import Said

LATEST = 1e12
"""Seconds since the epoch; what claims to be later has no time."""
ROOM = 64
"""Numbers for each second."""
DRIFT = 86_400 * ROOM
"""So far the numbers of one session may run ahead of its time: a clock that was a day wrong."""
PORTION = 4 * 1024 * 1024
"""Characters written in one transaction."""


class Filling:
    """Changes one index."""

    def __init__(self, db: sqlite3.Connection, root: Path) -> None:
        self._db = db
        self._root = root
        """The journal folder; paths are below it."""

    # Journals

    def journals(self) -> dict[str, tuple[int, int]]:
        """Size and time of change of those that were scanned, by path; (-1, -1): by an older scanner."""
        found = self._db.execute("SELECT path, size, changed, scanner = ? FROM journal", (SCANNER,))
        return {path: (size, changed) if now else (-1, -1) for path, size, changed, now in found}

    def facts(self, path: str) -> Journaled | None:
        """What is known of one."""
        return facts(self._db, path)

    def scanned(self, found: Iterable[tuple[str, int, int, Journaled]]) -> None:
        """Path, size, time of change and facts of some journals."""
        with self._change():
            touched: set[Pair] = set()
            for path, size, changed, journal in found:
                touched |= self._keep(path, size, changed, journal)
            self._settle(touched)

    def gone(self, paths: Iterable[str]) -> None:
        """These journals are no more, nor what stood only there."""
        with self._change():
            touched: set[Pair] = set()
            for path in paths:
                [number] = self._db.execute("SELECT number FROM journal WHERE path = ?", (path,)).fetchone()
                touched |= self._pairs(number)
                self._db.execute("DELETE FROM stretch WHERE journal = ?", (number,))
                self._db.execute("DELETE FROM facts WHERE journal = ?", (number,))
                self._db.execute("DELETE FROM journal WHERE number = ?", (number,))
            self._settle(touched)
            self._list_anew()

    def _keep(self, path: str, size: int, changed: int, journal: Journaled) -> set[Pair]:
        db = self._db
        db.execute(
            "INSERT INTO journal (path, size, changed, scanner) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (path) DO UPDATE"
            " SET size = excluded.size, changed = excluded.changed, scanner = excluded.scanner",
            (path, size, changed, SCANNER),
        )
        [number] = db.execute("SELECT number FROM journal WHERE path = ?", (path,)).fetchone()
        db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (number, kept(journal)))
        before, now = self._pairs(number), pairs(journal)
        if before != now:
            db.execute("DELETE FROM stretch WHERE journal = ?", (number,))
            db.executemany("INSERT INTO stretch VALUES (?, ?, ?)", [(number, *pair) for pair in now])
        self._list(journal)
        return before | now

    def _pairs(self, number: int) -> set[Pair]:
        found = self._db.execute("SELECT agent, session_id FROM stretch WHERE journal = ?", (number,))
        return set(found.fetchall())

    def _list(self, journal: Journaled) -> None:
        """What the agent told of its sessions: the last word of each counts."""
        self._db.executemany(
            "INSERT INTO listed (agent, session_id, at, cwd, title, updated_at) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET at = excluded.at, cwd = excluded.cwd, title = excluded.title,"
            " updated_at = excluded.updated_at WHERE excluded.at >= at",
            [
                (*pair(journal.agent, one.session_id), one.at, *map(plain, _told(one)))
                for one in journal.listed.values()
            ],
        )
        self._db.executemany(
            "INSERT INTO listed (agent, session_id, deleted_at) VALUES (?, ?, ?)"
            " ON CONFLICT DO UPDATE SET deleted_at = max(deleted_at, excluded.deleted_at)",
            [(*pair(journal.agent, session_id), at) for session_id, at in journal.deleted.items()],
        )

    def _list_anew(self) -> None:
        self._db.execute("DELETE FROM listed")
        for (data,) in self._db.execute("SELECT data FROM facts").fetchall():
            if (journal := known(data)) is not None:
                self._list(journal)

    # Sessions

    def _settle(self, touched: set[Pair]) -> None:
        """Make the sessions of these pairs what the journals say."""
        now = {one.id: one for one in sessions(self._root, peers(self._db, touched), touched)}
        for agent, session_id in touched:
            old = self._db.execute(
                "SELECT number, id FROM session WHERE agent = ? AND session_id = ?", (agent, session_id)
            )
            for number, id in old.fetchall():
                if id not in now:
                    self._forget(number)
        for saved in now.values():
            self._session(row(saved, self._root))

    def _session(self, one: Row) -> None:
        names = ", ".join(COLUMNS)
        changes = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS if name not in ("id", "branch"))
        marks = ", ".join("?" * len(COLUMNS))
        seen = branch(one.cwd)
        values = [seen if name == "branch" else getattr(one, name) for name in COLUMNS]
        self._db.execute(
            f"INSERT INTO session ({names}) VALUES ({marks}) ON CONFLICT (id) DO UPDATE SET {changes},"
            " branch = CASE excluded.branch WHEN '' THEN branch ELSE excluded.branch END",
            values,
        )

    def _forget(self, number: int) -> None:
        old = self._db.execute("SELECT number FROM entity WHERE session = ?", (number,)).fetchall()
        for (entity,) in old:
            self._remove(entity)
        self._db.execute("DELETE FROM session WHERE number = ?", (number,))

    def due(self) -> list[tuple[str, int]]:
        """Id and bytes of the sessions whose words are not all written, the one active last first."""
        return self._db.execute(
            "SELECT id, size FROM session WHERE told <> stands ORDER BY active DESC"
        ).fetchall()

    def saved(self, id: str) -> Saved | None:
        """What the index knows of it."""
        found = self._db.execute("SELECT agent, session_id FROM session WHERE id = ?", (id,)).fetchone()
        if found is None:
            return None
        known = sessions(self._root, peers(self._db, [found]), {found})
        return next((saved for saved in known if saved.id == id), None)

    # Words

    def told(self, saved: Saved, said: Sequence[Said]) -> None:
        """All that can be found in a session, as far as `saved` goes. Several transactions."""
        [number] = self._db.execute("SELECT number FROM session WHERE id = ?", (saved.id,)).fetchone()
        with self._change():
            place = self._place(saved.cwd)
        known = {
            (child, kind, id): (entity, sum)
            for entity, child, kind, id, sum in self._db.execute(
                "SELECT number, child, kind, id, sum FROM entity WHERE session = ?", (number,)
            )
        }
        last, todo = 0, []
        for one in said:
            name, sum = (
                (plain(one.session_id), one.kind, plain(one.id)),
                zlib.crc32(f"{place}\0{one.text}".encode(errors="replace")),
            )
            entity, before = known.pop(name, (0, None))
            if before != sum:
                todo.append((entity, one, sum))
        for portion in _portions(todo):
            with self._change():
                for entity, one, sum in portion:
                    last = self._write(number, entity, one, place, sum, last)
        with self._change():
            for entity, _ in known.values():
                self._remove(entity)
            stands = row(saved, self._root).stands
            self._db.execute("UPDATE session SET told = ? WHERE number = ?", (stands, number))

    def _place(self, cwd: str) -> str:
        """Words that stand for the folder and those above it."""
        numbers = []
        for path in (cwd, *map(str, PurePosixPath(cwd).parents)) if cwd else ():
            self._db.execute("INSERT OR IGNORE INTO folder (path) VALUES (?)", (path,))
            [number] = self._db.execute("SELECT number FROM folder WHERE path = ?", (path,)).fetchone()
            numbers.append(f"f{number}")
        return " ".join(numbers)

    def _write(self, session: int, entity: int, one: Said, place: str, sum: int, last: int) -> int:
        """The text of one entity, instead of the one it had."""
        db, data = self._db, one.text.encode(errors="replace")
        if entity:
            self._remove(entity)
        else:
            entity = self._number(one.at, last)
        db.execute(
            "INSERT INTO entity VALUES (?, ?, ?, ?, ?, ?, ?)",
            (entity, session, plain(one.session_id), one.kind, plain(one.id), one.at, sum),
        )
        db.execute("INSERT INTO text VALUES (?, ?, ?)", (entity, place, zlib.compress(data, 1)))
        db.execute(
            "INSERT INTO words (rowid, text, place) VALUES (?, ?, ?)", (entity, parted(data.decode()), place)
        )
        return entity

    def _number(self, at: float, last: int) -> int:
        """A free one that grows with the time, and within the session with its order."""
        wanted = int(at * ROOM) if 1 < at < LATEST else 1
        if wanted <= last <= wanted + DRIFT:
            wanted = last + 1
        if self._db.execute("SELECT 1 FROM entity WHERE number = ?", (wanted,)).fetchone() is None:
            return wanted
        [free] = self._db.execute(
            "SELECT number + 1 FROM entity AS here WHERE number >= ? AND NOT EXISTS"
            " (SELECT 1 FROM entity WHERE number = here.number + 1) ORDER BY number LIMIT 1",
            (wanted,),
        ).fetchone()
        return int(free)

    def _remove(self, entity: int) -> None:
        db = self._db
        found = db.execute("SELECT place, data FROM text WHERE number = ?", (entity,)).fetchone()
        if found is not None:
            db.execute(
                "INSERT INTO words (words, rowid, text, place) VALUES ('delete', ?, ?, ?)",
                (entity, parted(zlib.decompress(found[1]).decode()), found[0]),
            )
        db.execute("DELETE FROM text WHERE number = ?", (entity,))
        db.execute("DELETE FROM entity WHERE number = ?", (entity,))

    @contextmanager
    def _change(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")


def _portions(todo: Sequence[tuple[int, Said, int]]) -> Iterator[list[tuple[int, Said, int]]]:
    portion: list[tuple[int, Said, int]] = []
    size = 0
    for each in todo:
        portion.append(each)
        size += len(each[1].text) + 200
        if size > PORTION:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _told(one: Listed) -> tuple[str, str, str]:
    return one.cwd, (one.title or "")[:TITLE], one.updated_at or ""
