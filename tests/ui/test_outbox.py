"""Prompts that wait: shown where they are, changed, moved, removed, sent on; never sent by themselves
(PR-04 to PR-19, LC-08, S07).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from acp_tui.ui.widgets.outbox import Outbox
from tests.ui.acting import acting, says, state
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


def outbox(driven: Driven) -> Outbox:
    return driven.chat.query_one(Outbox)


def listed(driven: Driven) -> list[str]:
    return [one.line for one in outbox(driven).items]


async def queue(driven: Driven, *texts: str) -> None:
    """Work runs, and these wait for its end."""
    await driven.ready()
    await driven.say("wait")
    await driven.until("◐ working")
    for text in texts:
        await driven.say(text)
    await driven.until(f"{len(texts)} queued")


async def test_what_waits_stands_above_the_composer_once_and_goes_when_it_is_sent() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        assert not driven.chat.query(Outbox), "nothing is made for it before it is needed"
        await driven.say("later")
        await driven.until("◐ working")
        await driven.say("hello")
        await driven.until("waiting here")
        rows = driven.rows()
        assert sum("hello" in row for row in rows) == 1
        place = next(i for i, row in enumerate(rows) if "hello" in row)
        assert rows[place + 1].startswith(" ❯"), "the composer is right below"
        driven.submit("go")
        await driven.until("you said hello")
        await driven.until("○ ready")
        assert not outbox(driven).display


async def test_the_order_is_changed_and_one_is_removed() -> None:
    async with driving(words()) as driven:
        await queue(driven, "one", "two", "three")
        await driven.press("tab")
        assert outbox(driven).has_focus
        await driven.press("J")
        await driven.until(lambda: listed(driven) == ["two", "one", "three"])
        await driven.press("down", "K", "up", "delete")
        await driven.until(lambda: "two" not in listed(driven) or "three" not in listed(driven))
        assert len(listed(driven)) == 2


async def test_one_is_taken_back_to_write_on() -> None:
    async with driving(words()) as driven:
        await queue(driven, "one", "two")
        await driven.press("tab", "enter")
        await driven.until(lambda: driven.composer.text == "one")
        assert driven.composer.has_focus
        assert listed(driven) == ["two"]


async def test_one_is_sent_now_ahead_of_the_others() -> None:
    async with driving(words()) as driven:
        await queue(driven, "one", "two")
        await driven.press("tab", "down", "alt+s")
        await driven.until("you said two")
        assert "you said one" not in driven.text().partition("you said two")[0]


async def test_after_a_cancel_everything_is_held_and_says_why_until_a_key_sends_it_on() -> None:
    async with driving(words()) as driven:
        await queue(driven, "one", "two")
        await driven.press("escape")
        await driven.until("2 held")
        assert driven.text().count("held: the work was cancelled") == 2
        assert "Tab send on, edit, remove" in driven.text()
        assert "you said" not in driven.text()
        await driven.press("tab", "s")
        await driven.until("you said one")
        await driven.until("you said two")


async def test_without_going_there_one_key_sends_on_all_that_is_held() -> None:
    async with driving(words()) as driven:
        await queue(driven, "one", "two")
        await driven.press("escape")
        await driven.until("2 held")
        await driven.press("alt+s")
        await driven.until("you said two")


async def test_escape_goes_back_to_writing_and_cancels_nothing() -> None:
    async with driving(words()) as driven:
        await queue(driven, "one")
        await driven.press("tab", "escape")
        assert driven.composer.has_focus
        assert driven.session.busy
        assert not driven.session.cancelling


async def test_a_prompt_whose_fate_is_unknown_is_never_sent_again_by_itself() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("swallow this")
        await driven.until("sent, not accepted yet")
        driven.conversation.agent.kill()
        await driven.until("1 may not have arrived")
        await driven.until("not known whether it arrived")
        await driven.press("f5")
        await driven.ready()
        await driven.until("○ ready")
        assert listed(driven) == ["swallow this"]
        await driven.press("tab", "l")
        await driven.until(lambda: not driven.session.replaying)
        assert listed(driven) == ["swallow this"], "the agent tells nothing of it"
        await driven.press("delete")
        await driven.until(lambda: not outbox(driven).display)
        assert driven.composer.has_focus
        assert driven.composer.text == "swallow this"


async def test_a_prompt_with_an_unknown_fate_is_sent_again_when_told() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("swallow hello")
        await driven.until("sent, not accepted yet")
        driven.conversation.agent.kill()
        await driven.until("1 may not have arrived")
        await driven.press("f5")
        await driven.ready()
        await driven.until("○ ready")
        await driven.press("tab", "s")
        await driven.until("sent, not accepted yet")
        assert not outbox(driven).display


async def test_a_sent_prompt_that_is_not_accepted_can_be_taken_back() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("swallow this")
        await driven.until("sent, not accepted yet · take it back")
        await driven.press("shift+tab", "delete")
        await driven.until(lambda: driven.composer.text == "swallow this")
        assert "not accepted yet" not in driven.text()


async def test_it_shrinks_to_its_head_while_a_request_waits() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("later perm=1")
        await driven.until("◐ working")
        await driven.say("one")
        await driven.say("two")
        await driven.until("2 queued")
        driven.submit("go")
        await driven.until("Request 1")
        head = next(row for row in driven.rows() if "2 queued" in row)
        assert head.split()[:3] == ["2", "queued", "one"], "the first of them, and not how few are shown"
        assert head.rstrip().endswith("edit, move, remove")
        assert "waiting here" not in driven.text() and "shown" not in head


async def test_the_words_of_a_long_one_leave_room_for_the_way_there_while_a_request_waits() -> None:
    async with driving(words(), size=(80, 24)) as driven:
        await driven.ready()
        await driven.say("later perm=1")
        await driven.until("◐ working")
        await driven.say("word " * 60)
        await driven.until("1 queued")
        driven.submit("go")
        await driven.until("Request 1")
        head = next(row for row in driven.rows() if "1 queued" in row)
        assert "word word" in head and "…" in head
        assert head.rstrip().endswith("Tab edit, move, remove")


async def test_more_than_fits_is_counted_and_the_marked_one_is_seen() -> None:
    async with driving(words()) as driven:
        texts = [f"number {n}" for n in range(12)]
        await queue(driven, *texts)
        await driven.until("4 shown")
        await driven.press("tab", *["down"] * 11)
        await driven.until("❯ number 11")


async def test_a_click_marks_one() -> None:
    async with driving(words()) as driven:
        await queue(driven, "one", "two")
        await driven.pilot.click(Outbox, offset=(4, 2))
        assert outbox(driven).marked == outbox(driven).items[1].key
        assert outbox(driven).has_focus


SCRIPT: dict[str, Any] = {
    "say quiet": [{"result": {"messageId": "u1"}}],
    "say lost": [{"silence": True}],
    "say no": [{"error": {"code": -32602, "message": "I take no such thing"}}],
    "say work": [
        {"result": {"messageId": "u2"}},
        state("running"),
        says("I never repeat it"),
        state("idle", "end_turn"),
    ],
}


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_each_state_of_a_prompt_is_seen(tmp_path: Path, size: tuple[int, int]) -> None:
    async with driving(acting(tmp_path, SCRIPT), size=size) as driven:
        await driven.ready()
        await driven.say("quiet")
        await driven.until("accepted")
        await driven.until(lambda: "not accepted yet" not in driven.text())
        await driven.say("no")
        await driven.until("I take no such thing")
        assert driven.composer.text == "no"
        driven.composer.put("")
        await driven.say("lost")
        await driven.until("sent, not accepted yet · take it back")
        await driven.until("1 not accepted yet")
        await driven.say("behind it")
        await driven.until("1 queued")
        await driven.until("waiting here")
        driven.conversation.agent.kill()
        await driven.until("1 may not have arrived · 1 held")
        await driven.until("not known whether it arrived")
        await driven.until("held: the connection was lost")


async def test_a_prompt_that_the_agent_never_repeats_stands_above_what_came_of_it(tmp_path: Path) -> None:
    """It stood below the conversation for ever, as accepted."""
    async with driving(acting(tmp_path, SCRIPT)) as driven:
        await driven.ready()
        await driven.say("work")
        await driven.until("I never repeat it")
        await driven.until("○ ready")
        rows = [row.strip() for row in driven.rows() if row.strip()]
        assert rows[1:3] == ["▌ work", "I never repeat it"]
        assert "accepted" not in driven.text()
