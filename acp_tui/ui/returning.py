"""Back to a saved session on the screen: read it, or go on with it.

Invariants: a session that is open in this window is shown, never opened a second time; one that another
acp-tui has open is only read.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from acp_tui.base.lock import Owner
from acp_tui.services.returning import Way
from acp_tui.ui.arriving import arrive, reader
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.reader import Reader, Spot
from acp_tui.ui.screens.opening import OpeningScreen
from acp_tui.ui.transcript.aiming import aim, session_of
from acp_tui.ui.widgets.search_bar import SearchBar
from acp_tui.ui.workers import later

if TYPE_CHECKING:
    from acp_tui.ui.conversing import Conversing
    from acp_tui.ui.screens.saved import SavedScreen


class Returning:
    """The ways back, for one app."""

    def __init__(self, app: Conversing) -> None:
        self._app = app
        self._under_way: set[str] = set()

    def read(self, id: str, spot: Spot | None = None) -> None:
        """Show it; where it is open in this window, that."""
        if not self._shown(id, spot):
            self._push(self._reader(id), spot)

    def resume(self, id: str) -> None:
        """Go on with it: it is read at once, its agent started as soon as that is done."""
        if not self._shown(id):
            self._push(self._reader(id), shown=self.go_on)

    def open(self, reader: Reader, found: Owner | Way | None) -> None:
        """Show one that could not be gone on with, and why; None: it could not be read, which it says."""
        self._push(reader, shown=partial(self._meet, found=found) if found is not None else None)

    def _reader(self, id: str) -> Reader:
        return reader(self._app.host, self._app.librarian, id)

    def _shown(self, id: str, spot: Spot | None = None) -> bool:
        conversation = self._app.host.claims.holder(id)
        screen = self._app.chats.of(conversation) if conversation is not None else None
        if screen is None:
            return False
        self._app.chats.show(screen)
        store = screen.conversation.store
        if spot is not None and session_of(store, spot) in (None, screen.transcript.ref):
            bar = screen.query_one(SearchBar)
            self._app.call_after_refresh(aim, screen.transcript, bar, store, spot)
        return True

    def _push(
        self, reader: Reader, spot: Spot | None = None, shown: Callable[[SavedScreen], None] | None = None
    ) -> None:
        from acp_tui.ui.screens.saved import SavedScreen

        app = self._app
        if isinstance(app.screen, OpeningScreen):
            app.pop_screen()
        screen = SavedScreen(reader, app.host.clock, self.go_on, spot, shown)
        app.push_screen(screen, self._left)

    def _left(self, _: None) -> None:
        if len(self._app.screen_stack) == 1:
            self._app.show_launcher()

    # Going on

    def go_on(self, screen: SavedScreen, command: tuple[str, ...] = (), cwd: str = "") -> None:
        """With the one that is read there."""
        id = screen.reader.id
        if id not in self._under_way and not self._shown(id):
            self._under_way.add(id)
            self._app.run_worker(later(self._arrive, screen, command, cwd))

    async def _arrive(self, screen: SavedScreen, command: tuple[str, ...], cwd: str) -> None:
        reader = screen.reader
        try:
            found = await arrive(self._app.host, reader, command, cwd)
        finally:
            self._under_way.discard(reader.id)
        if isinstance(found, Conversation):
            self._enter(screen, found)
        else:
            self._meet(screen, found)

    def _meet(self, screen: SavedScreen, found: Owner | Way) -> None:
        """What is in the way."""
        if isinstance(found, Way):
            from acp_tui.ui.screens.resume import ResumeScreen

            self._app.push_screen(ResumeScreen(found), partial(self._chosen, screen))
        else:
            screen.reader.owner = found
            screen.heed()

    def _chosen(self, screen: SavedScreen, wanted: Way | None) -> None:
        if wanted is not None:
            self.go_on(screen, wanted.command, wanted.cwd)

    def _enter(self, screen: SavedScreen, conversation: Conversation) -> None:
        """The chat takes the place of what was read."""
        if self._app.screen is screen and len(self._app.screen_stack) > 1:
            self._app.pop_screen()
        self._app.chats.open(conversation)
