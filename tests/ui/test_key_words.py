"""Every key that is shown is the user's: hints and texts name keys by what they do, never by themselves."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import acp_tui
from acp_tui.ui import keys

UI = Path(acp_tui.__file__).parent / "ui"
KEY = re.compile(r"\b(Enter|Esc|Escape|Tab|Space|Backspace|PgUp|PgDn|F\d+|(Ctrl|Alt|Shift)\+\S+)(?![\w-])")
OTHERS = re.compile(r"pasted by your terminal \(Ctrl\+Shift\+V\)|^Escape and $|look the same: press Escape")
"""Keys of the terminal, and what it makes of them, not ours."""
MAY = {*(UI / "keys").iterdir(), UI / "writing/vi.py"}
"""The table of keys itself, and vi's, which nobody can change."""


def texts(tree: ast.AST) -> Iterator[str]:
    """Strings that are no documentation."""
    said = {
        id(one.value)
        for one in ast.walk(tree)
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def hints(tree: ast.AST) -> Iterator[str]:
    """The first of two strings that stand together in a list of such."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List):
            for one in node.elts:
                if isinstance(one, ast.Tuple) and len(one.elts) == 2:
                    first, second = one.elts
                    if isinstance(first, ast.Constant) and isinstance(second, ast.Constant):
                        yield str(first.value)


@pytest.mark.parametrize("path", sorted(UI.rglob("*.py")), ids=lambda path: str(path.relative_to(UI)))
def test_no_key_is_named_by_itself(path: Path) -> None:
    tree = ast.parse(path.read_text())
    if path not in MAY:
        assert [text for text in texts(tree) if KEY.search(text) and not OTHERS.search(text)] == []
        assert [text for text in hints(tree) if re.search("[↑↓←→]", text)] == []
    for text in hints(tree):
        for word in text.split(" "):
            if "." in word and word.partition(".")[0] in keys.TITLES:
                assert keys.now(word) is not None, "a hint names an action that is not in the table"
