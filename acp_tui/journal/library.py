"""The library: every session ever seen on this machine, and a search through all that was said in them.

Reads the index, the journals' newest bytes and the user's marks; writes nothing. Invariants: with an index
that is missing, old or damaged it lists what a glance at the journals gives, and `progress` says so; what an
agent lists only adds; nothing of it raises for what is on the disk; each method may be called from any
thread, one at a time.
"""

from __future__ import annotations

from pathlib import Path

from acp_tui.journal.entry import Badge, Entry, Hit, Order, Progress, Query
from acp_tui.journal.saved import Saved

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
        self.state = state
        self.cache = cache

    def entries(self, query: Query = Query()) -> list[Entry]:  # noqa: B008 - it is frozen
        """One page. Sorted as the query says."""
        raise NotImplementedError

    def count(self, query: Query = Query()) -> int:  # noqa: B008 - it is frozen
        """How many there are in all, whatever `limit` and `offset` say."""
        raise NotImplementedError

    def agents(self) -> list[str]:
        """Names to filter by, the one used last first."""
        raise NotImplementedError

    def entry(self, prefix: str) -> Entry:
        """The one whose id is or begins with this, trashed ones too. Raises `Unknown`, `Ambiguous`."""
        raise NotImplementedError

    def newest(self, folder: str) -> Entry | None:
        """Saved, not trashed, of exactly this folder, active last: what `--continue` means."""
        raise NotImplementedError

    def saved(self, id: str) -> Saved | None:
        """What the journals have of it *now*: for `Checkpoints(library.checkpoints).open(…)`, to follow it.

        None: nothing of it is saved here. Raises `OSError` where a journal cannot be read.
        """
        raise NotImplementedError

    @property
    def checkpoints(self) -> Path:
        """Folder of the checkpoints."""
        raise NotImplementedError

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
        """
        raise NotImplementedError

    def progress(self) -> Progress:
        """How far the index is behind. Looks at every journal's size."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the database; it is opened again when needed."""
        raise NotImplementedError
