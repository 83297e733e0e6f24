"""Keys and clicks on what stands in the transcript, and what a selection copies."""

from __future__ import annotations

import anyio
import pytest
from textual import events
from textual.geometry import Offset
from textual.selection import Selection
from textual.strip import Strip

from acp_tui.store.keys import Kind
from acp_tui.ui.transcript import selection as spots
from tests.store.seen import Fed
from tests.ui.screen_text import screen_strips
from tests.ui.transcript.stage import Stage, prose, stage, talk, text

pytestmark = pytest.mark.anyio


def short() -> Fed:
    """A question, a thought, a tool call and an answer; all of it fits on a screen."""
    fed = Fed()
    fed("user_message", messageId="u1", content=[text("why does it hang?")])
    fed("agent_thought", messageId="t1", content=[text("maybe an empty match; let me look at the loop")])
    fed(
        "tool_call_update",
        toolCallId="c1",
        title="read the lexer",
        kind="read",
        status="completed",
        content=[{"type": "content", "content": text("def lex(): ...")}],
        locations=[{"path": "/w/src/lex.py", "line": 40}],
    )
    fed("agent_message", messageId="a1", content=[text(f"It never advances. {prose(7, 60)}")])
    fed("user_message", messageId="u2", content=[text("fix it")])
    fed("agent_message", messageId="a2", content=[text("Done.")])
    return fed


def marked(on: Stage) -> str:
    """The row the cursor stands on."""
    return next((row for row in on.rows() if row.startswith("❯")), "")


async def test_the_cursor_goes_over_entries_and_is_shown_only_with_the_focus() -> None:
    async with stage(short()) as on:
        assert not marked(on)
        on.transcript.focus()
        await on.settled()
        assert "Done." in marked(on)
        for word in ("fix it", "It never advances", "read the lexer"):
            await on.press("up")
            assert word in marked(on)
        await on.press("k", "k", "k", "k")
        assert "why does it hang" in marked(on)
        await on.press("j", "end")
        assert "Done." in marked(on)
        await on.press("home")
        assert "why does it hang" in marked(on)
        on.app.set_focus(None)
        await on.settled()
        assert not marked(on)


async def test_down_reads_on_in_an_entry_that_is_longer_than_the_window() -> None:
    fed = short()
    fed("agent_message", messageId="long", content=[text("\n\n".join(f"line {n}." for n in range(60)))])
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("home", *["down"] * 6)
        assert "line 0." in marked(on)
        seen: set[str] = set()
        for _ in range(20):
            seen.update(row.lstrip("❯ ") for row in on.rows())
            await on.press("down")
        assert {f"line {n}." for n in range(60)} <= seen
        assert on.transcript.following


async def test_enter_folds_where_the_entry_stands() -> None:
    fed = talk(200)
    fed("agent_thought", messageId="t", content=[text("\n\n".join(prose(n, 9) for n in range(5)))])
    fed("agent_message", messageId="a", content=[text("\n\n".join(prose(n, 9) for n in range(6)))])
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("up", "up")
        y = next(y for y, row in enumerate(on.rows()) if row.startswith("❯"))
        closed = on.rows()
        await on.press("enter")
        opened = on.rows()
        assert opened[y].startswith("❯") and opened[: y + 1] != closed
        assert prose(3, 9).split()[0] in " ".join(opened[y:])
        await on.press("enter")
        assert on.rows() == closed


async def test_z_folds_and_opens_all_thoughts_also_those_to_come() -> None:
    fed = short()
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("z")
        assert "maybe an empty match" in " ".join(on.rows())
        fed("agent_thought", messageId="t2", content=[text("a later thought")])
        await on.settled()
        assert "a later thought" in " ".join(on.rows())
        await on.press("z")
        assert "maybe an empty match" not in " ".join(on.rows())


async def test_a_thought_stands_open_while_it_grows_if_the_user_wants_that() -> None:
    fed = short()
    async with stage(fed) as on:
        on.transcript.thoughts_open = True
        fed("state_update", state="running")
        fed("agent_thought_chunk", messageId="t3", content=text("growing in the open"))
        await on.settled()
        assert "growing in the open" in " ".join(on.rows())
        fed("agent_message", messageId="a3", content=[text("Said.")])
        await on.settled()
        assert "growing in the open" not in " ".join(on.rows())


async def test_y_copies_the_source_and_o_and_e_ask_for_more() -> None:
    fed = short()
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("up", "up", "y")
        assert on.app.clipboard == f"It never advances. {prose(7, 60)}"
        await on.press("up", "o", "e")
        assert on.app.got == [fed.key(Kind.TOOL_CALL, "c1"), ("/w/src/lex.py", 40)]


