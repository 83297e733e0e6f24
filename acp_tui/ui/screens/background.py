"""What runs beside the work, and what of the work can be stopped by itself: since when, and how it stands.

The rows are made from the store, once a frame at most, and once a second while something runs.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from acp_tui.render import words
from acp_tui.store.entities import Subagent
from acp_tui.store.keys import Key, Kind
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.detail.around import Around
from acp_tui.ui.stopping import Running, running, stoppable, why_not
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed

HINTS = (("background.stop", "stop it"), ("list.choose", "open it"), ("background.close", "back"))


class BackgroundScreen(Bound, ModalScreen[None]):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("background")

    def __init__(self, ref: str, around: Around) -> None:
        super().__init__()
        self.ref = ref
        self.around = around
        self.shown: list[Running] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="background", classes="list-box"):
            yield Static("What runs", classes="list-title", markup=False)
            yield Listed(id="background-list", classes="list-rows", markup=False, compact=True)
            yield Static("", id="background-none", markup=False)
            yield Static(hint_line(HINTS[-1:]), classes="list-keys")

    def on_mount(self) -> None:
        """Fill, and stay true."""
        self.clock = self.set_interval(1.0, self.fill, pause=True)
        session = Key(self.ref, Kind.SESSION)
        self.follow(self.around.store, lambda _: self.fill(), keys=[session], sessions=[self.ref])
        self.fill()
        self.query_one(OptionList).focus()

    def fill(self) -> None:
        """The rows as they are now; the mark stays on its thing."""
        listed = self.query_one(OptionList)
        marked, place = self.marked, listed.highlighted or 0
        self.shown = running(self.around.store, self.ref)
        listed.clear_options()
        listed.add_options([Option(self._line(one)) for one in self.shown])
        here = [i for i, one in enumerate(self.shown) if marked is not None and one.key == marked.key]
        listed.highlighted = here[0] if here else min(place, len(self.shown) - 1) if self.shown else None
        listed.display = bool(self.shown)
        none = self.query_one("#background-none", Static)
        none.display = not self.shown
        none.update(self._none())
        self.query_one(".list-keys", Static).update(hint_line(HINTS if self.shown else HINTS[-1:]))
        (self.clock.resume if self.shown else self.clock.pause)()

    def _none(self) -> str:
        session = self.around.store.sessions.get(self.ref)
        if session is not None and session.background is None:
            return "This agent does not say what runs beside its work."
        return "Nothing runs beside the work."

    @property
    def marked(self) -> Running | None:
        """The one under the mark."""
        index = self.query_one(OptionList).highlighted
        return self.shown[index] if index is not None and index < len(self.shown) else None

    def on_resize(self) -> None:
        """Other columns."""
        self.fill()

    def _line(self, one: Running) -> Content:
        """What at the left, how it stands and since when at the right."""
        width = max(30, min(100, self.size.width - 3) - 6)
        time = words.running(self.around.now() - one.since) if one.since is not None else ""
        facts = [one.kind, one.state, "" if one.background else "part of the work", time]
        right = " · ".join(fact for fact in facts if fact)
        left = Content.styled(one.title, "$foreground").truncate(
            max(10, width - len(right) - 2), ellipsis=True
        )
        return Content.assemble(left, " " * max(2, width - left.cell_length - len(right)), right)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open it whole; a subagent as its conversation."""
        event.stop()
        one = self.shown[event.option_index]
        entity = self.around.store.entity(one.key) if one.key is not None else None
        if isinstance(entity, Subagent):
            from acp_tui.ui.screens.child import ChildScreen

            self.app.push_screen(ChildScreen(entity.child, self.around))
        elif entity is not None:
            from acp_tui.ui.screens.detail import DetailScreen

            self.app.push_screen(DetailScreen(entity.key, self.around))

    def action_stop(self) -> None:
        """Ask for the end of the marked one."""
        one = self.marked
        if one is None or one.key is None:
            return
        intent = stoppable(self.around.store, one.key)
        if intent is None:
            self.post_message(Told(why_not(self.around.store, one.key)))
        else:
            self.around.do(intent)

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)
