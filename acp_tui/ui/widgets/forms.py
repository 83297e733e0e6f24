"""Where forms and addresses of the agent stand in a chat: nothing until one waits, then one panel.

What waits is the store's word, what was typed the link's: this only shows it, counts it and sends the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from acp_tui.client.intents import AnswerElicitation
from acp_tui.protocol.elicitation import ElicitationFormMode, ElicitationUrlMode
from acp_tui.render.clean import one_line
from acp_tui.store.entities import AgentRequest
from acp_tui.store.keys import Key
from acp_tui.store.store import REQUESTS, Subscription
from acp_tui.ui.asker import asker, place, top
from acp_tui.ui.binding import Bound
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.standing import Hint
from acp_tui.ui.told import Told

if TYPE_CHECKING:
    from acp_tui.services.forms import Filling
    from acp_tui.ui.widgets.form_panel import FormPanel

_REASONS: dict[str, str] = {
    "agent": "The agent took its form back",
    "cancel": "Closed: the work was cancelled",
    "close": "The form is closed: what it belonged to has ended",
    "": "The agent is gone, and its form with it",
}
OTHERS = 5
"""Rows that a panel always leaves to the rest: header, status and some of the transcript."""
LEAST = 5
"""Rows a panel has at least."""


class Forms(Bound, Vertical):
    """See the module."""

    DEFAULT_CSS = "Forms { height: auto; display: none; }"

    class Emptied(Message):
        """Nothing waits any more."""

    @dataclass
    class Left(Message):
        """To the next place, the one before, or (0) back to writing."""

        step: int

    @dataclass
    class Typed(Message):
        """Somebody writes: it belongs to the composer."""

        text: str

    def __init__(self, conversation: Conversation, appeared: Callable[[Forms], object]) -> None:
        super().__init__()
        self.appeared = appeared
        """Called when there was none and now one is shown: in the same moment, so that no picture shows it
        without the focus it is given.
        """
        self.conversation = conversation
        self.waiting: tuple[Key, ...] = ()
        self.panel: FormPanel | None = None
        self.agreed: Subscription | None = None
        """Told of addresses the user agreed to open."""
        self.clock: Timer | None = None

    def on_mount(self) -> None:
        """Follow what waits."""
        self.clock = self.set_interval(1.0, self.tick, pause=True)
        self.agreed = self.follow(self.conversation.store, self.completed)
        self.follow(self.conversation.store, self.changed, keys=[REQUESTS])
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _: self.fit())
        self.changed(frozenset())

    # For the screen

    @property
    def asked(self) -> bool:
        """Something waits here."""
        return self.panel is not None and self.display

    def holds(self, widget: Widget | None) -> bool:
        """The focus is in it."""
        return widget is not None and self in widget.ancestors

    def begin(self, *, last: bool = False) -> None:
        """Take the focus."""
        if self.panel is not None:
            self.panel.begin(last=last)

    def hush(self) -> None:
        """The first moments begin anew."""
        if self.panel is not None:
            self.panel.ear.appeared(self.conversation.now())

    @property
    def hints(self) -> tuple[Hint, ...]:
        """The keys that matter while it has the focus."""
        return self.panel.hints if self.panel is not None else ()

    # What waits

    def request(self, key: Key) -> AgentRequest | None:
        """The elicitation of that key."""
        found = self.conversation.store.entity(key)
        return found if isinstance(found, AgentRequest) and found.method == "elicitation/create" else None

    def changed(self, _: frozenset[Key]) -> None:
        """Requests came or went."""
        now = tuple(key for key in self.conversation.store.requests if self.request(key) is not None)
        standing = frozenset(now)
        for key in self.waiting:
            if key not in standing:
                self._gone(key)
        at = self._place
        self.waiting = now
        if self.panel is None or self.panel.request.key not in now:
            self._show(now[min(at, len(now) - 1)] if now else None)
        self.tick()

    @property
    def _place(self) -> int:
        key = self.panel.request.key if self.panel is not None else None
        return self.waiting.index(key) if key in self.waiting else 0

    def _gone(self, key: Key) -> None:
        """What was typed goes with the request (EL-18); if not the user answered it, say who."""
        self.conversation.link.forms.pop(key, None)
        request = self.request(key)
        by = request.answered_by if request is not None else ""
        holder = self.conversation.link.holder(top(self.conversation.store, key.session))
        if by != "user" and holder in (self.conversation, None):
            self.post_message(Told(_REASONS.get(by, _REASONS[""])))

    def _show(self, key: Key | None) -> None:
        """Show another one, or none. The first is in sight only when all of it is there."""
        before, focused = self.panel, self.holds(self.screen.focused)
        self.panel = self._panel(key) if key is not None else None
        self.display = self.display and self.panel is not None
        if before is not None:
            before.remove()
        if self.panel is not None:
            self.panel.made = partial(self._shown, self.panel, before is None, focused)
            self.mount(self.panel)
        elif before is not None:
            self.post_message(self.Emptied())
        if self.clock is not None:
            (self.clock.resume if self.panel is not None else self.clock.pause)()

    def _shown(self, panel: FormPanel, first: bool, focused: bool) -> None:
        if panel is not self.panel:
            return
        self.display = True
        self.fit()
        self.tick()
        if first:
            self.appeared(self)
        elif focused:
            self.begin()

    def _panel(self, key: Key) -> FormPanel | None:
        from acp_tui.ui.widgets.form_panel import FormPanel  # few agents ask for anything

        request = self.request(key)
        if request is None:
            return None
        who = asker(self.conversation.store, key.session, self.conversation.refs())
        return FormPanel(request, self._filling(request), who, self.conversation.now)

    def _filling(self, request: AgentRequest) -> Filling | None:
        """What was typed into it so far, also on another screen."""
        from acp_tui.services.forms import Filling, form_of

        if not isinstance(request.params, ElicitationFormMode):
            return None
        kept = self.conversation.link.forms
        if request.key not in kept:
            kept[request.key] = Filling(form_of(request.params.requested_schema))
        return kept[request.key]

    def tick(self) -> None:
        """A second has passed, or the number of those that wait is another."""
        if self.panel is None or not self.panel.is_mounted:
            return
        request, heading = self.panel.request, self.panel.heading
        heading.place = place(self.conversation.store, request.key)
        heading.waited = int(max(0.0, self.conversation.now() - request.created_at))

    def fit(self) -> None:
        """At most half of the screen, and less beside another panel."""
        if self.panel is None or not self.panel.is_mounted:
            return
        rows = self.screen.size.height
        taken = sum(
            one.outer_size.height
            for one in self.screen.children
            if one is not self and one.display and one.styles.height is not None and one.styles.height.is_auto
        )
        self.panel.fit(max(LEAST, min(rows // 2, rows - taken - OTHERS)))

    # What the user does

    def on_form_panel_left(self, event: FormPanel.Left) -> None:
        """Past the last field: the next one that waits, else the next place."""
        event.stop()
        there = self._place + event.step
        if event.step > 0 and there < len(self.waiting):
            self._show(self.waiting[there])
            self.tick()
        else:
            self.post_message(self.Left(event.step))

    def first(self) -> None:
        """Begin with the oldest again."""
        if self.panel is not None and self.waiting and self.panel.request.key != self.waiting[0]:
            self._show(self.waiting[0])

    def on_form_panel_typed(self, event: FormPanel.Typed) -> None:
        """Not for the form."""
        event.stop()
        self.post_message(self.Typed(event.text))

    def on_form_panel_copied(self, event: FormPanel.Copied) -> None:
        """The user opens it himself."""
        event.stop()
        self._copy(event.url, "Copied: open it in a browser")

    def _copy(self, url: str, title: str) -> None:
        self.app.copy_to_clipboard(url)
        self.post_message(Told(url, title))

    def on_form_panel_answered(self, event: FormPanel.Answered) -> None:
        """Answer, and open the address if that was meant."""
        event.stop()
        request = event.request
        self.conversation.do(AnswerElicitation(request.key, event.action, event.content))
        if isinstance(request.params, ElicitationUrlMode) and event.action == "accept":
            if self.agreed is not None:
                self.agreed.set({*self.agreed.keys, request.key})
            if event.browse:
                self._browse(request.params.url)

    def _browse(self, url: str) -> None:
        from acp_tui.ui.browser import browse

        def work() -> None:
            if not browse(url, self.conversation.env):
                self.app.call_from_thread(self._copy, url, "No browser here: copied")

        self.run_worker(work, thread=True)

    def completed(self, keys: frozenset[Key]) -> None:
        """The agent says that what an address asked for is done (EL-13)."""
        for key in keys:
            request = self.request(key)
            if request is not None and request.completed_at is not None and self.agreed is not None:
                self.agreed.set(self.agreed.keys - {key})
                self.post_message(Told(one_line(request.params.message, 200), "Done, says the agent"))
