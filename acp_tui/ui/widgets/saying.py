"""Where the user says why he rejects: a few lines of text in the panel.

Invariants: Enter sends, a paste never does; what is written is not lost, the panel keeps it when it is left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static, TextArea

from acp_tui.ui import keys
from acp_tui.ui.widgets.acting import act

MOST = 3
"""Rows that are in sight at once (app.tcss)."""


class Why(TextArea):
    """The text."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("saying")

    @dataclass
    class Sent(Message):
        """Reject, and say this."""

        text: str

    @dataclass
    class Left(Message):
        """Back to the options; the text is to be kept."""

        text: str

    def __init__(self) -> None:
        super().__init__(
            soft_wrap=True, tab_behavior="focus", show_line_numbers=False, highlight_cursor_line=False
        )
        self.placeholder = "why not, and what to do instead"
        self.cursor_blink = False

    async def _on_key(self, event: events.Key) -> None:
        await act(self, event)

    def action_send(self) -> None:
        """Enter."""
        self.post_message(self.Sent(self.text))

    def action_newline(self) -> None:
        """A new line at the cursor."""
        self.replace("\n", *self.selection, maintain_selection_offset=False)

    def action_back(self) -> None:
        """Escape, Tab."""
        self.post_message(self.Left(self.text))


class Saying(Horizontal):
    """The text behind its sign."""

    def __init__(self) -> None:
        super().__init__()
        self.display = False

    def compose(self) -> ComposeResult:
        yield Static("reject, because ", id="saying-sign", markup=False)
        yield Why()

    @property
    def why(self) -> Why:
        """Where it is written."""
        return self.query_one(Why)

    def rows(self) -> int:
        """What it takes now."""
        return max(1, min(MOST, self.why.wrapped_document.height)) if self.display else 0

    def show(self, text: str) -> None:
        """Go on with this text, the cursor behind it."""
        if self.why.text != text:
            self.why.text = text
        self.why.move_cursor(self.why.document.end)
        self.display = True
        self.screen.set_focus(self.why)
