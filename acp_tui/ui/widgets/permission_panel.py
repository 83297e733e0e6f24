"""What the agent asks the user: one request at a time, the rest counted, answered in any order (PM-12).

Invariants: it shows a request that waits in the store, or nothing; nothing is preselected (PM-20); it takes
no more rows than it is given, in a chat half of the screen; in the first moments after it appeared, changed
or moved no key and no click answers, nor does a key that is held down. It takes no focus by itself: the
screen decides, which knows whether somebody is writing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from acp_tui.client.intents import RejectAndSay
from acp_tui.protocol.content import TextContent
from acp_tui.render.permission import asks_about
from acp_tui.store.entities import AgentRequest
from acp_tui.store.keys import Key
from acp_tui.store.store import REQUESTS, Store, Subscription
from acp_tui.ui import keys
from acp_tui.ui.asker import place, who_asks
from acp_tui.ui.binding import Bound
from acp_tui.ui.conversation import Link
from acp_tui.ui.standing import Hint
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.asked import Asked
from acp_tui.ui.widgets.heading import Heading
from acp_tui.ui.widgets.options import Option, Options, offered, only
from acp_tui.ui.widgets.pressing import Pressing
from acp_tui.ui.widgets.rejecting import Rejecting

MARGIN = 2
"""Cells left and right of the options (app.tcss)."""
TALL = 30
"""Rows of a screen from which on a blank one may set the options apart."""
NOBODY: tuple[str, ...] = ()
_REASONS: dict[str, str] = {
    "agent": "The agent took its request back",
    "cancel": "Answered “cancelled”: the work was cancelled",
    "close": "Answered “cancelled”: the session was closed",
    "": "The agent is gone, and its request with it",
}


def half(rows: int) -> int:
    """What a panel may take of a screen of so many rows."""
    return max(4, rows // 2)


class PermissionPanel(Bound, Rejecting, Vertical, can_focus=True):
    """The panel; hidden while nothing waits."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("panel")

    waiting: reactive[tuple[Key, ...]] = reactive(())

    class Emptied(Message):
        """Nothing waits any more."""

    class Left(Message):
        """Tab on the last request."""

    class Typed(Pressing.Typed):
        """Somebody writes here who does not mean to answer."""

    @dataclass
    class Chosen(Message):
        """The user chose; the screen sends it."""

        request: Key
        option: Option

    @dataclass
    class Rejected(Message):
        """The user rejects, by this option or none, and says why."""

        request: Key
        option_id: str | None
        why: str

        @property
        def intent(self) -> RejectAndSay:
            """What the screen sends."""
            return RejectAndSay(self.request, self.option_id, (TextContent(type="text", text=self.why),))

    @dataclass
    class Kept(Message):
        """What was written to a request that is gone: it belongs to the composer of its conversation."""

        link: Link
        request: Key
        text: str

    @dataclass
    class Opened(Message):
        """The user wants to see the request whole."""

        request: Key

    @dataclass
    class Withdrawn(Message):
        """A request left without the user's answer; why, in words."""

        request: Key
        reason: str

    def __init__(
        self, now: Callable[[], float], room: Callable[[int], int] = half, *, id: str | None = None
    ) -> None:
        super().__init__(now, id=id)
        self.room = room
        """Rows it may take of a screen that has so many."""
        self.link: Link | None = None
        self.appeared: Callable[[], object] = lambda: None
        """Called when it was empty and now shows a request: in the same moment, so that no picture shows the
        panel without the focus it is given.
        """
        self.here: Callable[[], Iterable[str]] = lambda: NOBODY
        """Sessions that are in sight: need not be named."""
        self.alone: Key | None = None
        """The one request that is to be shown; None: all of the agent."""
        self.subject: Subscription | None = None
        """Told when the tool call that is asked about changes."""
        self.clock: Timer | None = None
        self.place: tuple[int, int, int, int] = (0, 0, 0, 0)

    def compose(self) -> ComposeResult:
        yield Heading()
        yield Asked()
        yield Options()

    def on_mount(self) -> None:
        """Nothing is asked yet; the clock stands."""
        self.display = False
        self.clock = self.set_interval(1.0, self.tick, pause=True)
        self.screen.screen_layout_refresh_signal.subscribe(self, self.laid_out)
        self.watch(self.screen, "focused", self.focus_moved, init=False)

    @property
    def store(self) -> Store | None:
        """What is known of the agent."""
        return self.link.store if self.link is not None else None

    @property
    def written(self) -> dict[Key, str]:
        """Why requests are to be rejected, as far as it is written."""
        return self.link.written if self.link is not None else {}

    def show(
        self, link: Link, here: Callable[[], Iterable[str]] = lambda: NOBODY, alone: Key | None = None
    ) -> None:
        """Follow what this agent asks, or one request of it."""
        self.leave()
        self.link, self.here, self.alone = link, here, alone
        self.follow(link.store, self.changed, keys=[REQUESTS])
        self.subject = self.follow(link.store, self.subject_changed)
        self.changed(frozenset())

    def leave(self) -> None:
        """Show nothing any more; what waits waits on."""
        self.unfollow()
        self.request, self.waiting = None, ()

    def entity(self, key: Key | None) -> AgentRequest | None:
        """The request of that key."""
        found = self.store.entity(key) if self.store is not None and key is not None else None
        return found if isinstance(found, AgentRequest) else None

    def changed(self, _: frozenset[Key]) -> None:
        """The inbox changed: requests came or went."""
        listed = self.store.requests if self.store else ()
        requests = [self.entity(key) for key in listed if self.alone in (None, key)]
        now = tuple(r.key for r in requests if r is not None and r.method == "session/request_permission")
        standing = frozenset(now)
        for key in self.waiting:
            if key not in standing:
                self._gone(key)
        at = self.waiting.index(self.request) if self.request in self.waiting else 0
        self.waiting = now
        if self.request not in now:
            self.request = now[min(at, len(now) - 1)] if now else None
        self._number()

    def subject_changed(self, _: frozenset[Key]) -> None:
        """What is asked about is not what it was: show it, and listen to no key aimed at what was there."""
        request = self.entity(self.request)
        if request is not None:
            self.hush()
            self._show_asked(request)
            self.fit()

    def _gone(self, key: Key) -> None:
        request = self.entity(key)
        reason = "" if request is None else request.answered_by
        if reason != "user":
            self.post_message(self.Withdrawn(key, _REASONS.get(reason, _REASONS[""])))
        if self.link is not None and (text := self.written.pop(key, "")).strip():
            self.app.post_message(self.Kept(self.link, key, text))

    def watch_request(self, old: Key | None, new: Key | None) -> None:
        """Show another request, or none."""
        self.hush()
        self.stop_saying()
        self.display = new is not None
        request = self.entity(new)
        if request is not None:
            self.prepare()
        if self.clock is not None:
            (self.clock.resume if request else self.clock.pause)()
        if request is None:
            if old is not None:
                self.post_message(self.Emptied())
            return
        self.query_one(Options).show(offered(request.params.options))
        self._show_asked(request)
        self._watch_subject(request)
        self.tick()
        self.fit()
        if old is None:
            self.appeared()

    def _show_asked(self, request: AgentRequest) -> None:
        if self.store is not None:
            asked, heading = self.query_one(Asked), self.query_one(Heading)
            asked.show(request, self.store)
            heading.risks = asked.risks
            heading.who = who_asks(self.store, request, self.here())

    def _watch_subject(self, request: AgentRequest) -> None:
        if self.subject is not None and self.store is not None:
            about = asks_about(self.store, request.key)
            self.subject.set([about] if about is not None else [])

    def _number(self) -> None:
        """Among all that waits, forms too; the one request of a list that counts by itself has no number."""
        if self.store is not None and self.request is not None:
            alone = self.alone is not None
            self.query_one(Heading).place = (1, 1) if alone else place(self.store, self.request)

    def tick(self) -> None:
        """A second has passed."""
        request = self.entity(self.request)
        if request is not None:
            self.query_one(Heading).waited = int(max(0.0, self.now() - request.created_at))

    @property
    def hints(self) -> tuple[Hint, ...]:
        """What the keys do that matter now."""
        shown = len(self.query_one(Options).shown)
        if not shown:  # V1-32
            return (("panel.open", "whole"), ("chat.escape", "cancel work"))
        number = keys.span("panel.choose", shown)
        return self.hints_of_rejecting(number) or (
            (number, "answer"),
            ("panel.say", "why not"),
            ("panel.next_request", "read" if self.at_last else "next"),
            ("chat.escape", "cancel work"),
            ("panel.open", "whole"),
        )

    # Room

    def fit(self) -> None:
        """Divide the rows there are: heading, options, words; what is asked scrolls in the rest."""
        size = self.screen.size
        saying = self.saying.rows() if self.saying is not None else 0
        space = max(2, self.room(size.height) - 1 - saying)
        options = self.query_one(Options)
        rows = options.fit(size.width - 2 * MARGIN, max(1, space - 2))
        options.styles.height = rows
        asked = self.query_one(Asked)
        lines = asked.height_for(size.width - 1)
        room = max(1, min(lines, space - rows))
        asked.styles.height = room
        options.styles.margin = (int(size.height >= TALL and room < space - rows), 0, 0, 0)
        self.query_one(Heading).hidden = lines - room

    def on_resize(self) -> None:
        """More or less room."""
        if self.request is not None:
            self.fit()

    def laid_out(self, _: object) -> None:
        """If the panel moved, a click aimed at what was there before must not answer."""
        place = (*self.region.offset, *self.region.size)
        if place != self.place:
            self.place = place
            if self.request is not None:
                self.ear.appeared(self.now())

    # Answers

    def choose(self, option: Option | None, key: str) -> None:
        """Answer with this option, if the press may answer."""
        request = self.request
        if request is not None and option is not None and self.ear.hears(key, self.now()):
            self.soon(partial(self._answer, request, option, key))

    def _answer(self, request: Key, option: Option, key: str) -> None:
        self.pressed = None
        if request != self.request or self.ear.deaf(self.now()):
            return
        self.ear.answered(key, self.now())
        if self.why is None:
            self.post_message(self.Chosen(request, option))
        else:
            self.rejected(request, option.id, self.why)

    def on_paste(self, event: events.Paste) -> None:
        """A paste is writing, where it is not into the words of a rejection."""
        event.stop()
        if self.saying is None or not self.saying.has_focus_within:
            self.post_message(self.Typed(self.unpress() + event.text))

    def action_choose(self, number: int) -> None:
        """A number."""
        self.choose(self.query_one(Options).numbered(number), str(number))

    def action_allow(self) -> None:
        """The one option that allows once."""
        self.choose(self._meant("allow_once"), "a")

    def action_reject(self) -> None:
        """The one option that rejects once."""
        self.choose(self._meant("reject_once"), "r")

    def _meant(self, kind: str) -> Option | None:
        """By a letter, where it is the only one and in sight."""
        options = self.query_one(Options)
        option = only(options.options, kind)
        return option if option in options.shown else None

    def on_options_clicked(self, event: Options.Clicked) -> None:
        """A click on an option; the second click of a double click is none."""
        event.stop()
        if self.request is not None and self.ear.hears("click", self.now()):
            self._answer(self.request, event.option, "click")

    def reject(self, request: Key, option_id: str | None, why: str) -> None:
        """By this option, or none, and say why."""
        self.post_message(self.Rejected(request, option_id, why))

    # The rest of the keys

    def action_layout(self) -> None:
        """Diffs side by side, or in one column."""
        if self.query_one(Asked).turn():
            self.fit()
        else:
            self.post_message(Told("There is no diff here, or no room to show it side by side"))

    def action_more_options(self) -> None:
        """Number the next."""
        self.query_one(Options).next_page()
        self.ear.appeared(self.now())
        self.fit()

    def action_next_request(self) -> None:
        """The next one that waits; after the last, leave."""
        if self.at_last or self.request is None:
            self.post_message(self.Left())
        else:
            self.request = self.waiting[self.waiting.index(self.request) + 1]
            self._number()

    @property
    def at_last(self) -> bool:
        """No other request waits behind the one that is shown."""
        return self.request in self.waiting[-1:]

    def first_request(self) -> None:
        """Begin with the oldest again."""
        if self.waiting:
            self.request = self.waiting[0]
            self._number()

    def action_open(self) -> None:
        """The request whole, on a screen of its own."""
        if self.request is not None:
            self.soon(partial(self._open, self.request))

    def _open(self, request: Key) -> None:
        self.pressed = None
        self.post_message(self.Opened(request))

    def action_scroll_by(self, lines: int) -> None:
        """Scroll what is asked."""
        self.query_one(Asked).scroll_relative(y=lines, animate=False)

    def action_scroll_pages(self, pages: int) -> None:
        """Scroll what is asked by pages."""
        asked = self.query_one(Asked)
        asked.scroll_relative(y=pages * max(1, asked.size.height - 1), animate=False)

    # The focus

    @property
    def asked(self) -> bool:
        """Something waits here."""
        return self.request is not None

    def holds(self, widget: Widget | None) -> bool:
        """The focus is in it."""
        return widget is not None and self in widget.ancestors_with_self

    def begin(self) -> None:
        """Take the focus by itself: whoever did not see it come must not answer at once."""
        self.hush()
        self.screen.set_focus(self)

    def hush(self) -> None:
        """The first moments begin anew."""
        self.ear.appeared(self.now())
        self.fresh.appeared(self.now())

    def focus_moved(self, focused: Widget | None) -> None:
        """The numbers answer only here."""
        self.query_one(Options).awake = focused is self

    def on_focus(self, _: events.Focus) -> None:
        """Nobody writes yet."""
        self.writing = False
