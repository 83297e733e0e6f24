"""What is offered: commands of the agent and ours, files (CM-01 … CM-10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.ui.screens.help import HelpScreen
from acp_tui.ui.widgets.completion import Completion
from acp_tui.ui.widgets.preview import rows_of
from acp_tui.ui.writing.mentioning import mention, sought
from acp_tui.ui.writing.offers import Command, Found, hint_for, matching, ours
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name in ("src/app.py", "src/my file.py", "src/deep/er.py", "docs/apples.md", "secret.log"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("".join(f"{name} {n}\n" for n in range(1, 31)))
    (tmp_path / ".gitignore").write_text("*.log\n")
    return tmp_path


def offered(driven: Driven) -> str:
    return "\n".join(str(found) for found in driven.chat.query_one(Completion).matches)


# Commands


async def test_our_commands_are_marked_and_done_at_once() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.type("/he")
        await driven.until("❯ /help")
        assert "acp-tui  this help" in driven.text()
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, HelpScreen))
        await driven.press("escape")
        await driven.until(lambda: driven.composer.has_focus)
        assert driven.composer.text == "" and driven.session.timeline == []


async def test_what_the_agent_has_too_is_the_agents() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.say("commands=help")
        await driven.until(lambda: len(driven.session.commands) == 1)
        await driven.type("/help")
        await driven.press("enter")
        await driven.until(lambda: driven.composer.text == "/help ")
        await driven.until("/help other")
        await driven.type("me")
        await driven.press("enter")
        await driven.until("you said me")


async def test_a_command_of_ours_can_be_said_to_the_agent_as_text() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.type("/help")
        await driven.until("❯ /help")
        await driven.press("escape", "enter")
        await driven.until("you said /help")


async def test_what_nobody_knows_is_text() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.type("/zzz")
        await driven.press("enter")
        await driven.until("you said /zzz")


async def test_the_hint_of_a_command_stands_where_its_input_goes_and_follows_the_agent() -> None:
    async with driving(words()) as driven:
        await driven.ready()
        await driven.type("/web ")
        await driven.until("❯ /web query")
        await driven.press("right")
        assert driven.composer.text == "/web ", "a hint is no text"
        driven.submit("commands=web")
        await driven.until("❯ /web other")
        await driven.type("x")
        await driven.until("❯ /web x")
        assert "other" not in driven.rows()[-2]


def test_ours_are_those_of_the_key_table() -> None:
    names = {command.name for command in ours()}
    assert {"help", "settings", "new", "conversations", "notices", "plan", "quit", "restart"} <= names
    assert "escape" not in names and all(command.id and command.description for command in ours())


def test_letters_may_be_scattered_and_the_likely_comes_first() -> None:
    commands = [Command("review"), Command("pre-view"), Command("xview"), Command("v-i-e-w"), Command("abc")]
    assert [c.name for c in matching("/view", commands)] == ["pre-view", "review", "xview", "v-i-e-w"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [("/web ", "q"), ("/web", ""), ("/web x", ""), ("web ", ""), ("/web   ", "q"), ("/x ", "")],
)
def test_hints(text: str, hint: str) -> None:
    assert hint_for(text, [Command("web", "q")]) == hint


# Files


async def test_files_are_found_by_a_few_letters_and_taken(files: Path) -> None:
    async with driving(words("takes=embeddedContext"), cwd=str(files)) as driven:
        await driven.ready()
        await driven.type("blocks @app")
        await driven.until("❯ src/app.py")
        assert "docs/apples.md" in driven.text()
        await driven.press("down", "up", "enter")
        await driven.until(lambda: driven.composer.text == "blocks @src/app.py ")
        await driven.press("enter")
        await driven.until("you said text+resource")


async def test_what_git_ignores_is_not_offered(files: Path) -> None:
    async with driving(words(), cwd=str(files)) as driven:
        await driven.type("@")
        await driven.until("❯ ")
        await driven.until(lambda: "docs/" in offered(driven))
        assert "secret" not in offered(driven)


async def test_tab_goes_into_a_folder_and_enter_takes_it(files: Path) -> None:
    async with driving(words(), cwd=str(files)) as driven:
        await driven.ready()
        await driven.type("@src")
        await driven.until("❯ src/")
        await driven.press("tab")
        await driven.until(lambda: driven.composer.text == "@src/")
        await driven.until(lambda: offered(driven).count("src/") > 3)
        await driven.until("❯ src/\n")
        await driven.press("down")
        await driven.until("❯ src/deep/")
        await driven.press("enter")
        await driven.until(lambda: driven.composer.text == "@src/deep/ ")


async def test_a_name_with_blanks_is_quoted_and_lines_can_be_named(files: Path) -> None:
    async with driving(words(), cwd=str(files)) as driven:
        await driven.ready()
        await driven.type("see @my:3-5")
        await driven.until("❯ src/my file.py")
        await driven.press("tab")
        await driven.until(lambda: driven.composer.text == 'see @"src/my file.py":3-5 ')


async def test_what_is_written_whole_is_sent_by_enter(files: Path) -> None:
    async with driving(words(), cwd=str(files)) as driven:
        await driven.ready()
        await driven.type("blocks @src/app.py")
        await driven.until("❯ src/app.py")
        await driven.press("enter")
        await driven.until("you said text+resource_link")


async def test_escape_closes_the_list_and_what_is_typed_opens_it_again(files: Path) -> None:
    async with driving(words(), cwd=str(files)) as driven:
        await driven.ready()
        await driven.type("@ap")
        await driven.until("❯ src/app.py")
        await driven.press("escape")
        await driven.until(lambda: not driven.chat.query_one(Completion).display)
        await driven.type("p")
        await driven.until("❯ src/app.py")
        await driven.press("ctrl+a")
        await driven.until(lambda: not driven.chat.query_one(Completion).display)


async def test_the_marked_file_is_shown_where_there_is_room(files: Path) -> None:
    async with driving(words(), cwd=str(files), size=(120, 40)) as driven:
        await driven.ready()
        await driven.type("@app:7")
        await driven.until(" 7 src/app.py 7")
        await driven.press("down")
        await driven.until(" 7 docs/apples.md 7")


async def test_the_lines_that_are_named_are_all_shown_beside_the_only_file(files: Path) -> None:
    async with driving(words(), cwd=str(files), size=(120, 40)) as driven:
        await driven.ready()
        await driven.type("@src/app.py:7-12")
        await driven.until("12 src/app.py 12")
        assert " 7 src/app.py 7" in driven.text() and "src/app.py 13" not in driven.text()


async def test_the_beginning_of_the_only_file_is_more_than_its_first_line(files: Path) -> None:
    async with driving(words(), cwd=str(files), size=(120, 40)) as driven:
        await driven.ready()
        await driven.type("@src/app.py")
        await driven.until("4 src/app.py 4")


async def test_where_there_is_no_room_there_is_the_list(files: Path) -> None:
    async with driving(words(), cwd=str(files)) as driven:
        await driven.type("@app")
        await driven.until("❯ src/app.py")
        assert not driven.chat.query("Preview")


def test_the_preview_reads_text_and_names_the_rest(files: Path) -> None:
    assert rows_of(str(files / "src/app.py"), 29, 5) == [
        ("29", "src/app.py 29"),
        ("30", "src/app.py 30"),
        ("31", ""),
    ]
    assert rows_of(str(files / "src"), 1, 2) == [("", "app.py"), ("", "deep/")]
    (files / "x.bin").write_bytes(b"\0\1")
    assert rows_of(str(files / "x.bin"), 1, 5) == [("", "application/octet-stream 2 B")]
    (files / "esc").write_text("a\x1b[31mb")
    assert rows_of(str(files / "esc"), 1, 5) == [("1", "ab")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a @src/a", (2, "src/a", "")),
        ("@a.py:", (0, "a.py", ":")),
        ("@a.py:10-", (0, "a.py", ":10-")),
        ('@"my f', (0, "my f", "")),
        ("a@b", None),
        ("@a b", None),
    ],
)
def test_what_is_sought(text: str, found: tuple[int, str, str] | None) -> None:
    assert sought(text, len(text)) == found


@pytest.mark.parametrize(
    ("path", "lines", "enter", "text"),
    [
        ("a.py", "", True, "@a.py "),
        ("a b.py", ":1", False, '@"a b.py":1 '),
        ("src/", "", False, "@src/"),
        ("src/", "", True, "@src/ "),
        ("my dir/", "", False, '@"my dir/'),
    ],
)
def test_what_is_written_for_a_file(path: str, lines: str, enter: bool, text: str) -> None:
    assert mention(Found(path), lines, enter=enter) == text
