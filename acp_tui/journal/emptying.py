"""Removing what is in the trash for good, because the user or a setting of his says so.

Invariants: only what is in the trash, and only our own records: what an agent keeps of a session is the
agent's. One that is open somewhere stays. Nothing of it is kept beside it: its checkpoint goes too, and the
next indexing takes its words out of the index.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from acp_tui.journal.library import Library, Query
from acp_tui.journal.purging import purge
from acp_tui.journal.writers import writers

ALL = 1_000_000_000
"""More sessions than there are."""


@dataclass(frozen=True, slots=True)
class Weight:
    """What would go."""

    ids: tuple[str, ...]
    messages: int
    size: int
    """Bytes of journals."""


@dataclass(frozen=True, slots=True)
class Emptied:
    """What became of it."""

    removed: tuple[str, ...]
    kept: tuple[str, ...]
    """Open somewhere, not in the trash any more, or their journals cannot be written."""


def weigh(library: Library, ids: Iterable[str] = ()) -> Weight:
    """Of these in the trash; without any, of all that is in it."""
    wanted = frozenset(ids)
    entries = [
        one for one in library.entries(Query(trashed=True, limit=ALL)) if not wanted or one.id in wanted
    ]
    size = 0
    for entry in entries:
        with suppress(OSError):
            saved = library.saved(entry.id)
            parts = saved.parts if saved is not None else ()
            size += sum(max(0, part.stretch.end - part.stretch.asked) for part in parts)
    return Weight(tuple(one.id for one in entries), sum(one.messages for one in entries), size)


def empty(library: Library, ids: Iterable[str]) -> Emptied:
    """Remove these for good, as far as they are in the trash now."""
    wanted = tuple(ids)
    there = {one.id for one in library.entries(Query(trashed=True, limit=ALL))}
    removed = tuple(id for id in wanted if id in there and remove(library, id))
    return Emptied(removed, tuple(id for id in wanted if id not in removed))


def remove(library: Library, id: str) -> bool:
    """Take one out of its journals. False: it is being written, or cannot be."""
    try:
        saved = library.saved(id)
        if saved is None or not purge(saved, writers(library.running)):
            return False
    except OSError:
        return False
    from acp_tui.journal.checkpoint import Checkpoints  # half a second of imports, seldom needed

    Checkpoints(library.checkpoints).forget(id)
    return True
