"""How likely it is that somebody means a name by a few letters."""

from __future__ import annotations

UNLIKELY = 4
"""The letters are not in it at all."""


def rank(wanted: str, name: str) -> int:
    """How well they fit: the beginning, the beginning of a part, inside, scattered; `UNLIKELY`: not at all.

    Both are folded to one case.
    """
    if name.startswith(wanted):
        return 0
    place = name.find(wanted)
    if place > 0:
        return 1 if not name[place - 1].isalnum() else 2
    letters = iter(name)
    return 3 if all(letter in letters for letter in wanted) else UNLIKELY
