"""The keys that hold now, with the user's changes, as hints name them.

There is one keyboard, so what holds is kept here once; hints name keys by the ids of what they do.
"""

from __future__ import annotations

from collections.abc import Mapping

from acp_tui.ui.keys.names import label
from acp_tui.ui.keys.table import BOUND, PALETTE

_ARROWS: Mapping[str, str] = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→", "Delete": "Del"}
_in_force: dict[str, str] = {}
"""The user's changes: id → keys with commas."""


def listed(keys: str) -> tuple[str, ...]:
    """Those of a change, which stand with commas; empty: the user wants none."""
    return tuple(keys.split(",")) if keys else ()


def use(changed: Mapping[str, str]) -> None:
    """From now on hints name these keys."""
    _in_force.clear()
    _in_force.update(changed)


def now(id: str) -> tuple[str, ...]:
    """The keys that do this now, by Textual's names. Raises KeyError."""
    return listed(_in_force[id]) if id in _in_force else BOUND[id][1]


def short(id: str) -> str:
    """The first key that does this now, as short as it can be said; empty where there is none."""
    name = label(keys[0]) if (keys := now(id)) else ""
    return _ARROWS.get(name, name)


def span(id: str, count: int) -> str:
    """The keys of the first `count` numbers: `1–3`, or each where the user has others."""
    named = [name for number in range(1, count + 1) if (name := short(f"{id}.{number}"))]
    in_order = len(named) > 1 and named == [str(number) for number in range(1, count + 1)]
    return f"{named[0]}–{named[-1]}" if in_order else "/".join(named)


def hint(text: str) -> str:
    """What a hint says: ids (`page.up page.down`) become the first key of each; other words stay.

    Where nothing has a key, the palette and the name in it are the way there.
    """
    words = [short(word) if word in BOUND else word for word in text.split(" ")]
    if shown := " ".join(filter(None, words)):
        return shown
    return f"{short(PALETTE)} “{text.split(' ')[0].partition('.')[2].replace('_', ' ')}”"


def reachable(text: str) -> bool:
    """Some key does this: a hint may name it."""
    return any(word not in BOUND or now(word) for word in text.split(" "))
