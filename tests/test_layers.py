"""What the import contracts in pyproject.toml cannot say: how much of Textual the renderers may know."""

import ast
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
