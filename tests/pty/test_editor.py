"""The terminal is lent to the user's editor and taken back."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Run, Start

pytestmark = pytest.mark.slow


def test_the_terminal_is_lent_to_the_editor_and_taken_back(start: Start, tmp_path: Path) -> None:
    (tmp_path / "lex.py").write_text("\n" * 50)
    editor = tmp_path / "editor.py"
    editor.write_text("import sys\nprint('EDITING', sys.argv[1], sys.argv[2][-6:], flush=True)\ninput()\n")
    terminal = start(*WORDS, VISUAL=f"{sys.executable} {editor}")
    terminal.until("○ ready")
    terminal.say("touch=lex.py wait")
    terminal.until("Touch lex.py")
    terminal.until("◐ working")
    terminal.press("tab")
    terminal.until("↑ ↓ move")
    terminal.press("e")
    terminal.until("EDITING +40 lex.py")
    assert not terminal.modes()[1049]
    terminal.press("enter")
    terminal.until(lambda: terminal.modes()[2004])
    terminal.until("Touch lex.py")
    terminal.press("escape")
    terminal.until("cancelled by you")
    terminal.until("○ ready")
    terminal.quit()


LINES = """
import os, signal, sys
signal.signal(signal.SIGINT, lambda *_: os.write(1, b"? interrupt\\n"))
print("LINES of", os.path.basename(sys.argv[1]), flush=True)
while (line := input()) != "q":
    if line == "stop":
        os.kill(0, signal.SIGTSTP)
        line = "gone on"
    open(sys.argv[1], "a").write(line + "\\n")
    print("taken:", line, flush=True)
"""
"""Edits as `ed` does: line by line, in a terminal that is not raw, with Ctrl+C for itself."""


@pytest.fixture
def lines(tmp_path: Path) -> str:
    """The command of an editor of lines."""
    path = tmp_path / "lines.py"
    path.write_text(LINES)
    return f"{sys.executable} {path}"


def test_ctrl_c_in_an_editor_of_lines_is_for_it(start: Start, lines: str) -> None:
    terminal = start(*WORDS, VISUAL=lines)
    terminal.until("○ ready")
    terminal.press("ctrl+g")
    terminal.until("LINES of prompt.md")
    terminal.press("ctrl+c")
    terminal.until("? interrupt")
    terminal.say("hello")
    terminal.until("taken: hello")
    terminal.say("q")
    terminal.until(lambda: terminal.modes()[2004])
    terminal.until("❯ hello")
    terminal.press("enter")
    terminal.until("you said hello")
    terminal.until("○ ready")
    terminal.quit()


def test_ctrl_c_ends_an_editor_that_does_not_heed_it_and_nothing_else(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "careless.py"
    path.write_text("import signal\nsignal.signal(2, signal.SIG_DFL)\nprint('HERE', flush=True)\ninput()\n")
    terminal = start(*WORDS, VISUAL=f"{sys.executable} {path}")
    terminal.until("○ ready")
    terminal.type("a draft")
    terminal.until("❯ a draft")
    terminal.press("ctrl+g")
    terminal.until("HERE")
    terminal.press("ctrl+c")
    terminal.until("The editor was ended by SIGINT")
    assert "❯ a draft" in terminal.text()
    terminal.quit()


def test_ctrl_z_in_the_editor_stops_both_and_both_go_on(run: Run, lines: str) -> None:
    terminal = run("/bin/sh", "-im", PS1="shell> ", ENV="", VISUAL=lines)
    terminal.until("shell>")
    terminal.say(shlex.join([sys.executable, "-m", "acp_tui", *WORDS]))
    terminal.until("○ ready")
    terminal.press("ctrl+g")
    terminal.until("LINES of prompt.md")
    terminal.press("ctrl+z")
    terminal.until(lambda: terminal.raw.count(b"shell> ") == 2)
    terminal.say("fg")
    terminal.until(lambda: terminal.foreground() != terminal.process.pid)
    terminal.say("hello")
    terminal.until("taken: hello")
    terminal.say("q")
    terminal.until(lambda: terminal.modes()[2004])
    terminal.until("❯ hello")
    terminal.press("ctrl+q")
    terminal.until(lambda: terminal.raw.count(b"shell> ") == 3)
    terminal.say("exit")
    terminal.check_ended()


def test_ctrl_z_without_a_shell_stops_nobody(start: Start, lines: str) -> None:
    terminal = start(*WORDS, VISUAL=lines)
    terminal.until("○ ready")
    terminal.press("ctrl+g")
    terminal.until("LINES of prompt.md")
    terminal.say("stop")
    terminal.until("taken: gone on")
    terminal.say("q")
    terminal.until("❯ gone on")
    terminal.quit()


def test_an_editor_that_cannot_be_run_leaves_the_terminal_ours(start: Start, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/no/such/interpreter\n")
    editor.chmod(0o755)
    terminal = start(*WORDS, VISUAL=str(editor))
    terminal.until("○ ready")
    terminal.type("a draft\x07")  # Ctrl+G
    terminal.until("The editor could not be started")
    assert terminal.modes()[1049]
    terminal.type(" goes on")
    terminal.until("a draft goes on")
    terminal.press("ctrl+c")
    terminal.until(lambda: "a draft" not in terminal.text())
    terminal.quit()
