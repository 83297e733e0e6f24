"""Prompts that wait here until the work before them has ended.

Invariants: the queue goes on by itself only after `end_turn`, or where nothing came of the prompt before;
after anything else it is held and says why; what is held never leaves by itself (LC-08). What waits can be
changed, moved and taken back, for the agent has not seen it.
"""

from __future__ import annotations

from collections.abc import Callable

from acp_tui.client.effects import Wake
from acp_tui.client.wire import Wire
from acp_tui.protocol.content import ContentBlock
from acp_tui.store.entities import Submission
from acp_tui.store.keys import Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store

PATIENCE = 3.0
"""Seconds after which a queue goes on when the session is idle and no turn came out of the prompt before."""

WAITING = ("queued", "held")
_HELD = {
    None: "the work stopped",
    "cancelled": "the work was cancelled",
    "error": "the work ended with an error",
    "refusal": "the agent refused to go on",
    "max_tokens": "the work stopped at the token limit",
    "max_turn_requests": "the work stopped at the request limit",
}


def tail(session: Session) -> list[Submission]:
    """Submissions that no user message stands for yet, in order."""
    found = (session.entities[key] for key in session.tail)
    return [one for one in found if isinstance(one, Submission)]


def waiting(session: Session, *statuses: str) -> list[Submission]:
    """Those of these statuses, in the order they will leave."""
    return [one for one in tail(session) if one.status in (statuses or WAITING)]


def working(session: Session) -> bool:
    """Work runs, or a prompt of ours is on its way into the session."""
    return session.busy or bool(waiting(session, "pending"))


def alone(store: Store, session: Session) -> bool:
    """Nothing more may be sent before the work has ended: the agent takes one prompt at a time (V1-22)."""
    return store.connection.one_prompt_at_a_time and working(session)


class Queue:
    """Holds, lets go, and lets be changed. `send` sends one that may be sent, else does nothing."""

    def __init__(self, wire: Wire, send: Callable[[Session, Submission], None], new_id: Callable[[], str]):
        self._wire = wire
        self._send = send
        self._new_id = new_id
        self._due: dict[str, float] = {}
        """When the queue of an idle session goes on by itself."""

    def flush(self, session: Session) -> None:
        """The session became open or ready for more: send the first that waits, if it may be sent."""
        self._due.pop(session.ref, None)
        queued = waiting(session, "queued")
        if queued and not working(session):
            self._send(session, queued[0])

    def completed(self, session: Session) -> None:
        """Foreground work ended: a good end lets the queue go on, any other holds it."""
        if session.stop_reason == "end_turn":
            self.flush(session)
        else:
            self.hold(session, _HELD.get(session.stop_reason, "the work stopped"))

    def hold(self, session: Session, reason: str) -> None:
        """Everything queued waits for the user now."""
        self._due.pop(session.ref, None)
        for one in waiting(session, "queued"):
            one.status, one.reason = "held", reason
            self._wire.changed(one)

    def release(self, session: Session) -> None:
        """The user lets what is held go on, one after the other, as if it had never been held."""
        for one in waiting(session, "held"):
            one.status, one.reason = "queued", ""
            self._wire.changed(one)
        self.flush(session)

    def look_after(self, session: Session) -> None:
        """A prompt was accepted: if no turn comes of it, the queue must not wait for ever."""
        if not working(session) and waiting(session, "queued"):
            self._due[session.ref] = self._wire.at + PATIENCE
            self._wire.effects.append(Wake(self._wire.at + PATIENCE))

    def tick(self) -> None:
        """Let the queue of an idle session go on when the last prompt began no turn (see `PATIENCE`)."""
        for ref, due in list(self._due.items()):
            session = self._wire.store.sessions.get(ref)
            if session is not None and self._wire.at >= due:
                self.flush(session)

    def edit(self, one: Submission, blocks: tuple[ContentBlock, ...]) -> None:
        """Other words; the agent has never seen this submission, so it gets another key too (NW-01)."""
        one.blocks, one.idempotency_key = blocks, self._new_id()
        self._wire.changed(one)

    def move(self, session: Session, one: Submission, step: int) -> None:
        """Earlier (negative) or later among those that wait, as far as there are any."""
        order = waiting(session)
        here = order.index(one)
        order.insert(min(max(here + step, 0), len(order) - 1), order.pop(here))
        places = [n for n, key in enumerate(session.tail) if session.entities[key] in order]
        for place, other in zip(places, order, strict=True):
            session.tail[place] = other.key
        self._wire.touch(session, Kind.TIMELINE)
