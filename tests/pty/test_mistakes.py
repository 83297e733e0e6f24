"""Mistakes of ours end the program in one line on stderr and a report; no traceback ever reaches the user."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Run, Start

pytestmark = pytest.mark.slow

BREAKING = (sys.executable, str(Path(__file__).parent / "breaking.py"))
MISTAKES = (
    "in_a_key",
    "in_a_frame",
    "in_a_watcher",
    "in_the_agents_task",
    "in_the_input_thread",
    "in_the_start",
)


def reports(folder: Path) -> list[Path]:
    """Of crashes."""
    return list((folder / "state" / "crashes").glob("*"))


@pytest.mark.parametrize("where", MISTAKES)
def test_a_mistake_ends_the_program_in_one_line(run: Run, tmp_path: Path, where: str) -> None:
    terminal = run(*BREAKING, where, *WORDS, "child")
    terminal.until(lambda: "ready" in terminal.text() or terminal.process.poll() is not None)
    if terminal.process.poll() is None:
        terminal.type("a draft\x1bp")  # Alt+P
    terminal.check_ended(status=1)
    (report,) = reports(tmp_path)
    said = " ".join(terminal.text().split())
    assert said.count("acp-tui: a mistake in acp-tui itself ended it (RuntimeError).") == 1
    assert report.name in said.replace(" ", "")
    assert "locals" not in said
    kept = report.read_text()
    assert "planted mistake" in kept
    assert "sesame12345" not in kept and "hidden in a variable" not in kept


def test_what_was_being_written_is_kept(run: Run, start: Start) -> None:
    terminal = run(*BREAKING, "in_a_key", *WORDS)
    terminal.until("○ ready")
    terminal.type("a draft")
    terminal.until("❯ a draft")
    terminal.type("\x1bp")  # Alt+P
    terminal.check_ended(status=1)
    again = start(*WORDS)
    again.until("❯ a draft")
    again.quit()


def test_an_error_nobody_waits_for_is_reported_and_not_seen(run: Run, tmp_path: Path) -> None:
    terminal = run(*BREAKING, "in_the_loop", *WORDS)
    terminal.until("○ ready")
    terminal.press("f1")
    terminal.until(lambda: reports(tmp_path))
    terminal.type("still here")
    terminal.until("still here")
    terminal.quit()
    assert b"planted" not in terminal.raw
