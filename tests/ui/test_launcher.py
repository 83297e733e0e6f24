"""The start screen: what is found there, what is typed, and what starts."""

from __future__ import annotations

import sys
from pathlib import Path
from time import monotonic

import pytest

from acp_tui.base import recent
from acp_tui.base.recent import RecentCommand
from acp_tui.ui.screens.chat import ChatScreen
from acp_tui.ui.screens.launcher import LauncherScreen
from acp_tui.ui.screens.question import Question
from tests.ui.driving import Driven, driving
from tests.ui.test_library import indexed, kept

pytestmark = pytest.mark.anyio
DEMO = f'#!/bin/sh\nexec "{sys.executable}" -m acp_tui.demo\n'


async def equipped(driven: Driven, tmp_path: Path, *programs: str) -> LauncherScreen:
    """The start screen of a machine that has these programs; each is the demo."""
    screen = driven.app.screen
    assert isinstance(screen, LauncherScreen)
    for program in programs:
        (tmp_path / program).write_text(DEMO)
        (tmp_path / program).chmod(0o755)
    driven.host.environment["PATH"] = str(tmp_path)
    await driven.until(lambda: all(worker.is_finished for worker in driven.app.workers))
    screen.begin()
    await driven.until(lambda: marked(screen) and all(worker.is_finished for worker in driven.app.workers))
    return screen


def marked(screen: LauncherScreen) -> str:
    choice = screen._marked()
    return choice.label if choice is not None else ""


async def test_a_machine_without_agents_shows_the_demo_and_how_others_come(tmp_path: Path) -> None:
    async with driving() as driven:
        screen = await equipped(driven, tmp_path)
        await driven.until("Not installed")
        assert marked(screen) == "demo"
        await driven.type("goose")
        await driven.until(lambda: marked(screen) == "goose")
        await driven.press("enter")
        await driven.until("How to get it:")
        await driven.press("escape")
        await driven.until("Not installed")
        assert "How to get it" not in driven.text()


async def test_installed_agents_are_offered_and_started_by_their_own_command(tmp_path: Path) -> None:
    async with driving() as driven:
        screen = await equipped(driven, tmp_path, "gemini", "codex-acp")
        await driven.until("16 more")
        assert "gemini --acp" in driven.text()
        await driven.type("gem")
        await driven.until(lambda: marked(screen) == "gemini")
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        assert (driven.link.command, driven.link.launch.name) == (("gemini", "--acp"), "gemini")


async def test_a_package_is_asked_about_with_its_exact_command_before_it_starts(tmp_path: Path) -> None:
    at = [1_000_000.0]
    async with driving(clock=lambda: at[0]) as driven:
        screen = await equipped(driven, tmp_path, "npx")
        await driven.type("codex")
        await driven.until(lambda: marked(screen) == "codex")
        await driven.press("enter")
        await driven.until("npx -y @agentclientprotocol/codex-acp")
        await driven.until(lambda: heard(driven))
        await driven.press("escape")
        await driven.until(lambda: driven.app.screen is screen)
        assert driven.host.links == [] and screen.query_one("#launcher-field").value == "codex"  # type: ignore[attr-defined]
        await driven.press("enter")
        await driven.until(lambda: heard(driven))
        await driven.press("enter")
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
        assert driven.link.command == ("npx", "-y", "@agentclientprotocol/codex-acp")


def heard(driven: Driven) -> bool:
    """The question listens by now."""
    return isinstance(driven.app.screen, Question) and not driven.app.screen.ear.deaf(monotonic())


async def test_a_recent_session_is_found_by_its_title_and_gone_on_with(tmp_path: Path) -> None:
    kept("Fix the tokenizer", at=5000.0)
    kept("Another thing", at=1000.0)
    indexed()
    async with driving(size=(120, 40)) as driven:
        screen = await equipped(driven, tmp_path, "gemini")
        await driven.until("Recent sessions")
        await driven.press("tab")
        assert marked(screen) == "Fix the tokenizer"
        await driven.press("down")
        assert marked(screen) == "Another thing"
        await driven.press("tab")
        assert marked(screen) == "demo"
        await driven.type("token")
        await driven.until(lambda: marked(screen) == "Fix the tokenizer")
        await driven.press("enter")
        await driven.until("Go on with this session")  # its agent is not there, which is told


async def test_what_is_found_later_moves_neither_the_mark_nor_what_was_typed(tmp_path: Path) -> None:
    for n in range(3):
        recent.add(RecentCommand(command=(f"agent-{n}",), cwd="/w", used_at=float(n)))
    async with driving() as driven:
        screen = await equipped(driven, tmp_path)
        await driven.press("down")
        assert marked(screen) == "agent-1"
        await equipped(driven, tmp_path, "gemini")
        assert marked(screen) == "agent-1"
        await driven.press("delete")
        await driven.until(lambda: "agent-1" not in driven.text())
        assert [one.command[0] for one in recent.load()] == ["agent-2", "agent-0"]


async def test_more_shows_the_rest_and_the_mouse_chooses(tmp_path: Path) -> None:
    async with driving() as driven:
        await equipped(driven, tmp_path, "gemini")
        await driven.until("17 more")
        row = next(at for at, text in enumerate(driven.rows()) if "17 more" in text)
        await driven.pilot.click(offset=(10, row))
        await driven.until("Not installed")
        row = next(at for at, text in enumerate(driven.rows()) if text.strip().startswith("demo "))
        await driven.pilot.click(offset=(10, row))
        await driven.until(lambda: isinstance(driven.app.screen, ChatScreen))
