"""Where a prompt is written: the composer with what it offers above it. It turns what is written into
intents.

It owns which offers the user closed; the text belongs to the conversation's draft, the commands are the
store's word. Nothing of a text is lost where there is nobody to send it to.
"""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Static

from acp_tui.client.intents import SendHeld, Submit, Withdraw
from acp_tui.protocol.content import TextContent
from acp_tui.render.code import prepare
from acp_tui.store.entities import Submission
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import Subscription
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.completion import Command, Completion, matching, offered
from acp_tui.ui.widgets.composer import Composer


class Writing(Bound, Vertical):
    """The composer of one conversation."""

    class Nothing(Message):
        """Enter, and nothing was written."""

    class Next(Message):
        """Tab, and nothing to complete: to the next place."""

    def __init__(self, conversation: Conversation) -> None:
        super().__init__()
        self.conversation = conversation
        self.commands: list[Command] = []
        self.dismissed = ""
        """The text for which the list of commands was closed with Escape."""
        self.watching: Subscription | None = None

    def compose(self) -> ComposeResult:
        yield Completion()
        with Horizontal(id="writing"):
            yield Static("❯", id="prompt")
            yield Composer(self.conversation.now)

    def on_mount(self) -> None:
        """The draft it had."""
        self.composer.fits = lambda text: bool(self.fitting(text))
        self.composer.put(self.conversation.draft)
        self.watching = self.follow(self.conversation.store, self.commands_changed)

    @property
    def composer(self) -> Composer:
        """Where the text stands."""
        return self.query_one(Composer)

    @property
    def completion(self) -> Completion:
        """The list of commands."""
        return self.query_one(Completion)

    def show_session(self) -> None:
        """Follow the session the conversation has now."""
        if self.watching is not None:
            ref = self.conversation.ref
            self.watching.set([Key(ref, Kind.COMMANDS), Key(ref, Kind.SESSION)])
        self.commands_changed(frozenset())

    def wake(self, awake: bool) -> None:
        """Keys go to the composer, or do not."""
        self.query_one("#prompt").set_class(awake, "-awake")

    def give_back(self, text: str) -> None:
        """A prompt that was not taken, before what is being written."""
        self.composer.give_back(text)

    def _tell(self, text: str) -> None:
        self.post_message(Told(text))

    # Sending

    def on_composer_sent(self, event: Composer.Sent) -> None:
        """Send, where there is somebody to send to."""
        event.stop()
        conversation, session = self.conversation, self.conversation.session
        again = keys.hint("chat.restart")
        if not event.text.strip():
            self._send_nothing(event.now)
        elif conversation.gone:
            self.give_back(event.text)
            self._tell(f"The agent is gone. {again} starts it again; your text stays here.")
        elif session is not None and session.phase in ("failed", "closed"):
            self.give_back(event.text)
            self._tell(f"There is no session. {again} opens one; your text stays here.")
        else:
            self.composer.remember(event.text)
            block = TextContent(type="text", text=event.text)
            conversation.do(Submit(conversation.ref, (block,), now=event.now))
            self.run_worker(prepare, thread=True)

    def _send_nothing(self, now: bool) -> None:
        """Alt+S on nothing: send what is held."""
        held = self.submissions("held") or self.submissions("queued")
        if now and held:
            self.conversation.do(SendHeld(held[0].key))
        elif not now:
            self.post_message(self.Nothing())

    def submissions(self, status: str) -> list[Submission]:
        """Prompts of this status, in the order they were written."""
        session = self.conversation.session
        found = [session.entities.get(key) for key in session.tail] if session is not None else []
        return [s for s in found if isinstance(s, Submission) and s.status == status]

    def on_composer_take_back(self, event: Composer.TakeBack) -> None:
        """Up in an empty composer: the newest prompt that still waits here, else the last one sent."""
        event.stop()
        waiting = [*self.submissions("queued"), *self.submissions("held")]
        if waiting:
            self.conversation.do(Withdraw(max(waiting, key=lambda s: s.number).key))
        else:
            self.composer.walk(-1)

    # Completing

    def commands_changed(self, _: frozenset[Key]) -> None:
        """The agent offers other commands."""
        session = self.conversation.session
        self.commands = offered(session.commands) if session is not None else []
        self.offer()

    def on_composer_edited(self, event: Composer.Edited) -> None:
        """Keep the draft, and offer what fits it."""
        event.stop()
        self.conversation.draft = self.composer.text
        self.offer()

    def fitting(self, text: str) -> list[Command]:
        """Commands that fit this text, unless the user closed the list for just this one."""
        found = [] if text == self.dismissed else matching(text, self.commands)
        if found and text == f"/{found[0].name}":
            found = found if len(found) > 1 or found[0].takes_input else []
        return found

    def offer(self) -> None:
        """Show the commands that fit what is written."""
        self.completion.offer(self.fitting(self.composer.text))

    def close_offer(self) -> bool:
        """Close the list until the text changes; False if there is none."""
        if shown := bool(self.completion.display):
            self.dismissed = self.composer.text
            self.offer()
        return shown

    def on_composer_mark(self, event: Composer.Mark) -> None:
        """Up and down in the list."""
        event.stop()
        self.completion.mark(event.step)

    def on_composer_complete(self, event: Composer.Complete) -> None:
        """Tab, or Enter in the list; what was typed since stays, behind the command."""
        event.stop()
        self.completion.offer(self.fitting(event.text))
        if self.completion.current is None:
            self.post_message(self.Next())
        else:
            self._complete(self.completion.current, self.composer.text.removeprefix(event.text))

    def on_completion_chosen(self, event: Completion.Chosen) -> None:
        """A click in the list."""
        event.stop()
        self._complete(event.command)

    def _complete(self, command: Command, typed: str = "") -> None:
        """Write the name; one that takes no input is whole, so the next Enter sends it."""
        self.composer.put(f"/{command.name} {typed}" if command.takes_input else f"/{command.name}{typed}")
        self.dismissed = self.composer.text
        self.offer()
        self.composer.focus()
