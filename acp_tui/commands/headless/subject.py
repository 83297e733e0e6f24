"""What is to be allowed, as lines of a terminal: those of the panel, without its colours.

The only place of a headless run that draws; imported when something is asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual.strip import Strip

from acp_tui.render.look import FALLBACK
from acp_tui.render.permission import request_lines
from acp_tui.store.entities import AgentRequest
from acp_tui.store.store import Store
from acp_tui.ui.looking import look_at


def subject(store: Store, request: AgentRequest, width: int, styled: bool) -> Iterator[str]:
    """Title, description and all of the subject; what is marked is underlined where that can be shown."""
    found = look_at(store, request)
    for strip in request_lines(request, store, width, FALLBACK, found, "unified").strips:
        yield "".join(_styled(strip)).rstrip() if styled else strip.text.rstrip()


def _styled(strip: Strip) -> Iterator[str]:
    for text, style, _ in strip:
        underlined = style is not None and style.underline
        yield f"\x1b[4m{text}\x1b[24m" if underlined else text
