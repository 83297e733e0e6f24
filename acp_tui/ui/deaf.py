"""When a key or a click may answer: never by accident, never by a key that is held down (PM-20).

Pure: times are passed in. A terminal reports a held key as presses: one, a pause of up to 0.7 s, then 30
a second.
"""

from __future__ import annotations

APPEARED = 0.4
"""Seconds after it appeared or moved in which nothing answers."""
HELD = 0.8
"""A key that answered, or was pressed while deaf, must be silent this long before it may answer."""


class Deafness:
    """The ear of one panel."""

    def __init__(self) -> None:
        self._since = float("-inf")
        self._blocked: dict[str, float] = {}

    def appeared(self, at: float) -> None:
        """It came, moved or shows something else now."""
        self._since = at

    def deaf(self, at: float) -> bool:
        """Nothing answers yet."""
        return at - self._since < APPEARED

    def hears(self, key: str, at: float) -> bool:
        """May this press answer? Each press counts, also those that may not."""
        before = self._blocked.get(key)
        if self.deaf(at) or (before is not None and at - before < HELD):
            self._blocked[key] = at
            return False
        self._blocked.pop(key, None)
        return True

    def answered(self, key: str, at: float) -> None:
        """This press did answer: while it stays down it answers nothing else."""
        self._blocked[key] = at
