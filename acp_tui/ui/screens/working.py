"""What a chat has beside reading and writing: prompts that wait, what runs beside the work, logging in.

Invariants: what few starts need is mounted or imported when it is needed; a login is offered each time the
agent asks for one, and never begun by itself (S53); no letter is lost without a word. A terminal sends Alt
and a letter as Escape and the letter; where both come at once nobody can tell which it was. It counts as Alt,
for Escape may cancel what runs; one that does nothing here says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events

from acp_tui.client.intents import CancelLogin, Logout
from acp_tui.protocol.errors import AUTH_REQUIRED
from acp_tui.render.clean import one_line
from acp_tui.store.keys import Key
from acp_tui.store.store import CONNECTION, Subscription
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.screens.reading import ReadingScreen

if TYPE_CHECKING:
    from acp_tui.ui.widgets.outbox import Outbox


class WorkingScreen(ReadingScreen):
    """A screen with one conversation."""

    conversation: Conversation
    sending: Subscription | None = None
    logins_seen = 0
    """How often the agent had asked for a login when it was offered last."""

    def follow_work(self) -> None:
        """From now on show what comes up."""
        store = self.conversation.store
        self.sending = self.follow(store, self.sending_changed)
        self.follow(store, self.login_changed, keys=[CONNECTION])

    def show_work(self) -> None:
        """The conversation has this session now."""
        if self.sending is not None:
            self.sending.set([], [self.conversation.ref])
        if (outbox := self.outbox) is not None:
            outbox.show_session()
        self.sending_changed(frozenset())

    # Keys that nobody knows

    def on_key(self, event: events.Key) -> None:
        """Alt and a letter that does nothing here may have been meant otherwise."""
        letter = event.key.removeprefix("alt+")
        if letter == event.key or len(letter) != 1 or event.key in self.active_bindings:
            return
        said = f"Escape and {letter}, typed at once, look the same: press Escape, then type."
        self.tell(said, f"Alt+{letter.upper()} does nothing here")

    # Prompts that wait

    @property
    def outbox(self) -> Outbox | None:
        """The list of prompts that wait, once there were any."""
        found = self.query("Outbox")
        return found.first() if found else None  # type: ignore[return-value]

    def sending_changed(self, _: frozenset[Key]) -> None:
        """Mount the list when there is something for it."""
        session = self.conversation.session
        if session is None or not session.tail or self.outbox is not None:
            return
        from acp_tui.ui.widgets.outbox import Outbox, listed

        if listed(session):
            self.mount(Outbox(self.conversation, lambda: self.transcript.look), before="Writing")

    def on_outbox_opened(self, event: Outbox.Opened) -> None:
        """One of them whole."""
        self.open_whole(event.key)

    # What runs

    def action_background(self) -> None:
        """What runs beside the work."""
        from acp_tui.ui.screens.background import BackgroundScreen

        if self.conversation.session is not None:
            self.app.push_screen(BackgroundScreen(self.conversation.ref, self.around))

    # Logging in

    def login_changed(self, _: frozenset[Key]) -> None:
        """The agent asks for a login: offer it, on the conversation that is before the user."""
        connection = self.conversation.store.connection
        if not connection.auth_required:
            self._open_after_login()
        elif connection.auth_asked > self.logins_seen and self.is_current and not connection.login:
            self.action_login()

    def _open_after_login(self) -> None:
        """A session that failed for want of a login is asked for anew after one, which the user has just
        done.
        """
        session = self.conversation.session
        failure = session.failure if session is not None and session.phase == "failed" else None
        unwanted = failure is None or failure.code != AUTH_REQUIRED or not self.logins_seen
        if not unwanted and not self.conversation.gone:
            self.logins_seen = 0
            self.conversation.open()

    def action_login(self) -> None:
        """The ways to log in."""
        from acp_tui.ui.screens.login import LoginScreen

        connection = self.conversation.store.connection
        self.logins_seen = connection.auth_asked
        if connection.phase != "ready":
            self.tell("The agent is not connected")
        elif not connection.auth_required and not connection.auth_methods:
            self.tell(f"{one_line(connection.agent_name, 60)} asks for no login")
        else:
            self.app.push_screen(LoginScreen(self.conversation))

    def cancel_login(self) -> bool:
        """Ask the agent to give a login up; False if none is under way."""
        if not self.conversation.store.connection.login:
            return False
        self.conversation.do(CancelLogin())
        return True

    def action_logout(self) -> None:
        """Log out, after asking."""
        from acp_tui.ui.screens.question import Question

        connection = self.conversation.store.connection
        name = one_line(connection.agent_name, 60)
        if connection.phase != "ready" or not connection.auth_methods:
            self.tell(f"{name} knows no login to log out from")
            return
        if not connection.logs_out:
            self.tell(f"{name} cannot log out")
            return
        said = ("Until the next login its work may end or fail.",)
        asked = Question(f"Log out from {name}?", said, "log out", "stay")
        self.app.push_screen(asked, lambda sure: self.conversation.do(Logout()) if sure else None)
