"""What the import contracts in pyproject.toml cannot say: how much of Textual the renderers may know."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import acp_tui

PACKAGE = Path(acp_tui.__file__).parent
ALLOWED_IN_RENDER = {"textual.strip"}


def imports(path: Path) -> set[str]:
    """Modules that a file names in its import statements."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def test_renderers_know_strips_and_nothing_else_of_textual() -> None:
    used = {
        (path.name, name)
        for path in (PACKAGE / "render").rglob("*.py")
        for name in imports(path)
        if name.split(".")[0] == "textual"
    }
    assert used, "the renderers make strips"
    assert {name for _, name in used} <= ALLOWED_IN_RENDER, used


def test_no_module_is_a_catch_all_or_too_long() -> None:
    modules = [path for path in PACKAGE.rglob("*.py") if "themes" not in path.parts]
    assert not [p.name for p in modules if p.stem in {"utils", "helpers", "common", "misc", "manager"}]
    assert not {str(p): n for p in modules if (n := len(p.read_text("utf-8").splitlines())) > 500}


UNOFFICIAL = {
    "ui/unofficial.py",
    *(f"ui/terminal/{path.name}" for path in (PACKAGE / "ui/terminal").iterdir()),
}


def private(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Private names that are asked of something, and what they are asked of."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and re.match("_[a-z]", node.attr):
            yield ast.unparse(node.value), node.attr


def test_private_names_of_textual_are_used_in_one_place() -> None:
    """Those of an app, a screen or another widget; what a class of ours inherits it may override."""
    ours: set[str] = set()
    used: set[tuple[str, str]] = set()
    for path in PACKAGE.rglob("*.py"):
        tree, name = ast.parse(path.read_text("utf-8")), str(path.relative_to(PACKAGE))
        ours |= {
            node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        ours |= {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
        }
        if name.startswith("ui/") and name not in UNOFFICIAL:
            used |= {(name, attr) for of, attr in private(tree) if of != "super()"}
    tuples = {"_replace", "_make", "_fields"}
    assert {(name, attr) for name, attr in used if attr not in ours | tuples} == set()
