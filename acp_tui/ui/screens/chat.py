"""The chat: transcript, plan, permission panel, composer, status: where the focus is, what Escape closes,
what the next key does.

Everything stands in the layout, nothing beside the transcript, and in its place only while it is empty. A
panel takes the focus only from a composer that is not in use.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from acp_tui.base import recent
from acp_tui.base.recent import RecentCommand
from acp_tui.client.intents import AnswerPermission, Cancel
from acp_tui.render.clean import one_line
from acp_tui.store.keys import Key
from acp_tui.store.store import CONNECTION
from acp_tui.ui import keys
from acp_tui.ui.asker import top
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.detail.around import Around, around
from acp_tui.ui.screens.asking import AskingScreen
from acp_tui.ui.screens.working import WorkingScreen
from acp_tui.ui.standing import Hint
from acp_tui.ui.status import PATIENCE, wants_login
from acp_tui.ui.transcript.widget import Transcript
from acp_tui.ui.widgets.asked import Asked
from acp_tui.ui.widgets.composer import Composer
from acp_tui.ui.widgets.forms import Forms
from acp_tui.ui.widgets.header import Facts, Header, Others
from acp_tui.ui.widgets.permission_panel import PermissionPanel
from acp_tui.ui.widgets.plan_line import PlanLine
from acp_tui.ui.widgets.search_bar import TYPING, WALKING, Field, SearchBar
from acp_tui.ui.widgets.starting import Starting
from acp_tui.ui.widgets.status_line import StatusLine
from acp_tui.ui.widgets.welcome import Welcome
from acp_tui.ui.widgets.writing import Writing

if TYPE_CHECKING:
    from acp_tui.base.config import Settings

_WAITING = (("outbox.leave", "write"), ("chat.next_place", "read"))
_READING = (
    ("chat.next_place", "write"),
    ("transcript.up transcript.down", "move"),
    ("transcript.fold", "open"),
    ("transcript.search", "search"),
    ("transcript.copy", "copy"),
)

TALL = 30
"""Rows from which on there is room for an empty one."""


class ChatScreen(WorkingScreen, AskingScreen):
    """One agent and one session with it."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("chat")
    VERTICAL_BREAKPOINTS = [(0, "-low"), (TALL, "-tall")]  # noqa: RUF012 - declared so by Textual

    @dataclass
    class Left(Message):
        """The user goes back to the start screen."""

        chat: ChatScreen

    @dataclass
    class Named(Message):
        """What to call this conversation outside the program."""

        name: str

    @dataclass
    class Another(Message):
        """The conversation has another session now."""

        chat: ChatScreen

    class NoticesRead(Message):
        """The user looks at the notices: toasts have done their work."""

    @dataclass
    class RestartWanted(Message):
        """The agent is to be started again, in place."""

        conversation: Conversation

    others: reactive[Others] = reactive(Others(), init=False)
    """How the other conversations are."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__()
        self.conversation = conversation
        self.now = conversation.now
        self.failed_generation = 0
        self.remembered = False

    def compose(self) -> ComposeResult:
        # Textual knows it only after all was styled, and would style it all again.
        self.add_class("-tall" if self.app.size.height >= TALL else "-low")
        yield Header(id="header").data_bind(others=ChatScreen.others)
        yield Welcome(self.read_or_welcome)
        yield Transcript(self.conversation.store, self.conversation.ref, self.now)
        yield Starting(self.conversation.store, self.now)
        yield PlanLine()
        panel = PermissionPanel(self.now)
        panel.appeared = partial(self.appeared, panel)
        yield panel
        yield Forms(self.conversation, self.appeared)
        yield Writing(self.conversation)
        yield SearchBar()
        yield StatusLine(self.now, id="status")

    def on_mount(self) -> None:
        """Show the session."""
        self.query_one(Asked).look = self.query_one(PlanLine).look = lambda: self.transcript.look
        self.panel.show(self.conversation.link, self.conversation.refs)
        self.follow(self.conversation.store, self.connection_changed, keys=[CONNECTION])
        for widget, names in (
            (self.transcript, ("following", "unseen", "searching")),
            (self.panel, ("request", "waiting", "why")),
        ):
            for name in names:
                self.watch(widget, name, self.tell_keys, init=False)
        self.watch(self.query_one(Header), "facts", self.name_terminal)
        self.watch(self, "focused", self.focus_moved, init=False)
        self.follow_work()
        self.follow_settings()
        self.show_session()
        self.set_focus(self.composer)
        self.connection_changed(frozenset())

    def follow_settings(self) -> None:
        """How thoughts are to stand."""
        if made := getattr(self.app, "settings_made", None):
            self._thoughts(made)
        if changed := getattr(self.app, "settings_changed", None):
            changed.subscribe(self, self._thoughts)

    def _thoughts(self, settings: Settings) -> None:
        self.transcript.thoughts_open = settings.transcript.thoughts == "open"

    def show_session(self) -> None:
        """Let every part follow the session of the conversation."""
        store, ref = self.conversation.store, self.conversation.ref
        self.query_one(Welcome).show(store, ref)
        self.query_one(Header).show(store, ref)
        self.query_one(StatusLine).show(store, ref)
        self.query_one(PlanLine).show(store, ref)
        if self.transcript.ref != ref:
            self.transcript.show(ref)
        self.writing.show_session()
        self.show_work()

    def on_screen_resume(self) -> None:
        """It is before the user again: what may have changed while it was not."""
        if self.is_mounted:
            self.connection_changed(frozenset())
            self.login_changed(frozenset())
            self.name_terminal(self.query_one(Header).facts)

    def name_terminal(self, facts: Facts) -> None:
        """The terminal's title says which conversation this is."""
        self.post_message(self.Named(facts.name))

    def read_or_welcome(self, welcome: bool) -> None:
        """The transcript, or what stands in its place while there is nothing to read."""
        self.transcript.display = not welcome

    @property
    def writing(self) -> Writing:
        """Where the user writes, and what is offered to him."""
        return self.query_one(Writing)

    @property
    def composer(self) -> Composer:
        """Where the text stands."""
        return self.query_one(Composer)

    @property
    def around(self) -> Around:
        """What the screens on top of it need."""
        return around(self.conversation)

    @property
    def panel(self) -> PermissionPanel:
        """What is asked."""
        return self.query_one(PermissionPanel)

    def on_writing_nothing(self) -> None:
        """Enter on nothing: restart what is gone, log in where that is wanted."""
        if self.conversation.session is not None and wants_login(self.conversation.session):
            self.action_login()
        elif self._can_restart():
            self.action_restart()

    def on_writing_next(self) -> None:
        """Tab in the composer."""
        self.action_next_place()

    # Being asked

    def on_permission_panel_emptied(self) -> None:
        """Back to writing."""
        if self.focused is self.panel or self.focused is None:
            self.composer.focus()

    def on_permission_panel_typed(self, event: PermissionPanel.Typed) -> None:
        """Somebody wrote although the panel had the focus."""
        self.composer.focus()
        self.composer.insert(event.text)

    def on_permission_panel_left(self) -> None:
        """Tab after the last request."""
        self.action_next_place()

    def on_permission_panel_chosen(self, event: PermissionPanel.Chosen) -> None:
        """Answer, and nothing else: rejecting is not cancelling (S17)."""
        self.conversation.do(AnswerPermission(event.request, event.option.id))

    def on_permission_panel_rejected(self, event: PermissionPanel.Rejected) -> None:
        """Answer, and say why."""
        self.conversation.do(event.intent)

    def on_permission_panel_withdrawn(self, event: PermissionPanel.Withdrawn) -> None:
        """A request left by itself: say why, once where several conversations have the same agent."""
        store, link = self.conversation.store, self.conversation.link
        if link.holder(top(store, event.request.session)) in (None, self.conversation):
            self.tell(event.reason)

    def on_permission_panel_opened(self, event: PermissionPanel.Opened) -> None:
        """The request whole."""
        self.open_whole(event.request)

    def on_composer_page(self, event: Composer.Page) -> None:
        """Read without leaving off to write."""
        self.transcript.action_page(event.step)

    def on_descendant_focus(self) -> None:
        """The keys that matter are those of what has the focus."""
        self.tell_keys()

    def focus_moved(self) -> None:
        """The same, in the moment in which it moves."""
        self.heed_focus()
        self.tell_keys()

    def tell_keys(self) -> None:
        """Say what the next key does here and now, and where it goes."""
        self.writing.wake(self.focused is self.composer)
        hints: tuple[Hint, ...] | None = None
        reading = self.focused is self.transcript
        if self.panel.holds(self.focused):
            hints = self.panel.hints
        elif self.forms.holds(self.focused):
            hints = self.forms.hints
        elif self.outbox is not None and self.focused is self.outbox:
            hints = _WAITING
        elif self.transcript.searching and (reading or isinstance(self.focused, Field)):
            hints = WALKING if reading else TYPING
        elif reading:
            asked = self.panel.request is not None
            answer: tuple[Hint, ...] = (("chat.previous_place", "answer"),) if asked else ()
            hints = (*answer, *_READING)
        self.query_one(StatusLine).hints = hints
        self.tell_below("transcript.follow" if reading else "chat.follow")

    # Keys

    def action_next_place(self) -> None:
        """Composer → panel → form → messages that wait → transcript → composer."""
        self.step_place(1)

    def action_previous_place(self) -> None:
        """The same, backwards."""
        self.step_place(-1)

    def step_place(self, by: int) -> None:
        """To the next place, or the one before."""
        outbox = self.outbox
        places: list[Widget] = [self.composer]
        places += [self.panel] if self.panel.request is not None else []
        places += [self.forms] if self.forms.asked else []
        places += [outbox] if outbox is not None and outbox.display else []
        places += [self.transcript] if self.transcript.display else []
        here = [i for i, place in enumerate(places) if place.has_focus or place.has_focus_within]
        there = places[(here[0] + by) % len(places)] if here else places[-1 if by > 0 else 0]
        if there is self.panel and by > 0:
            self.panel.first_request()
        if there is self.forms:
            self.forms.begin(last=by < 0)
        else:
            there.focus()

    def on_outbox_left(self) -> None:
        """Back to writing."""
        self.composer.focus()

    def action_escape(self) -> None:
        """Close the nearest open thing, else cancel."""
        composer = self.composer
        if self.writing.close_offer() or self.close_nearest():
            return
        if not composer.selection.is_empty:
            composer.move_cursor(composer.cursor_location)
        elif composer.leave_insert():
            pass
        elif self._beginning():
            self._back()
        elif self.cancel_login():
            pass
        elif not self._cancel():
            composer.focus()

    def _beginning(self) -> bool:
        """There is nothing yet that one could cancel: the agent starts, or a first session is on its way."""
        session = self.conversation.session
        opens = session is not None and session.phase == "opening" and session.session_id is None
        starts = self.conversation.store.connection.phase in ("starting", "initializing")
        return starts or (opens and session is not None and not wants_login(session))

    def _back(self) -> None:
        self.post_message(self.Left(self))

    def _cancel(self) -> bool:
        """Cancel what runs; asked again after a while without an answer, offer to stop the agent (CX-18)."""
        session = self.conversation.session
        if session is None or self.conversation.gone:
            return False
        if session.cancelling and session.cancel is not None:
            if self.now() - session.cancel.asked_at >= PATIENCE:
                from acp_tui.ui.screens.stop import StopScreen

                conversation = self.conversation
                stop = StopScreen(session, conversation.store, self.now, conversation.do)
                self.app.push_screen(stop, self._stop)
            return True
        asked = any(key.session == session.ref for key in self.conversation.store.requests)
        if session.busy or asked or self.writing.submissions("pending"):
            self.conversation.do(Cancel(session.ref))
            return True
        return False

    def _stop(self, stop: bool | None) -> None:
        if stop:
            self.conversation.agent.kill()

    def action_interrupt(self) -> None:
        """Ctrl+C: copy; else clear the draft, which undo brings back; else cancel; else say how to quit."""
        if self.panel.interrupt():
            return
        selected = self.composer.selected_text or self.get_selected_text()
        if selected:
            self.app.copy_to_clipboard(selected)
        elif self.composer.text:
            self.composer.put("")
            self.composer.focus()
        elif not self._cancel():
            self.tell(f"{keys.hint('everywhere.quit')} quits")

    def action_follow(self) -> None:
        """To the end of what was said."""
        self.transcript.action_last()

    def action_plan(self) -> None:
        """The whole plan, the next one, or its line."""
        if not self.query_one(PlanLine).turn():
            self.tell("There is no plan")

    def action_notices(self) -> None:
        """Notices and unknown updates."""
        from acp_tui.ui.screens.notices import NoticesScreen

        session = self.conversation.session
        if session is not None:
            self.post_message(self.NoticesRead())
            self.app.push_screen(NoticesScreen(session, self.around))

    # The agent

    def connection_changed(self, _: frozenset[Key]) -> None:
        """One that answers is worth offering again; one that could not start gets a screen of its own."""
        connection = self.conversation.store.connection
        if connection.phase == "ready" and not self.remembered:
            self.remembered = True
            command, cwd = self.conversation.link.command, self.conversation.cwd
            used = RecentCommand(command=command, cwd=cwd, used_at=self.now())
            self.run_worker(partial(recent.add, used), thread=True)
        failed = connection.phase == "failed" and connection.generation >= self.failed_generation
        if failed and self.is_current:  # else it waits until the user looks here
            self.failed_generation = connection.generation + 1
            from acp_tui.ui.screens.failure import FailureScreen

            self.app.push_screen(FailureScreen(self.conversation.store, self.now), self._after_failure)

    def _after_failure(self, restart: bool | None) -> None:
        if restart:
            self.action_restart()
            return
        session = self.conversation.session
        if session is None or not session.timeline:
            self._back()

    def _can_restart(self) -> bool:
        session = self.conversation.session
        return self.conversation.gone or (
            session is not None and (session.phase in ("failed", "closed") or wants_login(session))
        )

    def action_restart(self) -> None:
        """Start the agent again in place, or open a session with an agent that lives but has none for us."""
        phase = self.conversation.store.connection.phase
        if phase == "ready" and self._can_restart():
            self.conversation.open_once_more()
            self.show_session()
            self.post_message(self.Another(self))
        elif phase != "ready":
            self._restart(True)
        else:
            self._offer_restart()

    def _offer_restart(self) -> None:
        """It lives; whether it still answers only the user can judge (S36)."""
        from acp_tui.ui.screens.quit import QuitScreen
        from acp_tui.ui.status import still_running

        store = self.conversation.store
        name = one_line(store.connection.agent_name, 40)
        ends = ["its process, and every process it started", *still_running(store)]
        question = QuitScreen(ends, f"Start {name} again? This ends:", "start it again", "leave it")
        self.app.push_screen(question, self._restart)

    def _restart(self, wanted: bool | None) -> None:
        if wanted:
            self.post_message(self.RestartWanted(self.conversation))
