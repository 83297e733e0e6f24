"""The app as who turns between conversations: those that are open, what waits in them, and the library.

What is shown on request is loaded when it is asked for.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from textual.screen import ModalScreen

from acp_tui.ui.calling import Calling

if TYPE_CHECKING:
    from acp_tui.client.effects import Effect
    from acp_tui.ui.aftermath import Aftermath
    from acp_tui.ui.chats import Chats
    from acp_tui.ui.conversation import Conversation, Link
    from acp_tui.ui.host import Host
    from acp_tui.ui.library.asking import View
    from acp_tui.ui.library.librarian import Librarian
    from acp_tui.ui.returning import Returning
    from acp_tui.ui.screens.aftermath import Reopen
    from acp_tui.ui.screens.chat import ChatScreen
    from acp_tui.ui.screens.conversations import ConversationsScreen
    from acp_tui.ui.screens.launcher import LauncherScreen
    from acp_tui.ui.screens.library import LibraryScreen
    from acp_tui.ui.screens.new_conversation import Wanted
    from acp_tui.ui.screens.reading import ReadingScreen
    from acp_tui.ui.start import Listing


class Conversing(Calling):
    """An app with conversations."""

    _host: Host | None
    cwd: str
    library: LibraryScreen | None = None
    """The one that was shown last: the next begins with what was looked at in it."""
    past: Aftermath | None = None
    """What is left of earlier runs that broke off."""

    @property
    def host(self) -> Host:
        """Who starts agents. Nothing can ask for one before."""
        assert self._host is not None
        return self._host

    @cached_property
    def chats(self) -> Chats:
        """The conversations."""
        from acp_tui.ui.chats import Chats

        return Chats(self, self.host, self._link)

    @cached_property
    def returning(self) -> Returning:
        """The ways back to saved sessions."""
        from acp_tui.ui.returning import Returning

        return Returning(self)

    @cached_property
    def librarian(self) -> Librarian:
        """Who is asked for what is saved."""
        from acp_tui.ui.library.librarian import Librarian

        return Librarian()

    def on_unmount(self) -> None:
        """Nobody asks any more."""
        if "librarian" in self.__dict__:
            self.librarian.close()

    @property
    def links(self) -> list[Link]:
        """The agents there are."""
        return self._host.links if self._host is not None else []

    def _leave(self, chat: ChatScreen) -> None:
        if not self.chats.leave(chat) and len(self.screen_stack) == 1:
            self.show_launcher()

    def _link(self, link: Link) -> None:
        """Let an agent's store and effects reach the user."""
        raise NotImplementedError

    def show_launcher(self) -> None:
        """The start screen."""
        raise NotImplementedError

    def action_conversations(self) -> None:
        """F6."""
        from acp_tui.ui.screens.conversations import ConversationsScreen

        if self.chats.screens and not isinstance(self.screen, ModalScreen):
            self.push_screen(ConversationsScreen(self.chats), self._show_chosen)

    def _show_chosen(self, conversation: Conversation | None) -> None:
        screen = self.chats.of(conversation) if conversation is not None else None
        if screen is not None:
            self.chats.show(screen)

    def on_conversations_screen_end_wanted(self, event: ConversationsScreen.EndWanted) -> None:
        """The user ends one; the list goes with the last of them."""
        screen = self.chats.of(event.conversation)
        if screen is not None:
            self._leave(screen)

    def on_conversations_screen_new_wanted(self) -> None:
        """Another one."""
        self.action_new()

    def action_new(self) -> None:
        """F7."""
        from acp_tui.ui.screens.new_conversation import NewConversationScreen

        here = self.chats.shown
        if here is not None and not isinstance(self.screen, ModalScreen):
            screen = NewConversationScreen(here.conversation, self.host.links, self.settings)
            self.push_screen(screen, self._begin)

    def _begin(self, wanted: Wanted | None) -> None:
        if wanted is None:
            return
        if wanted.link in self.host.links:
            conversation = wanted.link.converse(wanted.cwd, wanted.directories)
            conversation.open()
            self.chats.open(conversation)
            return
        from acp_tui.ui import agreeing

        def then() -> None:
            self.chats.open(self.host.start(wanted.command, wanted.cwd, wanted.directories))

        def refused(why: str) -> None:
            self.toasts.show("It cannot be started", why, "error")

        agreeing.begin(self, self.settings_made, wanted.command, then, refused)

    # The start screen

    def on_launcher_screen_unfilled(self, event: LauncherScreen.Unfilled) -> None:
        """It was drawn: look for what is on this machine."""
        from acp_tui.ui import agreeing

        look: Callable[[], Any] = partial(agreeing.fill, self, event.screen, self.settings_made)
        self.run_worker(look, group="launcher", exclusive=True)

    def on_launcher_screen_resume_wanted(self, event: LauncherScreen.ResumeWanted) -> None:
        """Go on with a session chosen on the start screen."""
        self.returning.resume(event.id)

    def action_inbox(self) -> None:
        """F9, and back."""
        from acp_tui.ui.screens.inbox import InboxScreen

        if isinstance(self.screen, InboxScreen):
            self.screen.dismiss(None)
        elif self._host is not None and not isinstance(self.screen, ModalScreen):
            self.push_screen(InboxScreen(self.chats.inbox, self.chats))

    # The library

    def action_library(self) -> None:
        """F11, and back."""
        from acp_tui.ui.screens.library import LibraryScreen
        from acp_tui.ui.screens.saved import SavedScreen

        from_there = isinstance(self.screen, SavedScreen) and isinstance(self.screen_stack[-2], LibraryScreen)
        if isinstance(self.screen, LibraryScreen) or from_there:
            self.screen.dismiss(None)
        elif self._host is not None and not isinstance(self.screen, ModalScreen):
            shown = self.chats.shown
            view = self.library.view if self.library is not None else None
            self.show_library(shown.conversation.folder if shown is not None else self.cwd, view)

    def show_library(self, folder: str, view: View | None) -> None:
        """All sessions, `folder` being *here*; the host may come later (`library_begun`)."""
        from acp_tui.ui.library.asking import View
        from acp_tui.ui.screens.library import LibraryScreen

        self.library = screen = LibraryScreen(self.librarian, folder, self._now, self._opened, view or View())
        screen.links = lambda: self.links
        screen.kept_for = self._trash_kept
        if self._host is not None:
            screen.begin(self._host.indexer)
        self.push_screen(screen, self._library_left)

    def show_listing(self, listing: Listing) -> None:
        """As the command line wants it."""
        from acp_tui.ui.library.asking import View

        view = View(everywhere=listing.everywhere, agent=listing.agent or None, trash=listing.trash)
        self.show_library(self.cwd, view)

    def library_begun(self) -> None:
        """There is a host now."""
        if self.library is not None:
            self.library.begin(self.host.indexer)

    @property
    def environment(self) -> Mapping[str, str]:
        """What agents are started with."""
        return self._host.environment if self._host is not None else os.environ

    def _now(self) -> float:
        return self._host.clock() if self._host is not None else time.time()

    def _trash_kept(self) -> int | None:
        kept = self.settings.library
        return kept.days(kept.trash)

    def _opened(self, id: str) -> Conversation | None:
        return self._host.claims.holder(id) if self._host is not None else None

    def _library_left(self, _: None) -> None:
        if len(self.screen_stack) == 1:
            self.show_launcher()

    def on_library_screen_read_wanted(self, event: LibraryScreen.ReadWanted) -> None:
        """Show it."""
        self.returning.read(event.entry.id, event.spot)

    def on_library_screen_resume_wanted(self, event: LibraryScreen.ResumeWanted) -> None:
        """Go on with it."""
        if event.link is None:
            self.returning.resume(event.entry.id)
            return
        from acp_tui.ui.library.attaching import attached

        conversation = attached(event.link, event.entry)
        screen = self.chats.of(conversation)
        if screen is None:
            self.chats.open(conversation)
        else:
            self.chats.show(screen)

    def on_library_screen_end_wanted(self, event: LibraryScreen.EndWanted) -> None:
        """The user ends one; the library stays."""
        screen = self.chats.of(event.conversation)
        if screen is not None:
            self._leave(screen)
            if not isinstance(self.screen, ModalScreen):
                self.action_library()

    def heed(self, link: Link, effect: Effect) -> None:
        """What is more than the screen's: what was finished can be found soon."""
        from acp_tui.client.effects import Completed

        super().heed(link, effect)
        if isinstance(effect, Completed):
            self.host.indexer.after_quiet()

    # Given to others

    def on_reading_screen_export_wanted(self, event: ReadingScreen.ExportWanted) -> None:
        """Ask for a file."""
        from acp_tui.ui.giving import give

        give(self, event)

    def action_picture(self) -> None:
        """Shift+F3."""
        if self._host is not None:
            from acp_tui.ui.giving import picture

            picture(self)

    # What broke off

    @property
    def past_words(self) -> str:
        """That something of an earlier run waits for him; empty: nothing does."""
        return self.past.words if self.past is not None else ""

    def tell_past(self) -> bool:
        """On the start screen; False: that is not shown."""
        from acp_tui.ui.screens.launcher import LauncherScreen

        for screen in self.screen_stack:
            if isinstance(screen, LauncherScreen):
                screen.tell_past(self.past_words)
        return isinstance(self.screen, LauncherScreen)

    def action_past(self) -> None:
        """Shift+F11."""
        if self._host is None or isinstance(self.screen, ModalScreen):
            return
        if self.past is None or not self.past_words:
            self.toasts.show("Nothing of an earlier run broke off", "", "info")
            return
        from acp_tui.ui.screens.aftermath import AftermathScreen

        self.push_screen(AftermathScreen(self.past, self._now(), self.host.end_leftover), self._reopen)

    def _reopen(self, wanted: Reopen | None) -> None:
        self.tell_past()
        if wanted is not None:
            (self.returning.resume if wanted.resume else self.returning.read)(wanted.id)

    # Between them

    def action_step(self, by: int) -> None:
        """Ctrl+PgUp, Ctrl+PgDn."""
        if not isinstance(self.screen, ModalScreen):
            self.chats.step(by)

    def action_waiting(self) -> None:
        """F8."""
        if not isinstance(self.screen, ModalScreen) and self.chats.screens and not self.chats.next_waiting():
            self.toasts.show("Nothing waits for you in another conversation", "", "info")
