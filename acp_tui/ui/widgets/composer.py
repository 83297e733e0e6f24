"""Where the user writes. It owns the text being written and nothing else; what it wants goes up as
messages.

Keys are those of readline, or of vi. Enter sends, a paste never does. Up on the first line asks for what is
queued, then for earlier prompts; what that means is said by who hears it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.reactive import var

from acp_tui.render.clean import pasteable
from acp_tui.services.pasted import Pasted, long
from acp_tui.ui import keys
from acp_tui.ui.widgets.acting import act
from acp_tui.ui.widgets.editing import Editing

if TYPE_CHECKING:
    from acp_tui.ui.writing.vi import Act, Vi


async def _untaken(_: str) -> bool:
    return False


QUIET = 1.0
"""Seconds without a key after which the composer counts as not in use."""


class Composer(Editing):
    """One to ten lines of text."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("composer")

    @dataclass
    class Sent(Message):
        """The user wants this text sent; `now`: not queued even while the agent works.

        The text is not in the composer any more: who cannot send it gives it back.
        """

        text: str
        now: bool = False

    class Edited(Message):
        """The text or the cursor changed: who offers something may want to look."""

    @dataclass
    class Complete(Message):
        """Tab, or Enter where offers take it: take what is marked; if nothing fits, go to the next place."""

        text: str
        """What was written then."""
        cursor: int
        """And where the cursor was, in characters."""
        enter: bool = False

    @dataclass
    class Page(Message):
        """A page up or down in the transcript."""

        step: int

    @dataclass
    class Wanted(Message):
        """One of: `recall`, `editor`, `pasted`, `attach`, `detach`; by a key."""

        what: str
        number: int = 0
        """Of the paste."""

    normal: var[bool] = var(False)
    """Vi's normal mode."""

    def __init__(self, now: Callable[[], float], pasted: Pasted, *, id: str | None = None) -> None:
        super().__init__(pasted, id=id)
        self.now = now
        self.fits: Callable[[str, int], bool] = lambda *_: False
        """Something is offered for this text and cursor: the list takes up, down and Tab. Asked anew at each
        of these keys: the list on the screen may be of a moment ago.
        """
        self.takes_enter: Callable[[str, int], bool] = lambda *_: False
        """And Enter."""
        self.mark: Callable[[int], None] = lambda _: None
        """Mark another row of what is offered for the text as it is, at once: Enter may come right after."""
        self.walk: Callable[[int], None] = lambda _: None
        """Up on the first line (1), or down on the last (-1)."""
        self.take_paste: Callable[[str], Awaitable[bool]] = _untaken
        """Somebody else does something with what is pasted: it is not written."""
        self.hint: Callable[[str], str] = lambda _: ""
        """What may follow this text."""
        self.handed_on: list[events.Key] | None = None
        """Keys pressed behind one that leads to another field, until that has the focus."""
        self.vi: Vi | None = None
        self.pressed_at = float("-inf")

    @property
    def in_use(self) -> bool:
        """It holds text, or a key was pressed a moment ago: nothing may take the focus away."""
        return bool(self.text) or 0 <= self.now() - self.pressed_at < QUIET  # unless the clock was set back

    def give_back(self, text: str) -> None:
        """Text that comes back (refused, withdrawn, taken back) goes before what is being written."""
        self.put(f"{text}\n{self.text}" if self.text.strip() and text else text or self.text)

    def update_suggestion(self) -> None:
        """The hint for what may follow, behind the text."""
        self.suggestion = self.hint(self.text) if self.cursor_at_end_of_text else ""

    # Keys

    async def _on_key(self, event: events.Key) -> None:
        """Keys that are handed on wait, vi takes its own; the rest act or write."""
        self.pressed_at = self.now()
        if self.handed_on is not None:
            event.stop()
            event.prevent_default()
            self.handed_on.append(event)
            return
        self.did, self.doing = self.doing, ""
        if self._press_vi(event):
            event.stop()
            event.prevent_default()
            return
        await act(self, event)

    def hear(self, event: events.Key) -> None:
        """A key that another field got, and that was meant for this."""
        self.post_message(events.Key(event.key, event.character))

    async def _on_paste(self, event: events.Paste) -> None:
        """Long text becomes a piece, files may be attached; anything else is written."""
        event.stop()
        event.prevent_default()
        self.pressed_at = self.now()
        await self.paste(event.text)

    async def paste(self, text: str) -> None:
        """As if this was pasted. Keys pressed behind it wait."""
        text = pasteable(text.replace("\r\n", "\n").replace("\r", "\n"))
        if text and not await self.take_paste(text):
            self.write(self.pasted.add(text) if long(text) else text)
        self.focus()

    def on_text_area_changed(self) -> None:
        """What is offered follows what is written."""
        self.post_message(self.Edited())

    def on_text_area_selection_changed(self) -> None:
        """And where the cursor is."""
        self.update_suggestion()
        self.post_message(self.Edited())

    async def _on_click(self, event: events.Click) -> None:
        """A click on a long paste shows it."""
        chip = self.chip_at(self.get_target_document_location(event), inside=True)
        if chip is not None and event.chain == 1:
            event.stop()
            self.post_message(self.Wanted("pasted", chip.number))
        else:
            await super()._on_click(event)

    # Actions

    def action_send(self) -> None:
        """Enter: send, or a new line where the line ends in a backslash."""
        row, column = self.cursor_location
        if column and self.document.get_line(row)[column - 1] == "\\" and self.selection.is_empty:
            self.replace("\n", (row, column - 1), (row, column))
        elif self.takes_enter(self.text, self.at):
            self.post_message(self.Complete(self.text, self.at, enter=True))
        else:
            self._send(now=False)

    def action_send_now(self) -> None:
        """Alt+S."""
        self._send(now=True)

    def _send(self, *, now: bool) -> None:
        self.pressed_at = float("-inf")  # who sends has stopped writing
        text = self.text
        if text.strip():
            self.put("")
        if self.vi is not None:
            self.vi.enter_insert()
            self.normal = False
        self.post_message(self.Sent(text, now))

    def action_newline(self) -> None:
        """A new line at the cursor."""
        self.write("\n")

    def action_complete(self) -> None:
        """Tab."""
        self.post_message(self.Complete(self.text, self.at))

    def action_older(self) -> None:
        """A row up; from the first into the past."""
        if self.fits(self.text, self.at):
            self.mark(-1)
        elif not self.navigator.is_first_wrapped_line(self.cursor_location):
            self.action_cursor_up()
        else:
            self.walk(1)

    def action_newer(self) -> None:
        """A row down; from the last back to the present."""
        if self.fits(self.text, self.at):
            self.mark(1)
        elif not self.navigator.is_last_wrapped_line(self.cursor_location):
            self.action_cursor_down()
        else:
            self.walk(-1)

    def action_page(self, step: int) -> None:
        """There is no page of its own to turn here."""
        self.post_message(self.Page(step))

    def action_delete_left(self) -> None:
        """A character; where there is none, what is attached."""
        if self.text:
            super().action_delete_left()
        else:
            self.post_message(self.Wanted("detach"))

    def action_recall(self) -> None:
        """Ctrl+R."""
        self.handed_on = []
        self.post_message(self.Wanted("recall"))

    def action_editor(self) -> None:
        """Ctrl+G."""
        self.post_message(self.Wanted("editor"))

    def action_attach(self) -> None:
        """Ctrl+V."""
        self.post_message(self.Wanted("attach"))

    def action_detach(self) -> None:
        """Alt+X."""
        self.post_message(self.Wanted("detach"))

    def action_pasted(self) -> None:
        """The long paste at the cursor, else the last one there is."""
        here = self.chip_at(self.cursor_location) or next(reversed([*self.pasted.chips(self.text)]), None)
        self.post_message(self.Wanted("pasted", here.number if here is not None else 0))

    # Vi

    def use_vi(self, wanted: bool) -> None:
        """Vi's keys from now on, or no more."""
        if wanted and self.vi is None:
            from acp_tui.ui.writing.vi import Vi

            self.vi = Vi()
        elif not wanted:
            self.vi = None
            self.normal = False

    def leave_insert(self) -> bool:
        """Escape: to normal mode; False where that is not left to do."""
        if self.vi is None or self.normal or not self.has_focus:
            return False
        self.move_cursor(self.place(self.vi.leave_insert(self.text, self.at)))
        self.normal = True
        return True

    def _press_vi(self, event: events.Key) -> bool:
        key = event.character if event.is_printable else event.key
        if self.vi is None or not self.normal or not key or not (event.is_printable or key == "ctrl+r"):
            return False
        self._act(self.vi.press(key, self.text, self.at))
        self.normal = self.vi.normal
        return True

    def _act(self, act: Act) -> None:
        if act.command in ("older", "newer"):
            self.walk(1 if act.command == "older" else -1)
            return
        for _ in range(act.times if act.command else 0):
            (self.undo if act.command == "undo" else self.redo)()
        if act.text is not None:
            start, end = self.place(act.start), self.place(act.end)
            self.replace(act.text, start, end, maintain_selection_offset=False)
        if not act.command:
            self.move_cursor(self.place(act.cursor))
