"""A question of ours with two answers, in the middle of the screen; a key held from before it came
answers nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from acp_tui.ui import keys
from acp_tui.ui.deaf import Deafness
from acp_tui.ui.standing import Hint
from acp_tui.ui.widgets.hints import hint_line


class Question(ModalScreen[bool]):
    """Dismissed with True for yes."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("question")
    more: Sequence[Hint] = ()
    """Other answers there are, offered before yes."""

    def __init__(self, title: str, lines: Sequence[str], yes: str, no: str) -> None:
        super().__init__()
        self.heading = title
        self.said = lines
        self.answers = (yes, no)
        self.ear = Deafness()

    def compose(self) -> ComposeResult:
        yes, no = self.answers
        with Vertical(id="question"):
            yield Static(self.heading, id="question-title", markup=False)
            for line in self.said:
                yield Static(line, classes="question-line", markup=False)
            ways = (*self.more, ("question.yes", yes), ("question.no", no))
            yield Static(hint_line(ways), id="question-keys")

    def on_mount(self) -> None:
        """From now on it listens, after a moment."""
        self.ear.appeared(monotonic())

    def action_yes(self) -> None:
        """Do it."""
        if self.ear.hears("yes", monotonic()):
            self.dismiss(True)

    def action_no(self) -> None:
        """Do not."""
        if self.ear.hears("no", monotonic()):
            self.dismiss(False)
