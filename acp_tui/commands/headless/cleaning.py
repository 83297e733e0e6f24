"""Text that comes in pieces, cleaned as the whole would be.

Invariants: what comes out holds no control character but newline and tab, whether it goes to a terminal or a
pipe, for a pipe ends in a terminal more often than not; an escape sequence is not torn by the pieces it comes
in, unless it is longer than any real one.
"""

from __future__ import annotations

import re

from acp_tui.render.clean import pasteable

LONGEST = 4096
"""Characters that wait for the end of a sequence or of their line."""
_BEGINS = re.compile("[\x1b\x90\x98\x9b\x9d-\x9f]")
_WHOLE = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]")
"""A sequence that has its end: most colour is that."""


class Cleaner:
    """Of one text."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """What can be said for sure of all so far, without what was said before."""
        text = self._held + text
        begun = _unsure(text, text.rfind("\n") + 1)
        sure = begun if len(text) - begun <= LONGEST else len(text)
        self._held = text[sure:]
        return pasteable(text[:sure])

    def end(self) -> str:
        """What was still unsure: nothing follows."""
        held, self._held = self._held, ""
        return pasteable(held)


def _unsure(text: str, line: int) -> int:
    """Where, in the last line, something begins whose end is not there yet."""
    while (begun := _BEGINS.search(text, line)) is not None:
        start = begun.start()
        whole = _WHOLE.match(text, start) if text[start - 1 : start] != "\r" else None
        if whole is None:
            return _before_returns(text, start)
        line = whole.end()
    return _before_returns(text, len(text))


def _before_returns(text: str, end: int) -> int:
    """What carriage returns mean shows in what follows them."""
    return len(text[:end].rstrip("\r"))
