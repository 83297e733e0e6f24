"""The header's bar reads the same at every share, and asks to be noticed only when it should be."""

from __future__ import annotations

import pytest
from textual.app import App, ComposeResult

from acp_tui.store.session import Session, Usage
from acp_tui.store.store import Store
from acp_tui.ui.widgets.header import Facts, Header, Others, Shown, bar, facts, percent


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


OPTIONS = (Shown("m", "model", "Small"), Shown("p", "mode", "Ask first"))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("facts", "others", "end"),
    [
        (Facts("A", "/w", options=OPTIONS), Others(), "Small · Ask first"),
        (Facts("A", "/w", options=OPTIONS), Others(2, 3, unread=1), "Small · Ask first  2/3 •1"),
        (Facts("A", "/w", cost="$0.42"), Others(), "$0.42"),
        (Facts("A", "/w", used="53k tokens", cost="$0.42"), Others(), "53k tokens  $0.42"),
        (Facts("A", "/w", cost="$0.42", share=0.5), Others(1, 2), "1/2  ━━━━──── 50%  $0.42"),
    ],
)
async def test_whatever_stands_at_the_right_ends_at_the_edge(facts: Facts, others: Others, end: str) -> None:
    class Bare(App[None]):
        def compose(self) -> ComposeResult:
            yield Header()

    async with Bare().run_test(size=(80, 3)) as pilot:
        header = pilot.app.query_one(Header)
        header.facts, header.others = facts, others
        await pilot.pause()
        assert str(header.render()) == "A · /w" + end.rjust(header.content_size.width - 6)


def test_what_is_used_is_told_also_where_nobody_says_of_how_much() -> None:
    """US-04: a window of 0 is no reason to show nothing, or to divide."""
    session = Session(ref="s1", cwd="/w", usage=Usage(used=53_000, size=0))
    assert facts(Store(), session).used == "53k tokens"
