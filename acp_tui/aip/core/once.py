"""Each id once: what was delivered again is told apart from what is new."""

from __future__ import annotations

from collections import OrderedDict

LONGEST_MEMORY = 20_000
"""Ids that are remembered; older ones are forgotten, so that a long life costs no more than a short one."""


class Once:
    """Remembers ids."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: OrderedDict[str, None] = OrderedDict()

    def first(self, id: str) -> bool:
        """Whether it was not seen before; what has no id is always new."""
        if not id:
            return True
        if id in self._seen:
            return False
        self._seen[id] = None
        if len(self._seen) > LONGEST_MEMORY:
            self._seen.popitem(last=False)
        return True
