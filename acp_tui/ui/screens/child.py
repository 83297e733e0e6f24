"""The conversation of a subagent, to be read: it has a session of its own (SA-02, SA-03).

Invariants: nothing can be sent from here and nothing is cancelled by going back; it is live like the chat
below it; whatever stands in it opens as in the chat, also subagents of this subagent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Static

from acp_tui.render.clean import one_line
from acp_tui.render.views.subagent import title_of
from acp_tui.store.entities import Subagent
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import SESSIONS, Store, Subscription
from acp_tui.ui import keys
from acp_tui.ui.detail.around import Around
from acp_tui.ui.detail.bars import Bar, Said
from acp_tui.ui.screens.reading import ReadingScreen
from acp_tui.ui.standing import Hint
from acp_tui.ui.transcript.widget import Transcript
from acp_tui.ui.widgets.search_bar import TYPING, WALKING, Field, SearchBar
from acp_tui.ui.widgets.status_line import StatusLine

if TYPE_CHECKING:
    from acp_tui.ui.reader import Spot

_READING: tuple[Hint, ...] = (
    ("child.close", "back"),
    ("transcript.up transcript.down", "move"),
    ("transcript.fold", "open"),
    ("transcript.search", "search"),
)


def announced(store: Store, ref: str) -> Subagent | None:
    """What the parent said of this child."""
    child = store.sessions.get(ref)
    found = (entity for entity in siblings(store, child) if entity.child == ref)
    return next(found, None)


def siblings(store: Store, child: Session | None) -> list[Subagent]:
    """All children of the parent of this one, in order."""
    parent = store.sessions.get(child.parent) if child is not None and child.parent is not None else None
    entities = (parent.entities.get(key) for key in parent.subagents) if parent is not None else ()
    return [entity for entity in entities if isinstance(entity, Subagent)]


class ChildScreen(ReadingScreen):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("child")
    DEFAULT_CSS = """
    ChildScreen #child-empty { height: 1fr; padding: 1 1 0 1; color: $text-muted; display: none; }
    """

    def __init__(self, ref: str, around: Around, spot: Spot | None = None) -> None:
        super().__init__()
        self.ref = ref
        self.spot = spot
        """Where to begin; None: at the end."""
        self._around = around
        self.watching: Subscription | None = None

    @property
    def around(self) -> Around:
        return self._around

    @property
    def store(self) -> Store:
        """What is known."""
        return self._around.store

    def compose(self) -> ComposeResult:
        yield Bar("child-title")
        yield Static("Nothing of this conversation has come yet.", id="child-empty", markup=False)
        yield Transcript(self.store, self.ref, self._around.now)
        yield SearchBar()
        yield StatusLine(self._around.now, id="status")

    def on_mount(self) -> None:
        """Show it."""
        for name in ("following", "unseen", "searching"):
            self.watch(self.transcript, name, self.tell_keys, init=False)
        self.watching = self.follow(self.store, self.changed)
        self.show(self.ref)
        self.transcript.focus()
        if self.spot is not None:
            self.call_after_refresh(self._aim, self.spot)

    def _aim(self, spot: Spot) -> None:
        from acp_tui.ui.transcript.aiming import aim

        aim(self.transcript, self.query_one(SearchBar), self.store, spot)

    def show(self, ref: str) -> None:
        """Show this one."""
        self.ref = ref
        if self.transcript.ref != ref:
            self.transcript.show(ref)
        line = self.query_one(StatusLine)
        if self.around.standing is None:
            line.show(self.store, ref)
        else:
            line.status = self.around.standing()
        if self.watching is not None:
            self.watching.set(self._watched())
        self.changed(frozenset())
        self.tell_keys()

    def _watched(self) -> list[Key]:
        said = announced(self.store, self.ref)
        kinds = (Kind.TIMELINE, Kind.INFO, Kind.SESSION)
        return [SESSIONS, *(Key(self.ref, kind) for kind in kinds), *([said.key] if said is not None else [])]

    def changed(self, _: frozenset[Key]) -> None:
        """Another title, its first words, or another subagent beside it."""
        session, said = self.store.sessions.get(self.ref), announced(self.store, self.ref)
        title = title_of(said, self.store) if said is not None else "subagent"
        left: list[Said] = [("↳ ", "dim"), (title, "strong"), (f"  in {self._above(session)}", "dim")]
        self.query_one("#child-title", Bar).say(left, [(f"  {self._number(session)}", "dim")])
        empty = session is None or not session.timeline
        self.query_one("#child-empty").display = empty
        self.transcript.display = not empty
        if not empty and self.focused is None:
            self.transcript.focus()

    def _number(self, session: Session | None) -> str:
        """Which of how many it is."""
        beside = [one.child for one in siblings(self.store, session)]
        if self.ref in beside and len(beside) > 1:
            return f"{beside.index(self.ref) + 1} of {len(beside)} subagents"
        return "read only"

    def _above(self, session: Session | None) -> str:
        """The conversation it belongs to."""
        parent = self.store.sessions.get(session.parent) if session is not None and session.parent else None
        said = announced(self.store, parent.ref) if parent is not None else None
        if said is not None:
            return title_of(said, self.store)
        own = one_line(self.store.title(parent.ref), 80) if parent is not None else ""
        return own or one_line(self.store.connection.agent_name, 40)

    # Keys

    def on_descendant_focus(self) -> None:
        """The keys that matter are those of what has the focus."""
        self.tell_keys()

    def tell_keys(self) -> None:
        """Say what the next key does here."""
        transcript, status = self.transcript, self.query_one(StatusLine)
        if transcript.searching:
            status.hints = TYPING if isinstance(self.focused, Field) else WALKING
        else:
            many = len(siblings(self.store, self.store.sessions.get(self.ref))) > 1
            other: tuple[Hint, ...] = (("child.next_child", "next subagent"),) if many else ()
            status.hints = (_READING[0], *other, *_READING[1:])
        self.tell_below()

    def action_close(self) -> None:
        """The nearest open thing, else back."""
        if not self.close_nearest():
            self.dismiss(None)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)

    def action_step(self, by: int) -> None:
        """The subagent beside this one."""
        beside = [one.child for one in siblings(self.store, self.store.sessions.get(self.ref))]
        if self.ref in beside and len(beside) > 1:
            self.show(beside[(beside.index(self.ref) + by) % len(beside)])
