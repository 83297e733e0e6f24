"""The library as one looks through it: which sessions, in what order they come, what was found in them.

Invariants: every question is asked in the librarian's thread, and an answer that came too late for what is
asked now is not shown; what is marked stays marked while the list changes around it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input, Static

from acp_tui.journal.entry import Badge, Entry, Hit, Progress, Query
from acp_tui.journal.library import Library
from acp_tui.render.clean import one_line
from acp_tui.store.store import CONNECTION, SESSIONS
from acp_tui.ui.binding import Bound
from acp_tui.ui.conversation import Conversation, Link
from acp_tui.ui.detail.bars import Bar
from acp_tui.ui.library import wording
from acp_tui.ui.library.asking import HITS, View, look, nothing, search
from acp_tui.ui.library.heading import heading
from acp_tui.ui.library.indexer import Indexer
from acp_tui.ui.library.librarian import Librarian
from acp_tui.ui.library.lists import Lists
from acp_tui.ui.library.rows import PAGE, Found, Sessions
from acp_tui.ui.standing import Hint
from acp_tui.ui.widgets.glance import Glance
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.shelf import Shelf
from acp_tui.ui.workers import later

TYPING = 0.12
"""Seconds after a letter until it is sought."""
SETTLING = 0.3
"""Seconds in which several news make one."""
WIDE = 110
"""Cells from which on the marked one is shown beside the list."""
Item = TypeVar("Item")
STATES = (Badge.RUNNING, Badge.INTERRUPTED, Badge.RESUMABLE, Badge.NOT_RESUMABLE, Badge.SAVED, Badge.LISTED)


class LookingScreen(Bound, Screen[None]):
    """The part of the library screen that finds and shows."""

    DEFAULT_CSS = """
    LookingScreen { layout: vertical; }
    #library-bar { margin-bottom: 1; }
    #library-seek { height: 1; padding: 0 1; display: none; margin-bottom: 1; }
    #library-where { width: auto; color: $text-muted; }
    #library-words, #library-name { width: 1fr; height: 1; border: none; padding: 0; background: $surface; }
    #library-name { display: none; margin: 0 1; padding: 0 1; }
    #library-body { height: 1fr; }
    #library-empty { width: 1fr; height: 1fr; padding: 0 1; color: $text-muted; display: none; }
    #library-told { height: 1; padding: 0 1; color: $text-muted; display: none; }
    #library-told.-trouble { color: $warning; }
    #library-keys { height: 1; padding: 0 1; color: $text-muted; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(
        self,
        librarian: Librarian,
        folder: str,
        now: Callable[[], float],
        holder: Callable[[str], Conversation | None],
        view: View,
    ) -> None:
        super().__init__()
        self.librarian = librarian
        self.folder = folder
        """*Here*, absolute."""
        self.now = now
        self.view = view
        self.holder = holder
        """Who has a session open in this window, by its id."""
        self.links: Callable[[], Sequence[Link]] = tuple
        """Agents there are."""
        self.lists = Lists(lambda: self.links())
        self.agents: Sequence[str] = ()
        self.progress: Progress | None = None
        self._indexer: Indexer | None = None
        self._counts = (0, 0)
        self._loaded = False
        self._timer: Timer | None = None
        self._coming: set[int] = set()
        self._followed: set[int] = set()
        self.kept_for: Callable[[], int | None] = lambda: None
        """Days after which what is in the trash is removed for good; None: never by itself."""
        self.trashed: list[str] = []
        """What was put into the trash from here, the last one last."""
        self.aim = ""
        """The session to be marked when the list is there again."""

    def compose(self) -> ComposeResult:
        yield Bar("library-bar")
        with Horizontal(id="library-seek"):
            yield Static("", id="library-where", markup=False)
            field = Input(id="library-words", compact=True, select_on_focus=False)
            field.cursor_blink = False
            yield field
        with Horizontal(id="library-body"):
            yield Shelf("library-list")
            yield Static("", id="library-empty", markup=False)
            yield Glance(self.librarian, self.now, "library-glance")
        name = Input(id="library-name", compact=True)
        name.cursor_blink = False
        yield name
        yield Static("", id="library-told", markup=False)
        yield Static("", id="library-keys")

    def on_mount(self) -> None:
        """Show what there is."""
        self.shelf.focus()
        self.field.value = self.view.words
        self.settle()
        self.reload(top=True)

    def begin(self, indexer: Indexer) -> None:
        """There is who makes the index."""
        self._indexer = indexer
        indexer.told.append(self._index_changed)
        if self._loaded:
            self._first()

    def on_unmount(self) -> None:
        """Nobody looks any more."""
        if self._indexer is not None and self._index_changed in self._indexer.told:
            self._indexer.told.remove(self._index_changed)

    def on_screen_resume(self) -> None:
        """Back from a session: others may be running, and agents there."""
        self.follow_agents()
        if self._loaded:
            self.reload()

    def on_resize(self) -> None:
        """With or without what is beside it."""
        self.query_one(Glance).display = self.size.width >= WIDE
        self.settle()

    @property
    def gone(self) -> bool:
        """It is being taken down: an answer that comes now is nobody's."""
        return self.going or not self.query(Glance)

    @property
    def shelf(self) -> Shelf:
        """The list."""
        return self.query_one(Shelf)

    @property
    def field(self) -> Input:
        """Where words are typed."""
        return self.query_one("#library-words", Input)

    @property
    def marked(self) -> Entry | None:
        """The session under the mark."""
        rows, stop = self.shelf.rows, self.shelf.marked
        if isinstance(rows, Sessions):
            return rows.entry(stop)
        found = self.hit
        return found.entry if found is not None else self._head

    @property
    def hit(self) -> Hit | None:
        """The place under the mark, where something was found."""
        rows, stop = self.shelf.rows, self.shelf.marked
        found = rows.at(stop) if isinstance(rows, Found) and stop < rows.stops else None
        return found if isinstance(found, Hit) else None

    @property
    def _head(self) -> Entry | None:
        rows, stop = self.shelf.rows, self.shelf.marked
        found = rows.at(stop) if isinstance(rows, Found) and stop < rows.stops else None
        return found if isinstance(found, Entry) else None

    # Agents that run

    def follow_agents(self) -> None:
        """Hear of what they list."""
        for link in self.links():
            if id(link) not in self._followed:
                self._followed.add(id(link))
                self.follow(link.store, lambda _: self._told(), keys=[SESSIONS, CONNECTION])
        self.lists.go_on()

    def _told(self) -> None:
        self.lists.go_on()
        self.later(SETTLING)

    def _index_changed(self) -> None:
        self.settle()
        if self.gone:
            return
        if self._indexer is not None and not self._indexer.running:
            self.reload(top=self.view.searching and not self.shelf.marked)
            self.progress = None

    def index_anew(self) -> None:
        """What is saved has changed: let the index know, and look again, now and when it does."""
        if self._indexer is not None:
            self._indexer.now()
        self.reload()

    # Asking

    def look(self, view: View) -> None:
        """At something else."""
        if view != self.view:
            self.view = view
            self.settle()
            self.reload(top=True)

    def later(self, seconds: float, *, top: bool = False) -> None:
        """Ask again after a moment; sooner ones are not asked."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(seconds, partial(self.reload, top=top))

    def reload(self, *, top: bool = False) -> None:
        """Ask again; `top`: for the first of them."""
        if self.gone:
            return
        if self.view.searching:
            if top or not isinstance(self.shelf.rows, Found):
                self.run_worker(later(self._search, self.view), exclusive=True, group="library")
        else:
            self.run_worker(later(self._load, self.view, top), exclusive=True, group="library")

    async def _load(self, view: View, top: bool) -> None:
        shelf = self.shelf
        rows = shelf.rows
        keep = not top and isinstance(rows, Sessions) and self._loaded
        first, last = shelf.window if keep else (0, 0)
        wanted = sorted({stop // PAGE for stop in (first, last, *([shelf.marked] if keep else []))})
        query = view.query(self.folder)
        told = self.lists.told(self.now())
        soon = not self._loaded
        sought = self.aim or (self.marked.id if keep and self.marked is not None else "")
        asked = partial(look, query, self.folder, wanted, told, sought=sought, soon=soon)
        page = await self.librarian.ask(asked)
        if self.gone:
            return
        marked = self.marked if keep else None
        made = Sessions(page.total, self.now())
        made.pages.update(page.pages)
        self._coming.clear()
        self.agents = page.agents
        self._counts = page.here, page.everywhere
        place = page.place
        if not self.aim and marked is not None and marked.id != sought:  # keys have moved the mark meanwhile
            place = made.place(marked.id)
        shelf.put(made, shelf.marked if keep and place is None else place or 0, top=top)
        if self.aim:
            self.aim = ""
            shelf.mark(shelf.marked)  # into sight
        if not self._loaded:
            self._loaded = True
            self._first()
            self.call_after_refresh(self.reload)  # what the index does not have yet
        self.settle()

    def _first(self) -> None:
        """The first picture is there: now what takes longer."""
        self.follow_agents()
        self.run_worker(later(self._ask_progress), group="library-progress")

    async def _ask_progress(self) -> None:
        self.progress = await self.librarian.ask(Library.progress)
        if self.gone:
            return
        if self._indexer is not None and self.progress.state != "current" and not self._indexer.running:
            self._indexer.now()
        self.settle()

    async def _search(self, view: View) -> None:
        hits = await self.librarian.ask(partial(search, view, self.folder, 0))
        if self.gone:
            return
        rows = Found(self.now())
        self._put(rows, view, hits)
        place = rows.place(self.aim) or 1  # what was found, not the session above it
        self.aim = ""
        self.shelf.put(rows, place, top=True)
        self.settle()

    def _put(self, rows: Found, view: View, hits: list[Hit]) -> None:
        rows.more = len(hits) == HITS
        rows.asked += len(hits)
        rows.add(hit for hit in hits if view.state is None or view.state in hit.entry.badges)

    async def _more_hits(self, rows: Found, view: View) -> None:
        hits = await self.librarian.ask(partial(search, view, self.folder, rows.asked))
        if not self.gone and self.shelf.rows is rows:
            self._put(rows, view, hits)
            self.shelf.grown()
            self.settle()

    async def _fetch(self, rows: Sessions, query: Query, page: int) -> None:
        asked = replace(query, limit=PAGE, offset=page * PAGE)
        found = await self.librarian.ask(lambda library: library.entries(asked))
        if not self.gone and self.shelf.rows is rows:
            rows.pages[page] = found
            self._coming.discard(page)
            self.shelf.grown()

    def on_shelf_looked(self) -> None:
        """Bring what is looked at, and what comes after it."""
        if self.gone:
            return
        rows, (first, last) = self.shelf.rows, self.shelf.window
        if isinstance(rows, Found):
            if rows.more and last >= rows.stops - 5:
                rows.more = False
                self.run_worker(later(self._more_hits, rows, self.view), group="library-more")
        elif isinstance(rows, Sessions):
            for page in rows.wanted(first, last):
                if page not in self._coming:
                    self._coming.add(page)
                    self.run_worker(
                        later(self._fetch, rows, self.view.query(self.folder), page), group="library-page"
                    )
            if last >= rows.stops - PAGE // 2:
                self.lists.more()

    def on_shelf_marked(self) -> None:
        """Show more of it."""
        if self.gone:
            return
        if self.query_one(Glance).display:
            self.query_one(Glance).show(self.marked, self.hit)
        self.tell_keys()

    # Words

    def settle(self) -> None:
        """Everything that stands around the list."""
        if self.gone:
            return
        self._tell_bar()
        self._tell_empty()
        self._tell_index()
        self.tell_keys()
        typed = bool(self.view.words) or self.field.has_focus
        self.query_one("#library-seek").display = typed
        where = "in all that was said: " if self.view.inside else "titles with the letters: "
        self.query_one("#library-where", Static).update(where)

    def _tell_bar(self) -> None:
        left, right = heading(self.view, self.folder, *self._counts, self.size.width - 2)
        self.query_one("#library-bar", Bar).say(left, right)

    def _tell_index(self) -> None:
        indexer, said = self._indexer, []
        if indexer is not None and indexer.running:
            said.append(indexer.words or "Looking through what is saved")
        elif indexer is not None and indexer.failed:
            said.append(f"The index could not be made: {one_line(indexer.failed, 120)}")
        elif self.progress is not None and self.progress.state == "missing":
            said.append(self.progress.words)
        said += filter(None, [self.lists.problem()])
        trouble = bool(said) and (indexer is None or not indexer.running)
        if self.view.trash and not said:
            said.append(wording.retention(self.kept_for()))
        told = self.query_one("#library-told", Static)
        told.update(one_line(" · ".join(said), max(20, self.size.width - 2)))
        told.display = bool(said)
        told.set_class(trouble, "-trouble")

    def _tell_empty(self) -> None:
        empty = self.query_one("#library-empty", Static)
        none = not self.shelf.rows.stops
        empty.display, self.shelf.display = none, not none
        if none:
            words = nothing(self.view, self._counts[1], self.progress)
            empty.update(words if self._loaded else "Looking …")

    def tell_keys(self) -> None:
        """What the next key does."""
        if self.gone:
            return
        hints = list(self.hints())
        while len(hints) > 1 and hint_line(hints).cell_length > self.size.width - 2:
            hints.remove(next((hint for hint in reversed(hints) if hint[0] != "library.close"), hints[-1]))
        self.query_one("#library-keys", Static).update(hint_line(hints))

    def hints(self) -> tuple[Hint, ...]:
        """Of what has the focus."""
        if self.field.has_focus:
            other = "titles" if self.view.inside else "all that was said"
            return (("list.choose", "to the list"), ("library.turn", other), ("library.close", "clear"))
        return self.deeds()

    def deeds(self) -> tuple[Hint, ...]:
        """Of the list."""
        raise NotImplementedError

    # Filters

    def on_bar_clicked(self, event: Bar.Clicked) -> None:
        """One of the words at the top."""
        match event.action:
            case ("folder", bool(everywhere)):
                self.look(replace(self.view, everywhere=everywhere))
            case ("agent",):
                self.action_agent()
            case ("state",):
                self.action_state()

    def action_turn(self) -> None:
        """All folders or this one; while words are typed: in titles or in all that was said."""
        if self.field.has_focus:
            self.look(replace(self.view, inside=not self.view.inside))
        else:
            self.look(replace(self.view, everywhere=not self.view.everywhere))

    def action_agent(self) -> None:
        """The next one; after the last all."""
        self.look(replace(self.view, agent=_after(self.agents, self.view.agent)))

    def action_state(self) -> None:
        """The next one; after the last all."""
        self.look(replace(self.view, state=_after(STATES, self.view.state)))

    def action_trash(self) -> None:
        """What is in the trash, or what is not."""
        self.look(View(everywhere=self.view.everywhere or not self.view.trash, trash=not self.view.trash))

    # Words to seek

    def action_search(self) -> None:
        """In all that was said."""
        self._type(inside=True)

    def action_titles(self) -> None:
        """In the titles."""
        self._type(inside=False)

    def _type(self, *, inside: bool) -> None:
        self.look(replace(self.view, inside=inside, trash=self.view.trash and not inside))
        self.query_one("#library-seek").display = True
        self.field.focus()
        self.settle()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Seek it, when the fingers rest."""
        if event.input is self.field and event.value != self.view.words:
            self.view = replace(self.view, words=event.value)
            self.later(TYPING, top=True)

    def action_down(self) -> None:
        """From the field to the list."""
        self.shelf.focus()
        self.settle()

    def on_descendant_focus(self) -> None:
        """The keys that matter are those of what has the focus."""
        self.tell_keys()

    def clear(self) -> bool:
        """Let the nearest thing go that narrows the list; False: there is none."""
        view = self.view
        if view.words or self.field.has_focus:
            self.shelf.focus()
            self.field.value = ""
            self.look(replace(view, words="", inside=False))
            self.settle()
        elif view.agent is not None or view.state is not None:
            self.look(replace(view, agent=None, state=None))
        elif view.trash:
            self.action_trash()
        else:
            return False
        return True


def _after(many: Sequence[Item], one: Item | None) -> Item | None:
    """The one that follows; None comes after the last and before the first."""
    ring = [None, *many]
    return ring[(ring.index(one) + 1) % len(ring)] if one in ring else None
