"""The user is called when he looks elsewhere, and only then: every byte of it (SF-01)."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Start
from tests.pty.terminal import Terminal

pytestmark = pytest.mark.slow

BELL = b"\x07"
DONE = b"\x1b]777;notify;Words is done;Fix it\x1b\\"


def rings(terminal: Terminal) -> int:
    """Bells so far; the same byte also ends a sequence of Textual's."""
    return re.sub(rb"\x1b\][^\x07\x1b]*\x07", b"", terminal.raw).count(BELL)


def go(pipe: Path) -> None:
    """Let the agent go on."""
    with pipe.open("w") as end:
        end.write("go")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def looking_away(start: Start, words: str, **env: str) -> Terminal:
    """The agent is at work, and the user has gone to another window."""
    terminal = start(*WORDS, TERM_PROGRAM="ghostty", **env)
    terminal.until("○ ready")
    terminal.say(f"title=Fix_it await=pipe {words}")
    terminal.until("◐ working")
    terminal.until("Fix it")
    terminal.press("look away")
    terminal.quiet(0.3)
    return terminal


def test_work_that_ends_while_the_user_looks_elsewhere_calls_him_until_he_is_back(
    start: Start, pipe: Path
) -> None:
    terminal = looking_away(start, "hello")
    assert rings(terminal) == 0
    go(pipe)
    terminal.until("you said hello")
    terminal.until(lambda: rings(terminal) == 1)
    assert DONE in terminal.raw
    terminal.until(lambda: terminal.titles()[-1] == "✓ Fix it · Words")
    terminal.press("look here")
    terminal.until(lambda: terminal.titles()[-1] == "Fix it · Words")
    terminal.press("ctrl+q")
    terminal.wait()
    terminal.raw[terminal.raw.index(DONE + BELL) + len(DONE)] = ord(" ")
    terminal.check_ended()


def test_a_request_that_waits_calls_him(start: Start, pipe: Path) -> None:
    terminal = looking_away(start, "perm=1")
    go(pipe)
    terminal.until("Request 1")
    terminal.until(lambda: rings(terminal) == 1)
    assert b"\x1b]777;notify;Words waits for you;Request 1\x1b\\" in terminal.raw
    assert terminal.titles()[-1] == "‖ Fix it · Words"


def test_an_agent_that_dies_calls_him(start: Start, pipe: Path) -> None:
    terminal = looking_away(start, "die=3")
    go(pipe)
    terminal.until("exited with status 3")
    terminal.until(lambda: rings(terminal) == 1)
    assert b"notify;Words is gone;" in terminal.raw
    assert terminal.titles()[-1] == "✗ Fix it · Words"


def test_many_things_at_once_are_one_call(start: Start, pipe: Path) -> None:
    terminal = looking_away(start, "perm=5")
    go(pipe)
    terminal.until("Request 1")
    terminal.until(lambda: rings(terminal) == 1)
    terminal.quiet(0.5)
    assert rings(terminal) == 1


def test_nobody_is_called_who_is_there(start: Start, pipe: Path) -> None:
    terminal = looking_away(start, "hello")
    terminal.press("look here")
    terminal.quiet(0.3)
    go(pipe)
    terminal.until("you said hello")
    terminal.until("○ ready")
    terminal.quit()
    assert b"777;notify" not in terminal.raw
    assert not any(title.startswith(("✓", "‖", "✗")) for title in terminal.titles())


def test_what_the_user_did_himself_calls_nobody(start: Start, pipe: Path) -> None:
    terminal = looking_away(start, "wait")
    terminal.press("escape", "look away")
    go(pipe)
    terminal.until("cancelled by you")
    terminal.until("○ ready")
    terminal.quit()


@pytest.mark.parametrize("off", ["bell", "notify", "title"])
def test_each_of_the_three_can_be_switched_off(start: Start, pipe: Path, tmp_path: Path, off: str) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(f"[attention]\n{off} = false\n")
    terminal = looking_away(start, "hello", ACP_TUI_CONFIG=str(settings))
    go(pipe)
    terminal.until("you said hello")
    terminal.until(
        lambda: {
            "bell": rings(terminal) == 1,
            "notify": DONE in terminal.raw,
            "title": terminal.titles()[-1].startswith("✓"),
        }["bell" if off != "bell" else "notify"]
    )
    terminal.quiet(0.3)
    assert (rings(terminal) == 1) is (off != "bell")
    assert (DONE in terminal.raw) is (off != "notify")
    assert terminal.titles()[-1].startswith("✓") is (off != "title")


def test_with_only_unfocused_off_he_is_called_although_he_looks(
    start: Start, pipe: Path, tmp_path: Path
) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("[attention]\nonly_unfocused = false\n")
    terminal = looking_away(start, "hello", ACP_TUI_CONFIG=str(settings))
    terminal.press("look here")
    terminal.until_lasted("working", 3)
    go(pipe)
    terminal.until(lambda: rings(terminal) == 1)
    assert DONE in terminal.raw


def test_in_tmux_it_is_passed_through(start: Start, pipe: Path) -> None:
    terminal = looking_away(start, "hello", TMUX="/tmp/tmux-0/default,1,0")
    go(pipe)
    terminal.until(lambda: rings(terminal) == 1)
    wrapped = b"\x1bPtmux;" + DONE.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"
    assert wrapped in terminal.raw
    terminal.press("ctrl+q")
    terminal.wait()
