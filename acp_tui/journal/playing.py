"""Playing a record through the client: both sides are known, nothing is sent.

What the program and the user did stands in the record; the client adds only what it does by itself, its
automatic answers. A recorded answer fulfils the automatic one of the same id, and the two are compared.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from acp_tui import __version__
from acp_tui.client.effects import Effect, Send
from acp_tui.client.jobs import EVERY_SERVICE
from acp_tui.client.machine import Client
from acp_tui.journal.record import Line
from acp_tui.protocol.initialize import ClientCapabilities, Implementation
from acp_tui.protocol.jsonrpc import Malformed, Request, Response, id_key, to_raw
from acp_tui.store.store import Store

EVERYTHING: dict[str, Any] = {"auth": {"terminal": {}}, "elicitation": {"form": {}, "url": {}}}
"""What we are taken to have advertised where the record does not tell."""


class Player:
    """A client and what it would have sent by itself."""

    def __init__(self, store: Store | None = None) -> None:
        capabilities = ClientCapabilities.model_validate(EVERYTHING)
        info = Implementation(name="acp-tui", version=__version__)
        store = Store() if store is None else store
        self.client = Client(store, info=info, capabilities=capabilities, new_id=str, serves=EVERY_SERVICE)
        self.outbound: list[dict[str, Any]] = []
        self.divergences: list[dict[str, Any]] = []
        self._unfulfilled: dict[str, deque[Response]] = {}

    def play(self, lines: Iterable[Line], protocol: int = 2) -> None:
        """Everything there is, in order; a record without `initialize` begins on a connection that is ready
        and speaks this version.
        """
        lines = list(lines)
        if not any(
            isinstance(line.message, Request) and line.message.method == "initialize" for line in lines
        ):
            self._did(self.client.assume_ready(lines[0].at if lines else 0.0, protocol))
        for line in lines:
            self.step(line)
        self._did(self.client.rest())

    def step(self, line: Line) -> None:
        """The next thing that happened."""
        message = line.message
        if line.own is not None:
            self._did(self.client.recall(line.own, line.at))
        elif message is None:
            self._did(self.client.lost(line.at, line.reason))
            self._unfulfilled.clear()  # what the machine answered then nobody read
        elif line.side == "agent":
            self._did(self.client.receive(message, line.at))
        elif isinstance(message, Response):
            self._answered(message, line)
        elif not isinstance(message, Malformed):
            self._did(self.client.sent(message, line.at))

    @property
    def settled(self) -> bool:
        """No automatic answer waits for the recorded one."""
        return not self._unfulfilled

    def _did(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Send) and isinstance(effect.message, Response):
                self.outbound.append(to_raw(effect.message))
                self._unfulfilled.setdefault(id_key(effect.message.id), deque()).append(effect.message)

    def _answered(self, recorded: Response, line: Line) -> None:
        waiting = self._unfulfilled.get(id_key(recorded.id))
        if not waiting:
            self._did(self.client.sent(recorded, line.at, line.beside))
            return
        automatic = to_raw(waiting.popleft())
        if not waiting:
            del self._unfulfilled[id_key(recorded.id)]
        if _compared(automatic) != _compared(to_raw(recorded)):
            self.divergences.append({"automatic": automatic, "recorded": to_raw(recorded)})


def _compared(answer: dict[str, Any]) -> tuple[Any, Any]:
    """The result, or only the code of an error: its words are nobody's promise."""
    error = answer.get("error")
    return answer.get("result"), error.get("code") if isinstance(error, dict) else None
