"""The first picture: the chat as it looks while an agent starts, drawn before anything is loaded that talks
to agents.

It owns no truth and answers nothing: what is typed is shown, kept by the app and given to the chat when that
takes this screen's place. So it imports nothing of the client (a test looks).
"""

from __future__ import annotations

import time

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from acp_tui.render.clean import one_line
from acp_tui.ui.standing import starting
from acp_tui.ui.widgets.header import Facts, Header, short_folder
from acp_tui.ui.widgets.starting import said
from acp_tui.ui.widgets.status_line import StatusLine


class OpeningScreen(Screen[None]):
    """One agent that is starting in one folder."""

    def __init__(self, command: tuple[str, ...], cwd: str) -> None:
        super().__init__()
        self.command = command
        self.cwd = cwd
        self.typed = ""
        self.deaf = False
        """A key was pressed that does more than write: what it does is seen when the chat is there."""

    def compose(self) -> ComposeResult:
        yield Header(id="header")
        yield Static(id="opening-space")
        yield Static(said(self.command), id="opening-agent")
        with Horizontal(id="writing"):
            yield Static("❯", id="prompt", classes="-awake")
            yield Static(self._written(), id="opening-text")
        yield StatusLine(time.time, id="status")

    def on_mount(self) -> None:
        """What the chat will say, too."""
        agent = self.command[0].rsplit("/", 1)[-1]
        self.query_one(Header).facts = Facts(one_line(agent, 40), short_folder(self.cwd))
        self.query_one(StatusLine).status = starting(agent, None)

    def hear(self, event: events.Key | events.Paste) -> None:
        """Show what is typed, as far as it is plain writing."""
        if self.deaf or not isinstance(event, events.Key) or not event.is_printable:
            self.deaf = True
            return
        self.typed += event.character or ""
        self.query_one("#opening-text", Static).update(self._written())

    def _written(self) -> Content:
        return Content.assemble(self.typed, (" ", "reverse"))
