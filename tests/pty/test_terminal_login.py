"""A login in the terminal: the agent's own program has it, and gives it back; then everything goes on (AU-03
to AU-06).
"""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest

from tests.pty.conftest import Start
from tests.pty.terminal import Terminal

pytestmark = pytest.mark.slow

AGENT = str(Path(__file__).parents[1] / "ui" / "agents" / "login.py")
METHODS = [
    {
        "type": "terminal",
        "methodId": "tty",
        "name": "Sign in here",
        "args": ["--login"],
        "env": [{"name": "REALM", "value": "north"}],
    }
]


def asked(start: Start, folder: Path) -> Terminal:
    """The agent wants a login, and its program has the terminal."""
    terminal = start(sys.executable, AGENT, f"token={folder / 'token'}", f"methods={json.dumps(METHODS)}")
    terminal.until("Gate wants a login")
    terminal.until("In this terminal: the agent's own program takes it")
    terminal.press("enter")
    terminal.until("word?")
    assert b"tty north" in terminal.raw
    assert not terminal.modes()[1049], "the screen is the program's"
    return terminal


def test_the_program_of_the_agent_has_the_terminal_and_the_session_opens_after_it(
    start: Start, tmp_path: Path
) -> None:
    terminal = asked(start, tmp_path)
    terminal.say("yes")
    terminal.until("○ ready")
    assert terminal.modes()[1049]
    terminal.say("hello")
    terminal.until("you said hello")
    terminal.until("○ ready")
    terminal.quit()


def test_a_login_that_fails_is_told_and_asks_again_only_when_told_to(start: Start, tmp_path: Path) -> None:
    terminal = asked(start, tmp_path)
    terminal.say("no")
    terminal.until("The last login failed: Its program ended with status 4.")
    terminal.until("Enter log in")
    terminal.press("enter")
    terminal.until(lambda: terminal.raw.count(b"word?") == 2)
    terminal.say("yes")
    terminal.until("○ ready")
    terminal.quit()


def test_ctrl_c_gives_the_login_up_and_ends_nothing_else(start: Start, tmp_path: Path) -> None:
    terminal = asked(start, tmp_path)
    terminal.press("ctrl+c")
    terminal.until(lambda: terminal.modes()[1049])
    terminal.until("Gate wants a login")
    assert terminal.process.poll() is None
    terminal.press("escape")
    terminal.until("the agent wants a login first")
    terminal.quit()


def test_what_ends_us_meanwhile_ends_everything(start: Start, tmp_path: Path) -> None:
    terminal = asked(start, tmp_path)
    terminal.signal(signal.SIGTERM)
    terminal.say("no")
    assert terminal.wait() == 128 + signal.SIGTERM
    assert terminal.living() == {}
