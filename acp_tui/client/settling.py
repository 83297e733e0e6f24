"""Where an accepted prompt stands until a user message has its words, and where that message never comes.

Rules: a message is tied to a prompt by its id only (PR-07) and stands where the agent first told of it
(PR-10). Until then the prompt stands below the conversation (PR-09); once output came of it, or the turn it
was sent for is over, it takes its own place in the timeline, for good: where it was sent, or accepted if work
ran when it was sent. When its message comes after all, only that is shown. A user message that nothing
explains (PR-21) with the same words, told since the prompt was sent, is shown in its place as well: nothing
is tied by that, but the words are not shown twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from acp_tui.client.queue import tail
from acp_tui.client.wire import Wire
from acp_tui.store.entities import Message, Submission
from acp_tui.store.keys import TIMELINE_KINDS, Key, Kind
from acp_tui.store.reducers.change import close_last
from acp_tui.store.session import Session

_OUTPUT = TIMELINE_KINDS - {Kind.USER_MESSAGE}


@dataclass(slots=True)
class Sent:
    """How things stood when a prompt was sent."""

    place: int
    """In the timeline."""
    steers: bool
    """Work ran: what comes next need not be for it."""
    completions: int


class Settling:
    """Knows where prompts belong that were sent and have no message yet."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._sent: dict[Key, Sent] = {}
        self._unheard: dict[Key, Submission] = {}
        """Those that stand in a timeline, by the message that may still come."""
        self._twins: set[Key] = set()
        """User messages that are shown for a prompt they are not tied to."""

    def sent(self, session: Session, one: Submission) -> None:
        """It leaves."""
        self._sent[one.key] = Sent(len(session.timeline), session.busy, session.completions)

    def accepted(self, session: Session, one: Submission) -> None:
        """It has a message, which may be there already (PR-08)."""
        sent = self._sent.get(one.key)
        if sent is not None and sent.steers:
            sent.place = len(session.timeline)
        if not self._tie(session, one):
            self.look(session)

    def grown(self, session: Session, known: int) -> None:
        """Its timeline has more than `known` members."""
        for key in session.timeline[known:] if self._unheard else ():
            if (one := self._unheard.get(key)) is not None:
                self._tie(session, one)
        self.look(session)

    def look(self, session: Session, *, over: bool = False) -> None:
        """Give those a place whose message is not to be waited for; `over`: whatever ran has ended."""
        for one in tail(session) if session.tail else ():
            if one.status == "inserted" and (over or self._due(session, one)):
                self._settle(session, one)

    def rebuilt(self, session: Session) -> None:
        """After a replay: prompts are found again by their message's id (SS-16), or have their words told."""
        for key in [key for key in self._sent if key.session == session.ref]:
            del self._sent[key]
        mine = [one for one in self._unheard.values() if one.key.session == session.ref]
        for one in [*mine, *tail(session)]:
            if not self._tie(session, one) and one in mine and self._twin(session, one):
                self._covered(one)
        self.look(session)

    def known(self, one: Submission) -> None:
        """It is known from a record; its message may still come."""
        if one.stands == "here":
            self._unheard[_message(one)] = one

    def forget(self, one: Submission) -> None:
        """It is no prompt of the agent's."""
        self._sent.pop(one.key, None)

    def _due(self, session: Session, one: Submission) -> bool:
        sent = self._sent.get(one.key)
        if sent is None:
            return not session.busy
        if not sent.steers and any(key.kind in _OUTPUT for key in session.timeline[sent.place :]):
            return True
        return not session.busy and session.completions > sent.completions

    def _settle(self, session: Session, one: Submission) -> None:
        sent = self._sent.pop(one.key, None)
        place = sent.place if sent is not None else len(session.timeline)
        session.tail.remove(one.key)
        if self._twin(session, one):
            self._covered(one)
        else:
            self._insert(session, one, place)
        self._wire.touch(session, Kind.TIMELINE)

    def _insert(self, session: Session, one: Submission, place: int) -> None:
        one.stands, one.turn = "here", session.completions
        self._unheard[_message(one)] = one
        if place >= len(session.timeline):
            close_last(self._wire.store, session, self._wire.at)
            session.timeline.append(one.key)
        else:  # another list: whoever has taken members in has to begin again
            session.timeline = [*session.timeline[:place], one.key, *session.timeline[place:]]
            for key, other in self._sent.items():
                other.place += key.session == session.ref and other.place >= place
        self._wire.changed(one)

    def _tie(self, session: Session, one: Submission) -> bool:
        """Its message is there; where that comes while the prompt is in the tail, the reducer does this."""
        message = session.entities.get(_message(one))
        if one.message_id is None or not isinstance(message, Message):
            return False
        message.submission = one.number
        self._wire.changed(message)
        if one.key in session.tail:
            session.tail.remove(one.key)
            self._wire.touch(session, Kind.TIMELINE)
        self._covered(one)
        return True

    def _twin(self, session: Session, one: Submission) -> bool:
        """A message that nobody explains has the words."""
        words = one.text.split()
        for key in session.timeline if words else ():
            message = session.entities[key] if key.kind is Kind.USER_MESSAGE else None
            if not isinstance(message, Message) or message.submission is not None or key in self._twins:
                continue
            if message.created_at >= (one.sent_at or 0) and message.content.text().split() == words:
                self._twins.add(key)
                return True
        return False

    def _covered(self, one: Submission) -> None:
        one.stands = "nowhere"
        self._unheard.pop(_message(one), None)
        self._sent.pop(one.key, None)
        self._wire.changed(one)


def _message(one: Submission) -> Key:
    """The user message it is to be."""
    return Key(one.key.session, Kind.USER_MESSAGE, one.message_id or "")
