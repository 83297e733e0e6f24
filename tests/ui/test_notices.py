"""The log of notices: live, counted, raw where we know no better, and never markup."""

from __future__ import annotations

import pytest

from acp_tui.store.connection import MOST_TOLD, Connection
from acp_tui.store.entities import NoticeRecord
from acp_tui.store.store import CONNECTION
from acp_tui.ui.screens.notices import coalesced
from tests.render.hostile import HOSTILE
from tests.store.seen import Fed
from tests.ui.detail_stage import reading
from tests.ui.driving import driving, words
from tests.ui.test_detail import assert_clean

pytestmark = pytest.mark.anyio


def notice(fed: Fed, title: str, severity: str = "warning", description: str | None = None) -> Fed:
    return fed("notice", severity=severity, title=title, description=description)


def connection(fed: Fed) -> Connection:
    fed.store.touch(CONNECTION)
    return fed.store.connection


def test_neighbours_that_say_the_same_are_one() -> None:
    notices = [
        NoticeRecord(float(at), severity, title, None)
        for at, (severity, title) in enumerate(
            [("info", "a"), ("info", "a"), ("warning", "a"), ("info", "a"), ("info", "a"), ("info", "a")]
        )
    ]
    told = [(one.notice.severity, one.first, one.notice.at, one.times) for one in coalesced(notices)]
    assert told == [("info", 0.0, 1.0, 2), ("warning", 2.0, 2.0, 1), ("info", 3.0, 5.0, 3)]


async def test_newest_first_with_times_counts_and_severity_and_no_markup() -> None:
    fed = Fed()
    notice(fed, "first", "info", "[bold]not markup[/bold]\nsecond line")
    for _ in range(3):
        notice(fed, "again and again", "error")
    notice(fed, "odd", "catastrophe")
    async with reading(fed, None) as on:
        rows = on.body()
        assert rows[0].startswith("❯") and "· catastrophe  odd" in rows[0]
        assert "✗ error" in rows[1] and "again and again  3 times since 00:01:42" in rows[1]
        assert "i info" in rows[2] and "first" in rows[2]
        assert rows[3].strip() == "[bold]not markup[/bold]" and rows[4].strip() == "second line"
        assert (
            len({row.index(title) for row, title in zip(rows, ("odd", "again", "first"), strict=False)}) == 1
        )
        assert "Notices 5" in on.text()


async def test_what_acp_tui_told_itself_stands_among_them_with_its_time_and_marked() -> None:
    fed = Fed()
    notice(fed, "of the agent", "info")
    ours = NoticeRecord(fed.at + 1, "warning", "The agent did not\x1b[31m stop it", "too late")
    connection(fed).tell(ours)
    async with reading(fed, None) as on:
        rows = on.body()
        assert "! warning  The agent did not stop it  by acp-tui" in rows[0] and "too late" in rows[1]
        assert "i info" in rows[2] and "by acp-tui" not in rows[2]
        assert "Notices 2" in on.text()
        connection(fed).tell(ours)
        await on.until("2 times")


def test_what_acp_tui_tells_without_end_fills_no_memory() -> None:
    connection = Connection()
    for number in range(MOST_TOLD * 2):
        connection.tell(NoticeRecord(0.0, "info", f"{number}", None))
    assert [one.title for one in connection.told[-2:]] == [f"{MOST_TOLD * 2 - 2}", f"{MOST_TOLD * 2 - 1}"]
    assert len(connection.told) == MOST_TOLD


async def test_it_lives_and_the_reader_keeps_his_place() -> None:
    fed = Fed()
    for number in range(100):
        notice(fed, f"notice {number}")
    async with reading(fed, None) as on:
        assert "notice 99" in on.text()
        notice(fed, "the newest")
        await on.until("the newest")
        await on.press("pagedown")
        before = on.body()
        notice(fed, "even newer")
        await on.until("Notices 102")
        assert on.body() == before
        notice(fed, "even newer")
        await on.until("Notices 103")
        assert on.body() == before
        await on.press("home")
        assert "2 times" in on.text()


async def test_unknown_updates_are_raw_and_open_with_enter() -> None:
    fed = Fed()
    for number in range(3):
        fed("weather_update", sky="blue", number=number)
    async with reading(fed, None) as on:
        assert "Unknown updates 3" in on.text()
        assert "weather_update" in on.body()[0] and '"number": 2' in on.body()[0]
        assert "{" not in on.body()[3]
        await on.press("enter")
        assert '    "number": 2' in on.text() and on.text().count("weather_update") == 4
        await on.press("z", "z")
        assert '    "number": 0' not in on.text() and on.text().count("weather_update") == 3
        await on.press("z")
        assert '    "number": 0' in on.text()


async def test_stray_lines_and_stderr_are_there_as_they_came() -> None:
    fed = Fed()
    known = connection(fed)
    known.garbage, known.last_garbage = 1234, "this is [red]no[/] message"
    known.stderr_tail = ["loading", "\x1b[31mwarn\x1b[0m: odd"]
    async with reading(fed, None) as on:
        await on.until("1,234 lines on stdout that were no messages")
        assert "this is [red]no[/] message" in on.text()
        assert "warn: odd" in on.text()
        connection(fed).stderr_tail.append("one line more")
        await on.until("one line more")


async def test_nothing_is_said_where_there_is_nothing() -> None:
    async with reading(Fed(), None) as on:
        assert "No notices." in on.text()
        await on.press("tab")
        assert "Nothing came that this version does not know." in on.text()
        await on.press("tab")
        assert "nothing" in on.text()
        await on.press("escape")
        await on.until(lambda: on.screen is not on.tabbed)


async def test_hostile_words_are_harmless() -> None:
    fed = Fed()
    for said in HOSTILE:
        notice(fed, said or "x", said, said)
        fed("unknown_" + said, **{said: said})
    known = connection(fed)
    known.garbage, known.last_garbage, known.stderr_tail = 3, "".join(HOSTILE), list(HOSTILE)
    async with reading(fed, None, size=(80, 40)) as on:
        for _ in range(3):
            await on.press("z", "home")
            for _ in range(8):
                assert_clean(on)
                await on.press("pagedown")
            await on.press("tab")


async def test_f2_shows_the_log_of_the_real_thing() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("notice=Look unknown garbage")
        await driven.until(lambda: driven.session.unknown_updates and driven.store.connection.garbage)
        await driven.press("f2")
        await driven.until("! warning  Look")
        await driven.press("tab")
        await driven.until("weather_update")
        await driven.press("tab")
        await driven.until("this is no message")
        await driven.press("escape")
        await driven.until(lambda: driven.chat)
