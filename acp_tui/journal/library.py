"""The library: every session ever seen on this machine, and a search through all that was said in them.

Reads the index, the journals' newest bytes and the user's marks; writes nothing. Invariants: with an index
that is missing, old or damaged it lists what a glance at the journals gives, and `progress` says so; what an
agent lists only adds; nothing of it raises for what is on the disk; each method may be called from any
thread, one at a time.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Literal

import acp_tui
from acp_tui.base import paths
from acp_tui.journal import index, searching
from acp_tui.journal.catalog import Catalog, Told
from acp_tui.journal.entry import Badge, Entry, Hit, Order, Progress, Query
from acp_tui.journal.glimpse import Glimpse, glimpse
from acp_tui.journal.listing import Listing
from acp_tui.journal.marks import NONE, Mark, Marks
from acp_tui.journal.saved import Saved
from acp_tui.journal.wanted import Wanted, snippet, wanted
from acp_tui.journal.writers import writers

_INDEXER = """import sys
sys.path.insert(0, sys.argv.pop(1))
from acp_tui.journal.indexing import main
sys.exit(main())"""

__all__ = ["Ambiguous", "Badge", "Entry", "Hit", "Library", "Order", "Progress", "Query", "Unknown"]


class Unknown(LookupError):
    """There is no such session; the text is a sentence for the user."""


class Ambiguous(LookupError):
    """Several sessions have ids that begin so; the text is a sentence for the user."""

    def __init__(self, prefix: str, entries: list[Entry]) -> None:
        super().__init__(f"{len(entries)} sessions have an id that begins with {prefix}.")
        self.entries = entries


class Library:
    """All sessions below `state`, by the index below `cache`; without them those of `base.paths`."""

    def __init__(self, state: Path | None = None, cache: Path | None = None) -> None:
        state = state or paths.state_dir()
        self.folder = (cache or paths.cache_dir()) / "library"
        """Of the index and the checkpoints."""
        self.marks = Marks(state / "marks.ndjson")
        """Names, pins and the trash."""
        self.running = state / "running"
        """Folder of the records of those who write now."""
        self._catalog = Catalog(state / "journal", self.folder)
        self.heard: tuple[Told, ...] = ()
        """What agents that run now told, before the index has it; of the same it counts more."""
        self._made: Listing | None = None
        self._made_of: tuple[object, ...] = ()

    @property
    def checkpoints(self) -> Path:
        """Folder of the checkpoints."""
        return self.folder / index.CHECKPOINTS

    @staticmethod
    def indexer() -> list[str]:
        """The command that brings index and checkpoints up to date; it ends when its stdin does.

        It imports from where this program was imported, and nothing from the folder it is started in.
        """
        return [sys.executable, "-P", "-c", _INDEXER, str(Path(acp_tui.__file__).parents[1])]

    def now(self, *, soon: bool = False) -> Listing:
        """All of them as they are now, for several questions at once; `soon`: as the index has them."""
        return self._listing(soon=soon)

    def entries(self, query: Query | None = None) -> list[Entry]:
        """One page, sorted as the query says."""
        return self._listing().page(query or Query())

    def count(self, query: Query | None = None) -> int:
        """How many there are in all, whatever `limit` and `offset` say."""
        return self._listing().count(query or Query())

    def agents(self) -> list[str]:
        """Names to filter by, the one used last first."""
        return self._listing().agents()

    def entry(self, prefix: str) -> Entry:
        """The one whose id is or begins with this, trashed ones too. Raises `Unknown`, `Ambiguous`."""
        found = self._listing().beginning(prefix.strip().lower())
        if not found:
            raise Unknown(f"There is no session with an id that begins with {prefix or 'nothing'}.")
        if len(found) > 1:
            raise Ambiguous(prefix, found)
        return found[0]

    def newest(self, folder: str) -> Entry | None:
        """Saved, not trashed, of exactly this folder, active last: what `--continue` means."""
        return self._listing().newest(folder)

    def saved(self, id: str) -> Saved | None:
        """What the journals have of it *now*: for `Checkpoints(library.checkpoints).open(…)`, to follow it.

        None: nothing of it is saved here. Raises `OSError` where a journal cannot be read.
        """
        return self._catalog.saved(id)

    def search(
        self,
        text: str,
        *,
        folder: str | None = None,
        agent: str | None = None,
        limit: int = 50,
        offset: int = 0,
    ) -> list[Hit]:
        """Where all words stand, newest first. The last word may go on; `"some words"` must stand together.

        Upper and lower case and accents do not count; signs only part words. Nothing that is typed is wrong.
        Of a text of more than 64 k characters its beginning and its end are searched.
        """
        sought = wanted(text)
        if not sought:
            return []
        marks = self.marks.all()
        try:
            db = self._catalog.database()
            found = searching.found(db, sought, _folder(folder), agent)
            shown = (one for one in found if marks.get(one.session, NONE).trashed_at is None)
            page = list(islice(shown, offset, offset + limit))
            entries = self._of(page, marks)
            return [_hit(db, entries[one.session], one, sought) for one in page if one.session in entries]
        except index.Unusable:
            return []
        except sqlite3.Error as error:
            self._catalog.broken(error)
            return []

    def glimpse(self, id: str) -> Glimpse:
        """How a saved session began and what its agent said last, as far as the index has it."""
        try:
            return glimpse(self._catalog.database(), id)
        except index.Unusable:
            return Glimpse()
        except sqlite3.Error as error:
            self._catalog.broken(error)
            return Glimpse()

    def progress(self) -> Progress:
        """How far the index is behind. Looks at every journal's size."""
        now = self._catalog.standing()
        if now.missing:
            return Progress(state="missing", total=now.total)
        state: Literal["current", "behind"] = "current" if now.indexed >= now.total else "behind"
        return Progress(state=state, indexed=now.indexed, total=now.total, sessions=now.sessions)

    def close(self) -> None:
        """Let go of the database; it is opened again when needed."""
        self._catalog.close()

    def _listing(self, *, soon: bool = False) -> Listing:
        """The last one where nothing changed since."""
        known, more = self._catalog.all(soon=soon), (self.marks.all(), writers(self.running), self.heard)
        if self._made is None or self._made_of[0] is not known or self._made_of[1] != more:
            rows, told = known
            marks, writing, heard = more
            self._made = Listing(
                rows, [*told, *heard], marks, writing, self._catalog.root, self._catalog.whole
            )
            self._made_of = known, more
        return self._made

    def _of(self, page: list[searching.Found], marks: Mapping[str, Mark]) -> dict[str, Entry]:
        """The entries of some hits, by id."""
        rows = [row for id in {one.session for one in page} if (row := self._catalog.whole(id)) is not None]
        rows.sort(key=lambda row: -row.active)
        told = [one for row in rows for one in self._catalog.told_of(row.agent, row.session_id)]
        listing = Listing(rows, told, marks, writers(self.running), self._catalog.root, self._catalog.whole)
        return {entry.id: entry for entry in listing.page(Query(limit=len(rows)))}


def _folder(folder: str | None) -> str | None:
    return None if folder is None else folder.rstrip("/") or "/"


def _hit(db: sqlite3.Connection, entry: Entry, one: searching.Found, sought: Wanted) -> Hit:
    found = snippet(searching.text(db, one.number), sought)
    start, end = found.matches[0] if found.matches else (0, 0)
    return Hit(
        entry=entry,
        session_id=one.child or entry.session_id,
        kind=one.kind,
        id=one.id,
        at=one.at,
        snippet=found.text,
        matches=found.matches,
        found=found.text[start:end],
    )
