"""Ways to end that nobody chose: signals, a closed window, a kill; and Ctrl+Z, which is no end."""

from __future__ import annotations

import re
import shlex
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from acp_tui.journal import log
from tests.pty.agents import SCRIPTED, WORDS
from tests.pty.conftest import Run, Start
from tests.pty.terminal import Terminal

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_everything_and_restores_the_terminal(start: Start, number: signal.Signals) -> None:
    terminal = start(*WORDS, "child")
    terminal.until("○ ready")
    terminal.say("hello perm=1")
    terminal.until("Allow once")
    terminal.signal(number)
    terminal.check_ended(status=128 + number)


def test_a_closed_window_ends_everything_and_loses_no_draft(start: Start) -> None:
    terminal = start(*WORDS, "child")
    terminal.until("○ ready")
    terminal.say("wait")
    terminal.until("◐ working")
    terminal.type("unfinished")
    terminal.until("❯ unfinished")
    terminal.hang_up()
    terminal.check_ended(status=129)

    again = start(*WORDS)
    again.until("❯ unfinished")
    again.until("○ ready")
    again.quit()


def test_a_signal_before_the_first_picture_ends_it_too(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until(lambda: len(terminal.living()) > 1)
    terminal.signal(signal.SIGTERM)
    terminal.check_ended(status=128 + signal.SIGTERM)


@pytest.mark.parametrize("module", [b"_asyncio", b"pydantic_core"])
def test_an_interrupt_while_it_loads_ends_it_without_a_traceback(start: Start, module: bytes) -> None:
    """Before the first picture, and when what talks to agents is loaded after it."""
    terminal = start(*WORDS)
    loading = Path("/proc", str(terminal.process.pid), "maps")
    terminal.until(lambda: module in loading.read_bytes())
    terminal.signal(signal.SIGINT)
    status = terminal.wait()
    assert status in (-signal.SIGINT, 128 + signal.SIGINT)
    terminal.check_ended(status=status)


def test_a_killed_program_has_kept_all_it_showed(start: Start, tmp_path: Path) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.say("hello perm=1")
    terminal.until("you said hello")
    terminal.until("Allow once")
    terminal.signal(signal.SIGKILL)
    terminal.wait()
    (journal,) = (tmp_path / "state" / "journal").glob("*/*.ndjson")
    records = list(log.read(journal))
    assert [text(record) for record in records if method(record) == "session/prompt"] == ["hello perm=1"]
    updates = [text(record) for record in records if method(record) == "session/update"]
    assert "you said hello" in updates
    assert method(records[-1]) == "session/request_permission"
    assert [record["seq"] for record in records[1:]] == list(range(len(records) - 1))

    again = start(*WORDS)
    again.until("○ ready")
    again.say("hello")
    again.until("you said hello")
    again.quit()


@pytest.mark.parametrize("least", [1, 60, 500])
def test_killed_while_it_streams_it_has_kept_what_stands_on_the_screen(
    start: Start, tmp_path: Path, least: int
) -> None:
    terminal = start(*SCRIPTED)
    terminal.until("○ ready")
    terminal.say("many 5000")
    terminal.until(lambda: streamed(terminal) >= least)
    terminal.signal(signal.SIGKILL)
    terminal.wait()
    (journal,) = (tmp_path / "state" / "journal").glob("*/*.ndjson")
    kept = "".join(text(record) for record in log.read(journal) if method(record) == "session/update")
    assert f"{streamed(terminal)} " in kept

    again = start()
    again.until("1 session was interrupted")
    again.press("shift+f11")
    again.until("how far it got is unknown")
    again.press("enter")
    again.until("saved · read only")
    again.until(lambda: streamed(again) >= streamed(terminal))  # what was kept may be more
    again.quit()


@pytest.mark.parametrize("wanted", ["option", "setting"])
def test_the_conversation_stays_in_the_terminal_if_wanted(start: Start, tmp_path: Path, wanted: str) -> None:
    if wanted == "setting":
        (tmp_path / "config").mkdir()
        (tmp_path / "config" / "config.toml").write_text("[transcript]\nprint_on_exit = true\n")
    terminal = start(*(["--print-on-exit"] if wanted == "option" else []), *WORDS, NO_COLOR="1")
    terminal.until("○ ready")
    terminal.say("hello")
    terminal.until("you said hello")
    terminal.until("○ ready")
    terminal.press("ctrl+q")
    assert terminal.wait() == 0
    left = bytes(terminal.raw).partition(b"\x1b[?1049l")[2]
    assert b"you said hello" in left and b"Words" in left
    terminal.check_ended()


def test_control_z_gives_the_terminal_to_the_shell_until_fg(run: Run) -> None:
    terminal = run("/bin/sh", "-im", PS1="shell> ", ENV="")
    terminal.until("shell>")
    terminal.say(shlex.join([sys.executable, "-m", "acp_tui", *WORDS]))
    terminal.until("○ ready")
    terminal.press("ctrl+z")
    terminal.until(lambda: terminal.raw.count(b"shell> ") == 2)
    terminal.say("echo $((6 * 7))")
    terminal.until(lambda: terminal.raw.count(b"shell> ") == 3)
    terminal.until("42")
    assert {mode: on for mode, on in terminal.modes().items() if on} == {25: True, 7: True}
    terminal.say("fg")
    terminal.until(lambda: terminal.modes()[2004])
    terminal.until("○ ready")
    terminal.say("hello")
    terminal.until("you said hello")
    terminal.press("ctrl+q")
    terminal.until(lambda: terminal.raw.count(b"shell> ") == 4)
    terminal.say("exit")
    terminal.check_ended()


def streamed(terminal: Terminal) -> int:
    """The last number that stands on the screen, of those that the agent counts."""
    found = re.findall(r"^ ?(?:\d+ )+(\d+)", terminal.text(), re.MULTILINE)
    return int(found[-1]) if found else -1


def method(record: dict[str, Any]) -> str:
    return str(record.get("msg", {}).get("method", ""))


def text(record: dict[str, Any]) -> str:
    params = record["msg"]["params"]
    blocks = params.get("prompt") or params.get("update", {}).get("content") or []
    blocks = [blocks] if isinstance(blocks, dict) else blocks
    return "".join(block.get("text", "") for block in blocks)
