"""Finished reads and searches in a row, as one line that opens."""

from __future__ import annotations

from collections import Counter

import pytest
from textual.geometry import Offset
from textual.selection import Selection

from acp_tui.store.keys import Kind
from acp_tui.ui.transcript import selection as spots
from acp_tui.ui.transcript.groups import Groups, Part
from tests.store.seen import Fed
from tests.ui.transcript.stage import Stage, prose, stage, talk, text

pytestmark = pytest.mark.anyio


def call(fed: Fed, id_: str, kind: str = "read", status: str = "completed", **fields: object) -> None:
    """A tool call about a file of its name."""
    content = [{"type": "content", "content": text(f"inside {id_}")}]
    places = [{"path": f"/w/{id_}.py", "line": 40}] if kind == "read" else []
    fed(
        "tool_call_update",
        **{
            "toolCallId": id_, "title": f"call {id_}", "kind": kind, "status": status, "content": content,
            "locations": places, **fields,
        },
    )  # fmt: skip


def reads(*ids: str) -> Fed:
    fed = Fed()
    fed("user_message", messageId="u", content=[text("why?")])
    for id_ in ids:
        call(fed, id_)
    return fed


def marked(on: Stage) -> str:
    return next((row for row in on.rows() if row.startswith("❯")), "")


async def test_from_three_on_they_take_one_line() -> None:
    fed = reads("a", "b")
    async with stage(fed) as on:
        assert sum("call " in row for row in on.rows()) == 2
        call(fed, "c", status="in_progress")
        await on.settled()
        assert sum("call " in row for row in on.rows()) == 3
        call(fed, "c")
        await on.settled()
        assert on.rows()[2].split("  ")[0] == " ✓ ▸ read 3 files"
        assert "a.py:40 …" in on.rows()[2]
        assert not any("call" in row for row in on.rows())
        call(fed, "d", "search")
        call(fed, "e", "search")
        call(fed, "f", locations=[{"path": "/w/a.py"}])
        await on.settled()
        assert "read 3 files, searched 2 times" in on.rows()[2], "a file read twice is one file"
        for id_ in "abcdef":
            view = on.transcript.view_of(fed.key(Kind.TOOL_CALL, id_))
            assert view is not None and view.key.id == id_


async def test_what_shows_between_them_parts_them_and_a_failure_breaks_out() -> None:
    fed = reads("a", "b", "c", "d", "e", "f", "g")
    async with stage(fed) as on:
        assert "read 7 files" in on.rows()[2]
        call(fed, "d", status="failed")
        await on.settled()
        rows = [row for row in on.rows() if row]
        assert "read 3 files" in rows[1] and "call d" in rows[2] and "read 3 files" in rows[-1]
        await on.say("agent_message", "m", "so")
        for id_ in "hij":
            call(fed, id_)
        await on.settled()
        assert sum("read 3 files" in row for row in on.rows()) == 3


async def test_it_opens_with_enter_and_with_a_click_and_closes_again() -> None:
    async with stage(reads("a", "b", "c", "d")) as on:
        on.transcript.focus()
        await on.press("end")
        assert "read 4 files" in marked(on)
        await on.press("enter")
        assert "▾ read 4 files" in marked(on)
        assert [row.split()[-1] for row in on.rows()[3:7]] != []
        assert sum("call " in row for row in on.rows()) == 4
        await on.press("down")
        assert "call a" in marked(on)
        await on.press("enter")
        assert "inside a" in " ".join(on.rows())
        await on.press("down", "up", "up")
        assert "read 4 files" in marked(on)
        await on.press("enter")
        assert not any("call " in row for row in on.rows())
        await on.pilot.click(on.transcript, offset=(8, 2))
        await on.settled()
        assert sum("call " in row for row in on.rows()) == 4


async def test_a_call_that_was_opened_is_not_folded_away() -> None:
    fed = reads("a", "b")
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("end", "enter")
        assert "inside b" in " ".join(on.rows())
        call(fed, "c")
        await on.settled()
        assert "▾ read 3 files" in " ".join(on.rows())
        assert "inside b" in " ".join(on.rows())


async def test_the_cursor_goes_to_the_line_that_takes_its_entry_in() -> None:
    fed = reads("a", "b")
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("end")
        assert "call b" in marked(on)
        call(fed, "c")
        await on.settled()
        assert "read 3 files" in marked(on)
        await on.press("y")
        assert on.app.clipboard == "call a\ninside a\ncall b\ninside b\ncall c\ninside c"


async def test_a_search_opens_the_group_and_closes_it_behind() -> None:
    fed = reads("a", "b", "c", "d")
    for number in range(40):
        fed("agent_message", messageId=f"m{number}", content=[text(prose(number, 9))])
    async with stage(fed) as on:
        on.transcript.focus()
        await on.press("slash", *"call", "space", "c")
        assert "▾ read 4 files" in " ".join(on.rows())
        await on.press("escape")
        assert on.transcript.following
        await on.press("home")
        assert "▸ read 4 files" in " ".join(on.rows())
        await on.press("slash", *"inside", "space", "c", "enter", "escape")
        assert "inside c" in " ".join(on.rows())


async def test_a_selection_across_a_group_copies_what_is_seen() -> None:
    fed = reads("a", "b", "c")
    fed("agent_message", messageId="m", content=[text("It never ends.")])
    async with stage(fed) as on:
        on.transcript.select(Selection(Offset(0, spots.spot(0, 0)), Offset(99, spots.spot(4, 1))))
        await on.settled()
        copied = on.transcript.selected_text().split("\n")
        assert copied[0] == "why?" and copied[-1] == "It never ends."
        assert copied[2].startswith("read 3 files") and len(copied) == 5


async def test_what_came_is_counted_as_it_is_shown() -> None:
    fed = talk(60)
    async with stage(fed) as on:
        await on.wheel(-40)
        for number in range(7):
            call(fed, f"new{number}")
        await on.say("agent_message", "m", "done")
        assert on.transcript.unseen == 2


async def test_a_group_that_grows_out_of_sight_draws_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    fed = talk(100)
    asked: Counter[str] = Counter()
    async with stage(fed) as on:
        for number in range(3):
            call(fed, f"new{number}")
        await on.wheel(-100)
        assert on.transcript.column is not None
        laid = on.transcript.column.laid
        monkeypatch.setattr(
            on.transcript.column, "laid", lambda i, *how: (asked.update([str(i)]), laid(i, *how))[1]
        )
        call(fed, "new2", status="completed", title="another name")
        await on.settled()
        assert not asked


def test_ten_thousand_calls_cost_the_same_each() -> None:
    groups, touched = Groups(), []
    for index in range(10_000):
        before = 0 if index > 2 else index - 1 if index else None
        touched.append(len(groups.put(index, Part("read", str(index), 0.1), before, None)))
    assert max(touched[3:]) == 2
    run = groups.group(0)
    assert run is not None and len(run.reads) == run.count == 10_000
