"""The settings screen: every setting, its value and its origin; a change is in the file and holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from acp_tui.base.config import load
from acp_tui.base.config.model import simple
from acp_tui.base.paths import config_file
from acp_tui.ui.keys import BOUND
from acp_tui.ui.screens.setting_choice import ChoiceScreen, KeyScreen
from acp_tui.ui.screens.settings import SettingsScreen
from tests.ui.driving import Driven, driving, words

pytestmark = pytest.mark.anyio


def write(text: str) -> Path:
    place = config_file()
    place.parent.mkdir(exist_ok=True)
    place.write_text(text)
    return place


def screen(driven: Driven) -> SettingsScreen:
    found = driven.app.screen
    assert isinstance(found, SettingsScreen)
    return found


async def opened(driven: Driven, name: str = "") -> None:
    """The screen, with this row marked."""
    await driven.ready()
    await driven.press("f4")
    await driven.until(lambda: isinstance(driven.app.screen, SettingsScreen) and screen(driven).rows)
    if name:
        names = [row.name for row in screen(driven).rows]
        screen(driven).list.highlighted = names.index(name)


async def test_all_settings_are_listed() -> None:
    async with driving(words(), config=load()) as driven:
        await opened(driven)
        names = {row.name for row in screen(driven).rows}
        assert names >= {".".join(path) for path, _ in simple()} | {*BOUND}
        assert all(row.origin == "default" for row in screen(driven).rows if row.kind != "head")
        await driven.press("escape")
        await driven.until(lambda: driven.composer.has_focus)
        assert not config_file().exists()


async def test_a_switch_is_turned_in_the_file_too() -> None:
    place = write("# mine\n[attention]\nbell = true # loud\n")
    async with driving(words(), config=load()) as driven:
        told: list[bool] = []
        await opened(driven, "attention.bell")
        driven.app.settings_changed.subscribe(driven.app.screen, lambda now: told.append(now.attention.bell))
        await driven.press("space")
        assert place.read_text() == "# mine\n[attention]\nbell = false # loud\n"
        assert place.stat().st_mode & 0o777 == 0o600
        assert driven.app.settings.attention.bell is False
        await driven.until("line 3")
        await driven.press("enter", "delete")
        await driven.until(lambda: "bell" not in place.read_text())
        await driven.pilot.pause()
        assert told == [False, True, True]


async def test_another_theme_is_worn_at_once() -> None:
    async with driving(words(), config=load()) as driven:
        await opened(driven, "theme")
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, ChoiceScreen))
        await driven.until("acp-light")
        await driven.press("end", "enter")
        await driven.until(lambda: isinstance(driven.app.screen, SettingsScreen))
        assert driven.app.theme == load().settings.theme == "acp-light"
        await driven.press("delete")
        assert driven.app.theme == "acp-dark"


async def test_a_key_is_changed_and_works_at_once() -> None:
    async with driving(words(), config=load()) as driven:
        await opened(driven, "chat.notices")
        await driven.press("enter")
        await driven.until("Press the key that is to do this")
        asking = driven.app.screen
        assert isinstance(asking, KeyScreen)
        asking.ear.appeared(float("-inf"))
        await driven.press("ctrl+q")
        await driven.until("is taken by everywhere.quit")
        await driven.press("f5")
        await driven.until("chat.restart")
        await driven.press("f14")
        await driven.until(lambda: isinstance(driven.app.screen, SettingsScreen))
        assert load().settings.keys == {"chat.notices": ("f14",)}
        await driven.press("escape", "f2")
        await driven.pilot.pause()
        assert driven.app.screen is driven.chat
        await driven.press("f14")
        await driven.until("No notices.")
        await driven.press("f1")
        await driven.until("Everywhere")
        await driven.press("pagedown")
        await driven.until(lambda: any(row.split()[:2] == ["F14", "notices,"] for row in driven.rows()))


async def test_an_action_without_a_key_is_in_the_palette_still() -> None:
    async with driving(words(), config=load()) as driven:
        await opened(driven, "chat.notices")
        await driven.until("u no key")
        await driven.press("u")
        assert load().settings.keys == {"chat.notices": ()}
        row = screen(driven).row
        assert row is not None
        assert (row.name, row.value, row.origin) == ("chat.notices", "no key", "line 4")
        names = [one.name for one in screen(driven).rows]
        screen(driven).list.highlighted = names.index("everywhere.palette")
        await driven.press("u")
        await driven.until("it must have a key")
        await driven.press("escape", "f2")
        await driven.pilot.pause()
        assert driven.app.screen is driven.chat
        await driven.press("f3")
        await driven.until("What do you want to do?")
        await driven.type("notices")
        await driven.until("no key")
        await driven.press("enter")
        await driven.until("No notices.")
        await driven.press("escape")
        await opened(driven, "chat.notices")
        await driven.press("delete")
        await driven.until(lambda: not load().settings.keys)


async def test_what_brought_the_question_does_not_answer_it() -> None:
    async with driving(words(), config=load()) as driven:
        await opened(driven, "chat.plan")
        await driven.press("enter", "enter", "enter")
        await driven.until("Press the key that is to do this")
        assert not config_file().exists()


async def test_mistakes_are_told_at_the_start_and_listed() -> None:
    write("theme = 'acp-drk'\n[keys]\nchat.plan = 'f5'\nchat.notices = 'f19'\n[mouse]\ncapture = 1\n")
    async with driving(words(), config=load(), size=(100, 30)) as driven:
        await driven.until("3 mistakes in config.toml")
        await driven.until("line 1: theme: there is no such theme;")
        await opened(driven)
        await driven.until("keys.chat.plan: F5 is taken by chat.restart")
        await driven.until("line 6")
        assert driven.app.key_changes == {"chat.notices": "f19"}


async def test_a_broken_file_costs_nothing_but_its_settings() -> None:
    place = write("[mouse\n")
    async with driving(words(), config=load()) as driven:
        await driven.until("A mistake in config.toml")
        await opened(driven, "composer.vi")
        await driven.press("space")
        await driven.until("Not changed")
        assert place.read_text() == "[mouse\n"
        await driven.press("escape")
        await driven.say("hello")
        await driven.until("you said hello")


async def test_words_find_settings() -> None:
    async with driving(words(), config=load()) as driven:
        await opened(driven)
        await driven.press("slash")
        await driven.type("redo")
        await driven.until(
            lambda: [row.name for row in screen(driven).rows if row.kind != "head"] == ["composer.redo"]
        )
        await driven.press("enter")
        await driven.until(lambda: screen(driven).list.has_focus)
        await driven.press("escape")
        await driven.until("composer.undo")


async def test_no_letter_typed_behind_the_slash_is_lost() -> None:
    async with driving(words(), config=load()) as driven:
        await opened(driven)
        for character in "/vi e":
            driven.app.post_message(events.Key("slash" if character == "/" else character, character))
        await driven.until(lambda: sorted(screen(driven).query_one(Input).value) == sorted("vi e"))
        assert driven.app.screen_stack[-1] is screen(driven)


async def test_what_was_changed_outside_holds_when_the_screen_opens() -> None:
    async with driving(words(), config=load()) as driven:
        write("[composer]\nvi = true\n")
        await opened(driven)
        assert driven.app.settings.composer.vi is True


async def test_the_start_screen_has_settings_too() -> None:
    async with driving(config=load(), size=(60, 15)) as driven:
        await driven.press("f4")
        await driven.until("attention.bell")
        await driven.press("escape")
        await driven.until("Start an agent")


async def test_secrets_are_not_shown() -> None:
    write("[agents.x]\ncommand = ['agent', '--api-key', 'hunter2']\n[mcp.y]\nurl = 'http://a:hunter2@b'\n")
    async with driving(words(), config=load(), size=(100, 40)) as driven:
        await opened(driven)
        await driven.until("--api-key [redacted]")
        await driven.until("http://[redacted]@b")
        assert "hunter2" not in driven.text()


async def test_hints_and_words_name_the_keys_of_the_user() -> None:
    write("[keys]\nchat.escape = 'f19'\ncomposer.send = 'f20'\n'page.close' = 'x'\neverywhere.help = 'f14'\n")
    async with driving(words(), config=load(), size=(100, 24)) as driven:
        await driven.ready()
        await driven.until("F20 send")
        await driven.until("F14 help")
        await driven.type("hello wait")
        await driven.press("f20")
        await driven.until("F19 cancel")
        await driven.press("f14")
        await driven.until("x back")
        await driven.press("x", "f19")
        await driven.until("○ ready")
