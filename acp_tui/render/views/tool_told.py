"""What an agent says about the status of a tool call in words of its own: `_meta` of the call.

    "_meta": {"acp-tui/status": {"words": "ack queued, state running", "seen": 1767225600.0}}

`words` stand on the line in place of ours; `seen`, seconds since 1970, is when they were last true, and its
age is told while the call is open; `"rests": true`: nothing comes of it until somebody does something about
it. Any agent may send it; anything else there is left alone (UP-10).
"""

from __future__ import annotations

from rich.cells import cell_len

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.store.entities import ToolCall

KEY = "acp-tui/status"
LONGEST, SHORTEST = 72, 20


def told(call: ToolCall, at: float, room: int | None = None) -> str:
    """The words, with their age while more may come; empty: the agent says nothing. Where `room` is too
    narrow, what stands after the last commas is left out: the first is the most telling, and so is the age.
    """
    said = (call.meta or {}).get(KEY)
    text = said.get("words") if isinstance(said, dict) else None
    if not isinstance(text, str) or not text.strip():
        return ""
    seen = _seen(call)
    age = words.running(at - seen) if seen is not None else ""
    text, tail = one_line(text, LONGEST), f", {age} ago" if age else ""
    if room is not None:
        room = max(SHORTEST, room - cell_len(tail))
        while cell_len(text) > room and ", " in text:
            text = text.rpartition(", ")[0]
        text = one_line(text, room)
    return text + tail


def ages(call: ToolCall) -> bool:
    """Whether what is told changes with the time."""
    return _seen(call) is not None


def rests(call: ToolCall) -> bool:
    """Whether it is open and nothing comes of it by itself, as the agent says."""
    said = (call.meta or {}).get(KEY) if call.running else None
    return isinstance(said, dict) and said.get("rests") is True


def _seen(call: ToolCall) -> float | None:
    said = (call.meta or {}).get(KEY) if call.running else None
    seen = said.get("seen") if isinstance(said, dict) else None
    return float(seen) if isinstance(seen, int | float) and not isinstance(seen, bool) else None
