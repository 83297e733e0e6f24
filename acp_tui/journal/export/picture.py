"""A conversation as a picture of a screen that is as long as it needs to be.

Invariant: it is whole by itself: no font, no image and no style comes from anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from itertools import islice

from acp_tui.journal.export.excerpt import Excerpt
from acp_tui.journal.export.plain import drawn
from acp_tui.render.look import FALLBACK
from acp_tui.render.svg import whole

MOST = 2_000
"""Lines beyond which nobody could look at it."""
WIDTH = 80


class TooLong(ValueError):
    """A picture nobody could look at; the text is a sentence for the user."""


def svg(excerpt: Excerpt, width: int) -> Iterator[str]:
    """One picture, folded as on the screen. Raises `TooLong`."""
    from rich.console import Console
    from rich.segment import Segment, Segments

    strips = (
        strip
        for _, _, made in drawn(excerpt, width or WIDTH, unfold=False, look=FALLBACK)
        for strip in made.strips
    )
    found = list(islice(strips, MOST + 1))
    if len(found) > MOST:
        raise TooLong(f"A picture of more than {MOST} lines is too long to look at: name a part of it.")
    console = Console(
        record=True, width=width or WIDTH, file=StringIO(), force_terminal=True, color_system="truecolor"
    )
    for strip in found:
        console.print(Segments([*strip, Segment("\n")]), end="")
    picture = console.export_svg(title=excerpt.facts.title or "Conversation", unique_id="acp-tui")
    yield whole(picture)
