"""Where the user writes. It owns the text being written and nothing else; what it wants goes up as
messages.

Keys are those of readline. Enter sends, a paste never does. Up on the first line asks for what is queued,
then walks through the prompts of this run; the text being written is kept meanwhile and comes back at the
bottom.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import TextArea

from acp_tui.ui import keys

QUIET = 1.0
"""Seconds without a key after which the composer counts as not in use."""


class Composer(TextArea):
    """One to ten lines of text."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("composer")

    @dataclass
    class Sent(Message):
        """The user wants this text sent; `now`: not queued even while the agent works.

        The text is not in the composer any more: who cannot send it gives it back.
        """

        text: str
        now: bool = False

    class TakeBack(Message):
        """Up on the first line of an empty composer: give back the newest queued prompt, if there is one."""

    class Edited(Message):
        """The text or the cursor changed: completion may want to look."""

    @dataclass
    class Complete(Message):
        """Tab, or Enter where commands fit: complete what is marked; if none fits, go to the next place."""

        text: str
        """What was written then."""

    @dataclass
    class Mark(Message):
        """Up or down while a list is shown: mark another of its rows."""

        step: int

    @dataclass
    class Page(Message):
        """A page up or down in the transcript."""

        step: int

    def __init__(self, now: Callable[[], float], *, id: str | None = None) -> None:
        super().__init__(
            id=id,
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            highlight_cursor_line=False,
            placeholder="",
        )
        self.cursor_blink = False
        self.now = now
        self.past: list[str] = []
        self.fits: Callable[[str], bool] = lambda _: False
        """Commands fit this text: their list takes up, down, Tab and Enter. Asked anew at each of these keys:
        the list on the screen may be of a moment ago.
        """
        self.walked: int | None = None
        self.unsent = ""
        self.pressed_at = float("-inf")

    @property
    def in_use(self) -> bool:
        """It holds text, or a key was pressed a moment ago: nothing may take the focus away."""
        return bool(self.text) or self.now() - self.pressed_at < QUIET

    def put(self, text: str) -> None:
        """Put text in as one edit that undo takes back, and the cursor behind it."""
        last = self.document.end
        self.replace(text, (0, 0), last, maintain_selection_offset=False)
        self.move_cursor(self.document.end)

    def give_back(self, text: str) -> None:
        """Text that comes back (refused, withdrawn, taken back) goes before what is being written."""
        self.put(f"{text}\n{self.text}" if self.text.strip() else text)

    def remember(self, text: str) -> None:
        """A sent prompt: up brings it again."""
        if not self.past or self.past[-1] != text:
            self.past.append(text)
        self.walked = None

    async def _on_key(self, event: events.Key) -> None:
        """A key that does something does it now: what was typed right behind it must not overtake it."""
        self.pressed_at = self.now()
        bound = None if event.is_printable else self.screen.active_bindings.get(event.key)
        if bound is not None and bound.node is self:
            event.stop()
            event.prevent_default()
            await self.app.run_action(bound.binding.action, self)

    async def _on_paste(self, event: events.Paste) -> None:
        self.pressed_at = self.now()

    def on_text_area_changed(self) -> None:
        """The list of commands follows what is written."""
        self.post_message(self.Edited())

    def action_send(self) -> None:
        """Enter: send, or a new line where the line ends in a backslash."""
        row, column = self.cursor_location
        if column and self.document.get_line(row)[column - 1] == "\\" and self.selection.is_empty:
            self.replace("\n", (row, column - 1), (row, column))
        elif self.fits(self.text):
            self.post_message(self.Complete(self.text))
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
        self.post_message(self.Sent(text, now))

    def action_newline(self) -> None:
        """A new line at the cursor."""
        self._replace_via_keyboard("\n", *self.selection)

    def action_complete(self) -> None:
        """Tab."""
        self.post_message(self.Complete(self.text))

    def action_older(self) -> None:
        """A line up; from the first line into the past."""
        if self.fits(self.text):
            self.post_message(self.Mark(-1))
        elif not self.cursor_at_first_line:
            self.action_cursor_up()
        elif not self.text and self.walked is None:
            self.post_message(self.TakeBack())
        else:
            self.walk(-1)

    def action_newer(self) -> None:
        """A line down; from the last line back to the present."""
        if self.fits(self.text):
            self.post_message(self.Mark(1))
        elif not self.cursor_at_last_line:
            self.action_cursor_down()
        else:
            self.walk(1)

    def action_page(self, step: int) -> None:
        """There is no page of its own to turn here."""
        self.post_message(self.Page(step))

    def walk(self, step: int) -> None:
        """Show an earlier or later prompt of this run; past the last one what was being written."""
        here = len(self.past) if self.walked is None else self.walked
        there = here + step
        if not 0 <= there <= len(self.past) or (self.walked is None and step > 0):
            return
        if self.walked is None:
            self.unsent = self.text
        self.walked = None if there == len(self.past) else there
        self.put(self.unsent if self.walked is None else self.past[there])
