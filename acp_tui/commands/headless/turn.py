"""One prompt without a screen: open a session, send, follow, end.

Invariants: it ends only after every process of the agent has, whatever ends it; the first Ctrl+C cancels the
work, as Escape does in a chat, the second ends everything; nothing is allowed that neither the user nor a
rule of his allowed. Draws nothing and imports no Textual before something is asked in a terminal.
"""

from __future__ import annotations

import math
import signal
from collections.abc import Callable

import anyio

from acp_tui.base.complaint import complaint
from acp_tui.client.effects import Completed, Effect, Notify, Restore
from acp_tui.client.intents import AnswerElicitation, Cancel, SendHeld, Submit
from acp_tui.commands.headless import beside
from acp_tui.commands.headless.answer import Answer
from acp_tui.commands.headless.notes import Notes
from acp_tui.commands.headless.outcome import Outcome, Status, of_call, of_turn
from acp_tui.commands.headless.wanted import Prompt
from acp_tui.protocol.permission import RequestPermissionRequest
from acp_tui.store.entities import Submission, Turn
from acp_tui.store.keys import Key
from acp_tui.store.session import NONE_SEEN, Session
from acp_tui.store.store import CONNECTION
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.writing.sending import NotComposed, compose

SILENCE = 10.0
"""Seconds without a word after which an agent that accepted the prompt and reports no state is done."""

SETTLING = 3.0
"""Seconds in which an agent that went on with a session may say that it still works in it (SS-12)."""


