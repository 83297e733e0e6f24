"""F2: notices with the time they came, and updates this version does not know, raw (NT-06, EX-05)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime

from acp_tui.render.clean import clean, one_line, visible
from acp_tui.store.session import Session
from acp_tui.ui.screens.page import Line, Page
from acp_tui.ui.toasts import GLYPHS, severity


def _clock(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%H:%M:%S")


class NoticesScreen(Page):
    """The log of one session: newest first."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.shown = session

    def heading(self) -> str:
        return f"Notices · {len(self.shown.notices)} · unknown updates {len(self.shown.unknown_updates)}"

    def lines(self) -> Iterable[Line]:
        if not self.shown.notices:
            yield "dim", "No notices."
        for notice in reversed(self.shown.notices):
            glyph = GLYPHS.get(severity(notice.severity))
            said = one_line(notice.severity, 20)
            yield "head", f"{_clock(notice.at)}  {glyph} {said:<7}  {one_line(notice.title)}", 21
            for text in clean(notice.description or "").splitlines():
                yield "", f"{'':21}{text}", 21
        yield "", ""
        if self.shown.unknown_updates:
            yield "head", "Updates this version does not know, as they came"
        for update in reversed(self.shown.unknown_updates):
            yield "dim", _clock(update.at)
            for text in json.dumps(update.raw, indent=2, ensure_ascii=False).split("\n"):
                yield "", f"  {visible(text)}"
