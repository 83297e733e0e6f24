"""Keys and what they do, in one line that looks the same wherever it stands."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from acp_tui.ui import keys
from acp_tui.ui.standing import Hint


def hint_line(hints: Iterable[Hint]) -> Content:
    """`Esc back · F1 help`, the keys standing out; keys given by their id are those of the user, who may have
    left some without one.
    """
    named = [(keys.hint(key), what) for key, what in hints if keys.reachable(key)]
    return Content(" · ").join([Content.assemble((key, "$foreground"), f" {what}") for key, what in named])
