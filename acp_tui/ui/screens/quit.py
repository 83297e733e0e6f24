"""Leaving the program or a conversation while something runs: tells what that ends (BG-07, CL-01, CL-02)."""

from __future__ import annotations

from collections.abc import Sequence

from acp_tui.ui.screens.question import Question

_MOST = 8


class QuitScreen(Question):
    """Leave although something runs?"""

    def __init__(
        self,
        running: Sequence[str],
        heading: str = "Quit? This ends:",
        yes: str = "quit",
        no: str = "stay",
    ) -> None:
        lines = [f"  {text}" for text in running[:_MOST]]
        if len(running) > _MOST:
            lines.append(f"  and {len(running) - _MOST} more")
        super().__init__(heading, lines, yes, no)