async def test_braces_go_from_one_of_my_messages_to_the_next() -> None:
    async with stage(talk(60)) as on:
        on.transcript.focus()
        await on.press("{")
        assert on.key_at_cursor() == on.fed.key(Kind.USER_MESSAGE, "m50")
        assert marked(on) == on.rows()[0]
        await on.press("{", "{")
        assert on.key_at_cursor() == on.fed.key(Kind.USER_MESSAGE, "m30")
        await on.press("}")
        assert on.key_at_cursor() == on.fed.key(Kind.USER_MESSAGE, "m40")
        await on.press("}", "}")
        assert on.transcript.following


async def test_pages_overlap_and_take_the_cursor_along() -> None:
    async with stage(talk(100)) as on:
        on.transcript.focus()
        await on.settled()
        top = [row[1:] for row in on.rows()[:2]]
        await on.press("pageup")
        assert [row[1:] for row in on.rows()[-2:]] == top
        assert marked(on)
        await on.press("pagedown")
        assert [row[1:] for row in on.rows()[:2]] == top
        assert marked(on)


async def test_a_click_on_a_title_opens_it_and_elsewhere_only_points() -> None:
    async with stage(short()) as on:
        y = next(y for y, row in enumerate(on.rows()) if "thought" in row)
        await on.pilot.click(on.transcript, offset=(4, y))
        assert "maybe an empty match" in " ".join((await on.settled()).rows())
        rows = on.rows()
        y = next(y for y, row in enumerate(rows) if "fix it" in row)
        await on.pilot.click(on.transcript, offset=(4, y))
        await on.settled()
        assert "fix it" in marked(on)
        assert [row[1:] for row in on.rows()] == [row[1:] for row in rows]


async def test_a_click_on_copy_copies_that_piece_of_code() -> None:
    fed = short()
    fed("agent_message", messageId="a2", content=[text("So:\n```py\none\n```\nand\n```\n\ttwo\n```")])
    async with stage(fed) as on:
        rows = on.rows()
        y = max(y for y, row in enumerate(rows) if row.rstrip().endswith("copy"))
        await on.pilot.click(on.transcript, offset=(rows[y].index("copy"), y))
        assert on.app.clipboard == "\ttwo"


