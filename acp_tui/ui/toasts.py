"""Toasts: what happened, briefly, at the top right; never markup, never raw, never the same one ten times
over.

Invariants: the newest `AT_ONCE` at most, and of these only what fits whole in the upper half of the screen;
the others are counted. Text is wrapped here, so that the height is known and nothing is cut. A flood costs a
drawing every `PACE` seconds, whatever its size.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any

from textual.app import App
from textual.notifications import SeverityLevel

from acp_tui.render.clean import clean, one_line
from acp_tui.render.wrap import rows
from acp_tui.ui import keys

SECONDS = 6.0
AT_ONCE = 3
PACE = 0.25
LONGEST = 400
WIDEST = 56

_SEVERITIES: dict[str, SeverityLevel] = {"warning": "warning", "error": "error"}
GLYPHS: dict[SeverityLevel, str] = {"information": "·", "warning": "!", "error": "✗"}


def severity(word: str) -> SeverityLevel:
    """Severities we do not know look like information (NT-04)."""
    return _SEVERITIES.get(word, "information")


@dataclass(frozen=True, slots=True)
class Toast:
    """What is to be seen until `end`."""

    title: str
    text: str
    severity: SeverityLevel
    end: float
    times: int = 1

    def lines(self, width: int) -> list[str]:
        """The head, with a glyph that says the severity without colour, then the text."""
        often = f" · {self.times} times" if self.times > 1 else ""
        head = list(_wrapped(f"{GLYPHS[self.severity]} {self.title}{often}", width, 2))
        return head + [f"  {row}" for row in _wrapped(self.text, width - 2, 0)] if self.text else head


def _wrapped(text: str, width: int, hang: int) -> Iterator[str]:
    for row in rows(text, width, width - hang):
        yield (" " * hang if row.start else "") + text[row.start : row.end]


class Toasts:
    """The one mouth for toasts."""

    def __init__(self, app: App[Any]) -> None:
        self._app = app
        self._shown: list[Toast] = []
        self._drawn_at = float("-inf")
        self._due = False
        self.unshown = 0
        """How many gave way to newer ones since the notices were looked at."""

    def show(self, title: str, text: str = "", kind: str = "info", seconds: float = SECONDS) -> None:
        """Show it for some seconds; one that is there already is counted and stays."""
        at = monotonic()
        self._expire(at)
        body = clean(text)
        if len(body) > LONGEST:
            body = body[: LONGEST - 1] + "…"
        head = one_line(title, 60 if body else LONGEST)
        new = Toast(head, body, severity(kind), at + seconds)
        for index, old in enumerate(self._shown):
            if (old.title, old.text) == (head, body):
                self._shown[index] = replace(new, times=old.times + 1)
                self._draw_soon(at)
                return
        self._shown.append(new)
        self.unshown += max(0, len(self._shown) - AT_ONCE)
        del self._shown[:-AT_ONCE]
        self._draw_soon(at)

    def dismiss(self) -> None:
        """The user looks at the notices: nothing stands before them."""
        self._shown.clear()
        self.unshown = 0
        self._clear()

    def _clear(self) -> None:
        """Also away with the holders of toasts, which Textual leaves behind, a row each."""
        self._app.clear_notifications()
        for screen in self._app.screen_stack:
            screen.query("ToastHolder").remove()

    def _expire(self, at: float) -> None:
        self._shown = [toast for toast in self._shown if toast.end > at]
        if not self._shown:
            self.unshown = 0

    def _draw_soon(self, at: float) -> None:
        if not self._due:
            self._due = True
            wait = self._drawn_at + PACE - at
            if wait > 0:
                self._app.set_timer(wait, self._draw)
            else:
                self._draw()

    def _draw(self) -> None:
        self._due = False
        self._drawn_at = at = monotonic()
        self._expire(at)
        self._clear()
        for toast, lines in self._fitting():
            App.notify(
                self._app,
                "\n".join(lines[1:]) or lines[0],
                title=lines[0] if len(lines) > 1 else "",
                severity=toast.severity,
                timeout=max(0.1, toast.end - at),
                markup=False,
            )

    def _fitting(self) -> list[tuple[Toast, list[str]]]:
        """The newest for which there is room, the oldest of them first; the last says what is not there."""
        width = max(10, min(WIDEST, (self._app.size.width - 2) * 6 // 10 - 3))  # as app.tcss has it
        room = max(2, self._app.size.height // 2 - 4)  # the panel may take half, the composer stands below it
        found: list[tuple[Toast, list[str]]] = []
        for toast in reversed(self._shown):
            lines = toast.lines(width)
            if found and len(lines) > room:
                break
            if len(lines) > room:
                lines[room - 1 :] = ["  …"]
            room -= len(lines)
            found.append((toast, lines))
        missing = self.unshown + len(self._shown) - len(found)
        if found and missing:
            found[0][1].append(f"  {missing} more · {keys.hint('chat.notices')}")
        return found[::-1]
