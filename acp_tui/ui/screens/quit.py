"""Leaving the program or a conversation while something runs: tells what that ends (BG-07, CL-01, CL-02)."""

from __future__ import annotations

from collections import Counter
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
        told = Counter(running)
        lines = [f"  {text} (×{n})" if n > 1 else f"  {text}" for text, n in list(told.items())[:_MOST]]
        if len(told) > _MOST:
            lines.append(f"  and {sum(list(told.values())[_MOST:])} more")
        super().__init__(heading, lines, yes, no)
