"""A screen with a transcript: what a reader wants of an entry is shown on top of it, or copied.

Rules: an address is copied and shown, never followed (SF-03); a path of the agent opens only in the user's
own editor, because he asked (SF-05).
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message
from textual.screen import Screen

from acp_tui.store.keys import Key
from acp_tui.ui.binding import Bound
from acp_tui.ui.detail.around import Around
from acp_tui.ui.editor import edit
from acp_tui.ui.stopping import stoppable, why_not
from acp_tui.ui.terminal.frugal import paint_frugally
from acp_tui.ui.told import Told
from acp_tui.ui.transcript.widget import Transcript
from acp_tui.ui.widgets.status_line import StatusLine


class ReadingScreen(Bound, Screen[None]):
    """See the module."""

    @dataclass
    class ExportWanted(Message):
        """Write it to a file, whole or from one entry to another."""

        screen: ReadingScreen
        start: Key | None = None
        end: Key | None = None

    def __init__(self) -> None:
        super().__init__()
        paint_frugally(self)

    @property
    def around(self) -> Around:
        """The store, and what is around it."""
        raise NotImplementedError

    @property
    def transcript(self) -> Transcript:
        """What was said."""
        return self.query_one(Transcript)

    def on_screen_resume(self) -> None:
        """It is before the user again: what its transcript put off while it was not."""
        for transcript in self.query(Transcript):  # none, as long as there is nothing to read
            transcript.wake()

    def close_nearest(self) -> bool:
        """The search, else the selection; False where there is neither."""
        if self.query(Transcript) and self.transcript.searching:
            self.transcript.end_search()
        elif self.selections:
            self.clear_selection()
        else:
            return False
        return True

    def tell_below(self, follow: str = "transcript.follow") -> None:
        """What stands below what is seen, and the key that leads there, by its id."""
        unseen = self.transcript.unseen
        words = f"↓ {unseen} new" if unseen else "↓ to the end"
        self.query_one(StatusLine).below = None if self.transcript.following else (follow, words)

    def tell(self, text: str, title: str = "", severity: str = "info") -> None:
        """A toast."""
        self.post_message(Told(text, title, severity))

    def open_whole(self, key: Key) -> None:
        """An entity on the detail screen."""
        from acp_tui.ui.screens.detail import DetailScreen

        if self.around.store.entity(key) is not None:
            self.app.push_screen(DetailScreen(key, self.around))

    def on_transcript_opened(self, event: Transcript.Opened) -> None:
        """An entity whole."""
        self.open_whole(event.key)

    def action_export(self) -> None:
        """All of it to a file."""
        self.post_message(self.ExportWanted(self))

    def on_transcript_export_wanted(self, event: Transcript.ExportWanted) -> None:
        """A part of it."""
        self.post_message(self.ExportWanted(self, event.first, event.last))

    def on_transcript_stop_wanted(self, event: Transcript.StopWanted) -> None:
        """One thing is to end, where that is offered."""
        intent = stoppable(self.around.store, event.key)
        if intent is None:
            self.tell(why_not(self.around.store, event.key))
        else:
            self.around.do(intent)

    def on_transcript_session_wanted(self, event: Transcript.SessionWanted) -> None:
        """The conversation of a subagent."""
        from acp_tui.ui.screens.child import ChildScreen

        if event.ref in self.around.store.sessions:
            self.app.push_screen(ChildScreen(event.ref, self.around))

    def on_transcript_link(self, event: Transcript.Link) -> None:
        """A link is copied and shown whole; what opens it is the user."""
        self.app.copy_to_clipboard(event.url)
        self.tell(event.url, "Link copied")

    async def on_transcript_editor_wanted(self, event: Transcript.EditorWanted) -> None:
        """The user's editor at a place."""
        session = self.around.store.sessions.get(self.transcript.ref)
        cwd = session.cwd if session is not None else self.around.cwd
        problem = await edit(self.app, self.around.env, event.path, event.line, cwd)
        if problem:
            self.tell(problem, severity="warning")
