"""Records of conversations, whatever wrote them: traces, test vectors, our journals, lab traces.

Invariant: reading is separate from understanding: what the agent wrote is read by the same code as live
bytes, with the same leniency; a file that is no record at all is a `BadRecord` with a sentence that says
where and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from acp_tui.protocol import jsonrpc
from acp_tui.protocol.jsonio import parse
from acp_tui.protocol.jsonrpc import Incoming, Malformed
from acp_tui.protocol.unknown import Invalid

Side = Literal["agent", "client"]
"""Who said it."""

_SIDES: dict[str, Side] = {"a2c": "agent", "<": "agent", "c2a": "client", ">": "client"}
_SILENT = frozenset({"!", "#"})
"""Directions that are not protocol: stderr and notes."""


class BadRecord(Exception):
    """The file cannot be read as a record."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened; no message: the agent's stdout ended."""

    side: Side
    message: Incoming | None
    at: float


def read(path: Path) -> list[Line]:
    """Everything that happened, in order; raises `BadRecord`."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadRecord(error.strerror or str(error)) from None
    try:
        whole = parse(text)
    except Invalid:
        whole = None
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        return [line for number, entry in enumerate(whole["messages"], 1) for line in _entry(entry, number)]
    return list(_lines(text))


def _lines(text: bytes) -> Iterator[Line]:
    lines = text.split(b"\n")
    for number, raw in enumerate(lines, 1):
        if not raw.strip():
            continue
        try:
            entry = parse(raw)
        except Invalid as invalid:
            if number == len(lines) and number > 1:
                return  # the torn end of a record that was cut off while it was written
            raise BadRecord(f"line {number} is not JSON: {invalid.reason}") from None
        if number == 1 and isinstance(entry, dict) and "acp-tui-journal" in entry:
            continue
        yield from _entry(entry, number)


def _entry(entry: Any, number: int) -> Iterator[Line]:
    if not isinstance(entry, dict):
        raise BadRecord(f"entry {number} is no object")
    time = entry.get("t", 0)
    at = float(time) if isinstance(time, int | float) else 0.0
    if entry.get("event") == "connection_lost":
        yield Line("agent", None, at)
    direction = entry.get("dir")
    if "event" in entry or direction in _SILENT:
        return
    side = _SIDES.get(direction) if isinstance(direction, str) else None
    if side is None:
        raise BadRecord(f"entry {number} has no direction: expected a2c, c2a, < or >")
    for message in _messages(entry, number):
        if side == "agent" or not isinstance(message, Malformed):
            yield Line(side, message, at)


def _messages(entry: dict[str, Any], number: int) -> list[Incoming]:
    if "msg" in entry:
        return [jsonrpc.from_raw(entry["msg"])]
    raw = entry.get("raw")
    if not isinstance(raw, str):
        raise BadRecord(f"entry {number} has neither msg nor raw")
    reader = jsonrpc.Reader()
    return reader.feed(raw.encode(errors="surrogatepass")) + reader.end()
