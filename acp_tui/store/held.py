"""Fields whose content is put aside where it is big, whatever it is.

Invariants: no field of a `held` class keeps more than `BIG` in memory, but those that are `ITEMWISE`; whoever
reads one gets what was set, equal in every part, and need not know. A big one is loaded at each reading:
take it once.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final, TypeVar

from acp_tui.base.shelf import Shelf
from acp_tui.store.holding import Handle, hold

ITEMWISE: Final = {"itemwise": True}
"""Metadata of a field that is no content itself: what grows in it or is added to it is held one by one."""

_NEVER_BIG: Final = frozenset({"Key", "Shelf", "bool", "int", "float", "int | None", "float | None"})
"""By the names of their types; these cost nothing that way."""

T = TypeVar("T")


class _Held:
    """One such field, around its slot."""

    __slots__ = ("_get", "_set", "raw")

    def __init__(self, slot: Any) -> None:
        self.raw = slot
        """Where it is, as it is held."""
        self._get, self._set = slot.__get__, slot.__set__

    def __get__(self, thing: Any, owner: type | None = None) -> Any:
        if thing is None:
            return self
        value = self._get(thing)
        return value.loaded() if type(value) is Handle else value

    def __set__(self, thing: Any, value: Any) -> None:
        if value:  # what is empty is never big
            shelf: Shelf = thing.shelf
            value = hold(value, shelf)
        self._set(thing, value)


def held(cls: type[T]) -> type[T]:
    """Class decorator, above `@dataclass(slots=True)`; `shelf` must be the first of its fields."""
    for one in fields(cls):  # type: ignore[arg-type]
        slot = cls.__dict__.get(one.name)
        if slot is not None and one.type not in _NEVER_BIG and "itemwise" not in one.metadata:
            setattr(cls, one.name, _Held(slot))
    return cls
