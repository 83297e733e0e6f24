"""The index: a database that can be made again from the journals at any time. This opens it.

Invariants: it is a cache, so one that is damaged, of another version or no database is removed by who writes
and is none for who reads; the version is `user_version`, older ones are brought up step by step in one
transaction each; readers never wait for the writer (WAL) and there is one writer at a time (`indexing`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

from acp_tui.base.paths import private

NAME = "index.db"
CHECKPOINTS = "checkpoints"
"""Folder of the checkpoints, beside it."""
FLAG = "damaged"
"""A file beside it that says that a reader found it so."""
WAIT = 5.0
"""Seconds to wait for another who writes."""

_FIRST = """
CREATE TABLE journal (  -- one for each file that was scanned
    number INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,  -- below the journal folder
    size INTEGER NOT NULL,  -- of the file when it was scanned
    changed INTEGER NOT NULL,  -- its mtime then, in ns
    scanner INTEGER NOT NULL  -- which scanner it was
);
CREATE TABLE facts (  -- what the scan found in it
    journal INTEGER PRIMARY KEY REFERENCES journal,
    data BLOB NOT NULL  -- scanning.kept
);
CREATE TABLE stretch (  -- which sessions of which agents stand in a journal
    journal INTEGER NOT NULL REFERENCES journal,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    PRIMARY KEY (agent, session_id, journal)
) WITHOUT ROWID;
CREATE INDEX stretch_journal ON stretch (journal);
CREATE TABLE session (  -- one for each saved session
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    title TEXT NOT NULL,
    cwd TEXT NOT NULL,
    created REAL NOT NULL,
    active REAL NOT NULL,
    broken_off INTEGER NOT NULL,
    refused_at REAL,  -- when the agent said that it cannot resume it
    resumed INTEGER NOT NULL,  -- the agent went on with it when last asked
    pid INTEGER NOT NULL,  -- of the last that wrote it, and when that journal began
    started REAL NOT NULL,
    path TEXT NOT NULL,  -- of the last journal
    rest TEXT NOT NULL,  -- what only a page that is shown needs, as JSON
    stands TEXT NOT NULL,  -- how far the journals go
    told TEXT NOT NULL DEFAULT '',  -- how far its words can be found
    size INTEGER NOT NULL,  -- bytes of its stretches
    branch TEXT NOT NULL DEFAULT ''
);
CREATE INDEX session_agent ON session (agent, session_id);
CREATE INDEX session_due ON session (active) WHERE told <> stands;
CREATE TABLE listed (  -- what agents told of their sessions, and what they deleted
    agent TEXT NOT NULL,
    session_id TEXT NOT NULL,
    at REAL NOT NULL DEFAULT 0,  -- 0: never
    cwd TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    updated_at TEXT NOT NULL DEFAULT '',
    deleted_at REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (agent, session_id)
) WITHOUT ROWID;
CREATE TABLE folder (  -- those in which sessions work, and the ones above
    number INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
);
CREATE TABLE entity (  -- its number grows with its time, so that newest first is the order of the index
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES session,
    child TEXT NOT NULL,  -- agent's id of the subagent's session, else empty
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    at REAL NOT NULL,
    sum INTEGER NOT NULL  -- checksum of its text
);
CREATE INDEX entity_session ON entity (session);
CREATE TABLE text (number INTEGER PRIMARY KEY REFERENCES entity, place TEXT NOT NULL, data BLOB NOT NULL);
CREATE VIRTUAL TABLE words USING fts5 (
    text, place, content = '', tokenize = 'unicode61 remove_diacritics 2'
);
INSERT INTO words (words, rank) VALUES ('hashsize', 16777216);
"""

_TITLED = "ALTER TABLE session ADD COLUMN titled INTEGER NOT NULL DEFAULT 1;"
"""Whether the title is the agent's; of what was scanned before, the next scan tells."""

_PARTED = """
INSERT INTO words (words) VALUES ('delete-all');
DELETE FROM text;
DELETE FROM entity;
UPDATE session SET told = '';
"""
"""All words are written again: those of Chinese and Japanese are characters now (`wanted.parted`)."""

STEPS: Sequence[str] = (_FIRST, _TITLED, _PARTED)
"""What brings version n to n+1."""
VERSION = len(STEPS)


class Unusable(Exception):
    """There is no index that can be read."""


def reading(folder: Path) -> sqlite3.Connection:
    """To read only; of one thread at a time. Raises `Unusable`."""
    path = folder / NAME
    if not path.is_file() or (folder / FLAG).exists():
        raise Unusable("there is none")
    db = None
    try:
        db = _connect(path)
        db.execute("PRAGMA query_only = 1")
        if _version(db) != VERSION:
            raise Unusable("it is of another version")
        return db
    except (sqlite3.Error, Unusable, OSError) as error:
        if db is not None:
            db.close()
        raise Unusable(str(error)) from None


def writing(folder: Path) -> sqlite3.Connection:
    """To change it; for who holds the lock. Made, brought up to date or made anew as needed.

    Raises `OSError` or `sqlite3.Error` where nothing can be written.
    """
    private(folder)
    try:
        return _up_to_date(folder / NAME)
    except (sqlite3.DatabaseError, Unusable) as error:
        if isinstance(error, sqlite3.OperationalError) and not _schema_is_wrong(error):
            raise
    remove(folder)
    return _up_to_date(folder / NAME)


def identity(folder: Path) -> tuple[int, int] | None:
    """Device and inode of the file that bears the name; another one is another index."""
    try:
        found = (folder / NAME).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def remove(folder: Path) -> None:
    """All of it; who reads in it reads on in what was there."""
    for end in ("", "-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            (folder / f"{NAME}{end}").unlink()


def flag(folder: Path) -> None:
    """Tell the next who writes that it has to be made again."""
    with suppress(OSError):
        (folder / FLAG).touch(0o600)


def take_flag(folder: Path) -> None:
    """Remove what was found to be damaged. Raises `OSError`."""
    if (folder / FLAG).exists():
        remove(folder)
        (folder / FLAG).unlink(missing_ok=True)


def damaged(error: sqlite3.Error) -> bool:
    """It says that the database is not what it should be, rather than busy or out of room."""
    return not isinstance(error, sqlite3.OperationalError) or _schema_is_wrong(error)


def _schema_is_wrong(error: sqlite3.OperationalError) -> bool:
    return str(error).startswith(("no such", "table", "index", "malformed", "SQL logic error", "vtable"))


def _up_to_date(path: Path) -> sqlite3.Connection:
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    db = _connect(path)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -32000")
        version = _version(db)
        if version > VERSION:
            raise Unusable("a newer acp-tui made it")
        for number in range(version, VERSION):
            db.executescript(f"BEGIN; {STEPS[number]} PRAGMA user_version = {number + 1}; COMMIT;")
        return db
    except BaseException:
        db.close()
        raise


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False)


def _version(db: sqlite3.Connection) -> int:
    with closing(db.execute("PRAGMA user_version")) as found:
        return int(found.fetchone()[0])
