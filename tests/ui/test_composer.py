"""Writing: newlines, paste, readline keys, earlier prompts, commands of the agent (CM-04, CM-07, CM-10)."""

from __future__ import annotations

import pytest
from textual import events

from acp_tui.protocol.session import AvailableCommand
from acp_tui.protocol.unknown import Unknown
from acp_tui.ui.widgets.completion import Command, matching, offered
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("key", ["shift+enter", "alt+enter", "ctrl+j"])
async def test_keys_for_a_new_line(key: str) -> None:
    async with driving(words()) as driven:
        await driven.type("ab")
        await driven.press(key)
        await driven.type("c")
        assert driven.composer.text == "ab\nc"
        assert driven.composer.size.height == 2


async def test_a_backslash_at_the_end_of_the_line_makes_a_new_line() -> None:
    async with driving(words()) as driven:
        driven.composer.put("ab\\")
        await driven.press("enter")
        await driven.type("c")
        assert driven.composer.text == "ab\nc"


async def test_a_paste_never_sends_and_grows_to_ten_lines() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        driven.composer.post_message(events.Paste("\n".join(f"line {n}" for n in range(40))))
        await driven.until("line 39")
        assert driven.session.timeline == [] and driven.session.tail == []
        assert driven.composer.size.height == 10


async def test_nothing_is_not_sent() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        driven.composer.put("  \n ")
        await driven.press("enter")
        await driven.pilot.pause()
        assert driven.session.tail == []


async def test_readline_keys() -> None:
    async with driving(words()) as driven:
        await driven.type("one two three")
        await driven.press("ctrl+w")
        assert driven.composer.text == "one two "
        await driven.press("ctrl+a")
        await driven.type("0")
        assert driven.composer.text == "0one two "
        await driven.press("ctrl+k")
        assert driven.composer.text == "0"
        await driven.type("abc")
        await driven.press("ctrl+u")
        assert driven.composer.text == ""
        await driven.press("ctrl+underscore")
        assert driven.composer.text == "0abc"
        await driven.press("ctrl+a", "ctrl+e")
        await driven.type("!")
        assert driven.composer.text == "0abc!"


async def test_earlier_prompts_come_with_up_and_the_draft_comes_back_with_down() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        for text in ("one", "two"):
            await driven.say(text)
            await driven.until(f"you said {text}")
        driven.composer.put("draft")
        await driven.press("up")
        assert driven.composer.text == "two"
        await driven.press("ctrl+p")
        assert driven.composer.text == "one"
        await driven.press("up")
        assert driven.composer.text == "one"
        await driven.press("down", "ctrl+n")
        assert driven.composer.text == "draft"


async def test_up_inside_a_text_moves_the_cursor() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("one")
        await driven.until("you said one")
        driven.composer.put("a\nb")
        await driven.press("up")
        await driven.type("x")
        assert driven.composer.text == "ax\nb"


async def test_the_draft_survives_the_end_of_the_program() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        driven.composer.put("half a thought")
        await driven.press("ctrl+q")
        await driven.until(lambda: driven.app.return_value is not None)
        driven.app.keep_drafts()
    async with driving(words()) as driven:
        await driven.until("half a thought")


def list_of(driven: Driven) -> str:
    """What the list of commands shows."""
    area = driven.chat.writing.completion.region
    return "\n".join(driven.rows()[area.y : area.bottom])


async def test_commands_are_offered_completed_and_closed() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.type("/we")
        await driven.until("❯ /web")
        assert "/web" in list_of(driven) and "query" in list_of(driven) and "/compact" not in list_of(driven)
        await driven.press("down", "tab")
        assert driven.composer.text == "/weekly"
        assert not driven.chat.writing.completion.display
        driven.composer.put("/we")
        await driven.until("❯ /web")
        await driven.press("enter")
        await driven.until(lambda: driven.composer.text == "/web ")
        driven.composer.put("/w")
        await driven.until("❯ /web")
        await driven.press("escape")
        await driven.until(lambda: not driven.chat.writing.completion.display)
        assert driven.composer.text == "/w"
        await driven.press("enter")
        await driven.until("you said /w")


async def test_a_command_written_whole_is_sent_by_enter() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.type("/compact")
        await driven.press("enter")
        await driven.until("you said /compact")


LIST = [Command("web", "query", "Search"), Command("weekly"), Command("new-web")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("/", ["web", "weekly", "new-web"]),
        ("/WE", ["web", "weekly", "new-web"]),
        ("/web", ["web", "new-web"]),
        ("/zzz", []),
        ("/web query", []),
        ("say /web", []),
        ("", []),
    ],
)
def test_matching(text: str, names: list[str]) -> None:
    assert [command.name for command in matching(text, LIST)] == names


def test_unknown_commands_are_offered_by_name_and_all_is_clean() -> None:
    known = AvailableCommand.model_validate(
        {
            "type": "command",
            "name": "web",
            "description": "a\x1b[31mb\nc",
            "input": {"type": "text", "hint": "q"},
        }
    )
    unknown = Unknown("macro", {"type": "macro", "name": "m", "description": 5})
    nameless = Unknown("macro", {"type": "macro"})
    assert offered([known, unknown, nameless]) == [Command("web", "q", "ab c"), Command("m")]
