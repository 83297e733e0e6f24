"""What becomes of old sessions: into the trash, and out of the trash for good, as the settings want it.

Invariants: nothing is done where the settings could not be read, or do not say so; what is pinned, open
somewhere, or only seen at a glance stays; a clock that was set back only makes things stay longer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from acp_tui.base.config.model import Kept
from acp_tui.journal.emptying import ALL, remove
from acp_tui.journal.entry import Badge, Entry, Query
from acp_tui.journal.library import Library

DAY = 86_400.0


def tidy(library: Library, settings: Kept, now: float) -> list[str]:
    """Do what is due at `now` (seconds since the epoch); the ids of what was taken out for good.

    A journal or mark that cannot be written is left for the next time.
    """
    for entry in _old(library, settings, now):
        with suppress(OSError):
            library.marks.trash(entry.id, now)
    return [entry.id for entry in _due(library, settings, now) if remove(library, entry.id)]


def _old(library: Library, settings: Kept, now: float) -> Iterator[Entry]:
    days = settings.days(settings.sessions)
    if days is None:
        return
    for entry in library.entries(Query(limit=ALL)):
        if Badge.SAVED not in entry.badges or Badge.RUNNING in entry.badges or entry.pinned:
            continue
        if entry.exact and entry.active and now - entry.active > days * DAY:
            yield entry


def _due(library: Library, settings: Kept, now: float) -> Iterator[Entry]:
    days = settings.days(settings.trash)
    if days is None:
        return
    for entry in library.entries(Query(trashed=True, limit=ALL)):
        at = entry.trashed_at
        if at is not None and now - at > days * DAY and not entry.pinned:
            yield entry
