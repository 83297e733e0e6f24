"""Prompts that wait here, or may not have arrived, above the composer: where each of them is, and what can be
done with it.

Invariants: it shows the store and owns only the mark; it is there only while there is something in it; what
is held or uncertain leaves only by a key pressed here (LC-08, PR-17). Mounted when it is first needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from acp_tui.client.intents import (
    Dismiss,
    EditWaiting,
    Intent,
    LookAgain,
    MoveWaiting,
    ReleaseQueue,
    SendAgain,
    SendHeld,
    Withdraw,
)
from acp_tui.client.queue import alone
from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.look import Look, act
from acp_tui.render.wrap import Run, cut, size_of, spread
from acp_tui.store.entities import Submission
from acp_tui.store.keys import Key
from acp_tui.store.session import Session
from acp_tui.store.store import CONNECTION, REQUESTS
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.standing import Hint
from acp_tui.ui.told import Told
from acp_tui.ui.writing.sending import ONE_AT_A_TIME

LISTED = ("queued", "held", "uncertain")
ROWS = 8
"""Prompts shown at once; a sixth of the screen if that is less."""


@dataclass(frozen=True, slots=True)
class Item:
    """One prompt as it is shown; the store may know more by the next frame."""

    key: Key
    status: str
    reason: str
    line: str
    """Its words on one line, and what else there is of it."""


_AWAY: dict[str, Hint] = {
    "queued": ("chat.next_place", "edit, move, remove"),
    "held": ("chat.next_place", "send on, edit, remove"),
    "uncertain": ("chat.next_place", "look again, send again"),
}
_HERE: dict[str, tuple[Hint, ...]] = {
    "queued": (
        ("outbox.edit", "edit"),
        ("outbox.remove", "remove"),
        ("outbox.send_now", "send now"),
        ("outbox.earlier outbox.later", "move"),
    ),
    "held": (
        ("outbox.send", "send on"),
        ("outbox.edit", "edit"),
        ("outbox.remove", "remove"),
        ("outbox.send_now", "only this"),
    ),
    "uncertain": (
        ("outbox.look_again", "look again"),
        ("outbox.send", "send again"),
        ("outbox.remove", "dismiss"),
        ("outbox.edit", "edit"),
    ),
}


def listed(session: Session | None) -> tuple[Item, ...]:
    """What is shown, in the order it will leave; what may not have arrived first."""
    if session is None:
        return ()
    found = (session.entities.get(key) for key in session.tail)
    tail = [one for one in found if isinstance(one, Submission) and one.status in LISTED]
    return tuple(_item(one) for one in sorted(tail, key=lambda one: one.status != "uncertain"))


def _item(one: Submission) -> Item:
    lines = one.text.count("\n")
    others = len(one.blocks) - sum(block.type == "text" for block in one.blocks)
    more = f" (+{words.count(lines, 'line')})" if lines else ""
    more += f" (+{words.count(others, 'attachment')})" if others else ""
    return Item(one.key, one.status, one_line(one.reason, 200), one_line(one.text, 300) + more)


class Outbox(Bound, Widget, can_focus=True):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("outbox")

    items: reactive[tuple[Item, ...]] = reactive((), layout=True)
    asked: reactive[bool] = reactive(False, layout=True)
    """A request waits: that comes first, so only the head is shown."""
    marked: reactive[Key | None] = reactive(None)

    class Left(Message):
        """Back to writing."""

    @dataclass
    class Opened(Message):
        """The user wants the whole of one."""

        key: Key

    def __init__(self, conversation: Conversation, look: Callable[[], Look]) -> None:
        super().__init__()
        self.conversation = conversation
        self.look = look
        """The look of the transcript."""

    def on_mount(self) -> None:
        """Follow the session."""
        self.show_session()

    def show_session(self) -> None:
        """Follow the session that the conversation has now."""
        self.unfollow()
        store, ref = self.conversation.store, self.conversation.ref
        self.follow(store, self.changed, [CONNECTION, REQUESTS], [ref])
        self.changed(frozenset())

    def changed(self, _: frozenset[Key]) -> None:
        """As it is now; the mark stays on its prompt, or goes to the one in its place."""
        place, before = self.place, bool(self.items)
        self.items = listed(self.conversation.session)
        self.asked = bool(self.conversation.store.requests)
        if self.items and self.marked not in {one.key for one in self.items}:
            self.marked = self.items[min(place, len(self.items) - 1)].key
        if before and not self.items and self.has_focus:
            self.post_message(self.Left())
        self.display = bool(self.items)

    @property
    def place(self) -> int:
        """Where the mark is; 0 if it is nowhere."""
        return next((i for i, one in enumerate(self.items) if one.key == self.marked), 0)

    @property
    def one(self) -> Item | None:
        """The marked one."""
        return self.items[self.place] if self.items else None

    # Keys

    def action_mark(self, by: int) -> None:
        """Another one."""
        if self.items:
            self.marked = self.items[max(0, min(self.place + by, len(self.items) - 1))].key

    def action_send(self) -> None:
        """All that is held, one after the other; or this one once more."""
        one = self.one
        if one is None or not self._can_send():
            return
        if one.status == "held":
            self._do(ReleaseQueue(self.conversation.ref))
        elif one.status == "uncertain":
            self._do_at_rest(SendAgain(one.key))
        else:
            self.action_send_now()

    def action_send_now(self) -> None:
        """This one, ahead of the others."""
        one = self.one
        if one is None or not self._can_send():
            return
        if one.status == "uncertain":
            self._do_at_rest(SendAgain(one.key))
        elif one.status == "held":
            self._do(SendHeld(one.key))
        else:
            self._do_at_rest(SendHeld(one.key))

    def action_edit(self) -> None:
        """Back into the composer."""
        if self.one is not None:
            self._do(Withdraw(self.one.key))
            self.post_message(self.Left())

    def action_look_again(self) -> None:
        """What became of it?"""
        if self.one is not None and self.one.status == "uncertain" and self._can_send():
            self._do(LookAgain(self.conversation.ref))

    def action_remove(self) -> None:
        """Away with it."""
        one = self.one
        if one is not None:
            self._do(Dismiss(one.key) if one.status == "uncertain" else EditWaiting(one.key, ()))

    def action_shift(self, by: int) -> None:
        """Earlier or later."""
        if self.one is not None:
            self._do(MoveWaiting(self.one.key, by))

    def action_open(self) -> None:
        """The whole of it."""
        if self.one is not None:
            self.post_message(self.Opened(self.one.key))

    def action_leave(self) -> None:
        """Back to writing."""
        self.post_message(self.Left())

    def on_click(self, event: events.Click) -> None:
        """Mark what is clicked."""
        action = event.style.meta.get("act", ())
        if action[:1] == ("mark",):
            self.marked = self.items[min(int(action[1]), len(self.items) - 1)].key

    def _do(self, intent: Intent) -> None:
        self.conversation.do(intent)

    def _do_at_rest(self, intent: Intent) -> None:
        """What an agent that takes one prompt at a time cannot have while it works."""
        session = self.conversation.session
        if session is not None and alone(self.conversation.store, session):
            self.post_message(Told(ONE_AT_A_TIME))
        else:
            self._do(intent)

    def _can_send(self) -> bool:
        """There is somebody to send to; else say so."""
        session = self.conversation.session
        if not self.conversation.gone and session is not None and session.phase == "open":
            return True
        again = keys.hint("chat.restart")
        self.post_message(Told(f"There is nobody to send it to. {again} starts the agent again."))
        return False

    # Drawing

    def on_focus(self) -> None:
        """Its keys, and more of its rows."""
        self.refresh(layout=True)

    def on_blur(self) -> None:
        """The way here."""
        self.refresh(layout=True)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """The head, and a row for each that is shown."""
        return 1 + len(self._window())

    def _window(self) -> range:
        """Which of them are shown: the marked one always is."""
        if self.asked and not self.has_focus:
            return range(0)
        room = min(ROWS, max(2, self.screen.size.height // 6))
        first = max(0, min(self.place - room // 2, len(self.items) - room))
        return range(first, min(first + room, len(self.items)))

    def render_line(self, y: int) -> Strip:
        width, look = self.size.width, self.look()
        window = self._window()
        if y == 0 or y > len(window):
            return self._head(len(window), width, look) if y == 0 else Strip.blank(width, look.base)
        return self._row(window[y - 1], width, look)

    def _head(self, shown: int, width: int, look: Look) -> Strip:
        counts = {status: sum(one.status == status for one in self.items) for status in LISTED}
        said = {
            "uncertain": f"{counts['uncertain']} may not have arrived",
            "held": f"{counts['held']} held",
            "queued": f"{counts['queued']} queued",
        }
        parts = [text for status, text in said.items() if counts[status]]
        if 0 < shown < len(self.items):
            parts.append(f"{shown} shown")
        ask = counts["held"] + counts["uncertain"]
        left: list[Run] = [("? " if ask else "", look.turn_waiting)]
        left.append((" · ".join(parts), look.turn_waiting if ask else look.dim))
        right = self._hints(width - size_of(left) - 2, look)
        if not shown and self.items:
            left += cut([("  " + self.items[0].line, look.dim)], width - size_of(left) - size_of(right) - 2)
        return spread(left, right, width, look.base)

    def _hints(self, room: int, look: Look) -> list[Run]:
        """As many as there is room for."""
        one = self.one
        if one is None:
            return []
        found: Sequence[Hint] = _HERE[one.status] if self.has_focus else (_AWAY[one.status],)
        made: list[Run] = []
        for key, what in found:
            more: list[Run] = [(" · ", look.dim)] if made else []
            more += [(keys.hint(key), look.base), (f" {what}", look.dim)]
            if size_of(made) + size_of(more) > room:
                break
            made += more
        return made

    def _row(self, index: int, width: int, look: Look) -> Strip:
        one = self.items[index]
        here = self.has_focus and one.key == self.marked
        left: list[Run] = [
            ("❯ " if here else "  ", look.accent),
            (one.line, (look.strong if here else look.base) + act("mark", index)),
        ]
        said = words.SUBMISSIONS[one.status]
        if one.status == "held" and one.reason:
            said += f": {one.reason}"
        room = max(12, width * 6 // 10)
        said = said if len(said) <= room else said[: room - 1] + "…"
        style = look.dim if one.status == "queued" else look.turn_waiting
        return spread(left, [("  ", look.base), (said, style)], width, look.base)
