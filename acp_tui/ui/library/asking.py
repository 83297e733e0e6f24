"""The questions the library screen asks, and what it gets for an answer; asked in the librarian's thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from acp_tui.journal.catalog import Told
from acp_tui.journal.entry import Badge, Entry, Hit, Progress, Query
from acp_tui.journal.library import Library
from acp_tui.journal.wanted import wanted
from acp_tui.ui import keys
from acp_tui.ui.library.rows import PAGE

HITS = 100
"""That are asked for at a time."""


@dataclass(frozen=True, slots=True)
class View:
    """What is looked at."""

    everywhere: bool = False
    """All folders."""
    agent: str | None = None
    state: Badge | None = None
    words: str = ""
    inside: bool = False
    """The words are sought in all that was said, not in the titles."""
    trash: bool = False

    def query(self, folder: str) -> Query:
        """Of the list."""
        return Query(
            folder=None if self.everywhere else folder,
            agent=self.agent,
            badges=frozenset() if self.state is None else frozenset({self.state}),
            words="" if self.inside else self.words,
            trashed=self.trash,
        )

    @property
    def searching(self) -> bool:
        """Hits are shown."""
        return self.inside and bool(self.words.strip())


@dataclass(frozen=True, slots=True)
class Page:
    """What the library has to say at one moment."""

    total: int
    here: int
    everywhere: int
    agents: Sequence[str]
    place: int | None
    """Of the one that is sought."""
    pages: dict[int, list[Entry]]


def look(
    query: Query,
    folder: str,
    wanted: Sequence[int],
    told: tuple[Told, ...],
    library: Library,
    *,
    sought: str = "",
    soon: bool = False,
) -> Page:
    """In the librarian's thread: the pages that are `wanted`, and that of the session that is `sought`.

    `soon`: something at once, what changed since the index was made later.
    """
    library.heard = told
    now = library.now(soon=soon)
    place = now.place(query, sought) if sought else None
    numbers = {*wanted, *(() if place is None else (place // PAGE,))}
    return Page(
        total=now.count(query),
        here=now.count(Query(folder=folder, trashed=query.trashed)),
        everywhere=now.count(Query(trashed=query.trashed)),
        agents=now.agents(),
        place=place,
        pages={page: now.page(replace(query, limit=PAGE, offset=page * PAGE)) for page in sorted(numbers)},
    )


def search(view: View, folder: str, offset: int, library: Library) -> list[Hit]:
    """In the librarian's thread."""
    where = None if view.everywhere else folder
    return library.search(view.words, folder=where, agent=view.agent, limit=HITS, offset=offset)


def nothing(view: View, everywhere: int, progress: Progress | None) -> str:
    """Why nothing is shown, and what to do."""
    if view.trash:
        back = keys.hint("library.trash")
        if everywhere and not view.everywhere:
            others = keys.hint("library.turn")
            return f"Nothing of this folder is in the trash. {others} shows all of it: {everywhere:,}."
        return f"The trash is empty. {back} goes back to the sessions."
    if view.inside and view.words.strip() and not wanted(view.words):
        return "Words are found by their letters and digits; there are none yet."
    if view.words:
        others = keys.hint("library.turn")
        elsewhere = "" if view.everywhere else f" In the list {others} looks in all folders."
        index = f"\n{progress.words}" if view.inside and progress is not None and progress.words else ""
        return f"Nothing with these words.{elsewhere}{index}"
    if view.agent is not None or view.state is not None:
        back = keys.hint("library.close")
        others = keys.hint("library.agent library.state")
        return f"No session of this kind. {others} choose others, {back} shows all."
    if not view.everywhere and everywhere:
        others = keys.hint("library.turn")
        return f"No session in this folder yet. {others} shows those of all folders: {everywhere:,}."
    return (
        "No session yet. Every conversation you have here is kept: it can be read again without its agent,\n"
        "searched, gone on with and given to others.\n\n"
        f"{keys.hint('library.close')} goes back; start an agent and talk to it."
    )
