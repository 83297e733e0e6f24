"""The header's bar reads the same at every share, and asks to be noticed only when it should be."""

from __future__ import annotations

import pytest

from acp_tui.ui.widgets.header import bar, percent


@pytest.mark.parametrize(
    ("share", "shown"),
    [
        (0.0, "────────  0%"),
        (0.001, "╾───────  0%"),
        (0.07, "╾───────  7%"),
        (0.38, "━━━───── 38%"),
        (0.97, "━━━━━━━━ 97%"),
        (1.0, "━━━━━━━━ 100%"),
        (1.12, "━━━━━━━━ 112%"),
        (1e9, "━━━━━━━━ >999%"),
        (-1.0, "──────── -100%"),
    ],
)
def test_a_share_as_a_line_and_a_number(share: float, shown: str) -> None:
    assert "".join(bar(share)) + " " + percent(share) == shown
