"""Values of a newer protocol, kept as they came, and the word for a value that is simply wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Unknown:
    """A union variant whose discriminator we do not know (UP-07); its raw object survives (EX-07)."""

    type: str
    """The discriminator's value: of `type`, `sessionUpdate`, `operation` …, whichever the union has."""
    raw: dict[str, Any]


class Invalid(ValueError):
    """Something that the schema's leniency does not forgive (UP-05, UP-06, UP-19)."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        """One line for a log: where and what, without the value itself, which may be secret (RP-20)."""
