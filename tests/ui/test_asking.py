"""The permission panel: whole, unmistakable, answered only on purpose (S13, S14, S17, S18, S20, PM-20,
PM-21).
"""

from __future__ import annotations

import pytest
from textual import events

from acp_tui.ui.screens.detail import DetailScreen
from acp_tui.ui.widgets.options import Options
from tests.clock import Clock
from tests.ui.driving import asked, asked_text, driving, words

pytestmark = pytest.mark.anyio


async def test_the_panel_shows_the_request_and_takes_a_number() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=rm_-rf_build")
        text = driven.text()
        assert "Run it?" in text and "$ rm -rf build" in text
        assert "1 a Allow once" in text and "2 Allow always" in text and "3 r Reject" in text
        driven.panel.focus()
        await driven.press("2")
        await driven.until("answer: always")
        assert not driven.panel.display


@pytest.mark.parametrize(("key", "answer"), [("a", "yes"), ("r", "no"), ("1", "yes"), ("3", "no")])
async def test_letters_where_the_kind_is_unambiguous(key: str, answer: str) -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=ls hello")
        driven.panel.focus()
        await driven.press(key)
        await driven.until(f"answer: {answer}")
        await driven.until("you said hello")  # rejecting is not cancelling


async def test_it_takes_the_focus_from_a_quiet_empty_composer_only() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        await driven.say("command=ls")
        await driven.until(lambda: driven.panel.has_focus)


async def test_it_leaves_the_focus_to_somebody_who_writes_and_tab_brings_it() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        await driven.say("later command=ls")
        await driven.until(lambda: not driven.composer.text)
        driven.composer.put("and 1 more")
        driven.submit("go")
        await driven.until(" asks ")
        assert driven.composer.has_focus
        clock.at += 5
        await driven.type("1a")
        assert driven.composer.text == "and 1 more1a"
        assert driven.panel.request is not None
        await driven.press("tab")
        await driven.until(lambda: driven.panel.has_focus)
        await driven.press("1")
        await driven.until("answer: yes")
        await driven.until(lambda: driven.composer.has_focus)
        assert driven.composer.text == "and 1 more1a"


async def test_keys_in_the_first_moments_answer_nothing() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        await driven.say("command=ls")
        await driven.until(" asks ")
        driven.panel.focus()
        await driven.pilot.pause()
        await driven.press("1", "a", "r", "3")
        assert driven.panel.request is not None
        clock.at += 0.5
        await driven.press("1")  # still held down, as far as anybody can tell
        assert driven.panel.request is not None
        await driven.press("2")
        await driven.until("answer: always")


async def test_one_press_answers_one_request() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "perm=2")
        await driven.until("1 of 2")
        driven.panel.focus()
        await driven.press("1")
        await driven.until(lambda: len(driven.store.requests) == 1)
        for _ in range(20):
            clock.at += 0.033
            await driven.press("1")
        await driven.pilot.pause()
        assert len(driven.store.requests) == 1


async def test_several_are_counted_and_answered_in_any_order() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "perm=3")
        await driven.until("1 of 3")
        driven.panel.focus()
        await driven.press("tab")
        await driven.until("2 of 3")
        assert "Request 2" in driven.text()
        clock.at += 5
        await driven.press("3")
        await driven.until("2 of 2")
        assert "Request 3" in driven.text()
        clock.at += 5
        await driven.press("2")
        await driven.until("Request 1")
        clock.at += 5
        await driven.press("1")
        await driven.until("answers: yes no always")


async def test_tab_after_the_last_request_leads_to_the_transcript_and_back_to_writing() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "perm=2")
        driven.composer.focus()
        await driven.press("tab", "tab", "tab")
        await driven.until(lambda: driven.chat.transcript.has_focus)
        await driven.press("tab")
        await driven.until(lambda: driven.composer.has_focus)


async def test_a_request_that_is_taken_back_leaves_with_a_reason() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("withdraw")
        await driven.until(" asks ")
        driven.submit("go")
        await driven.until("withdrawn: cancelled")
        await driven.until("took its request back")
        assert not driven.panel.display


async def test_cancelling_answers_all_of_them() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "perm=3")
        await driven.press("escape")
        await driven.until(lambda: not driven.store.requests)
        await driven.until("answers: cancelled cancelled cancelled")
        assert not driven.panel.display


async def test_when_the_agent_dies_the_panel_goes_and_the_draft_stays() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "perm=1")
        driven.composer.put("my draft")
        driven.link.agent.kill()
        await driven.until(lambda: driven.store.connection.phase == "lost")
        await driven.until(lambda: not driven.panel.display)
        assert driven.composer.text == "my draft"


async def test_hidden_characters_are_made_visible() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, r"command=ls_~\r\x1b[2Krm_\u202efdp.x")
        text = asked_text(driven)
        assert "<U+202E>" in text and "␛" in text
        assert "\x1b" not in text and "\u202e" not in text


async def test_a_long_command_scrolls_in_half_the_screen_and_opens_whole() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=" + "_".join(f"word{n}" for n in range(400)))
        assert driven.panel.size.height <= 12
        assert "word399" not in asked_text(driven)
        assert "more lines ↓" in driven.text()
        assert "3 r Reject" in driven.text()
        driven.panel.focus()
        for _ in range(12):
            await driven.press("pagedown")
        await driven.until(lambda: "word399" in asked_text(driven))
        await driven.press("o")
        await driven.until(lambda: isinstance(driven.app.screen, DetailScreen))
        await driven.press("slash", *"word399", "enter")
        await driven.until("1 of 1")
        assert "word399" in driven.text()
        await driven.press("escape")
        await driven.press("escape")
        await driven.until(" asks ")
        assert driven.panel.request is not None


async def test_who_writes_on_while_the_panel_has_the_focus_answers_nothing() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=ls")
        driven.panel.focus()
        await driven.type("and another thing 1")
        await driven.until(lambda: driven.composer.text == "and another thing 1")
        assert driven.composer.has_focus
        assert driven.panel.request is not None


async def test_a_paste_into_the_panel_is_writing() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "command=ls")
        driven.panel.post_message(events.Paste("1"))
        await driven.until(lambda: driven.composer.text == "1")
        assert driven.panel.request is not None


async def test_a_click_answers_once_and_not_at_first() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "perm=2")
        await driven.pilot.click(Options, offset=(4, 0))
        await driven.until(lambda: len(driven.store.requests) == 1)
        clock.at += 0.1
        await driven.pilot.click(Options, offset=(4, 0))
        assert len(driven.store.requests) == 1
        clock.at += 5
        await driven.pilot.click(Options, offset=(30, 0))
        await driven.until("answers: yes")


async def test_a_changed_subject_makes_it_deaf_again() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "edit")
        await driven.until("before.txt")
        driven.panel.focus()
        driven.submit("go")
        await driven.until("after.txt")
        await driven.press("1")
        assert driven.panel.pressed is None
        assert driven.panel.request is not None


@pytest.mark.parametrize("text", ["and add a test", "remove 1 more", "just jokes", "oar or 1 of 2"])
@pytest.mark.parametrize("deaf", [True, False])
async def test_who_begins_to_write_as_it_appears_loses_no_letter(text: str, deaf: bool) -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        await driven.say("command=ls")
        await driven.until(lambda: driven.panel.has_focus)
        clock.at += 0.1 if deaf else 5
        for character in text:  # faster than the focus can move
            key = "space" if character == " " else character
            driven.app.post_message(events.Key(key, character))
        await driven.until(lambda: driven.composer.text == text)
        assert driven.panel.request is not None
        assert driven.composer.has_focus
