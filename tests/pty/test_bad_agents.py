"""Agents that misbehave in a conversation: nothing hangs, what was said stays, a key starts them again."""

from __future__ import annotations

import os
import shlex
import signal
from pathlib import Path

import pytest

from tests.pty.agents import SCRIPTED, WORDS, script
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow


def test_an_agent_that_ends_in_the_middle_is_started_again_in_place(start: Start) -> None:
    terminal = start(*SCRIPTED)
    terminal.until("○ ready")
    terminal.say("exit 0")
    terminal.until("✗ agent exited with status 0")
    terminal.until("last words")
    terminal.press("enter")
    terminal.until("from before")
    terminal.until("○ ready")
    terminal.until("last words")
    terminal.say("die 11")
    terminal.until("agent killed by SIGSEGV")
    terminal.press("f5")
    terminal.until("○ ready")
    terminal.say("still there")
    terminal.until("you said: still there")
    terminal.quit()


def test_an_agent_that_dies_with_a_request_open_takes_the_request_along(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.say("hello perm=1")
    terminal.until("Allow once")
    (agent,) = (pid for pid in terminal.living() if pid != terminal.process.pid)
    os.kill(agent, signal.SIGKILL)
    terminal.until("agent killed by SIGKILL")
    terminal.until_gone("Allow once")
    terminal.until("The agent is gone, and its request")
    terminal.until("you said hello")
    terminal.press("enter")
    terminal.until("○ ready")
    terminal.quit()


def test_garbage_floods_and_giant_lines_stop_nothing(start: Start) -> None:
    terminal = start(*SCRIPTED, "banner", "stderr")
    terminal.until("○ ready")
    terminal.until("stray lines")
    terminal.say("garbage")
    terminal.until("still here")
    terminal.say("stderr")
    terminal.until("done")
    terminal.say(f"huge {20 * 1024 * 1024}")
    terminal.until("after")
    terminal.until("○ ready")
    terminal.say("hello")
    terminal.until("you said: hello")
    terminal.quit()


def test_a_message_of_five_megabytes_is_shown_and_keys_go_on(start: Start) -> None:
    terminal = start(*SCRIPTED)
    terminal.until("○ ready")
    terminal.say(f"long {5 * 1024 * 1024}")
    terminal.type("meanwhile")
    terminal.until("❯ meanwhile")
    terminal.until("the end of it")
    terminal.until("○ ready")
    terminal.press("ctrl+c")
    terminal.until_gone("meanwhile")
    terminal.quit()


def test_a_wrapper_and_its_stubborn_family_are_ended(start: Start, tmp_path: Path) -> None:
    script(tmp_path / "wrapper", f"{shlex.join([*SCRIPTED, 'family', 'ignore-term', 'linger'])}", "exit 0")
    terminal = start("./wrapper")
    terminal.until("○ ready")
    assert len(terminal.living()) == 5, (
        "program, shell, agent, a child in its group, one in a session of its own"
    )
    terminal.quit()
