"""All that waits for the user, of every agent: listed, the oldest first, and answered here in any order; on a
second tab who was answered what in this run, when and by whom.

Invariants: the list is what the stores say, once a frame at most; a request that is open is shown by the
panel of the chat, with all its rules about keys and clicks; what is written there is kept when it is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from acp_tui.client.intents import AnswerPermission
from acp_tui.render.look import FALLBACK, Look
from acp_tui.render.words import clock, running
from acp_tui.store.keys import Key
from acp_tui.store.store import REQUESTS
from acp_tui.ui import keys
from acp_tui.ui.asker import top
from acp_tui.ui.binding import Bound
from acp_tui.ui.detail.around import around
from acp_tui.ui.inbox import Answered, Inbox, Waiting
from acp_tui.ui.screens.page import Line, PageText
from acp_tui.ui.standing import Hint
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.asked import Asked
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed
from acp_tui.ui.widgets.permission_panel import PermissionPanel

if TYPE_CHECKING:
    from acp_tui.ui.chats import Chats
    from acp_tui.ui.conversation import Conversation

_INDENT = 9
_LISTED: tuple[Hint, ...] = (("list.choose", "answer"), ("inbox.conversation", "its conversation"))
_ROOM = 2
"""Rows of the screen that are not the panel's."""


class Log(PageText):
    """What was answered; it grows."""

    def show(self, lines: Iterable[Line]) -> None:
        """These lines, from now on."""
        self.source = list(lines)
        self.wrapped_at = 0
        if self.size.width:
            self.on_resize()
            self.refresh()


