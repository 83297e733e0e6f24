"""Lines of the agent that are no protocol: counted, told once, answered for a while (TR-05 to TR-14)."""

from __future__ import annotations

from acp_tui.client.effects import Send
from acp_tui.client.wire import Wire
from acp_tui.protocol.jsonrpc import Malformed
from acp_tui.store.store import CONNECTION

BURST = 20
"""Answers to unreadable lines within `WINDOW`; an agent that prints its log on stdout needs no more of them.
"""
WINDOW = 60.0
KEPT = 2000
"""Characters of the last line that are kept."""


class Garbage:
    """What to do with lines that cannot be read."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._answered = 0
        self._since = 0.0
        self._warned = False

    def start(self) -> None:
        """A new connection."""
        self._answered, self._since, self._warned = 0, self._wire.at, False

    def receive(self, line: Malformed) -> None:
        """Count it, warn once a connection, answer it unless it is one of very many."""
        connection = self._wire.store.connection
        connection.garbage += 1
        connection.last_garbage = line.raw[:KEPT]
        self._wire.store.touch(CONNECTION)
        if not self._warned:
            self._warned = True
            self._wire.warn("The agent wrote something that is no protocol", line.reason)
        if line.answer is None or not self._wire.writable:
            return
        if (
            line.answer.id is not None or self._may_answer()
        ):  # RP-15: a request that names itself gets its answer
            self._wire.effects.append(Send(line.answer))

    def _may_answer(self) -> bool:
        if self._wire.at - self._since >= WINDOW:
            self._answered, self._since = 0, self._wire.at
        self._answered += 1
        return self._answered <= BURST
