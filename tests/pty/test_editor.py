"""The terminal is lent to the user's editor and taken back."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Start

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
