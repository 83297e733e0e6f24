"""One entry of a record, ours or another's, as what happened.

Invariant: reading is separate from understanding: what the agent wrote is read by the same code as live
bytes, with the same leniency; an entry that is none is a `BadRecord` with a sentence that says where and why.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from acp_tui.client.jobs import Own
from acp_tui.journal.log import OWN, beside
from acp_tui.protocol import jsonrpc
from acp_tui.protocol.jsonrpc import Incoming, Malformed

Side = Literal["agent", "client"]
"""Who said it."""

LOST = "The connection was lost."
"""What is said of an end that nothing tells of."""

_SIDES: dict[str, Side] = {"a2c": "agent", "<": "agent", "c2a": "client", ">": "client"}
_SILENT = frozenset({"!", "#"})
"""Directions that are not protocol: stderr and notes."""


class BadRecord(Exception):
    """It cannot be read as a record."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened; no message, and nothing of ours: the agent's stdout ended."""

    side: Side
    message: Incoming | None
    at: float
    reason: str = LOST
    """Of the end, in words for the user."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """What was kept with a message of ours and not sent."""
    own: Own | None = None
    """No message: something that we did for the agent."""


def lines(entry: Any, number: int) -> Iterator[Line]:
    """What the entry of that number tells, which may be nothing; raises `BadRecord`."""
    if not isinstance(entry, dict):
        raise BadRecord(f"entry {number} is no object")
    at = time_of(entry)
    if entry.get("event") == "connection_lost":
        reason = entry.get("reason")
        yield Line("agent", None, at, reason if isinstance(reason, str) and reason else LOST)
    if (own := _own(entry)) is not None:
        yield Line("client", None, at, own=own)
    direction = entry.get("dir")
    direction = direction if isinstance(direction, str) else ""
    if "event" in entry or direction in _SILENT:
        return
    side = _SIDES.get(direction)
    if side is None:
        raise BadRecord(f"entry {number} has no direction: expected a2c, c2a, < or >")
    for message in _messages(entry, number):
        if side == "agent" or not isinstance(message, Malformed):
            yield Line(side, message, at, beside=beside(entry) if side == "client" else {})


def _own(entry: dict[str, Any]) -> Own | None:
    event, session_id = entry.get("event"), entry.get("session")
    if not isinstance(event, str) or not event.startswith(OWN) or not isinstance(session_id, str):
        return None
    return Own(session_id, event.removeprefix(OWN), entry)


def time_of(entry: dict[str, Any]) -> float:
    """When it happened; 0 if it does not say."""
    time = entry.get("t")
    return float(time) if isinstance(time, int | float) else 0.0


def _messages(entry: dict[str, Any], number: int) -> list[Incoming]:
    if "msg" in entry:
        return [jsonrpc.from_raw(entry["msg"])]
    raw = entry.get("raw")
    if not isinstance(raw, str):
        raise BadRecord(f"entry {number} has neither msg nor raw")
    reader = jsonrpc.Reader()
    return reader.feed(raw.encode(errors="surrogatepass")) + reader.end()
