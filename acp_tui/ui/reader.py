"""A saved session as it is read: folded from its journals without its agent, and followed while another
acp-tui writes them.

`load` and `news` do their work in a thread, `take_in` in the loop, in slices: the store belongs to the loop
once it is shown. Imports no Textual. Invariants: nothing is written; what cannot be read is told of in
`problems`, in sentences, and the rest is shown.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from acp_tui.base.lock import Owner
from acp_tui.base.shelf import Shelf
from acp_tui.journal.checkpoint import Checkpoints
from acp_tui.journal.entry import Entry
from acp_tui.journal.folding import Folded
from acp_tui.journal.saved import Saved
from acp_tui.render.clean import one_line
from acp_tui.render.words import count
from acp_tui.store.entities import NoticeRecord
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.claims import Claims

SLICE = 2_000
"""Records folded between two looks whether anybody still wants it."""
MORSEL = 200
"""Records folded at a time where keys wait."""
SELDOM = 10
"""Looks between two for further journals."""


class Kept(Protocol):
    """What a reader needs of the library."""

    def entry(self, prefix: str) -> Entry:
        """The one whose id is or begins with this. Raises `LookupError`."""

    def saved(self, id: str) -> Saved | None:
        """What the journals have of it now; None: nothing. Raises `OSError`."""

    @property
    def checkpoints(self) -> Path:
        """Folder of the checkpoints."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a conversation."""

    kind: str = ""
    """`store.keys.Kind`; empty: the end."""
    id: str = ""
    session_id: str = ""
    """The agent's id of the session it stands in: this one, or a subagent's."""
    words: str = ""
    """To be sought and marked."""


@dataclass(frozen=True, slots=True)
class News:
    """What a look found."""

    grown: bool
    """Something was added to the journal that was read last."""
    saved: Saved | None
    """Further journals may be in it; None: none were sought."""
    owner: Owner | None
    """The acp-tui that writes it now."""


class Reader:
    """One of them."""

    def __init__(self, kept: Kept, claims: Claims, id: str, shelf: Shelf) -> None:
        self.id = id
        self.shelf = shelf
        self.entry: Entry | None = None
        """As the library has it."""
        self.folded: Folded | None = None
        """None: it is not read yet, or nothing of it is saved here."""
        self.owner: Owner | None = None
        """The other acp-tui that has it open; None: nobody writes to it."""
        self.done = 0
        """How much of it is read, in percent."""
        self.above: list[Path] = []
        """Journals of the conversations that stand above it."""
        self.problems: list[str] = []
        """What its reader must know of it, in sentences."""
        self.loaded = False
        self.closed = False
        """Nobody wants it any more: the thread that reads it stops."""
        self._kept = kept
        self._claims = claims
        self._looks = 0

    @property
    def store(self) -> Store | None:
        """What is known of it."""
        return self.folded.store if self.folded is not None else None

    @property
    def session(self) -> Session | None:
        """The conversation."""
        return self.folded.session if self.folded is not None else None

    # In a thread

    def load(self) -> None:
        """Read it. Raises `LookupError`, `OSError`; the text of the first is a sentence for the user."""
        self.entry = self._kept.entry(self.id)
        self.owner = self._claims.other(self.id)
        saved = self._kept.saved(self.id)
        if saved is not None:
            folded = Checkpoints(self._kept.checkpoints).begin(saved, self.shelf)
            total = max(1, sum(part.path.stat().st_size for part in saved.parts))
            while folded.follow(most=SLICE) == SLICE and not self.closed:
                self.done = min(99, sum(place for _, place in folded.places()) * 100 // total)
            if self.owner is None:
                folded.lose()
            self.problems = problems(saved, folded, live=self.owner is not None)
            for problem in self.problems:
                folded.store.connection.tell(NoticeRecord(folded.at, "warning", problem, None))
            self._put_above(folded)
            self.folded = folded
        self.loaded = True

    def _put_above(self, folded: Folded) -> None:
        """The conversations that it goes on from, each of a session that its agent could not go on with."""
        below, known = folded, {self.id}
        while (id := below.saved.continues) and id not in known:
            known.add(id)
            saved = self._kept.saved(id)
            above = Checkpoints(self._kept.checkpoints).open(saved, self.shelf) if saved is not None else None
            if above is None or above.session is None or below.session is None:
                return
            above.lose()
            for session in above.store.sessions.values():
                folded.store.add(session)
            below.session.continues = above.session.ref
            self.above += above.paths
            below = above

    def news(self) -> News:
        """What was added meanwhile, and who writes it. Raises `OSError`."""
        owner, folded = self._claims.other(self.id), self.folded
        self._looks += 1
        seldom = owner is None or not self._looks % SELDOM
        saved = self._kept.saved(self.id) if seldom else None
        grown = folded is not None and folded.paths[-1].stat().st_size > folded.offset
        return News(grown, saved, owner)

    # In the loop

    async def take_in(self, news: News) -> None:
        """Fold what was added, and let the store tell of it."""
        folded, self.owner = self.folded, news.owner
        if folded is None:
            return
        if news.grown or news.saved is not None:
            while folded.follow(news.saved, most=MORSEL) == MORSEL:
                folded.store.flush()
                await asyncio.sleep(0)
        if news.owner is None:
            folded.lose()
        folded.store.flush()


def problems(saved: Saved, folded: Folded, *, live: bool) -> list[str]:
    """What a reader must know of it, in sentences; the most important first. Pure but for what it reads."""
    found = [] if live else list(_ends(saved))
    if saved.newer:
        found.append(
            "A part was written by a newer acp-tui: it is shown as far as this version understands it."
        )
    if any(part.stretch.midway or part.journal.head.first for part in saved.parts):
        found.append("A journal was taken away while it was written: what it had is missing here.")
    if missing := sum(part.journal.missing for part in saved.parts):
        found.append(f"{count(missing, 'record')} could not be written then, and are missing here.")
    if broken := sum(part.journal.broken for part in saved.parts):
        found.append(f"{count(broken, 'line')} of its journals cannot be read.")
    return found + [f"Left out: {one_line(problem, 200)}" for problem in folded.problems]


def _ends(saved: Saved) -> list[str]:
    found = []
    if saved.broken_off:
        found.append("Interrupted: how this ended was not seen here; what was under way may have gone on.")
    if saved.uncertain:
        which = "it" if saved.uncertain == 1 else "them"
        found.append(f"{count(saved.uncertain, 'prompt')}: it is not known whether the agent took {which}.")
    if saved.refused:
        found.append(f"The agent would not go on with it when last asked: {one_line(saved.refused, 200)}")
    return found
