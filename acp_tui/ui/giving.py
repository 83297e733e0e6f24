"""Asks for the file into which a conversation, a part of it, or a picture of the screen is to go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acp_tui.store.entities import Message
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.exporting import Subject, screen, session
from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.screens.export import ExportScreen
from acp_tui.ui.screens.saved import SavedScreen

if TYPE_CHECKING:
    from acp_tui.ui.conversing import Conversing
    from acp_tui.ui.screens.reading import ReadingScreen

LONGEST = 200
"""Characters of a prompt that may become the name of a file."""


def give(app: Conversing, event: ReadingScreen.ExportWanted) -> None:
    """What is read on a screen."""
    shown = event.screen
    if isinstance(shown, ChatScreen):
        conversation = shown.conversation
        id = app.host.claims.ids(conversation).get(conversation.ref, "")
        known = conversation.session
        title = _title(conversation.store, known) if known is not None else ""
    elif isinstance(shown, SavedScreen):
        id, title = shown.reader.id, shown.reader.entry.title if shown.reader.entry is not None else ""
    else:
        shown.tell("It is exported with the conversation that began it, which stands above")
        return
    if not id:
        shown.tell("Nothing of it is kept here yet: there is nothing to export")
        return
    start, end = (_place(key) for key in (event.start, event.end))
    _ask(app, session(app.librarian, id, title, start, end), shown.around.cwd)


def picture(app: Conversing) -> None:
    """The screen as it is now."""
    if isinstance(app.screen, ExportScreen):
        return
    shown = app.chats.shown if app.links else None
    folder = shown.conversation.folder if shown is not None else app.cwd
    _ask(app, screen(app.export_screenshot(), app.host.clock()), folder)


def _ask(app: Conversing, subject: Subject, folder: str) -> None:
    app.push_screen(ExportScreen(subject, folder or app.cwd))


def _title(store: Store, session: Session) -> str:
    """The user's or the agent's, else what was said first."""
    said = (session.entities.get(key) for key in session.timeline if key.kind is Kind.USER_MESSAGE)
    first = next(said, None)
    return store.title(session.ref) or (first.content.text()[:LONGEST] if isinstance(first, Message) else "")


def _place(key: Key | None) -> str:
    return f"{key.kind}/{key.id}" if key is not None else ""
