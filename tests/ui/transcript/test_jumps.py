"""Jumping to failures and changes, copying with headings, dimming what is past; also while text streams."""

from __future__ import annotations

import pytest
from textual.geometry import Offset
from textual.selection import Selection

from acp_tui.store.keys import Kind
from acp_tui.ui.transcript import selection as spots
from tests.store.seen import Fed
from tests.ui.screen_text import screen_strips
from tests.ui.transcript.stage import Stage, prose, stage, talk, text

pytestmark = pytest.mark.anyio

PATCH = {
    "format": "git_patch",
    "text": "diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-old\n+new ``` = 1\n",
}
DIFF = {"type": "diff", "changes": [{"operation": "modify", "path": "/w/a.py"}], "patch": PATCH}


def worked(count: int = 30) -> Fed:
    """A failure or a change now and then, much between them."""
    fed = Fed()
    for number in range(count):
        fed("agent_message", messageId=f"m{number}", content=[text(prose(number, 60))])
        if number % 10 == 5:
            fed("tool_call_update", toolCallId=f"f{number}", title="make", kind="execute", status="failed")
        if number % 10 == 7:
            fed(
                "tool_call_update",
                toolCallId=f"d{number}", title="edit a.py", kind="edit", status="completed", content=[DIFF],
            )  # fmt: skip
    return fed


def told(on: Stage) -> str:
    return " ".join(str(toast.message) for toast in on.app._notifications)


async def test_x_and_brackets_go_to_failures_and_changes() -> None:
    fed = worked()
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("X")
        assert on.key_at_cursor() == fed.key(Kind.TOOL_CALL, "f25")
        assert any(row.startswith("❯") for row in on.rows())
        await on.press("X", "X")
        assert on.key_at_cursor() == fed.key(Kind.TOOL_CALL, "f5")
        await on.press("X")
        assert on.key_at_cursor() == fed.key(Kind.TOOL_CALL, "f5") and "No failure above" in told(on)
        await on.press("right_square_bracket", "right_square_bracket")
        assert on.key_at_cursor() == fed.key(Kind.TOOL_CALL, "d17")
        await on.press("left_square_bracket")
        assert on.key_at_cursor() == fed.key(Kind.TOOL_CALL, "d7")
        await on.press("x", "x", "x")
        assert on.key_at_cursor() == fed.key(Kind.TOOL_CALL, "f25") and "No failure below" in told(on)


async def test_a_jump_stays_where_it_led_while_text_streams_in() -> None:
    fed = worked()
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("X", "X")
        rows, key = on.rows(), on.key_at_cursor()
        for number in range(10):
            await on.say("agent_message", "new", f"{prose(number)}\n\n")
            fed("tool_call_update", toolCallId=f"late{number}", title="late", status="failed")
            await on.settled()
            assert (on.rows(), on.key_at_cursor()) == (rows, key)


async def test_capital_y_copies_with_headings() -> None:
    fed = Fed()
    fed(
        "user_message",
        messageId="u",
        content=[text("why?"), {"type": "resource_link", "name": "lex", "uri": "file:///w/lex.py"}],
    )
    fed("agent_thought", messageId="t", content=[text("hm\x1b[31m")])
    fed(
        "tool_call_update",
        toolCallId="c", title="edit", kind="edit", status="completed",
        content=[{"type": "content", "content": text("one\n\ttwo")}, DIFF],
    )  # fmt: skip
    fed("agent_message", messageId="a", content=[text("**Done.**")])
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("end", "Y")
        assert on.app.clipboard == "## Agent\n\n**Done.**"
        on.transcript.select(Selection(Offset(0, spots.spot(0, 0)), Offset(3, spots.spot(3, 1))))
        await on.press("Y")
        assert on.app.clipboard.split("\n\n") == [
            "## User",
            "why?",
            "[lex](file:///w/lex.py)",
            "## Thought",
            "hm",
            "### Tool: edit (done)",
            "```\none\n\ttwo\n```",
            f"````diff\n{PATCH['text'].rstrip()}\n````",
            "## Agent",
            "**Done.**",
        ]


async def test_what_stands_above_a_compaction_is_dimmed_on_request() -> None:
    fed = talk(5)
    fed("compaction_update", compactionId="c", status="completed")
    fed("agent_message", messageId="after", content=[text("afterwards")])
    async with stage(fed, (80, 60)) as on:
        on.transcript.focus()
        await on.settled()
        rows, before = on.rows(), screen_strips(on.app)
        rule = next(y for y, row in enumerate(rows) if "compacted" in row)
        await on.press("c")
        assert on.rows() == rows
        dimmed = [y for y, (a, b) in enumerate(zip(before, screen_strips(on.app), strict=True)) if a != b]
        assert [y for y in dimmed if y >= len(rows) or rows[y]] == [
            y for y, row in enumerate(rows[:rule]) if row
        ]
        await on.press("c")
        assert screen_strips(on.app) == before


async def test_a_drag_goes_on_while_text_streams_in() -> None:
    fed = worked(6)
    async with stage(fed) as on:
        await on.wheel(-8)
        rows = on.rows()
        first, last = 2, 12
        await on.pilot.mouse_down(on.transcript, offset=(1, first))
        for number in range(5):
            await on.say("agent_message", "new", f"{prose(number)}\n\n")
        await on.pilot.hover(on.transcript, offset=(10, last))
        await on.pilot.mouse_up(on.transcript, offset=(10, last))
        await on.settled()
        assert [row[1:] for row in on.rows()] == [row[1:] for row in rows]
        words = " ".join(" ".join(rows[first : last + 1]).split())
        assert words.startswith(" ".join(on.transcript.selected_text().split())[:200])


async def test_three_clicks_select_the_line() -> None:
    fed = Fed()
    fed("agent_message", messageId="a", content=[text("one two three")])
    async with stage(fed) as on:
        await on.pilot.click(on.transcript, offset=(5, 0), times=3)
        await on.settled()
        assert on.transcript.selected_text() == "one two three"
