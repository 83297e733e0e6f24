"""Words for a setting, beside its type."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Said:
    """What a setting does, and in words what may stand there, where the type does not say it."""

    what: str
    allowed: str = ""
