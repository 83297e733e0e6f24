"""The user's editor at a place the agent named (SF-05)."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from acp_tui.ui.editor import command, existing
from tests.ui.driving import words
from tests.ui.terminal import terminal


@pytest.mark.parametrize(
    ("environ", "line", "words"),
    [
        ({}, 7, ["vi", "+7", "/x/a.py"]),
        ({"EDITOR": "nano -w"}, 7, ["nano", "-w", "+7", "/x/a.py"]),
        (
            {"EDITOR": "nano", "VISUAL": "/usr/bin/code --wait"},
            7,
            ["/usr/bin/code", "--wait", "--goto", "/x/a.py:7"],
        ),
        ({"VISUAL": "hx"}, 7, ["hx", "/x/a.py:7"]),
        ({"VISUAL": "hx"}, None, ["hx", "/x/a.py"]),
    ],
)
def test_what_is_run(environ: dict[str, str], line: int | None, words: list[str]) -> None:
    assert command(environ, Path("/x/a.py"), line) == words


def test_only_files_that_are_there_and_by_their_whole_name(tmp_path: Path) -> None:
    (tmp_path / "-rf").write_text("")
    assert existing("-rf", str(tmp_path)) == tmp_path / "-rf"
    assert existing(str(tmp_path / "-rf"), "/") == tmp_path / "-rf"
    assert existing("gone", str(tmp_path)) is None
    assert existing(".", str(tmp_path)) is None
    assert existing("a\0b", str(tmp_path)) is None


@pytest.mark.slow
def test_the_terminal_is_lent_to_the_editor_and_taken_back(tmp_path: Path) -> None:
    (tmp_path / "lex.py").write_text("\n" * 50)
    editor = tmp_path / "editor.py"
    editor.write_text("import sys\nprint('EDITING', sys.argv[1], sys.argv[2][-6:], flush=True)\ninput()\n")
    visual = f"{sys.executable} {editor}"
    with terminal("--cwd", str(tmp_path), *words(), VISUAL=visual) as running:
        running.until("○ ready")
        running.type("touch=lex.py wait\r")
        running.until("lex.py")
        running.until("working")
        running.type("\t")
        running.until("↑ ↓ move")
        running.type("e")
        running.until("EDITING +40 lex.py")
        running.type("\r")
        running.until("Touch lex.py")
        running.type("\x1b")
        running.until("○ ready")
