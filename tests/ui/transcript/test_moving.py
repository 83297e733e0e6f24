"""The reader's place: at the end it follows, elsewhere it stays, and a move moves just what was asked."""

from __future__ import annotations

import pytest

from acp_tui.protocol.content import TextContent
from acp_tui.store.entities import Submission
from acp_tui.store.keys import Kind
from tests.store.seen import Fed
from tests.ui.transcript.stage import prose, stage, talk, text

pytestmark = pytest.mark.anyio


async def test_follows_the_end_as_text_arrives() -> None:
    async with stage(talk(40)) as on:
        for word in ("alpha ", "beta\n\n", *(f"- item {n}\n" for n in range(60)), "\nlast **words** here"):
            await on.say("agent_message", "new", word)
        assert any("last words here" in row for row in on.rows())
        assert on.transcript.following
        assert on.transcript.unseen == 0


async def test_a_short_session_stands_at_the_top() -> None:
    fed = Fed()
    fed("user_message", messageId="u", content=[text("hello there")])
    async with stage(fed) as on:
        assert "hello there" in on.rows()[0]
        assert not any(on.rows()[1:])


async def test_stays_put_while_text_arrives_below() -> None:
    async with stage(talk(300)) as on:
        await on.wheel(-100)
        before = on.rows()
        assert not on.transcript.following
        for number in range(20):
            await on.say("agent_message", "new", f"{prose(number)}\n\n")
            assert on.rows() == before
        assert not on.transcript.following


async def test_stays_put_while_something_above_grows_and_shrinks() -> None:
    fed = talk(300)
    async with stage(fed) as on:
        await on.wheel(-200)
        before = on.rows()
        for number in range(20):
            await on.say("user_message", "m10", f"\n{prose(number)}")
            assert on.rows() == before
        fed("user_message", messageId="m10", content=[text("short")])
        await on.settled()
        assert on.rows() == before


async def test_stays_put_while_the_very_message_that_is_read_grows() -> None:
    async with stage(talk(30)) as on:
        for number in range(60):
            await on.say("agent_message", "new", f"{prose(number, 12)}\n\n")
        await on.wheel(-40)
        before = on.rows()
        for number in range(60, 80):
            await on.say("agent_message", "new", f"{prose(number, 12)}\n\n")
            assert on.rows() == before


async def test_goes_up_two_lines_at_a_time_through_what_was_never_drawn() -> None:
    async with stage(talk(700)) as on:
        for _ in range(200):
            above = on.rows()[:-2]
            await on.wheel(-2)
            assert on.rows()[2:] == above


async def test_goes_down_three_lines_at_a_time_and_follows_at_the_end() -> None:
    async with stage(talk(120)) as on:
        await on.wheel(-400)
        assert not on.transcript.following
        while not on.transcript.following:
            below = on.rows()[3:]
            await on.wheel(3)
            assert on.rows()[: len(below)] == below or on.transcript.following
        last = on.rows()
        await on.press("f")
        assert on.rows() == last


async def test_a_jump_by_the_scrollbar_lands_and_stays() -> None:
    async with stage(talk(2000)) as on:
        on.transcript.scroll_to(y=on.transcript.max_scroll_y // 2)
        rows = (await on.settled()).rows()
        assert abs(on.transcript.scroll_y - on.transcript.max_scroll_y / 2) < 400
        await on.say("agent_message", "new", prose(1))
        assert on.rows() == rows
        on.transcript.scroll_to(y=on.transcript.max_scroll_y)
        assert (await on.settled()).transcript.following


async def test_counts_what_came_and_was_not_seen() -> None:
    async with stage(talk(100)) as on:
        await on.wheel(-50)
        assert on.transcript.unseen == 0
        for number in range(7):
            await on.say("agent_message", f"new{number}", prose(number))
        assert on.transcript.unseen == 7
        on.transcript.focus()
        await on.press("f")
        assert (on.transcript.following, on.transcript.unseen) == (True, 0)


async def test_width_and_height_change_and_the_reader_stays_on_his_line() -> None:
    async with stage(talk(300), size=(90, 24)) as on:
        await on.wheel(-150)
        top = on.rows()[0].split()
        for size in ((60, 24), (130, 24), (47, 30), (90, 24)):
            await on.pilot.resize_terminal(*size)
            await on.settled()
            assert not on.transcript.following
            assert set(top) & set(on.rows()[0].split()), (size, top, on.rows()[:3])


async def test_a_resize_at_the_end_stays_at_the_end() -> None:
    async with stage(talk(300)) as on:
        last = [row for row in on.rows() if row][-1].split()[-1]
        for size in ((60, 20), (120, 40), (80, 24)):
            await on.pilot.resize_terminal(*size)
            await on.settled()
            assert on.transcript.following
            assert last in " ".join(on.rows()[-4:])


async def test_sent_prompts_stand_last_and_go_when_they_are_taken_up() -> None:
    fed = talk(20)
    async with stage(fed) as on:
        key = fed.key(Kind.SUBMISSION, "1")
        blocks = (TextContent(type="text", text="do this next"),)
        sent = Submission(key=key, created_at=1.0, number=1, blocks=blocks, status="pending")
        fed.session.entities[key] = sent
        fed.session.tail.append(key)
        fed.store.touch(fed.key(Kind.TIMELINE))
        fed.flush()
        await on.say("agent_message", "later", "still at it")
        words = " ".join(on.rows())
        assert 0 < words.index("still at it") < words.index("do this next")
        fed.session.tail.remove(key)
        fed.store.touch(fed.key(Kind.TIMELINE))
        fed("user_message", messageId="taken", content=[text("do this next")])
        await on.settled()
        assert sum("do this next" in row for row in on.rows()) == 1


async def test_each_session_is_shown_as_it_was_left() -> None:
    fed = talk(200)
    async with stage(fed) as on:
        on.transcript.focus()
        await on.wheel(-100)
        await on.press("j", "j", "enter")
        before, cursor = on.rows(), on.key_at_cursor()
        on.transcript.show("s-none")
        assert not any((await on.settled()).rows())
        on.transcript.show(fed.session.ref)
        await on.settled()
        assert (on.rows(), on.key_at_cursor()) == (before, cursor)


async def test_a_replayed_session_takes_the_place_of_the_old_one() -> None:
    fed = talk(30)
    async with stage(fed) as on:
        fresh = talk(30, seed=5)
        swapped = fresh.session
        fed.store.sessions[fed.session.ref] = swapped
        fed.store.touch(fed.key(Kind.TIMELINE))
        fed.store.flush()
        await on.settled()
        assert on.transcript.column is not None
        assert on.transcript.column.session is swapped
        assert len(on.transcript.column) == len(swapped.timeline)
