"""The user's editor at a place the agent named (SF-05)."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.ui.editor import command, existing


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
