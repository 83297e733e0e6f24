"""F1: all keys, made from the key table with the user's changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from acp_tui import __version__
from acp_tui.ui import keys
from acp_tui.ui.screens.page import Line, Page

_KEYS_WIDTH = 22


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
            for names, what in rows:
                yield "", f"  {names:<{_KEYS_WIDTH}}  {what}", max(_KEYS_WIDTH, len(names)) + 4
            yield "", ""
