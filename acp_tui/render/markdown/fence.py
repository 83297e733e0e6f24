"""A piece of code as the agent wrote it, for copying: tabs, long lines and all.

Invariant: the n-th fence here is the n-th fence on the screen; both come from the same parser.
"""

from __future__ import annotations

from acp_tui.render.clean import clean
from acp_tui.render.markdown.parser import Parser


def fence_source(text: str, number: int) -> str:
    """What stands in the fence of that number, counted from 1; empty if there is none."""
    parser = Parser()
    found: list[str] = []
    for raw in text.split("\n"):
        line = clean(raw)
        before = parser.open()
        closed = parser.feed(line)
        after = parser.open()
        inside = before is not None and before.fence == number
        if inside and (after is None or after.fence != number):
            return "\n".join(found)
        if inside and after is not None:
            kept = after.lines[-1] if after.lines else (closed[-1].lines[-1] if closed else line)
            found.append(_uncleaned(raw, line, kept))
    return "\n".join(found)


def _uncleaned(raw: str, line: str, kept: str) -> str:
    """The raw line without what the parser took off its cleaned beginning."""
    taken = len(line) - len(kept)
    raw = raw.removesuffix("\r")
    return raw[taken:] if line[:taken] == raw[:taken] else kept
