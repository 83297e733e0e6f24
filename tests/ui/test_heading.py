"""The rule above what is asked says where there is little room less, never half of it."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from acp_tui.ui.widgets.heading import Heading


class Asking(App[None]):
    def compose(self) -> ComposeResult:
        heading = Heading()
        heading.styles.height = 1
        heading.who, heading.place, heading.waited = "A subagent with a long name", (1, 2), 75
        heading.hidden, heading.risks = 12, 2
        yield heading


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("width", "end"),
    [
        (80, " ! 2 risks · 12 more lines ↓ · 1 of 2 · 1 m 15 s ─"),
        (60, " ! 2 risks · 12 more lines ↓ · 1 of 2 ─"),
        (50, " ! 2 risks · 12 ↓ · 1/2 ─"),
        (36, " ! 2 risks · 12 ↓ ─"),
    ],
)
async def test_what_has_no_room_is_said_shorter_and_the_time_first_not_at_all(width: int, end: str) -> None:
    async with Asking().run_test(size=(width, 3)) as pilot:
        shown = str(pilot.app.query_one(Heading).render())
    assert shown.startswith("─ A ") and " asks " in shown
    assert shown.endswith(end)
    assert len(shown) == width
