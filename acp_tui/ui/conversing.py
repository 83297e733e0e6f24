"""The app as who turns between conversations: those that are open, what waits in them, and the library.

What is shown on request is loaded when it is asked for.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from textual.screen import ModalScreen

from acp_tui.ui.calling import Calling

if TYPE_CHECKING:
    from acp_tui.ui.chats import Chats
    from acp_tui.ui.conversation import Conversation, Link
    from acp_tui.ui.host import Host
    from acp_tui.ui.screens.chat import ChatScreen
    from acp_tui.ui.screens.conversations import ConversationsScreen
    from acp_tui.ui.screens.new_conversation import Wanted


class Conversing(Calling):
    """An app with conversations."""

    _host: Host | None
    cwd: str

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
        else:
            conversation = self.host.start(wanted.command, wanted.cwd, wanted.directories)
        self.chats.open(conversation)

    def action_inbox(self) -> None:
        """F9, and back."""
        from acp_tui.ui.screens.inbox import InboxScreen

        if isinstance(self.screen, InboxScreen):
            self.screen.dismiss(None)
        elif self._host is not None and not isinstance(self.screen, ModalScreen):
            self.push_screen(InboxScreen(self.chats.inbox, self.chats))

    def action_step(self, by: int) -> None:
        """Ctrl+PgUp, Ctrl+PgDn."""
        if not isinstance(self.screen, ModalScreen):
            self.chats.step(by)

    def action_waiting(self) -> None:
        """F8."""
        if not isinstance(self.screen, ModalScreen) and self.chats.screens and not self.chats.next_waiting():
            self.toasts.show("Nothing waits for you in another conversation", "", "info")
