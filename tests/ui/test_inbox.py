"""All that waits for the user, of every agent: listed, answered in any order; and the log of the answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from acp_tui.base import paths
from acp_tui.base.config import load
from acp_tui.client.intents import AnswerPermission, Submit
from acp_tui.journal.folding import fold
from acp_tui.protocol.content import TextContent
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.screens.detail import DetailScreen
from acp_tui.ui.screens.inbox import InboxScreen
from acp_tui.ui.widgets.saying import Why
from tests.clock import Clock
from tests.journal.keeping import library
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


async def another(driven: Driven, what: str) -> Conversation:
    """A second agent that is asked for something, while the first one is shown."""
    conversation = driven.host.start(words(), str(Path.cwd()))
    driven.app.show(conversation)
    await driven.until(lambda: conversation.session is not None and conversation.session.phase == "open")
    conversation.do(Submit(conversation.ref, (TextContent(type="text", text=what),), now=True))
    await driven.until(lambda: conversation.store.requests)
    await driven.press("ctrl+pageup")
    return conversation


async def inbox(driven: Driven, clock: Clock) -> InboxScreen:
    """Open it, and let the panel's deaf moment pass."""
    await driven.press("f9")
    await driven.until(lambda: isinstance(driven.app.screen, InboxScreen))
    clock.at += 5
    assert isinstance(driven.app.screen, InboxScreen)
    return driven.app.screen


async def test_several_approvals_at_once_of_two_agents_are_answered_in_reverse_order() -> None:
    """S13: a single slot replaced the first one, which never came back."""
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        driven.submit("perm=2")
        await driven.until(lambda: len(driven.store.requests) == 2)
        clock.at += 60
        other = await another(driven, "perm=2")
        screen = await inbox(driven, clock)
        await driven.until("Waiting 4")
        text = driven.text()
        assert text.index("Request 1") < text.index("Request 2") < text.rindex("Request 1")
        for answer in "3123":
            await driven.press("end", "enter")
            await driven.until(lambda: screen.panel.has_focus)
            await driven.until(" asks ")
            clock.at += 5
            await driven.press(answer)
            await driven.until(lambda: screen.opened is None)
        await driven.until("Nothing waits for you.")
        await driven.press("escape")
        await driven.until("answers: no always")
        await driven.press("ctrl+pagedown")
        await driven.until("answers: yes no")
        assert not other.store.requests


async def test_it_says_who_asks_and_since_when_and_opens_the_conversation() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        other = await another(driven, "title=Fix_the_lexer command=ls")
        clock.at += 65
        await inbox(driven, clock)
        await driven.until("Words · Fix the lexer")
        assert "Run it?" in driven.text() and " 1 m " in driven.text()
        await driven.press("s")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        assert driven.chat.conversation is other


async def test_a_request_is_whole_there_and_waits_on_when_it_is_left() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        driven.submit("command=sudo_rm_-rf_/")
        await driven.until(" asks ")
        screen = await inbox(driven, clock)
        await driven.press("enter")
        await driven.until("$ sudo rm -rf /")
        await driven.until("3 risks")
        clock.at += 5
        await driven.press("o")
        await driven.until(lambda: isinstance(driven.app.screen, DetailScreen))
        await driven.press("escape")
        await driven.until(lambda: driven.app.screen is screen)
        await driven.press("escape")
        await driven.until(lambda: screen.opened is None)
        await driven.press("escape")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        assert driven.panel.request is not None


async def test_what_is_written_there_is_kept_for_the_panel_of_the_chat() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        driven.submit("command=ls")
        await driven.until(" asks ")
        screen = await inbox(driven, clock)
        await driven.press("enter")
        await driven.until(lambda: screen.panel.has_focus)
        clock.at += 5
        await driven.press("w")
        await driven.until(lambda: isinstance(driven.app.focused, Why))
        await driven.type("not now")
        await driven.press("escape", "escape", "escape")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        driven.panel.focus()
        clock.at += 5
        await driven.press("w")
        await driven.until("reject, because not now")
        await driven.press("enter")
        await driven.until("answer: no")
        await driven.until("you said now")


async def test_one_that_is_taken_back_leaves_with_a_reason() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        driven.submit("withdraw")
        await driven.until(" asks ")
        screen = await inbox(driven, clock)
        await driven.press("enter")
        await driven.until(lambda: screen.panel.has_focus)
        driven.submit("go")
        await driven.until("Nothing waits for you.")
        await driven.until("took its request back")
        await driven.press("tab")
        await driven.until("taken back by the agent")


async def test_the_log_says_who_was_answered_what_and_by_whom_also_of_agents_that_are_gone() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        await another(driven, "title=Second perm=1")
        driven.submit("perm=2 wait")
        await driven.until(lambda: len(driven.store.requests) == 2)
        first = driven.store.requests[0]
        driven.conversation.do(AnswerPermission(first, "always"))
        await driven.press("ctrl+pagedown")
        await driven.until("Second")
        link = driven.host.links[1]
        driven.app.chats.leave(driven.chat)
        await driven.until(lambda: not link.store.requests)
        await inbox(driven, clock)
        await driven.press("tab")
        await driven.until("Allow always: Request 1")
        await driven.until("by you")
        await driven.until("nothing chosen: Request 1")
        assert "closed with the session · Words · Second" in driven.text()


async def test_nothing_is_chosen_there_by_several_keys_at_once() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await driven.ready()
        driven.submit("command=ls")
        await driven.until(" asks ")
        screen = await inbox(driven, clock)
        await driven.press("enter")
        await driven.until(lambda: screen.panel.has_focus)
        clock.at += 5
        for key in "a1r":
            driven.app.post_message(events.Key(key, key))
        await driven.until("Nothing is answered by several keys")
        assert driven.store.requests
        clock.at += 5
        await driven.press("2")
        await driven.until("Nothing waits for you.")


RULES = """
[[permissions.rules]]
answer = "reject"
command = "*--force*"

[[permissions.rules]]
answer = "allow"
command = "ls"
agent = "words"
"""


async def test_a_rule_answers_before_a_panel_shows_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(RULES)
    clock = Clock()
    async with driving(words(), clock=clock, config=load(file), size=(120, 40)) as driven:
        await driven.ready()
        await driven.say("command=ls command=git_push_--force perm=1")
        await driven.until("Answered by your rule")
        await driven.until("answer: yes")
        await driven.until("answer: no")
        await driven.until(" asks ")
        assert "Request 1" in driven.text()
        await driven.until("↳ Allow once · by your rule “")  # toasts stand over the rest
        await driven.until("↳ Reject · by your rule “")
        await inbox(driven, clock)
        await driven.until("Answered 2")
        await driven.press("tab")
        await driven.until("by your rule “allow command ls for words”")
        assert "Reject: Run it?" in driven.text()
        (saved,) = library(paths.journal_dir())
        read = [one.answered_why for one in fold(saved).player.client.requests if one.answered_by == "rule"]
        assert read == ["allow command ls for words", "reject command *--force*"]


async def test_a_rule_never_chooses_what_the_agent_does_not_offer(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[[permissions.rules]]\nanswer = "reject"\n')
    clock = Clock()
    async with driving(words(), clock=clock, config=load(file)) as driven:
        await driven.ready()
        await driven.say("options=2")
        await driven.until(" asks ")
        assert driven.panel.request is not None
