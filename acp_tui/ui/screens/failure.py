"""An agent that cannot be used: what was run, where, how it ended, its last words, what to do."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from acp_tui.render.clean import one_line, visible
from acp_tui.store.store import Store
from acp_tui.ui import keys
from acp_tui.ui.advice import advice, what_happened
from acp_tui.ui.status import ended
from acp_tui.ui.widgets.header import short_folder

_LAST_WORDS = 200
Part = Content | str


class FailureScreen(Screen[bool]):
    """Dismissed with True to start it again."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("failure")

    def __init__(self, store: Store) -> None:
        super().__init__()
        self.store = store

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="failure", can_focus=True):
            for line in self.lines():
                yield Static(line, markup=False)
        yield Static(
            Content.assemble(
                ("Enter", "bold"), " starts it again · ", ("Esc", "bold"), " back · ", ("q", "bold"), " quit"
            ),
            id="failure-keys",
        )

    def lines(self) -> Iterable[Content]:
        """Everything that helps, the most important first."""
        connection = self.store.connection
        yield Content.styled(f"✗ {one_line(connection.agent_name, 60)} could not be started", "bold $error")
        yield Content("")
        yield Content(f"  {visible(what_happened(connection))}")
        yield Content("")
        yield self._fact("command", visible(shlex.join(connection.command)))
        yield self._fact("folder", visible(short_folder(connection.cwd)))
        yield self._fact("ended", ended(connection).removeprefix("agent "))
        yield Content("")
        yield Content.styled("  What to do", "bold")
        for text in advice(connection):
            yield Content(f"  · {visible(text)}")
        yield from self._last_words()

    @staticmethod
    def _fact(name: str, value: str) -> Content:
        return Content.assemble((f"  {name:<9}", "$text-muted"), value)

    def _last_words(self) -> Iterable[Content]:
        tail = self.store.connection.stderr_tail[-_LAST_WORDS:]
        yield Content("")
        if not tail:
            yield Content.styled("  It said nothing on stderr.", "$text-muted")
            return
        yield Content.styled("  Its last words on stderr", "bold")
        for line in tail:
            yield Content.styled(f"  {visible(line.rstrip())}", "$text-muted")

    def on_mount(self) -> None:
        """Arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def action_restart(self) -> None:
        """Enter."""
        self.dismiss(True)

    def action_back(self) -> None:
        """Escape."""
        self.dismiss(False)
