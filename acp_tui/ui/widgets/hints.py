"""Keys and what they do, in one line that looks the same wherever it stands."""

from __future__ import annotations

from collections.abc import Iterable

from textual.content import Content

from acp_tui.ui.status import Hint


def hint_line(hints: Iterable[Hint]) -> Content:
    """`Esc back · F1 help`, the keys standing out."""
    return Content(" · ").join([Content.assemble((key, "$foreground"), f" {what}") for key, what in hints])
