"""An agent that cannot be used: what was run, where, how it ended, its last words, what to do.

It comes while the user may be writing his first prompt: no letter does anything here, and nothing answers in
the first moments.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static

from acp_tui.render.clean import visible
from acp_tui.store.store import Store
from acp_tui.ui import keys
from acp_tui.ui.advice import advice, headline, what_happened
from acp_tui.ui.deaf import Deafness
from acp_tui.ui.status import ended
from acp_tui.ui.widgets.header import short_folder
from acp_tui.ui.widgets.hints import hint_line

_LAST_WORDS = 200
Line = tuple[str, str]
"""What a line is, for its style, and its text."""


class FailureScreen(Screen[bool]):
    """Dismissed with True to start it again."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("failure")

    def __init__(self, store: Store, now: Callable[[], float]) -> None:
        super().__init__()
        self.store = store
        self.now = now
        self.ear = Deafness()

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="failure", can_focus=True):
            for kind, text in self.lines():
                yield Static(text, classes=f"failure-{kind}", markup=False)
        keys = (("failure.restart", "start it again"), ("failure.back", "back"), ("everywhere.quit", "quit"))
        yield Static(hint_line(keys), id="failure-keys")

    def lines(self) -> Iterable[Line]:
        """Everything that helps, the most important first."""
        connection = self.store.connection
        yield "title", f"✗ {headline(connection)}"
        yield "text", visible(what_happened(connection))
        yield "fact", f"command  {visible(shlex.join(connection.command))}"
        yield "fact", f"folder   {visible(short_folder(connection.cwd))}"
        ran = connection.exit_code is not None or connection.signal or connection.pid
        yield "fact", f"ended    {ended(connection).removeprefix('agent ') if ran else 'it never ran'}"
        yield "head", "What to do"
        for text in advice(connection):
            yield "text", f"· {visible(text)}"
        tail = connection.stderr_tail[-_LAST_WORDS:]
        if tail or ran:
            yield "head", "Its last words on stderr" if tail else "It said nothing on stderr"
        for line in tail:
            yield "fact", visible(line.rstrip())

    def on_mount(self) -> None:
        """Arrows scroll."""
        self.ear.appeared(self.now())
        self.query_one(VerticalScroll).focus()

    def action_restart(self) -> None:
        """Enter."""
        self._answer(True)

    def action_back(self) -> None:
        """Escape."""
        self._answer(False)

    def _answer(self, restart: bool) -> None:
        if not self.ear.deaf(self.now()):
            self.dismiss(restart)
