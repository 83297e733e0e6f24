"""What the stream of an action brought, as content of its tool call: texts that follow each other are one.

Invariant: a preview joins nothing and can be dropped; nothing else that came is ever left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from acp_tui.aip.bridge import parts
from acp_tui.aip.bridge.parts import Json

LONGEST: Final = 8_000
"""Characters to which one text grows; the next begins another."""


class Pieces:
    """Of one action."""

    def __init__(self, items: Iterable[Json] = ()) -> None:
        self.items: list[Json] = []
        self.size = 0
        """Characters, roughly."""
        self._previews: list[Json] = []
        for item in items:
            self.add(item)

    def joins(self, item: Json, *, preview: bool = False) -> bool:
        """Whether its text goes on in that of the last one."""
        last = self.items[-1] if self.items else None
        if preview or last is None or any(one is last for one in self._previews):
            return False
        before = _text(last)
        return before is not None and len(before) <= LONGEST and _text(item) is not None

    def add(self, item: Json, *, preview: bool = False) -> None:
        """Append it, to the last one if it joins that."""
        self.size += len(str(item))
        if self.joins(item, preview=preview):
            self.items[-1] = parts.shown(f"{_text(self.items[-1])}{_text(item)}")
            return
        self.items.append(item)
        if preview:
            self._previews.append(item)

    def drop_previews(self) -> None:
        """What was only a preview gives way to what came out."""
        self.items = [item for item in self.items if not any(item is one for one in self._previews)]


def _text(item: Json) -> str | None:
    """Of an item that is nothing but text."""
    block = item.get("content")
    plain = isinstance(block, dict) and set(block) == {"type", "text"} and isinstance(block["text"], str)
    return block["text"] if plain and isinstance(block, dict) else None