class InboxScreen(Bound, Screen[None]):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("inbox")

    def __init__(self, inbox: Inbox, chats: Chats) -> None:
        super().__init__()
        self.inbox = inbox
        self.chats = chats
        self.answers = False
        """The second tab."""
        self.listed: list[Waiting] = []
        self.opened: Waiting | None = None
        self.answered = 0

    def compose(self) -> ComposeResult:
        yield Static(id="inbox-tabs")
        yield Static(id="inbox-empty", markup=False)
        yield Listed(id="inbox-list", markup=False, compact=True)
        yield Log(())
        yield PermissionPanel(self.chats.now, lambda rows: rows - _ROOM)
        yield Static(id="inbox-keys")

    def on_mount(self) -> None:
        """Fill, and stay true."""
        self.clock = self.set_interval(1.0, self.fill, pause=True)
        self.query_one(Asked).look = self._look
        for store in self.chats.stores:
            self.follow(store, self.changed, keys=[REQUESTS])
        for name in ("request", "why"):
            self.watch(self.panel, name, self.tell_keys, init=False)
        self.changed(frozenset())

    @property
    def panel(self) -> PermissionPanel:
        """Where one is answered."""
        return self.query_one(PermissionPanel)

    def _look(self) -> Look:
        shown = self.chats.shown
        return shown.transcript.look if shown is not None else FALLBACK

    # What is shown

    def changed(self, _: frozenset[Key]) -> None:
        """Requests came or went."""
        answered = self.inbox.answered()
        self.answered = len(answered)
        self.query_one(Log).show(line for one in answered for line in log_lines(one))
        self.fill(self.inbox.waiting())
        self.settle()

    def fill(self, listed: list[Waiting] | None = None) -> None:
        """The rows as they are now; the mark stays on the request it is on."""
        marked = self.marked
        self.listed = self.listed if listed is None else listed
        rows = self.query_one(OptionList)
        rows.clear_options()
        rows.add_options([Option(self._row(one)) for one in self.listed])
        keys = [one.request.key for one in self.listed]
        if self.listed:
            known = marked is not None and marked.request.key in keys
            rows.highlighted = keys.index(marked.request.key) if known and marked is not None else 0
        ticks = bool(self.listed) and not self.answers and self.opened is None
        (self.clock.resume if ticks else self.clock.pause)()

    @property
    def marked(self) -> Waiting | None:
        """The one under the mark."""
        at = self.query_one(OptionList).highlighted
        return self.listed[at] if at is not None and at < len(self.listed) else None

    def _row(self, one: Waiting) -> Content:
        """Since when and what, below it who."""
        since = running(self.chats.now() - one.request.created_at).rjust(_INDENT - 2)
        width = max(20, self.size.width - _INDENT - 2)
        kind = "" if one.asks else "a form · "
        title = Content.styled(one.what, "bold $foreground").truncate(width, ellipsis=True)
        who = Content.styled(f"{kind}{one.who}", "$text-muted").truncate(width, ellipsis=True)
        return Content.assemble((since, "$warning"), "  ", title, "\n", " " * _INDENT, who)

    def settle(self) -> None:
        """One of three: the request that is open, what waits, what was answered."""
        opened = self.opened is not None
        nothing = not (self.answered if self.answers else self.listed)
        empty = self.query_one("#inbox-empty", Static)
        empty.display = not opened and nothing
        empty.update("Nothing was answered in this run." if self.answers else "Nothing waits for you.")
        rows, log = self.query_one(OptionList), self.query_one(Log)
        rows.display = not opened and not self.answers and not nothing
        log.display = not opened and self.answers and not nothing
        if not opened:
            self.set_focus(rows if rows.display else log if log.display else None)
        here, there = "bold $accent", "$text-muted"
        self.query_one("#inbox-tabs", Static).update(
            Content.assemble(
                (f"Waiting {len(self.listed)}", there if self.answers else here),
                "   ",
                (f"Answered {self.answered}", here if self.answers else there),
            )
        )
        self.tell_keys()

    def tell_keys(self) -> None:
        """What the next key does."""
        other = "what waits" if self.answers else "what was answered"
        hints: tuple[Hint, ...] = (("inbox.turn", other), ("inbox.close", "back"))
        if self.opened is not None:
            hints = tuple(
                ("inbox.close", "back to the list") if key == "chat.escape" else (key, what)
                for key, what in self.panel.hints
            )
        elif not self.answers and self.listed:
            hints = (*_LISTED, *hints)
        self.query_one("#inbox-keys", Static).update(hint_line(hints))

    def on_resize(self) -> None:
        """Other columns."""
        self.fill()

    def on_descendant_focus(self) -> None:
        """The keys that matter are those of what has the focus."""
        self.tell_keys()

    # Opening and answering

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Open it; a form is filled in where its conversation is."""
        event.stop()
        one = self.listed[event.option_index]
        if one.asks:
            self.open(one)
        else:
            self._show(one)

    def open(self, one: Waiting) -> None:
        """Whole, and to be answered."""
        self.opened = one
        self.panel.show(one.link, alone=one.request.key)
        self.settle()
        self.set_focus(self.panel)

    def shut(self) -> None:
        """Back to the list; the request waits on."""
        self.panel.leave()

    def on_permission_panel_emptied(self) -> None:
        """It was answered, or left by itself, or is left for later."""
        self.opened = None
        self.settle()

    def on_permission_panel_chosen(self, event: PermissionPanel.Chosen) -> None:
        """Answer."""
        if self.opened is not None:
            self.opened.link.agent.do(AnswerPermission(event.request, event.option.id))

    def on_permission_panel_rejected(self, event: PermissionPanel.Rejected) -> None:
        """Answer, and say why."""
        if self.opened is not None:
            self.opened.link.agent.do(event.intent)

    def on_permission_panel_left(self) -> None:
        """Tab: the next that waits; after the last the list."""
        asking = [one for one in self.listed if one.asks]
        here = [n for n, one in enumerate(asking) if one.request.key == self.panel.request]
        after = asking[here[0] + 1 :] if here else []
        self.shut()
        if after:
            self.call_later(self.open, after[0])

    def on_permission_panel_opened(self, event: PermissionPanel.Opened) -> None:
        """On the detail screen."""
        from acp_tui.ui.screens.detail import DetailScreen

        conversation = self._conversation(self.opened) if self.opened is not None else None
        if conversation is not None:
            self.app.push_screen(DetailScreen(event.request, around(conversation)))

    def on_permission_panel_typed(self) -> None:
        """There is nothing to write here."""
        self.post_message(
            Told(f"Nothing is answered by several keys at once; {keys.hint('panel.say')} writes")
        )

    # Keys

    def action_close(self) -> None:
        """The nearest open thing, else back."""
        if self.opened is not None:
            self.shut()
        else:
            self.dismiss(None)

    def action_leave(self) -> None:
        """Back."""
        self.action_close()

    def action_turn(self) -> None:
        """The other tab."""
        if self.opened is None:
            self.answers = not self.answers
            self.fill()
            self.settle()

    def action_conversation(self) -> None:
        """Of the marked one."""
        one = self.opened or (None if self.answers else self.marked)
        if one is not None:
            self._show(one)

    def _conversation(self, one: Waiting) -> Conversation | None:
        """Any of the agent's, where it asks for none of them."""
        holder = one.link.holder(top(one.link.store, one.request.key.session))
        return holder or next(iter(one.link.conversations), None)

    def _show(self, one: Waiting) -> None:
        conversation = self._conversation(one)
        screen = self.chats.of(conversation) if conversation is not None else None
        if screen is not None:
            self.dismiss(None)
            self.chats.show(screen)


def log_lines(one: Answered) -> Iterator[Line]:
    """When, what, and the answer; below it who asked and by whom it was answered."""
    left = " " * (_INDENT - 2)
    yield "", f"{clock(one.at).ljust(_INDENT - 2)}{one.answer}: {one.what}", _INDENT
    yield "dim", f"{left}{one.by} · {one.who}", _INDENT
    if one.why:
        yield "dim", f"{left}“{one.why}”", _INDENT
