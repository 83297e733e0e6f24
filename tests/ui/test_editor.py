"""The user's editor at a place the agent named (SF-05)."""

from __future__ import annotations

from pathlib import Path

import pytest

from acp_tui.ui.editor import command, existing, missing


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


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        ({"EDITOR": "no-such-editor -w"}, "The editor no-such-editor is not there."),
        ({}, "No editor is set."),
        ({"EDITOR": "  "}, "No editor is set."),
        ({"EDITOR": "vi 'x"}, "$EDITOR cannot be understood: no closing quotation."),
    ],
)
def test_an_editor_that_is_not_there_is_a_sentence(
    environ: dict[str, str], said: str, tmp_path: Path
) -> None:
    assert missing({"PATH": str(tmp_path), **environ}).startswith(said)


def test_one_that_is_there_is_no_problem(tmp_path: Path) -> None:
    program = tmp_path / "ed"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert missing({"PATH": str(tmp_path), "EDITOR": "ed -p"}) == ""
    assert missing({"PATH": "", "VISUAL": str(program)}) == ""
