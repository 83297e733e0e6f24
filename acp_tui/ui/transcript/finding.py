"""Searching in the transcript: the reader is taken from hit to hit, and back to where he was.

Invariants: the search runs in slices between keys, and only while there is something left to look through;
an entry is opened when one of its hits is visited, and folded again when the reader leaves it. While he
stands at a hit the end is not followed: what he looks at stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import NamedTuple

from rich.style import Style
from textual import events
from textual.reactive import var
from textual.strip import Strip

from acp_tui.store.keys import Key
from acp_tui.ui.transcript import selection as spots
from acp_tui.ui.transcript.found import Spans, Wanted, nearest, spans_on, standing
from acp_tui.ui.transcript.grouped import GROUP, GroupedColumn
from acp_tui.ui.transcript.groups import Run
from acp_tui.ui.transcript.look import FOUND, FOUND_HERE
from acp_tui.ui.transcript.scroll import ColumnScroll
from acp_tui.ui.transcript.search import Search, Seeker, Sought, Texts, Wrong

SLICE = 0.008
"""Seconds at a time that are spent on looking."""


class Place(NamedTuple):
    """Where a reader was."""

    following: bool
    top: Key | None
    line: int
    cursor: Key | None
    opened: Key | None
    """The entry that was opened for its hit."""
    group: Key | None
    """One of the group that was."""


@dataclass(frozen=True, slots=True)
class Found:
    """How a search stands."""

    at: int = 0
    """Which hit the reader is at, from 1; 0: at none."""
    total: int = 0
    more: bool = False
    """Not everything was looked through yet."""
    wrong: str = ""
    """Why this cannot be sought."""


class Finding(ColumnScroll, inherit_bindings=False):
    """A column that can be searched."""

    searching = var(False)
    """A search is open."""
    typed = var((0, ""))
    """The user says what to look for: a count, and a letter that came here rather than where he types."""
    found = var(Found())

    _search: Search | None = None
    _texts: Texts | None = None
    _origin: Place | None = None
    _begun = 0
    """The member from which on it is sought."""
    _here: tuple[Key, int] | None = None
    """The hit the reader is at: a member, and which in it."""
    _mark: tuple[Key, int, int] | None = None
    """Where that is drawn: member, line and character."""
    _arriving = False
    _looking = False
    _going = 0
    """How often it was begun to go to a hit."""
    _wrong = ""
    _opened: Key | None = None
    """The entry that is open only because the reader is at its hit."""
    _revealed: tuple[Key, int] | None = None
    """The entry that draws the neighbourhood of a hit, and where that is in its source."""
    _group: Key | None = None
    """One of the group that is."""

    # Opening and closing

    def action_search(self) -> None:
        """Open a search, or look for something else."""
        self.begin_search()
        self._type("")

    def _type(self, text: str) -> None:
        self.typed = self.typed[0] + 1, text

    def on_key(self, event: events.Key) -> None:
        """Who types on behind the key that opens a search is not to lose a letter, however fast he is."""
        active = self.screen.active_bindings.get(event.key) if self.screen.focused is self else None
        if active is not None and active.binding.id == "transcript.search":
            self.action_search()  # now, not when the key has come up to the app
        elif self.searching and self.screen.focused is not self and event.is_printable:
            self._type(event.character or "")
        else:
            return
        event.stop()
        event.prevent_default()

    def begin_search(self) -> None:
        """Open a search: from here on, back to here."""
        column = self.column
        if column is None or not column.width or self.searching:
            return
        self._texts = Texts(partial(_pieces, column))
        self._remember(column)
        self._seek(None)
        self.searching = True

    def _remember(self, column: GroupedColumn) -> None:
        top, line = column.top
        key = column.views[top].key if top < len(column) else None
        self._origin = Place(column.following, key, line, column.cursor, self._opened, self._group)
        self._begun = top

    def find(self, sought: Sought) -> None:
        """Look for this, and go to where it stands next."""
        if not self.searching:
            return
        try:
            seeker = Seeker(sought) if sought.words else None
        except Wrong as wrong:
            self._seek(None, str(wrong))
            return
        self._seek(seeker)
        self._arriving = seeker is not None
        if seeker is None:
            self._return()

    def _seek(self, seeker: Seeker | None, wrong: str = "") -> None:
        assert self.column is not None and self._texts is not None
        self._search = Search(seeker, self._texts, len(self.column), self._begun)
        self._here = self._mark = None
        self._arriving, self._wrong = False, wrong
        self._look_soon()
        self._tell()
        self.show_anew()

    def keep_place(self) -> None:
        """The reader is where he wants to be: to here he goes back from now on."""
        if self.column is not None and self.searching:
            self._remember(self.column)

    def end_search(self, back: bool = False) -> None:
        """Close the search; `back`: to where the reader was."""
        if not self.searching:
            return
        if back:
            self._return()
        self.searching = False
        self._search = self._texts = self._here = self._mark = self._origin = None
        self._opened = self._group = self._revealed = None
        if self.column is not None:
            self.column.held = False
        self.found = Found()
        self.show_anew()

    def _return(self) -> None:
        column, origin = self.column, self._origin
        if column is None or origin is None:
            return
        self._aim_at(column, None)
        self._open(column, origin.opened)
        self._open_group(column, origin.group)
        column.cursor, column.held = origin.cursor, False
        top = column.place(origin.top) if origin.top is not None else None
        if origin.following or top is None:
            self.follow_end()
        else:
            self.stand(top, origin.line)

    def _open(self, column: GroupedColumn, key: Key | None) -> bool:
        """Fold again what was opened for the last hit, and open this one; True if that moves anything."""
        if key == self._opened:
            return False
        for one, folded in ((self._opened, True), (key, False)):
            index = column.place(one) if one is not None else None
            if index is not None and column.views[index].folded is not folded:
                column.fold(index)
        self._opened = key
        return True

    def _aim_at(self, column: GroupedColumn, place: tuple[Key, int] | None, source: str = "") -> bool:
        """Have an entry draw what stands around a place in its source; no other does so any more."""
        before, self._revealed = self._revealed, place
        hidden = before is not None and _reveal(column, before[0], None)
        return (place is not None and _reveal(column, *place, source)) or hidden

    def _open_group(self, column: GroupedColumn, key: Key | None) -> bool:
        """The same for the group in which an entry stands."""
        old, new = self._run_of(column, self._group), self._run_of(column, key)
        if old is new:
            return False
        for run, opened in ((old, False), (new, True)):
            if run is not None and run.open is not opened:
                column.fold(run.first, GROUP)
        self._group = key
        return True

    def _run_of(self, column: GroupedColumn, key: Key | None) -> Run | None:
        place = column.place(key) if key is not None else None
        return column.groups.group(place) if place is not None else None

    # Looking

    def _look_soon(self) -> None:
        if not self._looking:
            self._looking = self.call_later(self._look_on)

    def _look_on(self) -> None:
        """A slice of the search; the next one only after the keys that wait."""
        self._looking = False
        search = self._search
        if search is None:
            return
        end = monotonic() + SLICE
        search.step(lambda: monotonic() > end)
        if self._arriving and (search.total or search.done):
            self._arrive(search)
        self._tell()
        if not search.done:
            self._look_soon()

    def _arrive(self, search: Search) -> None:
        """To the first hit from where the search began, else to the last one before that."""
        self._arriving = False
        before = search.ordinal(self._begun, 0)
        hit = search.hit(before if before < search.total else before - 1)
        if hit is None:
            self._return()
        else:
            self._visit(search, *hit)

    def members_came(self, kept: int) -> None:
        super().members_came(kept)
        if self._search is not None and self.column is not None:
            self._search.resize(kept, len(self.column))
            self._look_soon()

    def members_changed(self, touched: Collection[int]) -> None:
        super().members_changed(touched)
        if self._search is not None and touched:
            for index in touched:
                self._search.again(index)
            self._look_soon()

    def _tell(self) -> None:
        search = self._search
        if search is not None:
            at = self._ordinal()
            self.found = Found(0 if at is None else at + 1, search.total, not search.done, self._wrong)

    # From hit to hit

    def _ordinal(self) -> int | None:
        """Which hit of all the reader is at."""
        search, column = self._search, self.column
        if search is None or column is None or self._here is None:
            return None
        index = column.place(self._here[0])
        count = search.hits[index] if index is not None and index < len(search.hits) else 0
        return search.ordinal(index, min(self._here[1], count - 1)) if index is not None and count else None

    def next_hit(self, by: int) -> None:
        """To the next hit or the one before, round the end."""
        search = self._search
        if search is None or not search.total:
            return
        at = self._ordinal()
        if at is None:
            hit = search.hit(search.ordinal(self.rows[0].member if self.rows else 0, 0))
        else:
            hit = search.hit(at + by)
        if hit is not None:
            self._visit(search, *hit)
            self._tell()

    def _visit(self, search: Search, index: int, nth: int, moved: bool = False) -> None:
        """Bring a hit into sight, and open what hides it; when what it stands in is laid out."""
        column, seeker = self.column, search.seeker
        if column is None or seeker is None:
            return
        self._going += 1
        if not column.ready(index):
            self.call_later(self._visit_on, self._going, search, index, nth, moved)
            return
        key, source = column.views[index].key, search.text(index)
        moved |= key != self._opened and self._open(column, None)
        run = column.groups.group(index)
        wrapped = run is not None and (not run.open or run is self._run_of(column, self._group))
        moved |= self._open_group(column, key if wrapped else None)
        moved |= self._revealed is not None and self._revealed[0] != key and self._aim_at(column, None)
        span = seeker.nth(source, nth)
        if span is None:
            return
        wanted = Wanted(span, nth, search.hits[index])
        place = standing(column.laid(index), seeker, source, wanted)
        hidden = column.views[index].folded is True and key != self._opened
        if hidden and (place is None or "\n" in source[: span[0]]):
            self._open(column, key)
            self._visit(search, index, nth, True)
            return
        if place is None:
            moved |= self._aim_at(column, (key, span[0]), source)
            place = standing(column.laid(index), seeker, source, wanted, sure=False)
        column.following, column.held = False, True
        self._here = key, nth
        self._mark = (key, *place) if place is not None else None
        line = place[0] if place is not None else nearest(column.laid(index), seeker.read, source, span[0])
        if moved or not any((row.member, row.line) == (index, line) for row in self.rows):
            self.stand(index, line, self.size.height // 3)
        self.point(index, inside=True)

    def _visit_on(self, going: int, search: Search, index: int, nth: int, moved: bool) -> None:
        """Unless somebody has gone elsewhere meanwhile."""
        if going == self._going and search is self._search and index < len(search.hits):
            self._visit(search, index, nth, moved)

    # Drawing

    def _adorned(self, column: GroupedColumn) -> list[Strip]:
        strips = super()._adorned(column)
        search = self._search
        if search is None or search.seeker is None:
            return strips
        found = {
            member: self._spans(column, member, search.seeker) for member in {row.member for row in self.rows}
        }
        everywhere, here = (self._styles_seen[name] for name in (FOUND, FOUND_HERE))
        for y, row in enumerate(self.rows):
            key = column.views[row.member].key
            for start, end in found[row.member].get(row.line, ()):
                style: Style = here if self._mark == (key, row.line, start) else everywhere
                strips[y] = spots.highlighted(strips[y], (start, end), style)
        return strips

    def _spans(self, column: GroupedColumn, member: int, seeker: Seeker) -> Spans:
        """Where it stands on the rows of a member; the one the reader is at may have moved."""
        shown = [row.line for row in self.rows if row.member == member]
        lines = column.laid(member, hurried=True)
        found = spans_on(lines, shown[0], shown[-1], seeker)
        key, mark, here = column.views[member].key, self._mark, self._here
        if mark is None or here is None or here[0] != key or self._search is None:
            return found
        if mark[2] not in (start for start, _ in found.get(mark[1], ())):
            source = self._search.text(member)
            span = seeker.nth(source, here[1])
            place = span and standing(
                lines, seeker, source, Wanted(span, here[1], self._search.hits[member]), sure=False
            )
            self._mark = (key, *place) if place is not None else None
        return found


def _pieces(column: GroupedColumn, index: int) -> Iterator[str]:
    """The source of a member; a view that fails in the midst of it has none."""
    pieces = column.ask(index, lambda view: view.pieces())
    while (piece := column.ask(index, lambda _: next(pieces, None))) is not None:
        yield piece


def _reveal(column: GroupedColumn, key: Key, offset: int | None, source: str = "") -> bool:
    """Have a member draw what stands around a place in its source, or no more; True if that moves it."""
    index = column.place(key)
    if index is None or not column.ask(index, lambda view: view.reveal(offset, source)):
        return False
    column.laid(index)
    return True
