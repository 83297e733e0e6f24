"""What is spoken on this connection: v2 as it is, or v1 through the adapter, which nothing else knows of.

Invariants: messages on the wire and in journals are the agent's, everywhere else they are v2; live messages
and recorded ones take the same way; a v1 agent is one that `initialize` was agreed on with as such, so that
what comes before passes through as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from acp_tui.client.effects import Send, Wake
from acp_tui.client.marks import add_note
from acp_tui.client.wire import Call, Wire
from acp_tui.protocol.errors import Error
from acp_tui.protocol.jsonrpc import Incoming, Outgoing, Response
from acp_tui.protocol.v1 import ids
from acp_tui.protocol.v1.adapter import Adapter
from acp_tui.protocol.v1.memory import Memory
from acp_tui.store.keys import Kind
from acp_tui.store.session import Session

FORGOTTEN = "The agent forgets this prompt and what followed."

_WORDS = {
    Kind.USER_MESSAGE: "user",
    Kind.AGENT_MESSAGE: "agent",
    Kind.AGENT_THOUGHT: "thought",
    Kind.TOOL_CALL: "tool",
    Kind.COMPACTION: "compaction",
}


class Dialect:
    """Both directions, for all generations of the connection."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._adapter = Adapter()

    @property
    def foreign(self) -> bool:
        """The agent speaks v1."""
        return self._wire.store.connection.protocol == 1

    @property
    def memory(self) -> Memory:
        """What is remembered between two messages."""
        return self._adapter.memory

    @memory.setter
    def memory(self, memory: Memory) -> None:
        self._adapter.memory = memory

    @property
    def resting(self) -> bool:
        """Nothing waits for an answer or for silence."""
        return self.memory.resting

    # From the agent

    def incoming(self, message: Incoming) -> Iterable[Incoming]:
        """What a v2 agent would have said."""
        if not self.foreign:
            return (message,)
        told = self._adapter.incoming(message, self._wire.at)
        due = self._adapter.due
        if due is not None:
            self._wire.effects.append(Wake(due))
        return told

    def turn(self, message: Incoming) -> tuple[Call, Error] | None:
        """The prompt that this error of a v1 agent answers; for the client its call is over since it left."""
        if not isinstance(message, Response) or message.error is None or not self.foreign:
            return None
        if message.id is None or not self._adapter.prompted(message.id):
            return None
        session_id = self._adapter.session_of(message.id)
        call = Call(id=message.id, method="session/prompt", params={"sessionId": session_id})
        return call, message.error

    def rested(self) -> Iterable[Incoming]:
        """What was waited for in silence until now."""
        return self._adapter.rested(self._wire.at)

    def rest(self) -> Iterable[Incoming]:
        """All that is waited for."""
        return self._adapter.rest()

    # From us

    def send(self, effect: Send) -> Send:
        """In the agent's words."""
        return replace(effect, message=self._adapter.spoken(effect.message)) if self.foreign else effect

    def recalled(self, message: Outgoing) -> Outgoing:
        """A recorded message of ours, in ours."""
        return self._adapter.recalled(message) if self.foreign else message

    def left(self, message: Outgoing) -> Iterable[Incoming]:
        """What follows from what went out, in the agent's words."""
        return self._adapter.left(message) if self.foreign else ()

    def session_of(self, message: Incoming) -> str | None:
        """The agent's id of the session of an answer that only the adapter waits for."""
        return self._adapter.session_of(message.id) if isinstance(message, Response) else None

    # Life

    def ended(self, session: Session) -> None:
        """A turn was refused: the agent forgets it, which is to be seen (V1-23)."""
        if self.foreign and session.stop_reason == "refusal":
            add_note(self._wire.store, session, self._wire.at, FORGOTTEN)

    def added(self, session: Session) -> None:
        """Something of ours stands in its timeline: the message before it is over (V1-21)."""
        self.memory.talk(session.session_id).last = None

    def disconnected(self) -> None:
        """The connection ended."""
        self.memory.disconnected()

    def learn(self, session: Session) -> None:
        """A session is known from a record: none of its names is given again."""
        if session.session_id is not None and session.parent is None:
            self.memory.begin(session.session_id).learn(_members(session))


def _members(session: Session) -> Iterator[tuple[str, str]]:
    for key in session.entities:
        if (word := _WORDS.get(key.kind)) is not None:
            yield word, key.id


def made_up(session: Session) -> bool:
    """Names of its messages were made up here: no other view of it has the same (V1-41)."""
    return any(ids.is_made(key.id) for key in session.timeline if key.kind in _WORDS)
