"""Models that are kept: the same in half the memory."""

from __future__ import annotations

from typing import Any, TypeVar

from acp_tui.protocol.model import Base

V = TypeVar("V")

_GIVEN: dict[frozenset[str], set[str]] = {}
_NOTHING_MORE: dict[str, Any] = {}


def slim(value: V) -> V:
    """The same models in half the memory, for those that are kept and never changed again.

    What most of them have alike becomes one object for all: the names of the fields that were given, and the
    lack of any that we do not know.
    """
    if isinstance(value, Base):
        given = value.__pydantic_fields_set__
        object.__setattr__(value, "__pydantic_fields_set__", _GIVEN.setdefault(frozenset(given), given))
        if not value.__pydantic_extra__:
            object.__setattr__(value, "__pydantic_extra__", _NOTHING_MORE)
        for item in value.__dict__.values():
            slim(item)
    elif isinstance(value, list):
        for item in value:
            slim(item)
    return value
