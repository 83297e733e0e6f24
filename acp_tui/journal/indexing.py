"""Brings index and checkpoints up to date, in a process of its own: `Library.indexer` is its command.

Tells how far it is on stdout, a JSON object a line, and ends when all is done, or when its stdin closes: who
started it keeps that open. What the settings want away goes before (`tidying`). Invariants: one at a time,
others end at once; whatever ends it, what was written is whole and the next one goes on from there; a damaged
index is made again; a session that cannot be read is left out for this time, and told of.
"""

from __future__ import annotations

import gc
import json
import os
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from time import monotonic, time
from typing import Any

from acp_tui.base.atomic import why
from acp_tui.base.config import load
from acp_tui.base.lock import Lock
from acp_tui.base.paths import cache_dir, journal_dir, private
from acp_tui.journal import index
from acp_tui.journal.files import File, files
from acp_tui.journal.filling import Filling
from acp_tui.journal.library import Library
from acp_tui.journal.saved import Journaled
from acp_tui.journal.scanning import scan
from acp_tui.journal.tidying import tidy

NICE = 10
GRACE = 2.0
"""Seconds after stdin closed in which it may end by itself."""
PAUSE = 0.2
"""Seconds between two words about progress."""
FILES, BYTES = 200, 64 * 1024 * 1024
"""Journals, and bytes of them, that are scanned between two writes."""

Tell = Callable[[dict[str, Any]], None]


class Stopped(Exception):
    """Nobody wants it any more."""


class Indexing:
    """One run over the journals below `root`."""

    def __init__(self, root: Path, cache: Path, tell: Tell, stopped: Callable[[], bool]) -> None:
        self._root = root
        self._cache = cache
        self._tell = tell
        self._stopped = stopped

    def run(self) -> None:
        """All of it. Raises `Stopped`, `OSError`, `sqlite3.Error`."""
        index.take_flag(self._cache)
        try:
            self._bring_up()
        except sqlite3.Error as error:
            if not index.damaged(error):
                raise
            self._tell({"phase": "again", "reason": str(error)})
            index.remove(self._cache)
            self._bring_up()

    def _bring_up(self) -> None:
        db = index.writing(self._cache)
        try:
            filling = Filling(db, self._root)
            self._scan(filling)
            self._words(filling)
        finally:
            db.close()

    def _scan(self, filling: Filling) -> None:
        before, now = filling.journals(), files(self._root)
        if gone := before.keys() - now.keys():
            filling.gone(gone)
        changed = [path for path, file in now.items() if before.get(path) != file]
        changed.sort(key=lambda path: now[path].changed, reverse=True)
        total = sum(now[path].size for path in changed)
        done, found = 0, _Portion()
        for path in changed:
            self._may_go_on()
            journal = self._scanned(filling, path)
            if journal is not None:
                found.add(path, now[path], journal)
            done += now[path].size
            if found.full:
                filling.scanned(found.take())
            self._tell({"phase": "scan", "done": done, "total": total})
        filling.scanned(found.take())

    def _scanned(self, filling: Filling, path: str) -> Journaled | None:
        try:
            return scan(self._root / path, filling.facts(path))
        except OSError:
            return None  # taken away meanwhile, or not ours to read

    def _words(self, filling: Filling) -> None:
        due = filling.due()
        if not due:
            return
        from acp_tui.journal.gathering import Gathering  # a second of imports, for nothing most of the time

        gathering = Gathering(self._cache)
        total, done = sum(size for _, size in due), 0
        for id, size in due:
            self._may_go_on()
            saved = filling.saved(id)
            try:
                if saved is not None:
                    filling.told(saved, gathering.said(saved))
            except OSError as error:
                self._tell({"phase": "left out", "session": id, "reason": str(error)})
            done += size
            self._tell({"phase": "words", "done": done, "total": total, "sessions": len(due)})

    def _may_go_on(self) -> None:
        if self._stopped():
            raise Stopped


class _Portion:
    """Journals that were scanned and not written yet."""

    def __init__(self) -> None:
        self._found: list[tuple[str, int, int, Journaled]] = []
        self._size = 0

    def add(self, path: str, file: File, journal: Journaled) -> None:
        self._found.append((path, file.size, file.changed, journal))
        self._size += file.size

    @property
    def full(self) -> bool:
        return len(self._found) >= FILES or self._size >= BYTES

    def take(self) -> Iterable[tuple[str, int, int, Journaled]]:
        found, self._found, self._size = self._found, [], 0
        return found


def main() -> int:
    """0: all is done, or another one does it; 1: it could not be done, and the last line says why."""
    cache = cache_dir() / "library"
    os.nice(NICE)
    gc.set_threshold(50_000, 20, 50)  # folding makes much that stays, and little in circles
    stopped = threading.Event()
    threading.Thread(target=_listen, args=(stopped,), daemon=True).start()
    say = _Said()
    lock = Lock(cache / "indexing.lock")
    try:
        private(cache)
        if (owner := lock.take()) is not None:
            say({"phase": "busy", "pid": owner.pid}, last=True)
            return 0
        for id in _tidied():
            say({"phase": "removed", "session": id}, last=True)
        Indexing(journal_dir(), cache, say, stopped.is_set).run()
    except Stopped:
        return 0
    except (OSError, sqlite3.Error) as error:
        reason = why(error) if isinstance(error, OSError) else str(error)
        say({"phase": "failed", "reason": reason}, last=True)
        return 1
    finally:
        lock.release()
    say({"phase": "done"}, last=True)
    return 0


def _tidied() -> list[str]:
    """What the settings want away by now; a mistake in what they say of it means: nothing."""
    config = load()
    if any(not problem.key or problem.key.startswith("library") for problem in config.problems):
        return []
    library = Library()
    try:
        return tidy(library, config.settings.library, time())
    finally:
        library.close()


def _listen(stopped: threading.Event) -> None:
    """Who started us is gone when our stdin ends."""
    with suppress(OSError):
        while os.read(0, 4096):
            pass
    stopped.set()
    threading.Timer(GRACE, os._exit, (0,)).start()


class _Said:
    """Lines on stdout, not too many."""

    def __init__(self) -> None:
        self._next = 0.0
        self._phase = ""

    def __call__(self, said: dict[str, Any], *, last: bool = False) -> None:
        now = monotonic()
        if now < self._next and said["phase"] == self._phase and not last:
            return
        self._next, self._phase = now + PAUSE, said["phase"]
        with suppress(OSError):
            os.write(1, json.dumps(said).encode() + b"\n")


if __name__ == "__main__":
    sys.exit(main())
