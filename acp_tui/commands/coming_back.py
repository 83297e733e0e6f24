"""Which saved session `--continue` and `--resume ID` mean. All that can go wrong is a `Mistake`."""

from __future__ import annotations

from contextlib import closing

from acp_tui.commands.mistake import Mistake
from acp_tui.journal.entry import Entry, Query
from acp_tui.journal.library import Ambiguous, Library, Unknown
from acp_tui.render.clean import one_line

NAMED = 5
"""Sessions that are named where several are meant."""
EVERY = 1_000_000
LISTS = "acp-tui sessions --all lists them"


def newest(folder: str) -> Entry:
    """The one that was active last in exactly this folder."""
    with closing(Library()) as library:
        found = library.newest(folder)
    if found is None:
        raise Mistake(f"--continue: nothing was saved in {one_line(folder, 200)} yet ({LISTS})")
    return found


def named(id: str) -> Entry:
    """The one whose id begins so, or which its agent calls exactly so; of several such the newest."""
    with closing(Library()) as library:
        try:
            return library.entry(id)
        except Ambiguous as several:
            shown = ", ".join(f"{one.id} ({one_line(one.title, 30)})" for one in several.entries[:NAMED])
            raise Mistake(f"--resume {one_line(id, 40)}: write more of the id: {shown}") from None
        except Unknown:
            found = [one for one in library.entries(Query(limit=EVERY)) if one.session_id == id]
    if not found:
        raise Mistake(f"--resume {one_line(id, 80)}: no session has an id that begins so ({LISTS})")
    return max(found, key=lambda one: one.active)
