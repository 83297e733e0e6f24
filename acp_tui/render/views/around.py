"""What stands around a place in an output too long to be drawn whole: where a search leads to.

Invariant: the lines are those of the source, as they are, with a count of those above and below; what it
costs is finding the place in the text, and drawing `WINDOW` lines.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from typing import Final, NamedTuple

from acp_tui.render import words
from acp_tui.render.clean import clean
from acp_tui.render.look import act
from acp_tui.render.markdown import Page
from acp_tui.render.screen import Screen
from acp_tui.render.views.terminal import row_runs
from acp_tui.render.wrap import Lines, wrap
from acp_tui.store.entities import Terminal

WINDOW: Final = 100
"""Lines drawn around the place …"""
ABOVE: Final = 40
"""… so many of them above it."""
LONG: Final = 2000
"""Characters drawn of a line at each side of the place."""


class Aim(NamedTuple):
    """A place in one of the items of a call."""

    item: int
    offset: int
    """Characters of its source text before it."""
    line: int
    """Line breaks before it."""


class Window(NamedTuple):
    """Some lines of a text."""

    lines: list[str]
    above: int
    below: int


def window(text: str, offset: int) -> Window:
    """The lines around a place; of a very long one what stands next to it."""
    line = text.count("\n", 0, offset)
    start = offset - max(0, text.rfind("\n", 0, offset) + 1)
    first = max(0, line - ABOVE)
    at = offset
    for _ in range(line - first + 1):
        at = text.rfind("\n", 0, at)
    lines = text[at + 1 :].split("\n", WINDOW)
    below = lines.pop().count("\n") + 1 if len(lines) > WINDOW else 0
    cut = max(0, start - LONG)
    return Window(
        [one[cut if number == line - first else 0 :][: 2 * LONG] for number, one in enumerate(lines)],
        first,
        below,
    )


def text_around(text: str, offset: int, page: Page) -> Lines:
    """Some lines of a text, as they are."""
    part = window(text, offset)
    look = page.look
    made = _more(part.above, "above", page)
    for line in part.lines:
        made.extend(wrap([(clean(line), look.base)], page.width, look.base, first=page.left, words=False))
    made.extend(_more(part.below, "below", page))
    return made


def terminal_around(terminal: Terminal, line: int, page: Page) -> Lines:
    """Some lines of a terminal's output, drawn as if nothing had stood above them."""
    data = b"".join(terminal.output.pieces())
    first = max(0, line - ABOVE)
    rows = data.split(b"\n", first + WINDOW)
    below = rows.pop().count(b"\n") + 1 if len(rows) > first + WINDOW else 0
    screen = Screen(terminal.size.cols if terminal.size else None, WINDOW)
    screen.feed(getincrementaldecoder("utf-8")("replace").decode(b"\n".join(rows[first:])))
    look = page.look
    made = _more(first, "above", page)
    for row in (*screen.finished[:], *screen.live):
        made.extend(wrap(row_runs(row, look), page.width, look.terminal, first=page.left, words=False))
    made.extend(_more(below, "below", page))
    return made


def _more(count: int, where: str, page: Page) -> Lines:
    if not count:
        return Lines()
    said = f"… {words.count(count, 'line')} {where}"
    return wrap([(said, page.look.dim + act("toggle"))], page.width, page.look.base, first=page.left)