class Ended(Exception):
    """There is nothing to wait for any more."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.words)
        self.outcome = outcome


class Errand:
    """The prompt, from the opening of its session to the end of its work."""

    def __init__(
        self,
        conversation: Conversation,
        prompt: Prompt,
        notes: Notes,
        write: Callable[[str], object],
        begin: Callable[[], object],
        *,
        wait: bool = False,
    ) -> None:
        self.conversation = conversation
        self.unasked = 0
        """Requests that were rejected because nobody could be asked."""
        self.cancelled: Outcome | None = None
        """What a cancel that was confirmed means; None: none was asked for."""
        self._prompt = prompt
        self._notes = notes
        self._write = write
        self._begin = begin
        """Called when there is a session, before anything is said in it."""
        self._wait = wait
        """For what is left running beside the work, too."""
        self._waiting = False
        """The work is over, and that is waited for."""
        self._answer: Answer | None = None
        self._submission: Submission | None = None
        self._turn: Turn | None = None
        self._early: Turn | None = None
        """Work that ended before or after the prompt was accepted: perhaps its own."""
        self._returned = ""
        """Why the prompt came back: told at the end."""
        self._changed = anyio.Event()
        store = conversation.store
        self._watch = store.watch(self._follow, {CONNECTION}, {conversation.ref})

    # What happens

    def happened(self, effect: Effect) -> None:
        """An effect for the user."""
        match effect:
            case Restore(reason=reason):
                self._returned = reason
            case Notify(notice=notice) if not self._returned or notice.description != self._returned:
                self._notes.notice(notice)
            case Completed(ref, key) if ref == self.conversation.ref and self._submission is not None:
                self._ended(self.conversation.store.entity(key), self._submission)
        self._changed.set()

    def _ended(self, turn: object, submission: Submission) -> None:
        """Work ended: that of the prompt, unless it was not accepted yet."""
        if isinstance(turn, Turn):
            self._early, self._turn = turn, turn if submission.status == "inserted" else None

    def _follow(self, keys: frozenset[Key]) -> None:
        session = self.conversation.session
        if session is not None and self._answer is not None:  # before that it is what was said long ago
            self._answer.follow(keys)
            self._notes.follow(session, keys)
        self._changed.set()

    async def _until(self, condition: Callable[[], object]) -> None:
        """Wait for it. Raises `Ended` where it cannot come any more."""
        while not condition():
            self._look_for_trouble()
            self._changed = anyio.Event()
            with anyio.move_on_after(SILENCE if self._at_rest() else math.inf) as silence:
                await self._changed.wait()
            if silence.cancelled_caught and self._at_rest():
                raise Ended(self._rested())

    def _at_rest(self) -> bool:
        """The prompt was accepted, and nothing shows that the agent works on it."""
        session, one = self.conversation.session, self._submission
        if session is None or one is None or self._waiting or self.conversation.store.requests:
            return False
        return one.status == "inserted" and not session.busy

    def _rested(self) -> Outcome:
        if self._early is not None:
            return of_turn(self._early, unasked=self.unasked)
        return Outcome(Status.OTHER, "the agent took the prompt and never said that it works, or has ended")

    def _look_for_trouble(self) -> None:
        connection, session = self.conversation.store.connection, self.conversation.session
        if connection.phase in ("failed", "lost", "closed"):
            status = Status.NO_AGENT if connection.ready_at is None else Status.LOST
            raise Ended(Outcome(status, connection.failure or "The agent is gone."))
        if connection.auth_required:
            raise Ended(Outcome(Status.LOGIN, connection.auth_reason))
        if session is not None and session.phase in ("failed", "closed"):
            failure = session.failure
            said = complaint(failure.message, failure.data) if failure is not None else "it was closed"
            raise Ended(Outcome(Status.REFUSED, _no_session(session, said)))

    # The errand

    async def run(self) -> Outcome:
        """All of it."""
        try:
            await self._open()
            await self._send()
            await self._until(self._done)
            self._waiting = self._wait
            await self._until(self._alone)
        except Ended as ended:
            return ended.outcome
        except NotComposed as problem:
            return Outcome(Status.REFUSED, str(problem))
        finally:
            self.conversation.store.flush()
        if left := beside.told(self.conversation):
            self._notes.say(left)
        return self._outcome()

    def _outcome(self) -> Outcome:
        assert self._turn is not None
        outcome = of_turn(self._turn, unasked=self.unasked)
        if self.cancelled is not None:
            return Outcome(self.cancelled.status, self.cancelled.words, outcome.stop_reason)
        call = self._answer.instead if self._answer is not None else None
        outcome = of_call(call, outcome) if call is not None else outcome
        if self._waiting and outcome.status is Status.DONE and (said := beside.given_up(self.conversation)):
            return Outcome(Status.ERROR, f"cannot be waited for: {said}", outcome.stop_reason)
        return outcome

    async def _open(self) -> None:
        """A session, with the options that the settings want."""
        conversation = self.conversation
        before = frozenset(conversation.session.timeline) if conversation.session is not None else frozenset()
        await self._until(lambda: (one := conversation.session) is not None and one.phase == "open")
        for told in conversation.prefer():
            self._notes.say(told)
        session = conversation.session
        assert session is not None
        await self._until(lambda: not session.options_asked)
        with anyio.move_on_after(SETTLING):
            await self._until(lambda: session.state != NONE_SEEN)
        self._begin()
        for key in session.timeline:
            if key not in before and isinstance(found := session.entities.get(key), Turn) and found.note:
                self._notes.say(found.note)

    async def _send(self) -> None:
        conversation, session = self.conversation, self.conversation.session
        assert session is not None
        roots = (session.cwd, *session.additional_directories)
        spans = [(0, len(self._prompt.text))] if self._prompt.piped else []
        ready = await compose(self._prompt.text, spans, (), roots, conversation.store)
        for told in ready.told:
            self._notes.say(told)
        self._answer = Answer(session, self._write)
        self._notes.begin(session)
        before = _newest(session)
        conversation.do(Submit(conversation.ref, ready.blocks, now=session.state == NONE_SEEN))
        found = _newest(session)
        if found is before:
            raise Ended(Outcome(Status.REFUSED, f"the prompt was not sent: {self._returned}"))
        self._submission = found

    def _done(self) -> bool:
        """The work that the prompt began has ended. Raises `Ended` where none will."""
        one = self._submission
        if one is None:
            return False
        if one.status in ("rejected", "withdrawn"):
            raise Ended(Outcome(Status.REFUSED, f"the agent refused the prompt: {one.reason}"))
        if one.status == "uncertain":
            self._look_for_trouble()
            raise Ended(Outcome(Status.LOST, one.reason))
        if one.status == "held":
            self._look_for_trouble()
            self.conversation.do(SendHeld(one.key))
        session = self.conversation.session
        return one.status == "inserted" and self._turn is not None and not (session and session.busy)

    def _alone(self) -> bool:
        """Nothing that is waited for goes on."""
        session = self.conversation.session
        busy = session is not None and session.busy
        return not self._waiting or not (busy or beside.goes_on(self.conversation))

    # From outside

    def cancel(self, meaning: Outcome) -> bool:
        """Ask the agent to stop; False where there is nothing to stop, or it was asked."""
        if self.cancelled is not None or self._submission is None:
            return False
        self.cancelled = meaning
        conversation = self.conversation
        if self._waiting and not beside.stop(conversation):
            self._waiting = False
        conversation.do(Cancel(conversation.ref))
        for request in conversation.store.waiting():
            if not isinstance(request.params, RequestPermissionRequest):
                conversation.do(AnswerElicitation(request.key, "cancel"))
        self._changed.set()
        return True

    def end(self) -> None:
        """Nothing is written any more."""
        self.conversation.store.flush()
        self._watch.close()
        if self._answer is not None:
            self._answer.end()
        if self.conversation.session is not None:
            self._notes.end(self.conversation.session)


def _newest(session: Session) -> Submission | None:
    """Wherever it stands: one that was accepted at once waits nowhere."""
    found = (one for one in reversed(session.entities.values()) if isinstance(one, Submission))
    return next(found, None)


def _no_session(session: Session, said: str) -> str:
    if session.session_id is None:
        return f"the agent gives no session: {said}"
    how = "; --no-replay asks it for the session without its history" if session.refused_with_replay else ""
    return f"the agent does not go on with the session: {said}{how}"


INTERRUPTED = Outcome(Status.CANCELLED, "cancelled")
TIMED_OUT = Outcome(Status.TIMEOUT, "the time is over")
GONE = Outcome(Status.BROKEN_PIPE)


def by_signal(number: int) -> Outcome:
    """A signal that ends a program."""
    return Outcome(128 + number, f"ended by {signal.Signals(number).name}")
