"""F1: all keys, made from the key table with the user's changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from acp_tui import __version__
from acp_tui.ui import keys
from acp_tui.ui.screens.page import Line, Page

WIDEST = 20
"""Cells for keys; longer lists of them have a line of their own."""


class HelpScreen(Page):
    """The keys, place by place."""

    def __init__(self, changed: Mapping[str, str]) -> None:
        super().__init__()
        self.changed = changed

    def heading(self) -> str:
        return f"Keys · acp-tui {__version__}"

    def lines(self) -> Iterable[Line]:
        for title, rows in keys.help_rows(self.changed):
            yield "head", title
            column = max((len(names) for names, _ in rows if len(names) <= WIDEST), default=0)
            for names, what in rows:
                if len(names) > column:
                    yield "", f"  {names}"
                    names = ""
                yield "", f"  {names:<{column}}  {what}", column + 4
            yield "", ""
