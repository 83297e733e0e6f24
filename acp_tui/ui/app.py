"""The app: screens, themes, toasts, the frame, and the way from effects of the machine to what the user
sees.

It owns no truth. It lets the store tell its watchers once a frame, and hands intents to the agent's front. An
error that should not happen ends it without a word; who started it finds it in `crash`.

The first picture comes before all that talks to agents is loaded: nothing of that is imported here but where
it is used (a test looks). Until `begin` keys wait, as they would in the terminal; then the chat gets them.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.driver import Driver
from textual.message import Message

from acp_tui.render.clean import one_line
from acp_tui.ui import keys, unofficial
from acp_tui.ui.conversing import Conversing
from acp_tui.ui.screens.opening import OpeningScreen
from acp_tui.ui.terminal.driver import Gone, Stale, TerminalDriver

if TYPE_CHECKING:
    from acp_tui.base.config import Config
    from acp_tui.client.effects import Effect, Restore
    from acp_tui.store.store import Store
    from acp_tui.ui.aftermath import Aftermath
    from acp_tui.ui.arriving import Stuck
    from acp_tui.ui.conversation import Conversation, Link
    from acp_tui.ui.host import Host
    from acp_tui.ui.screens.chat import ChatScreen
    from acp_tui.ui.screens.launcher import LauncherScreen
    from acp_tui.ui.start import Listing
    from acp_tui.ui.told import Told
    from acp_tui.ui.transcript.broken import Broke
    from acp_tui.ui.widgets.permission_panel import PermissionPanel

FRAME = 1 / 30
TURNS = 50
"""Turns of the loop in which a key surely does what it does: from widget to widget, each with a queue."""
PAST_SECONDS = 12.0
"""How long it is said that an earlier run broke off: nobody waits for that."""
NEVER_READY = 1
"""Exit status when no agent ever answered."""


class AcpApp(Conversing):
    """The program's user interface."""

    TITLE = "acp-tui"
    CSS_PATH = "app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("everywhere")
    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    NOTIFICATION_TIMEOUT = 6

    @dataclass
    class Begun(Message):
        """There is who starts agents, and the first conversation, if one was asked for."""

        host: Host
        first: Conversation | None
        past: Stuck | None
        """A saved session that was asked for and could not be gone on with."""

    @dataclass
    class Happened(Message):
        """The machine wants something shown; posted from the agent's task."""

        link: Link
        effect: Effect

    @dataclass
    class BrokenOff(Message):
        """An earlier run ended without a word; posted from a task of the host."""

        past: Aftermath

    def __init__(
        self,
        host: Host | None,
        first: Conversation | None,
        cwd: str,
        *,
        command: tuple[str, ...] = (),
        theme: str = "",
        dark: bool | None = None,
        driver: type[Driver] | None = None,
        config: Config | None = None,
        listing: Listing | None = None,
    ) -> None:
        super().__init__(config, theme, dark, driver)
        self._host = host
        self.front: Conversation | None = None
        """The one that was shown when the user left."""
        """None: it comes with `begin`, and with it the conversation with `command`."""
        self.first = first
        self.listing = listing
        """The library is to be shown first."""
        self.command = command
        self.waiting: list[events.Key | events.Paste] = []
        """What was typed before `begin`."""
        self.painted = asyncio.Event()
        """The first picture was drawn."""
        self.cwd = cwd
        self.context: contextvars.Context | None = None
        self.flush_due = False
        self.flushed_at = 0.0
        self.broken: dict[str, Exception] = {}
        """What could not be drawn, by its place in the code; the rest goes on."""

    def on_mount(self) -> None:
        """Show the chat with the agent that is starting, or the start screen."""
        self.context = contextvars.copy_context()
        self.take_keys()
        if self.first is not None:
            self.show(self.first)
        elif self.command:
            self.push_screen(OpeningScreen(self.command, self.cwd))
        elif self.listing is not None:
            self.show_listing(self.listing)
        else:
            self.show_launcher()
        self.tell_problems()
        self.call_after_refresh(self._first_painted)

    def _first_painted(self) -> None:
        """Keys may come."""
        TerminalDriver.wanted.set()
        self.painted.set()
        if self._host is not None:
            self._settle()

    def _settle(self) -> None:
        """All is there; and what is loaded stays: the collector need never look at it.

        There is nothing to collect before (23 objects); looking would cost 0.1 s just when the user begins.
        """
        gc.freeze()
        gc.enable()
        gc.set_threshold(10_000, 20, 50)
        self.host.look_back(lambda past: self.post_message(self.BrokenOff(past)))

    # From the first picture to the chat

    def begin(self, host: Host, first: Conversation | None, past: Stuck | None = None) -> None:
        """There is who starts agents; from any task of the loop."""
        self.post_message(self.Begun(host, first, past))

    async def on_acp_app_begun(self, event: Begun) -> None:
        """The chat takes the place of the first picture, and gets what was typed meanwhile, before all."""
        self._host = event.host
        self.library_begun()
        there = self.show(event.first) if event.first is not None else None
        if event.past is not None:
            self.waiting.clear()  # it was meant for a chat
            self.returning.open(*event.past)
        if there is not None:
            await there
        self.call_after_refresh(self._settle)
        from acp_tui.ui.workers import later

        self.run_worker(later(self._give_typed))

    async def _give_typed(self) -> None:
        """In order; after a key that may move the focus, once it has."""
        while self.waiting:
            typed = self.waiting[0]
            await super().on_event(typed)
            if not (isinstance(typed, events.Key) and typed.is_printable):
                for _ in range(TURNS):
                    await asyncio.sleep(0)
            del self.waiting[0]

    async def on_event(self, event: events.Event) -> None:
        """Whatever the user does before there is a chat waits; what he writes is shown."""
        early = self._host is None
        user = isinstance(event, (events.InputEvent, events.Paste)) and not event.is_forwarded
        if isinstance(event, (events.Key, events.Paste)) and user and (early or self.waiting):
            self.waiting.append(event)
            if isinstance(self.screen, OpeningScreen):
                self.screen.hear(event)
        elif not (user and early):
            await super().on_event(event)

    def on_acp_app_broken_off(self, event: BrokenOff) -> None:
        """An earlier run ended suddenly: say so, on the start screen or in passing."""
        self.past = event.past
        if not self.tell_past():
            self.toasts.show("An earlier run broke off", event.past.words, "warning", PAST_SECONDS)

    # Agents

    def show(self, conversation: Conversation) -> Awaitable[object] | None:
        """Show a conversation that was just begun; what is returned waits until it is there."""
        return self.chats.open(conversation)

    def _link(self, link: Link) -> None:
        if link.agent.on_effect is None:
            for text in link.launch.told:
                self.toasts.show("Settings", text, "warning")
        link.agent.on_effect = lambda effect: self._pass_on(link, effect)
        self.attach(link.store)
        self.attention.follow(link)

    def show_launcher(self) -> None:
        """The start screen."""
        from acp_tui.ui.screens.launcher import LauncherScreen

        self.push_screen(LauncherScreen(self.cwd, self.settings.agents, self.past_words, self._now))
        self.attention.name(self.TITLE or "")

    def on_launcher_screen_chosen(self, event: LauncherScreen.Chosen) -> None:
        """Start an agent chosen on the start screen."""
        from acp_tui.ui import agreeing

        def then() -> None:
            event.screen.left()
            self.show(self.host.start(event.command, event.cwd))

        agreeing.begin(self, self.settings_made, event.command, then, event.screen.problem)

    def on_chat_screen_left(self, event: ChatScreen.Left) -> None:
        """Back to the conversation beside it, or to the start screen."""
        self._leave(event.chat)

    def on_chat_screen_another(self, event: ChatScreen.Another) -> None:
        """It has another session now."""
        self.chats.follow(event.chat)

    def on_chat_screen_restart_wanted(self, event: ChatScreen.RestartWanted) -> None:
        """Start it again, in place."""
        self.host.restart(event.conversation.link)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: str = "information",
        timeout: float | None = None,
        markup: bool = True,
    ) -> None:
        """Whatever wants to be a toast, widgets and Textual itself, comes out of the one mouth for them."""
        text = Content.from_markup(message).plain if markup else message
        from acp_tui.ui.toasts import SECONDS

        seconds = SECONDS if timeout is None else timeout
        self.toasts.show(title or text, text if title else "", severity, seconds)

    def on_told(self, event: Told) -> None:
        """A toast."""
        self.toasts.show(event.title or event.text, event.text if event.title else "", event.severity)

    def on_chat_screen_named(self, event: ChatScreen.Named) -> None:
        """The terminal's title."""
        self.attention.name(event.name)

    def on_chat_screen_notices_read(self) -> None:
        """Nothing stands before the notices."""
        self.toasts.dismiss()

    def _pass_on(self, link: Link, effect: Effect) -> None:
        from acp_tui.ui.ruling import ruled

        told = ruled(link, effect, self.settings_made)
        self.post_message(told or self.Happened(link, effect))

    def on_acp_app_happened(self, event: Happened) -> None:
        """An effect that is for the user's eyes."""
        from acp_tui.client.effects import Notify, Restore

        match event.effect:
            case Notify(notice=notice):
                self.toasts.show(notice.title, notice.description or "", notice.severity)
            case Restore() as restore:
                self._restore(event.link, restore)
            case effect:
                self.heed(event.link, effect)

    def _restore(self, link: Link, restore: Restore) -> None:
        text = "\n".join(block.text for block in restore.blocks if block.type == "text")
        self.chats.give_back(link, restore.ref, text, restore.blocks)

    def on_permission_panel_kept(self, event: PermissionPanel.Kept) -> None:
        """What was written to a request that is gone."""
        self.chats.give_back(event.link, event.request.session, event.text)

    # Frames

    def attach(self, store: Store) -> None:
        """Let this store tell its watchers, once a frame."""
        store.on_dirty = self._dirty
        self._dirty()

    def _dirty(self) -> None:
        if not self.flush_due and self.context is not None:
            self.flush_due = True
            loop = asyncio.get_running_loop()
            when = max(loop.time(), self.flushed_at + FRAME)
            loop.call_at(when, self._frame, context=self.context)

    def _frame(self) -> None:
        self.flush_due = False
        if not self.is_running:
            return  # its screens are being taken down
        self.flushed_at = asyncio.get_running_loop().time()
        try:
            for link in self.links:
                link.store.flush()
        except Exception as error:  # a callback of the loop: nobody else would hear of it
            unofficial.fail(self, error)

    # What should not happen

    @property
    def crash(self) -> Exception | None:
        """The error that ended the app."""
        return unofficial.failure(self)

    def on_broke(self, event: Broke) -> None:
        """Something could not be drawn: keep a report, once for each place in the code."""
        from acp_tui.base import crash

        place = crash.place(event.error)
        if place not in self.broken:
            self.broken[place] = event.error
            crash.write(event.error, f"drawing {event.key.kind} {one_line(event.key.id, 100)}")

    def _fatal_error(self) -> None:
        """Textual would draw a traceback with the values of all variables; end without one."""
        unofficial.close(self)

    def panic(self, *_: object) -> None:
        """The same, for errors that draw themselves."""
        self._fatal_error()

    # Keys

    def action_help(self) -> None:
        """F1."""
        from acp_tui.ui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            self.push_screen(HelpScreen(self.key_changes))

    def action_palette(self) -> None:
        """F3: over the screen, never over itself."""
        from acp_tui.ui.palette import Palette

        if not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    def action_settings(self) -> None:
        """F4."""
        from acp_tui.ui.screens.settings import SettingsScreen

        if not any(isinstance(screen, SettingsScreen) for screen in self.screen_stack):
            self.push_screen(SettingsScreen())

    async def action_quit(self) -> None:
        """Ctrl+Q: tell what still runs, once; a second press is an answer."""
        from acp_tui.ui.screens.quit import QuitScreen
        from acp_tui.ui.status import still_running

        if isinstance(self.screen, QuitScreen):
            self.leave()
            return
        running = [text for link in self.links for text in still_running(link.store)]
        if not running:
            self.leave()
        else:
            self.push_screen(QuitScreen(running), lambda sure: self.leave() if sure else None)

    def action_redraw(self) -> None:
        """Ctrl+L."""
        self.refresh(layout=True)
        self.screen.refresh(layout=True)

    def on_stale(self, _: Stale) -> None:
        """The terminal was stopped or slow for a while, and is not any more."""
        self.action_redraw()

    def on_gone(self, _: Gone) -> None:
        """The terminal is gone."""
        self.leave(129)

    def leave(self, status: int | None = None) -> None:
        """End the app; who started it ends the agents."""
        if status is None:
            links = self.links
            status = NEVER_READY if links and all(self._never_ready(link) for link in links) else 0
        shown = self.chats.shown if self._host is not None else None
        self.front = shown.conversation if shown is not None else None
        self.exit(status)

    @staticmethod
    def _never_ready(link: Link) -> bool:
        connection = link.store.connection
        return connection.phase == "failed" and connection.ready_at is None

    def keep_drafts(self) -> None:
        """Keep what is being written for the next start in the same folder (CL-06)."""
        if self._host is not None:
            self.chats.keeping.keep_all()
