"""What an error says in one sentence: its message, and what its `data` has to add in words (ER-04). Pure.

Many agents send *Internal error* for a message, as JSON-RPC names the code, and what happened only beside it.
"""

from __future__ import annotations

from typing import Any

_WORDS = ("details", "detail", "message", "reason", "error")
"""Where agents put it; the first that is words counts."""


def complaint(message: str, data: Any) -> str:
    """The message alone where `data` says nothing in words, or the same."""
    more = _said(data).strip()
    if not more or more in message:
        return message
    return f"{message.rstrip('.: ')}: {more}" if message.strip() else more


def _said(data: Any) -> str:
    if isinstance(data, str):
        return data
    if not isinstance(data, dict):
        return ""
    return next((said for name in _WORDS if isinstance(said := data.get(name), str) and said.strip()), "")
