"""Prompts of the user, from the composer until the agent's user message takes their place.

Invariants: a submission is tied to its message by our request and the `messageId` in the answer, never by
text or order (PR-07); what the agent refused or gave back returns to the composer, also where it had taken it
before, as v1 agents do; nothing is ever sent twice by itself (PR-17, LC-08). What waits here is the business
of `queue`, where it stands that of `settling`.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile

from acp_tui.base.complaint import complaint
from acp_tui.client.effects import Restore
from acp_tui.client.queue import WAITING, Queue, alone, waiting, working
from acp_tui.client.routes import Routes
from acp_tui.client.settling import Settling
from acp_tui.client.setup import Setup
from acp_tui.client.wire import NO_OUTCOME, Call, Method, Wire
from acp_tui.protocol import errors, v2
from acp_tui.protocol.content import ContentBlock
from acp_tui.protocol.errors import Error
from acp_tui.protocol.jsonrpc import id_key
from acp_tui.protocol.session import PromptResponse
from acp_tui.protocol.unknown import Invalid
from acp_tui.store.entities import Message, Submission, SubmissionStatus
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session

_WITHDRAWN = "The agent had not accepted the prompt yet; its text is back."
_REFUSALS = frozenset(
    {errors.AUTH_REQUIRED, errors.INVALID_PARAMS, errors.INVALID_REQUEST, errors.RESOURCE_NOT_FOUND}
)
"""Errors that say that the agent did not even begin."""
_LOG_IN = "The agent wants a login first; the text of the prompt is back."
_NEEDS = {"image": "image", "audio": "audio", "resource": "embedded_context"}


class Submissions:
    """Sends, ties and gives back."""

    def __init__(self, wire: Wire, routes: Routes, setup: Setup, new_id: Callable[[], str]) -> None:
        self._wire = wire
        self._routes = routes
        self._setup = setup
        self._new_id = new_id
        self._number = 0
        self.queue = Queue(wire, self._send_waiting, new_id)
        self.settling = Settling(wire)
        self.by_request: dict[str, Submission] = {}
        """Every submission that was sent, by its request id as JSON."""
        wire.methods["session/prompt"] = Method(sent=self._sent, done=self._done, failed=self._failed)

    # What the user wants

    def submit(
        self,
        session: Session | None,
        ref: str,
        blocks: tuple[ContentBlock, ...],
        *,
        now: bool = False,
        first: bool = False,
        held: str = "",
    ) -> None:
        """Send a prompt, or queue it while the session works or is not open yet (S50), `first` before the
        others that wait. With `held`, a reason, it is only put before the user.
        """
        refusal = self._refusal(session, blocks)
        if session is None or refusal:
            self._wire.give_back(ref, blocks, refusal)
            return
        others = waiting(session)
        one = self._add(session, blocks)
        if first:
            self.queue.move(session, one, -len(others))
        if held:
            one.status, one.reason = "held", held
        elif now and self._may_send_now(session):
            self._send(session, one)
        elif not working(session) and (first or not any(other.status == "queued" for other in others)):
            self._send_waiting(session, one)

    def send_now(self, key: Key) -> None:
        """Send one that waits, ahead of the others."""
        session, one = self._find(key)
        if session is None or one is None or one.status not in WAITING:
            return
        if self._may_send_now(session):
            self._send(session, one)
        elif one.status == "held" and self._may_send(session):
            one.status, one.reason = "queued", ""
            self._wire.changed(one)

    def send_again(self, key: Key) -> None:
        """Send one with an unknown outcome a second time; only the user may decide that (PR-17)."""
        session, one = self._find(key)
        if session is None or one is None or one.status != "uncertain" or key not in session.tail:
            return
        if self._may_send_now(session):
            self._send(session, one)

    def edit(self, key: Key, blocks: tuple[ContentBlock, ...]) -> None:
        """Other words for one that waits; none at all take it away."""
        session, one = self._find(key)
        if session is None or one is None or one.status not in WAITING:
            self._wire.give_back(key.session, blocks, "It was sent before the change.")
        elif not blocks:
            self._leave(session, one, "withdrawn")
        elif lacking := self._lacking(blocks):
            self._wire.warn("The change was not made", lacking, ref=session.ref)
        else:
            self.queue.edit(one, blocks)

    def move(self, key: Key, step: int) -> None:
        """Another place among those that wait."""
        session, one = self._find(key)
        if session is not None and one is not None and one in waiting(session):
            self.queue.move(session, one, step)

    def dismiss(self, key: Key) -> None:
        """One with an unknown outcome leaves the list: the user knows what became of it. He has its text."""
        session, one = self._find(key)
        if session is not None and one is not None and one.status == "uncertain" and key in session.tail:
            self._give_back(session, one, "dismissed")

    def withdraw(self, key: Key) -> None:
        """Take it back: from our queue, from the agent (PR-19), or, where nobody can tell, off the screen."""
        session, one = self._find(key)
        if session is None or one is None or key not in session.tail:
            return
        if one.status in WAITING:
            self._give_back(session, one, "withdrawn")
        elif one.status == "uncertain":
            self._give_back(session, one, "uncertain")
        elif one.status == "pending" and self._wire.writable and one.withdraw_asked_at is None:
            one.withdraw_asked_at = self._wire.at
            self._wire.changed(one)
            self._wire.notify("$/cancel_request", {"requestId": one.request_id}, session.ref)

    def _refusal(self, session: Session | None, blocks: tuple[ContentBlock, ...]) -> str:
        """Why the prompt cannot be taken at all; empty if it can."""
        if session is None or session.phase in ("closing", "closed", "failed"):
            return "This session is not open."
        if session.parent is not None:
            return "A subagent takes no prompts."  # SA-03
        if session.state == "disconnected" and session.phase == "open":
            return "The agent is not connected."
        if not blocks:
            return "There is nothing to send."  # PR-02
        return self._lacking(blocks)

    def _lacking(self, blocks: tuple[ContentBlock, ...]) -> str:
        """What the agent cannot take, in words."""
        capabilities = self._setup.capabilities
        for block in blocks if capabilities is not None else ():
            needed = _NEEDS.get(block.type)
            if needed and getattr(capabilities.prompt if capabilities else None, needed, None) is None:
                return f"This agent takes no {block.type} in a prompt."  # PR-03
        return ""

    def closed(self, session: Session) -> None:
        """The session is gone: what was never sent goes back to the composer."""
        reason = session.failure.message if session.failure is not None else ""
        for one in [*waiting(session, "queued"), *waiting(session, "held")]:
            self._give_back(session, one, "withdrawn", reason)

    def completed(self, session: Session) -> None:
        """Work ended: where the agent had taken the prompt and then refused it, its words are back. It stands
        in the transcript, for it was told; what more was done than speaking, nobody does twice.
        """
        error = session.error
        if error is None or error.code not in _REFUSALS:
            return
        turn = _last_turn(session)
        spoke = session.had_output and error.code != errors.AUTH_REQUIRED  # of a login it may speak as well
        if spoke or any(key.kind is Kind.TOOL_CALL for key in turn):
            return
        said = {one.number: one for key in turn if (one := self._prompt(session, key)) is not None}
        for one in said.values():
            self._wire.effects.append(Restore(session.ref, one.blocks))
        if said and error.code == errors.AUTH_REQUIRED:
            self._wire.warn("Not carried out", _LOG_IN, ref=session.ref)

    def _prompt(self, session: Session, key: Key) -> Submission | None:
        """Of ours, that stands there."""
        one = session.entities.get(key)
        if isinstance(one, Message) and one.submission is not None:
            one = session.entities.get(Key(session.ref, Kind.SUBMISSION, str(one.submission)))
        return one if isinstance(one, Submission) else None

    def _may_send(self, session: Session) -> bool:
        attached = session.session_id is not None and self._routes.session(session.session_id) is session
        return self._wire.ready and attached and session.phase == "open" and not session.replaying

    def _may_send_now(self, session: Session) -> bool:
        """Not behind the back of an agent that takes one prompt at a time (V1-22)."""
        return self._may_send(session) and not alone(self._wire.store, session)

    def _send_waiting(self, session: Session, one: Submission) -> None:
        if self._may_send(session):
            self._send(session, one)

    # On its way

    def _add(self, session: Session, blocks: tuple[ContentBlock, ...]) -> Submission:
        self._number += 1
        one = Submission(
            shelf=self._wire.store.shelf,
            key=Key(session.ref, Kind.SUBMISSION, str(self._number)),
            created_at=self._wire.at,
            updated_at=self._wire.at,
            number=self._number,
            blocks=blocks,
            status="queued",
            idempotency_key=self._new_id(),
        )
        session.entities[one.key] = one
        session.tail.append(one.key)
        self._wire.store.touch(one.key)
        self._wire.touch(session, Kind.TIMELINE)
        return one

    def _send(self, session: Session, one: Submission, *, again: bool = False) -> None:
        if again and (one.status != "held" or not self._may_send(session)):
            return
        params = {
            "sessionId": session.session_id,
            "prompt": [v2.encode(block) for block in one.blocks],
            "idempotencyKey": one.idempotency_key,  # NW-01
        }
        retry = None if again else lambda: self._send(session, one, again=True)
        self._wire.call("session/prompt", params, ref=session.ref, subject=one.key, retry=retry)

    def _sent(self, call: Call) -> None:
        session_id = call.params.get("sessionId")
        session = self._routes.session(session_id) if isinstance(session_id, str) else None
        if session is None:
            return
        call.ref = session.ref
        one = session.entities.get(call.subject) if call.subject is not None else None
        if not isinstance(one, Submission):
            one = self._recorded(session, call)
        one.status, one.reason, one.error = "pending", "", None
        one.request_id, one.sent_at, one.withdraw_asked_at = call.id, self._wire.at, None
        self.settling.sent(session, one)
        self.by_request[id_key(call.id)] = one
        self._wire.changed(one)

    def _recorded(self, session: Session, call: Call) -> Submission:
        """A prompt that was read from a record."""
        try:
            blocks = tuple(v2.decode_params("session/prompt", call.params).prompt)
        except Invalid:
            blocks = ()
        one = self._add(session, blocks)
        one.idempotency_key = str(call.params.get("idempotencyKey") or one.idempotency_key)
        call.subject = one.key
        return one

    # The answer

    def _done(self, call: Call, result: PromptResponse) -> None:
        session, one = self._find(call.subject)
        if session is None or one is None:
            return
        one.status, one.message_id = "inserted", result.message_id
        self._wire.changed(one)
        self._wire.touch(session, Kind.SESSION)  # one less is on its way
        self.settling.accepted(session, one)
        self.queue.look_after(session)

    def _failed(self, call: Call, error: Error) -> None:
        session, one = self._find(call.subject)
        if session is None or one is None:
            return
        one.error = error
        if error.code in NO_OUTCOME:
            one.status, one.reason = "uncertain", error.message  # PR-17, PR-18
            self._wire.changed(one)
        elif error.code == errors.REQUEST_CANCELLED:
            self._give_back(session, one, "withdrawn")  # PR-14: no error
            self._wire.warn("Withdrawn", _WITHDRAWN, ref=session.ref, severity="info")
        elif self._setup.keep(call, error):
            one.status, one.reason = "held", "the agent wants a login first"  # AU-08
            self._wire.changed(one)
        else:
            self._give_back(session, one, "rejected", complaint(error.message, error.data))  # PR-13
        if not working(session):
            self.queue.hold(session, "the prompt before it was not accepted")

    def _give_back(
        self, session: Session, one: Submission, status: SubmissionStatus, reason: str = ""
    ) -> None:
        self._leave(session, one, status, reason)
        self._wire.give_back(session.ref, one.blocks, reason)

    def _leave(self, session: Session, one: Submission, status: SubmissionStatus, reason: str = "") -> None:
        one.status, one.reason = status, reason
        self.settling.forget(one)
        self._wire.changed(one)
        self._off_tail(session, one)

    def _off_tail(self, session: Session, one: Submission) -> None:
        if one.key in session.tail:
            session.tail.remove(one.key)
            self._wire.touch(session, Kind.TIMELINE)

    def _find(self, key: Key | None) -> tuple[Session | None, Submission | None]:
        session = self._wire.store.sessions.get(key.session) if key is not None else None
        one = session.entities.get(key) if session is not None and key is not None else None
        return session, one if isinstance(one, Submission) else None


def _last_turn(session: Session) -> list[Key]:
    """What stands in the turn that has just ended, the last first."""
    newest = reversed(session.timeline)
    after = list(takewhile(lambda key: key.kind is not Kind.TURN, newest))
    return [*after, *takewhile(lambda key: key.kind is not Kind.TURN, newest)]
