"""What is imported when: a word on the command line costs no second, the agent starts before Textual."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = (
    "textual",
    "rich",
    "pydantic",
    "anyio",
    "asyncio",
    "markdown_it",
    "pygments",
    "sqlite3",
    "platformdirs",
)


def imported_by(code: str) -> set[str]:
    """Top-level names in `sys.modules` after this ran in a fresh interpreter."""
    script = f"import sys, io\n{code}\nprint('\\n'.join(sys.modules), file=sys.__stdout__)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    return {name.partition(".")[0] for name in done.stdout.splitlines()}


@pytest.mark.parametrize("word", ["--version", "--help", "--no-such-option"])
def test_words_about_the_program_import_next_to_nothing(word: str) -> None:
    code = f"sys.stdout = sys.stderr = io.StringIO()\nfrom acp_tui.cli import main\nmain([{word!r}])"
    found = imported_by(code)
    assert not found.intersection(HEAVY)


def test_what_starts_the_agent_does_not_import_textual() -> None:
    found = imported_by("import acp_tui.ui.start, acp_tui.ui.host")
    assert not found.intersection({"textual", "pygments", "markdown_it", "sqlite3"})
