"""Base64 in data addresses, left out before anything is laid out: pictures that came as text (CB-10).

Invariant: what is given back depends on the characters so far only, so any split of the text gives the same.
"""

from __future__ import annotations

import re

SHOWN = 16
"""Characters of base64 that stay, to show what it is."""
_MARK = ";base64,"
_INSIDE = re.compile(r"[A-Za-z0-9+/=%_-]*")


class Sift:
    """`more` text in, what may be laid out of it back."""

    __slots__ = ("_inside", "_last")

    def __init__(self) -> None:
        self._inside = -1
        """Characters of base64 so far; -1 outside of it."""
        self._last = ""

    def more(self, text: str) -> str:
        """The next piece of the text."""
        if self._inside < 0 and _MARK not in (known := self._last + text):
            self._last = known[1 - len(_MARK) :]
            return text
        kept: list[str] = []
        at = 0
        while at < len(text):
            at = self._skip(text, at, kept) if self._inside >= 0 else self._take(text, at, kept)
        return "".join(kept)

    def _take(self, text: str, at: int, kept: list[str]) -> int:
        known = self._last + text[at:]
        found = known.find(_MARK)
        stop = at + found + len(_MARK) - len(self._last) if found >= 0 else len(text)
        kept.append(text[at:stop])
        self._last = "" if found >= 0 else known[1 - len(_MARK) :]
        self._inside = 0 if found >= 0 else -1
        return stop

    def _skip(self, text: str, at: int, kept: list[str]) -> int:
        found = _INSIDE.match(text, at)
        assert found is not None
        shown = max(0, SHOWN - self._inside)
        kept.append(text[at : min(found.end(), at + shown)])
        if self._inside <= SHOWN < self._inside + len(found[0]):
            kept.append("…")
        self._inside = self._inside + len(found[0]) if found.end() == len(text) else -1
        return found.end()
