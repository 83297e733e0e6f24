"""The main job: start, prompt, permission, cancel, quit; and nothing of it is left."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.pty.agents import WORDS, waits_for_go
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow


def test_the_main_job(start: Start) -> None:
    terminal = start(*WORDS, "child")
    terminal.until("○ ready")
    assert "Words · " in terminal.rows()[0]
    terminal.say("hello perm=1")
    terminal.until("1 a Allow once")
    terminal.until_lasted("waits for you", 1)
    terminal.press("1")
    terminal.until("answers: yes")
    terminal.until("○ ready")
    terminal.say("wait")
    terminal.until("◐ working")
    terminal.press("escape")
    terminal.until("cancelled by you")
    terminal.until("○ ready")
    assert len(terminal.living()) == 3, "the program, its agent, the agent's child"
    terminal.quit()


def test_the_main_job_with_the_demo_on_a_larger_screen(start: Start) -> None:
    terminal = start("demo", size=(120, 40), ACP_DEMO_SPEED="0")
    terminal.until("○ ready")
    terminal.say("/permission")
    terminal.until("1 of 2")
    terminal.until_lasted("wait for you", 1)
    terminal.press("1")
    terminal.until_gone("1 of 2")
    terminal.quiet(0.5)
    terminal.press("r")
    terminal.until_gone(" asks ")
    terminal.until("○ ready")
    terminal.say("/slow")
    terminal.until("1 …")
    terminal.press("escape")
    terminal.until("cancelled by you")
    terminal.until("○ ready")
    terminal.quit()


def test_a_prompt_written_while_the_agent_starts_is_sent_once_when_it_is_ready(
    start: Start, tmp_path: Path
) -> None:
    go = waits_for_go(tmp_path / "slow", WORDS)
    terminal = start("./slow")
    terminal.until("◐ starting")
    terminal.say("early bird")
    terminal.until("1 queued")
    terminal.until("waiting here")
    go.write_text("go\n")
    terminal.until("you said bird")
    terminal.until("○ ready")
    assert terminal.text().count("you said early") == 1
    terminal.quit()


def test_what_was_typed_before_the_first_picture_is_not_lost(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.type("typed ahead")
    terminal.until("❯ typed ahead")
    terminal.press("enter")
    terminal.until("you said ahead")
    terminal.quit()


def test_leaving_tells_what_runs(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.say("background perm=2 wait")
    terminal.until("1 of 2")
    terminal.press("ctrl+q")
    terminal.until("Quit? This ends:")
    for what in ("what the agent is working on", "in background: terminal", "2 requests waiting for"):
        terminal.until(what)
    terminal.quiet(0.5)
    terminal.press("escape")
    terminal.until_gone("Quit?")
    assert terminal.process.poll() is None
    terminal.press("ctrl+q")
    terminal.until("Quit?")
    terminal.press("ctrl+q")
    terminal.check_ended()


def test_the_agent_gets_our_environment_and_folder(start: Start, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    terminal = start(
        "--cwd", "there", "--env", "NO_COLOR", "sh", "-c", 'echo "$NO_COLOR:$PWD" >&2', NO_COLOR="yes"
    )
    terminal.until(f"yes:{os.path.realpath(tmp_path)}/there"[:60])
    terminal.press("ctrl+q")
    terminal.check_ended(status=1)


@pytest.mark.parametrize(("said", "seen"), [("rgb:ffff/ffff/ffff", "light"), ("rgb:0000/0000/0000", "dark")])
def test_the_terminals_background_decides_the_theme(start: Start, said: str, seen: str) -> None:
    terminal = start(*WORDS)
    terminal.background = said
    terminal.until("○ ready")
    brightness = int(terminal.colour(1, 0)[:2], 16)
    assert brightness > 0xE0 if seen == "light" else brightness < 0x40
    terminal.quit()
