"""Agents that cannot be started: one clear screen, the way back, and nothing of them left."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.pty.agents import ANSWERS, script
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow

BAD = {
    "gone": ["there is no such file"],
    "plain": ["is not executable; `chmod +x`"],
    "new": ["protocol version 3; acp-tui speaks v1 and v2"],
    "odd": ["protocol version '2025-01'"],
    "silent": ["without a word. Does it speak ACP?", "It said nothing on stderr"],
    "noted": ["exited with status 127", "node: not found"],
}


def agents(folder: Path) -> None:
    """A file for each of the bad ones."""
    (folder / "plain").write_text("not a program")
    answers = {
        "new": {"protocolVersion": 3, "info": {"name": "x", "version": "1"}, "capabilities": {}},
        "odd": {"protocolVersion": "2025-01"},
    }
    for name, answer in answers.items():
        script(folder / name, f"exec {shlex.join([*ANSWERS, json.dumps(answer)])}")
    script(folder / "silent", "exit 0")
    script(folder / "noted", "echo 'env: node: not found' >&2", "exit 127")
    script(folder / "mute", "echo 'waiting for the network' >&2", "while read line; do :; done")


def test_every_bad_agent_is_explained_and_left(start: Start, tmp_path: Path) -> None:
    agents(tmp_path)
    terminal = start()
    terminal.until("Start an agent")
    terminal.press("tab")
    terminal.quiet(0.2)
    for name, words in BAD.items():
        terminal.say(f"./{name} --flag")
        terminal.until("could not be started")
        for text in words:
            terminal.until(lambda text=text: text in " ".join(row.strip() for row in terminal.rows()))
        terminal.until(f"command  ./{name} --flag")
        terminal.quiet(0.5)  # it hears nothing in its first moments
        terminal.press("escape")
        terminal.until("Start an agent")
    terminal.until(lambda: len(terminal.living()) == 1)
    terminal.quit()


def test_an_agent_that_ends_at_once_is_explained_on_the_command_line_too(
    start: Start, tmp_path: Path
) -> None:
    script(tmp_path / "broken", "printf 'cannot find my \\033[2Jsettings\\n' >&2", "exit 1")
    terminal = start("./broken")
    terminal.until("could not be started")
    terminal.until("settings")
    terminal.until("exited with status 1")
    terminal.until("Enter start it again")
    terminal.press("ctrl+q")
    terminal.check_ended(status=1)


def test_an_agent_that_never_answers_can_be_watched_and_left(start: Start, tmp_path: Path) -> None:
    agents(tmp_path)
    terminal = start("./mute")
    terminal.until("starting ./mute")
    terminal.until("waiting for the network")
    terminal.until_lasted("starting mute", 3)
    terminal.press("escape")
    terminal.until("Start an agent")
    terminal.until(lambda: len(terminal.living()) == 1)
    terminal.quit()
