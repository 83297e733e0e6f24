"""The chat screens of a run: one for each conversation, in the order they were opened, one of them shown.

Invariants: what a screen holds of a conversation (place, folds, search, draft) stays as it is while another
one is shown; a conversation that is not shown takes neither the screen nor the focus; the last one that is
left takes its agent with it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App

from acp_tui.client.intents import CloseSession
from acp_tui.protocol.content import ContentBlock
from acp_tui.render.clean import one_line, visible
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import CONNECTION, REQUESTS, Store, Subscription
from acp_tui.ui.asker import top
from acp_tui.ui.conversation import Conversation, Link
from acp_tui.ui.host import Host
from acp_tui.ui.inbox import Inbox
from acp_tui.ui.keeping import Keeping
from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.screens.opening import OpeningScreen
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.header import Others


class Chats:
    """The screens, and which one is shown."""

    def __init__(self, app: App[Any], host: Host, attach: Callable[[Link], None]) -> None:
        self._app = app
        self._host = host
        self._attach = attach
        """Lets an agent's store and effects reach the user."""
        self.screens: list[ChatScreen] = []
        self.inbox = Inbox(host)
        self.keeping = Keeping(
            lambda one: host.claims.ids(one).get(one.ref, ""),
            lambda text: app.post_message(Told(text, severity="warning")),
        )
        self._watched: dict[ChatScreen, Subscription] = {}
        self._number = 0

    @property
    def shown(self) -> ChatScreen | None:
        """The one that is on the screen, perhaps below something else."""
        stack = self._app.screen_stack if self._app.is_running else []
        return next((screen for screen in reversed(stack) if isinstance(screen, ChatScreen)), None)

    def of(self, conversation: Conversation) -> ChatScreen | None:
        """The screen of a conversation."""
        return next((screen for screen in self.screens if screen.conversation is conversation), None)

    # Coming and going

    def open(self, conversation: Conversation) -> Awaitable[object] | None:
        """Show a conversation that has no screen yet; what is returned waits until it is there."""
        self._attach(conversation.link)
        self.keeping.begin(conversation)
        screen = ChatScreen(conversation)
        self._number += 1
        self._app.install_screen(screen, f"chat-{self._number}")
        self.screens.append(screen)
        self._watch(screen)
        return self.show(screen)

    def show(self, screen: ChatScreen) -> Awaitable[object] | None:
        """Put this one before the user; what stands on top of the other is closed."""
        before = self.shown
        if before is not None:
            before.conversation.look_away()
        while before is not None and self._app.screen is not before:
            self._app.pop_screen()
        there: Awaitable[object] | None = None
        if before is None and not isinstance(self._app.screen, OpeningScreen):
            there = self._app.push_screen(screen)
        elif before is not screen:
            there = self._app.switch_screen(screen)
        self.tell()
        return there

    def step(self, by: int) -> None:
        """The next one, round the ends."""
        if self.shown in self.screens and len(self.screens) > 1:
            here = self.screens.index(self.shown)
            self.show(self.screens[(here + by) % len(self.screens)])

    def next_waiting(self) -> bool:
        """The next one where something waits for the user or is unread; False if there is none."""
        here = self.screens.index(self.shown) if self.shown in self.screens else -1
        round_ = self.screens[here + 1 :] + self.screens[: max(0, here)]
        waiting = [s for s in round_ if self.waiting(s.conversation)]
        found = waiting or [s for s in round_ if s.conversation.unread]
        if found:
            self.show(found[0])
        return bool(found)

    def leave(self, screen: ChatScreen) -> bool:
        """End a conversation and show the one beside it; False if it was the last."""
        index = self.screens.index(screen)
        rest = [other for other in self.screens if other is not screen]
        if rest and self.shown is screen:
            self.show(rest[min(index, len(rest) - 1)])
        elif not rest:
            while screen in self._app.screen_stack:
                self._app.pop_screen()
        self.screens = rest
        self._watched.pop(screen).close()
        self._app.uninstall_screen(screen)
        screen.remove()
        self._close(screen.conversation)
        self.tell()
        return bool(rest)

    def _close(self, conversation: Conversation) -> None:
        link = conversation.link
        self.keeping.leave(conversation)
        self._host.claims.leave(conversation)
        link.conversations.remove(conversation)
        if not link.conversations:
            self.inbox.let_go(link)
            self._host.drop(link)
        elif conversation.session is not None:
            link.agent.do(CloseSession(conversation.ref))

    # Of the rest

    def now(self) -> float:
        """Seconds since the epoch."""
        return self._host.clock()

    @property
    def stores(self) -> list[Store]:
        """Of all agents."""
        return [link.store for link in self._host.links]

    def give_back(self, link: Link, ref: str, text: str, blocks: tuple[ContentBlock, ...] = ()) -> None:
        """Text that could not be said in this session, or a subagent of it, before what is being written."""
        conversation = link.holder(top(link.store, ref))
        screen = self.of(conversation) if conversation is not None else None
        if screen is not None:
            screen.writing.give_back(text, blocks)
        elif conversation is not None:
            before = conversation.draft
            conversation.draft = f"{text}\n{before}" if before.strip() else text

    def waiting(self, conversation: Conversation) -> list[Key]:
        """Requests of its session, and of its subagents, that wait for the user; oldest first."""
        store, refs = conversation.store, set(conversation.refs())
        return [key for key in store.requests if top(store, key.session) in refs]

    def _watch(self, screen: ChatScreen) -> None:
        """Hear of what concerns others; its session may become another one."""
        conversation = screen.conversation
        self._watched[screen] = conversation.store.watch(lambda _: self._changed(conversation))
        self.follow(screen)

    def _changed(self, conversation: Conversation) -> None:
        self._host.claims.look(conversation)
        for said in conversation.prefer():
            where = f"agents.{conversation.link.launch.name}.options"
            self._app.post_message(Told(one_line(visible(f"{where}: {said}"), 400), severity="warning"))
        self.tell()

    def follow(self, screen: ChatScreen) -> None:
        """The conversation has another session now."""
        ref = screen.conversation.ref
        self.keeping.follow(screen.conversation)
        self._watched[screen].set(
            [CONNECTION, REQUESTS, Key(ref, Kind.TIMELINE), Key(ref, Kind.SESSION), Key(ref, Kind.INFO)]
        )

    def tell(self) -> None:
        """Let the shown one say how the rest is."""
        shown = self.shown
        if shown not in self.screens:
            return
        shown.conversation.look_away()
        others = [screen.conversation for screen in self.screens if screen is not shown]
        shown.others = Others(
            place=self.screens.index(shown) + 1,
            count=len(self.screens),
            waiting=sum(len(self.waiting(conversation)) for conversation in others),
            unread=sum(1 for conversation in others if conversation.unread),
        )
