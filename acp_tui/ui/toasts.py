"""Toasts: what happened, briefly, at the top right; never markup, never raw, never the same one ten times
over.

A toast that comes again while it is still to be seen is counted, not stacked. Nothing is drawn over the
panel or the composer: the rack is docked at the top (app.tcss).
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, Literal

from acp_tui.render.clean import clean, one_line

if TYPE_CHECKING:
    from textual.app import App

SECONDS = 6.0
AT_ONCE = 4
"""More than this many in the time one is seen are counted only: a flood must not cover the screen (NT-06)."""
LONGEST = 400

Severity = Literal["information", "warning", "error"]
_SEVERITIES: dict[str, Severity] = {"warning": "warning", "error": "error"}


class Toasts:
    """The one mouth for toasts."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._shown: dict[tuple[str, str], float] = {}
        self.unshown = 0
        """How many were counted only, for those who ask (the notice screen has them all)."""

    def show(self, title: str, text: str = "", severity: str = "info") -> None:
        """Show it; severities we do not know look like information (NT-04)."""
        at = monotonic()
        self._shown = {key: end for key, end in self._shown.items() if end > at}
        key = (title, text)
        if key in self._shown or len(self._shown) >= AT_ONCE:
            self.unshown += 1
            return
        self._shown[key] = at + SECONDS
        body = clean(text)
        if len(body) > LONGEST:
            body = body[: LONGEST - 1] + "…"
        head = one_line(title, 60 if body else LONGEST)
        self._app.notify(
            body or head,
            title=head if body else "",
            severity=_SEVERITIES.get(severity, "information"),
            timeout=SECONDS,
            markup=False,
        )
