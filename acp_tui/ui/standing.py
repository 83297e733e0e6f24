"""How a state is said on the status line. What the state is, `status` finds in the store.

A `Status` holds no elapsed time, only the moment it counts from; the line adds the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from acp_tui.render.clean import one_line
from acp_tui.render.words import running

Mood = Literal["calm", "busy", "ask", "bad"]
Hint = tuple[str, str]
"""A key and what it does now. A key is named by the id of what it does (`chat.escape`), for its user may have
changed it; or as it is.
"""

SILENT = 10.0
"""Seconds without a word of a working agent after which the line says so (S08)."""
_GLYPHS: dict[Mood, str] = {"calm": "○", "busy": "◐", "ask": "‖", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Status:
    """The state of one session as the user should understand it."""

    mood: Mood
    words: str
    since: float | None = None
    """What elapsed time counts from; None: nothing elapses."""
    heard_at: float | None = None
    """When the agent last said something, while it works."""
    extras: tuple[str, ...] = ()
    hints: tuple[Hint, ...] = ()

    @property
    def ticks(self) -> bool:
        """The line changes with the clock."""
        return self.since is not None

    def line(self, at: float) -> str:
        """The left side of the line at this moment."""
        words = f"{_GLYPHS[self.mood]} {self.words}"
        if self.since is not None:
            words = f"{words} {running(at - self.since)}".rstrip()
        if self.heard_at is not None and (silent := at - max(self.heard_at, self.since or 0.0)) >= SILENT:
            words += f" · silent {running(silent)}"
        return " · ".join([words, *self.extras])


def starting(agent: str, since: float | None) -> Status:
    """An agent was started and has not answered."""
    return Status("busy", f"starting {one_line(agent)}", since, hints=BACK)


BACK: tuple[Hint, ...] = (("chat.escape", "back"),)
