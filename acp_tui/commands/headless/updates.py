"""What the agent tells, as JSON for a program: its `session/update` parameters, one object a line, and at
last one that says how it ended.

Invariants: secrets are masked as in the journal; a line is plain ASCII without control characters, whatever
the agent wrote.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from acp_tui.base import redact
from acp_tui.protocol.jsonrpc import Incoming, Notification, to_raw


class Updates:
    """Of one connection."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write

    def hear(self, messages: Sequence[Incoming]) -> None:
        """Messages of the agent, in order."""
        for message in messages:
            if isinstance(message, Notification) and message.method == "session/update":
                self._line(redact.message(to_raw(message))["params"])

    def end(self, **facts: Any) -> None:
        """The last line; it has no `update`."""
        self._line(facts)

    def _line(self, value: object) -> None:
        line = json.dumps(value, separators=(",", ":"))
        self._write(line.replace("\x7f", "\\u007f") + "\n")
