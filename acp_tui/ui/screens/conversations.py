"""The conversations that are open, with what each of them does now; choose one, open another, end one.

The rows are made from the store, once a frame at most, and once a second while something elapses.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from acp_tui.render.clean import one_line
from acp_tui.render.words import count
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import CONNECTION, REQUESTS
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.screens.quit import QuitScreen
from acp_tui.ui.standing import Status
from acp_tui.ui.status import running_in, status
from acp_tui.ui.widgets.header import facts
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed
from acp_tui.ui.widgets.status_line import STYLES

if TYPE_CHECKING:
    from acp_tui.ui.chats import Chats

HINTS = (
    ("list.choose", "show"),
    ("conversations.new", "new"),
    ("conversations.end", "end it"),
    ("conversations.close", "back"),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One conversation."""

    agent: str
    folder: str
    title: str
    status: Status
    unread: int


def row(conversation: Conversation) -> Row:
    """What is to be said of it."""
    store, session = conversation.store, conversation.session
    known = facts(store, session)
    state = status(store, session, alone=True)
    return Row(known.agent, known.folder, known.title, state, conversation.unread)


class ConversationsScreen(Bound, ModalScreen[Conversation]):
    """Dismissed with the one to show."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("conversations")

    class NewWanted(Message):
        """Open another one."""

    @dataclass
    class EndWanted(Message):
        """End this one; the user is sure."""

        conversation: Conversation

    def __init__(self, chats: Chats) -> None:
        super().__init__()
        self.chats = chats

    def compose(self) -> ComposeResult:
        with Vertical(id="conversations"):
            yield Static("Conversations", id="conversations-title", markup=False)
            yield Listed(id="conversations-list", markup=False, compact=True)
            yield Static(hint_line(HINTS), id="conversations-keys")

    def on_mount(self) -> None:
        """Fill, and stay true."""
        self.clock = self.set_interval(1.0, self.fill, pause=True)
        for conversation in self.shown:
            watched = [Key(conversation.ref, kind) for kind in (Kind.SESSION, Kind.INFO, Kind.TIMELINE)]
            self.follow(conversation.store, lambda _: self.fill(), keys=[CONNECTION, REQUESTS, *watched])
        self.fill()
        listed = self.query_one(OptionList)
        here = self.chats.shown
        listed.highlighted = self.chats.screens.index(here) if here in self.chats.screens else 0
        listed.focus()

    @property
    def shown(self) -> list[Conversation]:
        """Those there are."""
        return [screen.conversation for screen in self.chats.screens]

    def fill(self) -> None:
        """The rows as they are now."""
        listed = self.query_one(OptionList)
        marked = listed.highlighted or 0
        rows = [row(one) for one in self.shown]
        listed.clear_options()
        listed.add_options([Option(self._line(number, one)) for number, one in enumerate(rows, 1)])
        listed.highlighted = min(marked, len(rows) - 1) if rows else None
        (self.clock.resume if any(one.status.ticks for one in rows) else self.clock.pause)()

    def on_resize(self) -> None:
        """Other columns."""
        self.fill()

    def _line(self, number: int, shown: Row) -> Content:
        """Who, where and what at the left, what it does now at the right."""
        width = max(30, min(100, self.size.width - 3) - 6)
        news = [count(shown.unread, "new entry", "new entries")] if shown.unread else []
        state = " · ".join([one_line(shown.status.line(self.chats.now()), 40), *news])
        right = Content.styled(state, STYLES[shown.status.mood])
        room = max(10, width - right.cell_length - 2)
        mark = f"{number}  " if number < 10 else "   "
        parts: list[str | tuple[str, str]] = [mark, (shown.agent, "bold $foreground")]
        parts += [" · ", (shown.title, "$foreground")] if shown.title else []
        parts += [f" · {shown.folder}"]
        left = Content.assemble(*parts).truncate(room, ellipsis=True)
        gap = max(1, width - cell_len(left.plain) - right.cell_length)
        return Content.assemble(left, " " * gap, right)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Show it."""
        event.stop()
        self.dismiss(self.shown[event.option_index])

    def action_choose(self, number: int) -> None:
        """By its number."""
        if number <= len(self.shown):
            self.dismiss(self.shown[number - 1])

    def action_new(self) -> None:
        """Another one."""
        self.dismiss(None)
        self.post_message(self.NewWanted())

    def action_end(self) -> None:
        """End the marked one; ask first if that ends more than words (BG-07)."""
        listed = self.query_one(OptionList)
        if listed.highlighted is None:
            return
        conversation = self.shown[listed.highlighted]
        session = conversation.session
        ends = running_in(session) if session is not None else []
        if self.chats.waiting(conversation):
            ends.append("what waits for your answer")
        if ends:
            self.app.push_screen(
                QuitScreen(ends, "End this conversation? This ends:", "end it", "keep it"),
                lambda sure: self._end(conversation) if sure else None,
            )
        else:
            self._end(conversation)

    def _end(self, conversation: Conversation) -> None:
        self.post_message(self.EndWanted(conversation))

    def action_close(self) -> None:
        """As it was."""
        self.dismiss(None)
