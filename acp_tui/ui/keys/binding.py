"""The table of keys as Textual has it: bindings of screens and widgets, and the user's changes to them.

Textual is loaded by whoever has such bindings: the words for keys are wanted without a screen, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from acp_tui.ui.keys.deeds import Deed, Place
from acp_tui.ui.keys.table import TABLE

if TYPE_CHECKING:
    from textual.binding import Binding, BindingType


def bindings(where: Place) -> list[BindingType]:
    """The bindings of the screen or widget that stands for a place; for its `BINDINGS`."""
    return [binding for deed in TABLE if deed.where == where for binding in _bindings(deed)]


def keymap(changed: Mapping[str, str]) -> dict[str, str]:
    """The changes as Textual has them: an action without a key has one that no keyboard sends."""
    return {id: keys or f"none_{id}" for id, keys in changed.items()}


def _bindings(deed: Deed) -> Iterator[Binding]:
    from textual.binding import Binding

    if not deed.numbered:
        keys = ",".join(deed.keys)
        yield Binding(keys, deed.action, deed.what, show=False, priority=deed.priority, id=deed.id)
        return
    for number, key in enumerate(deed.keys, 1):
        yield Binding(key, f"{deed.action}({number})", deed.what, show=False, id=f"{deed.id}.{number}")
