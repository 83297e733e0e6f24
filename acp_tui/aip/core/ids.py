"""The ids of AIP: strict in what we send, lenient in what we show.

Invariant: an id that has been through `action`, `session` or `envelope` is safe in the path of a URL.
"""

from __future__ import annotations

import re
import secrets
from typing import Final

ACTION: Final = "act_"
SESSION: Final = "sess_"
ENVELOPE: Final = "msg_"
CORRELATION: Final = "corr_"
IDEMPOTENCY: Final = "idem_"
"""Ours alone: a key has no prefix of its own in the protocol."""

LONGEST = 200
"""Characters of an id that we are willing to send."""
_REST = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*", re.ASCII)
_SHOWN = re.compile(r"\b(?:act|sess|msg|corr)_[A-Za-z0-9][A-Za-z0-9_.-]*", re.ASCII)


class BadId(ValueError):
    """An id that must not be sent; its text says what would be right."""


def new(prefix: str) -> str:
    """A fresh id of that kind, not to be guessed and never used before."""
    return prefix + secrets.token_hex(16)


def action(text: str) -> str:
    """The same, if it may be sent as the id of an action. Raises `BadId`."""
    return _checked(text, ACTION, "an action")


def session(text: str) -> str:
    """The same, if it may be sent as the id of a session. Raises `BadId`."""
    return _checked(text, SESSION, "a session")


def envelope(text: str) -> str:
    """The same, if it may be sent as the id of an envelope. Raises `BadId`."""
    return _checked(text, ENVELOPE, "an envelope")


def sendable(text: str, prefix: str) -> bool:
    """Whether an id that a gateway named may be sent back to it."""
    return text.startswith(prefix) and len(text) <= LONGEST and bool(_REST.fullmatch(text[len(prefix) :]))


def found(text: str) -> list[str]:
    """Ids in free text, for showing and for following, in order, each once."""
    return list(dict.fromkeys(_SHOWN.findall(text)))


def _checked(text: str, prefix: str, what: str) -> str:
    if not sendable(text, prefix):
        shown = text if len(text) <= 60 else f"{text[:59]}…"
        raise BadId(f"{shown!r} is no id of {what}: it must be {prefix} and then letters, digits, _ . or -")
    return text
