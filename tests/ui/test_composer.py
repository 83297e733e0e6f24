"""Writing: newlines, paste, readline keys, earlier prompts, commands of the agent (CM-04, CM-07, CM-10)."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events

from acp_tui.base.config import Config, Settings
from acp_tui.base.config.model import Composer as Vi
from acp_tui.protocol.session import AvailableCommand
from acp_tui.protocol.unknown import Unknown
from acp_tui.ui.widgets.composer import Composer
from acp_tui.ui.writing.offers import Command, matching, offered
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
        for ten in range(4):
            driven.composer.post_message(events.Paste("\n".join(f"line {10 * ten + n}" for n in range(10))))
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


READLINE = [
    ("ctrl+b ctrl+b ctrl+f", "abc|", "ab|c"),
    ("alt+b alt+b alt+f", "one two|", "one| two"),
    ("ctrl+a", "one\ntwo|", "one\n|two"),
    ("ctrl+e", "|one\ntwo", "one|\ntwo"),
    ("ctrl+h", "ab|c", "a|c"),
    ("ctrl+d", "a|bc", "a|c"),
    ("ctrl+w", "see /a/b.py|", "see |"),
    ("alt+backspace", "see /a/b.py|", "see /a/b.|"),
    ("alt+d", "|one two", "| two"),
    ("ctrl+u", "one\ntwo|", "one\n|"),
    ("ctrl+u ctrl+u", "one\ntwo|", "one|"),
    ("ctrl+k ctrl+k", "|one\ntwo", "|two"),
    ("ctrl+k ctrl+y", "a|bc", "abc|"),
    ("ctrl+w ctrl+w ctrl+y", "one two|", "one two|"),
    ("alt+d alt+d ctrl+y ctrl+y", "|a b", "a ba b|"),
    ("ctrl+w ctrl+e ctrl+w ctrl+y alt+y", "one |two", "one |"),
    ("ctrl+y", "a|", "a|"),
    ("ctrl+k ctrl+underscore", "a|bc", "a|bc"),
    ("ctrl+k ctrl+underscore alt+z", "a|bc", "a|"),
    ("shift+left shift+left ctrl+k", "abc|", "a|"),
]
"""Keys, a text with its cursor at `|` before them, and after."""


async def test_keys_of_readline() -> None:
    async with driving(words()) as driven:
        composer = driven.composer
        for keys, before, after in READLINE:
            composer.killed.clear()
            composer.put(before.replace("|", ""))
            composer.move_cursor(composer.place(before.index("|")))
            await driven.press(*keys.split())
            assert f"{composer.text[: composer.at]}|{composer.text[composer.at :]}" == after, keys


async def test_a_wrapped_line_is_one_line_for_the_keys_but_up_goes_a_row() -> None:
    async with driving(words(), size=(60, 24)) as driven:
        await driven.ready()
        await driven.say("sent before")
        await driven.until("you said before")
        driven.composer.put("word " * 30)
        await driven.pilot.pause()
        assert driven.composer.size.height > 2
        await driven.press("up")
        assert driven.composer.text.startswith("word") and driven.composer.at < 150
        await driven.press("ctrl+e")
        assert driven.composer.at == 150


async def test_two_clicks_take_a_word_and_three_the_line() -> None:
    async with driving(words()) as driven:
        driven.composer.put("one two\nthree")
        await driven.pilot.pause()
        await driven.pilot.click(Composer, offset=(5, 0), times=2)
        await driven.until(lambda: driven.composer.selected_text == "two")
        await driven.pilot.click(Composer, offset=(5, 0), times=3)
        await driven.until(lambda: driven.composer.selected_text == "one two")


async def test_markdown_stands_out_and_stays_as_it_is() -> None:
    async with driving(words()) as driven:
        text = "/web **b** `c`\n# head\n```\n**code**\n```"
        driven.composer.put(text)
        lines = [driven.composer.get_line(row) for row in range(5)]
        assert "\n".join(line.plain for line in lines) == text
        assert [len(line.spans) for line in lines] == [3, 1, 1, 1, 1]


@pytest.mark.parametrize("odd", ["a\x1b[31mb", "a\x00b", "a\u202eb", "a\x9b31mb"])
async def test_no_control_character_gets_in(odd: str) -> None:
    async with driving(words()) as driven:
        driven.composer.put(odd)
        driven.composer.post_message(events.Paste(f" and {odd}\r\nx\ty"))
        await driven.until(lambda: driven.composer.text.endswith("y"))
        assert driven.composer.text == "ab and ab\nx\ty"


VI = Config(Path("none"), settings=Settings(composer=Vi(vi=True)))


async def test_vi_keys_and_what_says_so() -> None:
    async with driving(words(), config=VI) as driven:
        await driven.ready()
        await driven.type("one two")
        await driven.press("escape")
        await driven.until("❮ one two")
        await driven.press("b", "d", "w", "a", "2")
        await driven.until("❯ one 2")
        await driven.press("escape", "0", "x", "u", "A", "!")
        assert driven.composer.text == "one 2!"
        await driven.press("escape", "enter")
        await driven.until("you said one")
        assert not driven.composer.normal
        await driven.press("escape", "k")
        assert driven.composer.text == "one 2!"


async def test_with_vi_keys_escape_leaves_insert_before_it_cancels() -> None:
    async with driving(words(), config=VI) as driven:
        await driven.ready()
        await driven.say("wait")
        await driven.until("◐ working")
        await driven.press("escape")
        assert driven.composer.normal and driven.session.cancel is None
        await driven.press("escape")
        await driven.until("cancelled by you")


async def test_without_vi_keys_letters_are_letters() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.press("escape", "d", "d")
        assert driven.composer.text == "dd"


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
    area = driven.chat.writing.offers.completion.region
    return "\n".join(driven.rows()[area.y : area.bottom])


async def test_commands_are_offered_completed_and_closed() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.type("/we")
        await driven.until("❯ /web")
        assert "/web" in list_of(driven) and "query" in list_of(driven) and "/compact" not in list_of(driven)
        await driven.press("down", "tab")
        assert driven.composer.text == "/weekly"
        assert not driven.chat.writing.offers.completion.display
        driven.composer.put("/we")
        await driven.until("❯ /web")
        await driven.press("enter")
        await driven.until(lambda: driven.composer.text == "/web ")
        driven.composer.put("/w")
        await driven.until("❯ /web")
        await driven.press("escape")
        await driven.until(lambda: not driven.chat.writing.offers.completion.display)
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