async def test_a_click_on_what_cannot_be_shown_here_asks_for_it_whole() -> None:
    fed = short()
    fed("agent_message", messageId="a3", content=[{"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}])
    async with stage(fed) as on:
        y = next(y for y, row in enumerate(on.rows()) if "audio" in row)
        await on.pilot.click(on.transcript, offset=(4, y))
        assert on.app.got == [fed.key(Kind.AGENT_MESSAGE, "a3")]


async def test_a_drag_selects_across_entries_and_copies_words_not_decoration() -> None:
    fed = short()
    async with stage(fed) as on:
        rows = on.rows()
        first = next(y for y, row in enumerate(rows) if "It never" in row)
        last = next(y for y, row in enumerate(rows) if "fix it" in row)
        await on.pilot.mouse_down(on.transcript, offset=(rows[first].index("never"), first))
        await on.pilot.hover(on.transcript, offset=(rows[last].index("fix it") + 5, last))
        await on.pilot.mouse_up(on.transcript, offset=(rows[last].index("fix it") + 5, last))
        await on.settled()
        assert on.app.screen.get_selected_text() == f"never advances. {prose(7, 60)}\n\nfix it"
        assert on.transcript.selected_text() == on.app.screen.get_selected_text()


def highlighted(on: Stage) -> str:
    """What is drawn on the background of a selection."""
    background = on.app.screen.get_component_rich_style("screen--selection").bgcolor
    strips: list[Strip] = screen_strips(on.app)
    return "".join(
        segment.text
        for strip in strips
        for segment in strip
        if segment.style is not None and segment.style.bgcolor == background
    )


async def test_a_selection_stays_on_its_words_while_what_is_above_grows() -> None:
    fed = short()
    async with stage(fed) as on:
        assert on.transcript.column is not None
        index = on.transcript.column.place(fed.key(Kind.AGENT_MESSAGE, "a2"))
        assert index is not None
        y = spots.spot(index, 1)
        on.transcript.select(Selection(Offset(1, y), Offset(5, y)))
        await on.settled()
        assert (on.transcript.selected_text(), highlighted(on)) == ("Done", "Done")
        for number in range(3):
            await on.say("agent_message", "a1", f"\n\n{prose(number)}")
        assert (on.transcript.selected_text(), highlighted(on)) == ("Done", "Done")


async def test_a_selection_of_everything_covers_what_was_never_drawn() -> None:
    async with stage(talk(120)) as on:
        on.transcript.text_select_all()
        await on.settled()
        copied = on.transcript.selected_text()
        for number in range(0, 120, 10):
            assert f"{number}" in copied
        assert "\n".join(line.rstrip() for line in copied.split("\n")) == copied


async def test_two_clicks_select_a_word_in_wide_text_too() -> None:
    fed = Fed()
    fed("agent_message", messageId="a", content=[text("日本語の文章 and needle here")])
    async with stage(fed) as on:
        y = next(y for y, row in enumerate(on.rows()) if "needle" in row)
        cells = 1 + 12 + len(" and ")
        await on.pilot.click(on.transcript, offset=(cells + 2, y), times=2)
        await on.settled()
        assert (on.transcript.selected_text(), highlighted(on)) == ("needle", "needle")


async def test_another_theme_draws_the_same_words_in_other_colours() -> None:
    async with stage(talk(20)) as on:
        rows, dark = on.rows(), [*screen_strips(on.app)]
        on.app.theme = "textual-light"
        await on.settled()
        assert on.rows() == rows
        assert all(
            a != b for a, b in zip(dark[:20], screen_strips(on.app)[:20], strict=True) if a.text.strip()
        )


async def test_without_colours_none_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with stage(short()) as on:
        styles = {
            segment.style
            for strip in on.transcript.render_lines(on.transcript.size.region)
            for segment in strip
        }
        colors = [
            style.color.get_truecolor() for style in styles if style is not None and style.color is not None
        ]
        assert colors
        assert all(color.red == color.green == color.blue for color in colors)


async def test_d_shows_a_diff_and_then_switches_it_and_what_is_copied_is_the_new_side() -> None:
    fed = Fed()
    patch = "diff --git /w/x /w/x\n--- /w/x\n+++ /w/x\n@@ -1,2 +1,2 @@\n-old words\n+new words\n end\n"
    diff = {
        "type": "diff",
        "changes": [{"operation": "modify", "path": "/w/x"}],
        "patch": {"format": "git_patch", "text": patch},
    }
    fed("tool_call_update", toolCallId="c1", title="edit", status="completed", content=[diff])
    async with stage(fed) as on:
        on.transcript.focus()
        await on.settled()
        await on.press("d")
        assert [row for row in on.rows() if "1 - old words" in row and "1 + new words" not in row]
        await on.press("d")
        assert [row for row in on.rows() if "1 - old words" in row and "1 + new words" in row]
        first = next(i for i, row in enumerate(on.rows()) if "old words" in row)
        line = on.transcript.rows[first].line
        on.transcript.select(Selection(Offset(0, spots.spot(0, line)), Offset(79, spots.spot(0, line + 1))))
        await on.settled()
        assert on.transcript.get_selection(on.transcript.text_selection)[0] == "new words\nend"


async def test_the_editor_is_asked_for_at_the_first_place_or_the_first_change() -> None:
    fed = Fed()
    patch = "--- a/x.py\n+++ b/x.py\n@@ -7,1 +7,2 @@\n one\n+two\n"
    changes = [{"operation": "modify", "path": "/w/x.py"}]
    diff = {"type": "diff", "changes": changes, "patch": {"format": "git_patch", "text": patch}}
    fed("tool_call_update", toolCallId="c", title="edit", status="completed", content=[diff])
    fed("agent_message", messageId="m", content=[text("done")])
    async with stage(fed) as on:
        on.transcript.focus()
        await on.settled()
        await on.press("home", "e")
        assert on.app.got == [("/w/x.py", 7)]
        await on.press("end", "e")
        assert on.app.got == [("/w/x.py", 7)]
        assert "Nothing here points to a file" in [n.message for n in on.app._notifications]


async def test_what_scrolls_under_a_mouse_that_drags_past_the_edge_is_selected_too() -> None:
    async with stage(talk(40)) as on:
        on.transcript.focus()
        await on.press("home")
        area = on.transcript.region
        await on.pilot.mouse_down(on.transcript, offset=(6, 3))
        for y in (area.bottom - 4, area.bottom - 1):
            move = events.MouseMove(None, 8, y, 0, 3, 1, False, False, False, 8, y)
            on.app.post_message(move)
            with anyio.fail_after(30):
                while on.app.mouse_position.y != y:
                    await on.pilot.pause(0)
            await on.settled()
        assert on.transcript.column is not None
        with anyio.fail_after(30):
            while not on.transcript.following or on.transcript.pending:
                await on.pilot.pause()
                await anyio.sleep(0.005)
        await on.settled()
        selection = on.transcript.text_selection
        assert selection is not None and selection.end is not None
        assert spots.member(selection.end.y) == on.transcript.rows[-1].member
        await on.pilot.mouse_up(on.transcript, offset=(8, area.height - 1))
        assert on.transcript.selected_text().count("\n") > 100
