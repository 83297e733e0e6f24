"""What the agent asks the user: one request at a time, the rest counted, answered in any order (PM-12).

Invariants: it shows a request that waits in the store, or nothing; nothing is preselected (PM-20); it
never takes more than half the screen; in the first moments after it appeared, changed or moved no key and
no click answers, nor does a key that is held down. It takes no focus by itself: the screen decides, which
knows whether somebody is writing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from acp_tui.render.clean import one_line
from acp_tui.render.permission import asks_about
from acp_tui.render.words import count as count_of
from acp_tui.render.words import running
from acp_tui.store.entities import AgentRequest
from acp_tui.store.keys import Key
from acp_tui.store.store import REQUESTS, Store, Subscription
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.deaf import Deafness
from acp_tui.ui.widgets.asked import Asked
from acp_tui.ui.widgets.options import Option, Options, offered, only

BURST = 0.15
"""Seconds within which a second key shows that somebody writes and does not answer."""
MARGIN = 2
"""Cells left and right of the options (app.tcss)."""
TALL = 30
"""Rows of a screen from which on a blank one may set the options apart."""
_REASONS: dict[str, str] = {
    "agent": "The agent took its request back",
    "cancel": "Answered “cancelled”: the work was cancelled",
    "close": "Answered “cancelled”: the session was closed",
    "": "The agent is gone, and its request with it",
}


class Heading(Widget):
    """The rule above the panel: who asks, which of how many, since when."""

    who: reactive[str] = reactive("")
    place: reactive[tuple[int, int]] = reactive((1, 1))
    waited: reactive[int] = reactive(0)
    hidden: reactive[int] = reactive(0)
    """Lines of what is asked that have no room: said in words, nothing is approved unseen (PM-21)."""

    def render(self) -> RenderResult:
        number, count = self.place
        parts = [f"{number} of {count}"] if count > 1 else []
        parts += [text] if (text := running(self.waited)) else []
        if self.hidden:
            parts.insert(0, f"{count_of(self.hidden, 'more line')} ↓")
        right = f" {' · '.join(parts)} ─" if parts else "─"
        left = f"─ {one_line(self.who, max(8, self.content_size.width - len(right) - 12))} asks "
        rule = "─" * max(0, self.content_size.width - len(right) - Content(left).cell_length)
        return Content.assemble((left, "bold $warning"), (rule, "$warning"), (right, "$warning"))


class PermissionPanel(Bound, Vertical, can_focus=True):
    """The panel; hidden while nothing waits."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("panel")

    request: reactive[Key | None] = reactive(None)
    waiting: reactive[tuple[Key, ...]] = reactive(())

    class Appeared(Message):
        """It was empty and now shows a request."""

    class Emptied(Message):
        """Nothing waits any more."""

    class Left(Message):
        """Tab on the last request."""

    @dataclass
    class Chosen(Message):
        """The user chose; the screen sends it."""

        request: Key
        option: Option

    @dataclass
    class Typed(Message):
        """Somebody writes here who does not mean to answer: the text belongs to the composer."""

        text: str

    @dataclass
    class Opened(Message):
        """The user wants to see the request whole."""

        request: Key

    @dataclass
    class Withdrawn(Message):
        """A request left without the user's answer; why, in words."""

        reason: str

    def __init__(self, now: Callable[[], float], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.now = now
        self.ear = Deafness()
        self.store: Store | None = None
        self.subject: Subscription | None = None
        """Told when the tool call that is asked about changes."""
        self.clock: Timer | None = None
        self.place: tuple[int, int, int, int] = (0, 0, 0, 0)
        self.pressed: tuple[str, Timer] | None = None
        """A key that answers in a moment, unless another one shows that somebody writes."""
        self.burst = ""
        """Characters that came close together, whatever they did: they may be the beginning of a text."""
        self.burst_at = float("-inf")
        self.writing = False
        """Somebody writes, and the focus is on its way to the composer."""

    def compose(self) -> ComposeResult:
        yield Heading()
        yield Asked()
        yield Options()

    def on_mount(self) -> None:
        """Nothing is asked yet; the clock stands."""
        self.display = False
        self.clock = self.set_interval(1.0, self.tick, pause=True)
        self.screen.screen_layout_refresh_signal.subscribe(self, self.laid_out)

    def show(self, store: Store) -> None:
        """Follow the inbox of this store."""
        self.unfollow()
        self.store = store
        self.follow(store, self.changed, keys=[REQUESTS])
        self.subject = self.follow(store, self.subject_changed)
        self.changed(frozenset())

    def entity(self, key: Key | None) -> AgentRequest | None:
        """The request of that key."""
        found = self.store.entity(key) if self.store is not None and key is not None else None
        return found if isinstance(found, AgentRequest) else None

    def changed(self, _: frozenset[Key]) -> None:
        """The inbox changed: requests came or went."""
        requests = [self.entity(key) for key in (self.store.requests if self.store else ())]
        now = tuple(r.key for r in requests if r is not None and r.method == "session/request_permission")
        for key in self.waiting:
            if key not in now:
                self._tell_why(key)
        at = self.waiting.index(self.request) if self.request in self.waiting else 0
        self.waiting = now
        if self.request not in now:
            self.request = now[min(at, len(now) - 1)] if now else None
        self._number()

    def subject_changed(self, _: frozenset[Key]) -> None:
        """What is asked about is not what it was: show it, and listen to no key aimed at what was there."""
        request = self.entity(self.request)
        if request is not None and self.store is not None:
            self.ear.appeared(self.now())
            self.query_one(Asked).show(request, self.store)
            self.fit()

    def _tell_why(self, key: Key) -> None:
        request = self.entity(key)
        reason = "" if request is None else request.answered_by
        if reason != "user":
            self.post_message(self.Withdrawn(_REASONS.get(reason, _REASONS[""])))

    def watch_request(self, old: Key | None, new: Key | None) -> None:
        """Show another request, or none."""
        self.ear.appeared(self.now())
        self.display = new is not None
        request = self.entity(new)
        if self.clock is not None:
            (self.clock.resume if request else self.clock.pause)()
        if request is None:
            if old is not None:
                self.post_message(self.Emptied())
            return
        options = self.query_one(Options)
        options.page, options.options = 0, offered(request.params.options)
        if self.store is not None:
            self.query_one(Asked).show(request, self.store)
        self.query_one(Heading).who = self._who(request)
        self._watch_subject(request)
        self.tick()
        self.fit()
        if old is None:
            self.post_message(self.Appeared())

    def _watch_subject(self, request: AgentRequest) -> None:
        if self.subject is not None and self.store is not None:
            about = asks_about(self.store, request.key)
            self.subject.set([about] if about is not None else [])

    def _who(self, request: AgentRequest) -> str:
        """The agent, and the session's title where it is not the one in sight."""
        assert self.store is not None
        session = self.store.sessions.get(request.key.session)
        name = self.store.connection.agent_name
        if session is not None and session.parent is not None:
            return f"{session.info.title or 'a subagent'} of {name}"
        return name

    def _number(self) -> None:
        if self.request in self.waiting:
            self.query_one(Heading).place = (self.waiting.index(self.request) + 1, len(self.waiting))

    def tick(self) -> None:
        """A second has passed."""
        request = self.entity(self.request)
        if request is not None:
            self.query_one(Heading).waited = int(max(0.0, self.now() - request.created_at))

    # Room

    def fit(self) -> None:
        """Divide at most half of the screen: heading and options; what is asked scrolls in the rest."""
        half = max(4, self.screen.size.height // 2)
        width = self.screen.size.width
        options = self.query_one(Options)
        rows = min(len(options.rows(width - 2 * MARGIN)), max(1, half - 3))
        options.styles.height = rows
        asked = self.query_one(Asked)
        lines = asked.height_for(width - 1)
        room = max(1, min(lines, half - 1 - rows))
        asked.styles.height = room
        air = self.screen.size.height >= TALL and room < half - 1 - rows
        options.styles.margin = (int(air), 0, 0, 0)
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
            self.soon(key, partial(self._answer, request, option, key))

    def _answer(self, request: Key, option: Option, key: str) -> None:
        self.pressed = None
        if request == self.request and not self.ear.deaf(self.now()):
            self.ear.answered(key, self.now())
            self.post_message(self.Chosen(request, option))

    def soon(self, key: str, deed: Callable[[], None]) -> None:
        """Do it unless the next key comes at once: who writes presses several, who answers presses one."""
        self.unpress()
        self.pressed = pressed = (key, self.set_timer(BURST, lambda: self._after_keys(ripe)))

        def ripe() -> None:
            if self.pressed is pressed:
                deed()

    def _after_keys(self, done: Callable[[], None]) -> None:
        """Call this behind the keys that already wait: a program that was busy must not take the first key of
        a burst for a single one.
        """
        self.app.call_later(self.call_later, done)

    def unpress(self) -> str:
        """Take back a key that has not done anything yet."""
        pressed, self.pressed = self.pressed, None
        if pressed is None:
            return ""
        pressed[1].stop()
        return pressed[0]

    async def on_key(self, event: events.Key) -> None:
        """Keys that mean nothing here, and keys that come in a burst, are writing, from the first of them.

        What a key does it does here and now: the next one, right behind it, must find it pressed.
        """
        if not event.is_printable or event.character is None:
            return
        at = self.now()
        self.burst = self.burst + event.character if at - self.burst_at <= BURST else event.character
        self.burst_at = at
        if self.pressed is not None and event.key == self.pressed[0]:
            return  # held down
        bound = self.screen.active_bindings.get(event.key)
        if self.unpress() or self.writing or bound is None:
            event.stop()
            event.prevent_default()
            self.post_message(self.Typed(self.burst))
            self.burst, self.writing = "", True
        elif bound.node is self:
            event.stop()
            event.prevent_default()
            await self.app.run_action(bound.binding.action, self)

    def on_paste(self, event: events.Paste) -> None:
        """A paste is writing."""
        event.stop()
        self.post_message(self.Typed(self.unpress() + event.text))

    def action_choose(self, number: int) -> None:
        """A number."""
        self.choose(self.query_one(Options).numbered(number), str(number))

    def action_allow(self) -> None:
        """The one option that allows once."""
        self.choose(only(self.query_one(Options).options, "allow_once"), "a")

    def action_reject(self) -> None:
        """The one option that rejects once."""
        self.choose(only(self.query_one(Options).options, "reject_once"), "r")

    def on_options_clicked(self, event: Options.Clicked) -> None:
        """A click on an option; the second click of a double click is none."""
        event.stop()
        if self.request is not None and self.ear.hears("click", self.now()):
            self._answer(self.request, event.option, "click")

    # The rest of the keys

    def action_more_options(self) -> None:
        """Number the next nine."""
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
            self.soon("o", partial(self._open, self.request))

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

    def on_focus(self, _: events.Focus) -> None:
        """The numbers answer now."""
        self.writing = False
        self.query_one(Options).awake = True

    def on_blur(self, _: events.Blur) -> None:
        """The numbers belong to the composer now."""
        self.query_one(Options).awake = False
