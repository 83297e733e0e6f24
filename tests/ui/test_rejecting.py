"""Rejecting and saying why: the answer, and the words as the next prompt; nothing written is lost."""

from __future__ import annotations

import pytest
from textual import events

from acp_tui.ui.widgets.saying import Why
from tests.clock import Clock
from tests.ui.driving import Driven, asked, driving, words

pytestmark = pytest.mark.anyio


async def saying(driven: Driven, clock: Clock) -> Why:
    """Press the key, and wait until one can write."""
    driven.panel.focus()
    await driven.until(lambda: driven.panel.has_focus)
    await driven.press("w")
    await driven.until(lambda: isinstance(driven.app.focused, Why))
    clock.at += 5
    focused = driven.app.focused
    assert isinstance(focused, Why)
    return focused


async def test_the_answer_and_the_words_go_out_and_the_turn_goes_on() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=rm_-rf_x hello")
        await saying(driven, clock)
        await driven.type("use git clean")
        await driven.press("enter")
        await driven.until("answer: no")
        await driven.until("you said hello")
        await driven.until("you said clean")
        assert driven.composer.text == ""
        [request] = driven.link.agent.client.requests
        assert request.answered_why == "use git clean"


async def test_escape_backs_out_to_the_options_and_keeps_the_words() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=ls")
        await saying(driven, clock)
        await driven.type("no thanks 1")
        await driven.press("escape")
        await driven.until(lambda: driven.panel.has_focus)
        assert driven.panel.request is not None and not driven.session.cancelling
        why = await saying(driven, clock)
        assert why.text == "no thanks 1"


async def test_words_for_a_request_that_is_gone_come_back_to_the_composer() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "withdraw")
        await saying(driven, clock)
        await driven.type("because of reasons")
        driven.submit("go")
        await driven.until("took its request back")
        await driven.until(lambda: driven.composer.text == "because of reasons")
        assert driven.composer.has_focus


async def test_enter_on_nothing_rejects_nothing() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=ls")
        await saying(driven, clock)
        await driven.press("enter")
        await driven.until("Say why first")
        assert driven.panel.request is not None


async def test_a_paste_is_not_sent_and_stays_whole() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=ls")
        why = await saying(driven, clock)
        driven.app.post_message(events.Paste("one\ntwo\n"))
        await driven.until(lambda: why.text == "one\ntwo\n")
        assert driven.composer.text == "" and driven.panel.request is not None


async def test_without_one_way_to_reject_it_asks_which() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "options=3")
        await saying(driven, clock)
        await driven.type("none of that")
        await driven.press("enter")
        await driven.until("none of these")
        assert driven.panel.has_focus
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.focused, Why))
        await driven.press("enter")
        await driven.until("none of these")
        clock.at += 5
        await driven.press("4")
        await driven.until("answer: cancelled")
        await driven.until("you said that")


async def test_what_is_written_changes_no_answer_of_a_number() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=ls")
        await saying(driven, clock)
        await driven.type("12 ar")
        assert driven.panel.request is not None
        await driven.press("escape")
        clock.at += 5
        await driven.press("1")
        await driven.until("answer: yes")
        await driven.until(lambda: driven.composer.text == "12 ar")


async def test_ctrl_c_clears_what_is_written_here_and_not_the_draft() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=ls")
        driven.composer.put("my draft")
        why = await saying(driven, clock)
        await driven.type("no")
        await driven.press("ctrl+c")
        await driven.until(lambda: why.text == "")
        await driven.press("ctrl+c")
        await driven.until(lambda: driven.panel.has_focus)
        assert driven.composer.text == "my draft"
        assert driven.panel.request is not None and not driven.session.cancelling
