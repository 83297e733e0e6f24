"""What is imported when: a word on the command line costs no second, the agent starts before Textual, the
first picture comes before all that talks to agents."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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


def loaded_by(code: str) -> set[str]:
    """Names in `sys.modules` after this ran in a fresh interpreter."""
    script = f"import sys, io\n{code}\nprint('\\n'.join(sys.modules), file=sys.__stdout__)"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.splitlines())


def tops(names: set[str]) -> set[str]:
    """Top-level names."""
    return {name.partition(".")[0] for name in names}


@pytest.mark.parametrize("word", ["--version", "--help", "--no-such-option"])
def test_words_about_the_program_import_next_to_nothing(word: str) -> None:
    code = f"sys.stdout = sys.stderr = io.StringIO()\nfrom acp_tui.cli import main\nmain([{word!r}])"
    assert not tops(loaded_by(code)).intersection(HEAVY)


FIRST_PICTURE = """
import asyncio
from acp_tui.ui.app import AcpApp

async def main():
    app = AcpApp(None, None, "/", command=("agent",), dark=True)
    async with app.run_test():
        await app.painted.wait()
        await app.on_event(Key("x", "x"))

import acp_tui.ui.start
from textual.events import Key
asyncio.run(main())
"""
ITS_MODULES = {
    "acp_tui",
    "acp_tui.agent",
    "acp_tui.agent.spawn",
    "acp_tui.base",
    "acp_tui.base.paths",
    "acp_tui.render",
    "acp_tui.render.clean",
    "acp_tui.render.words",
    "acp_tui.store",
    "acp_tui.store.keys",
    "acp_tui.ui",
    "acp_tui.ui.app",
    "acp_tui.ui.binding",
    "acp_tui.ui.calling",
    "acp_tui.ui.configured",
    "acp_tui.ui.conversing",
    "acp_tui.ui.keys",
    "acp_tui.ui.keys.asking",
    "acp_tui.ui.keys.binding",
    "acp_tui.ui.keys.current",
    "acp_tui.ui.keys.deeds",
    "acp_tui.ui.keys.names",
    "acp_tui.ui.keys.reading",
    "acp_tui.ui.keys.sheet",
    "acp_tui.ui.keys.table",
    "acp_tui.ui.keys.writing",
    "acp_tui.ui.screens",
    "acp_tui.ui.screens.opening",
    "acp_tui.ui.shipped",
    "acp_tui.ui.standing",
    "acp_tui.ui.start",
    "acp_tui.ui.terminal",
    "acp_tui.ui.terminal.brightness",
    "acp_tui.ui.terminal.caret",
    "acp_tui.ui.terminal.driver",
    "acp_tui.ui.terminal.output",
    "acp_tui.ui.widgets",
    "acp_tui.ui.widgets.header",
    "acp_tui.ui.widgets.hints",
    "acp_tui.ui.widgets.starting",
    "acp_tui.ui.widgets.status_line",
    "acp_tui.ui.unofficial",
    "acp_tui.ui.workers",
}
"""All of ours that is loaded before the first picture. What is added here every start waits for."""


def test_what_starts_the_agent_loads_next_to_nothing() -> None:
    found = loaded_by("import acp_tui.ui.start")
    assert not tops(found).intersection({*HEAVY, "email", "hashlib"} - {"asyncio", "platformdirs"})


def test_the_first_picture_loads_nothing_that_talks_to_agents() -> None:
    found = loaded_by(FIRST_PICTURE)
    assert {name for name in found if name.startswith("acp_tui")} == ITS_MODULES
    assert not tops(found).intersection({"pydantic", "anyio", "markdown_it", "pygments", "sqlite3"})
    assert "textual.widgets._text_area" not in found


OPEN_SESSION = "import acp_tui.ui.start, acp_tui.ui.app, acp_tui.ui.host, acp_tui.ui.chats, acp_tui.ui.drafts"
SCREENS_OF_THE_START = {"asking", "working", "chat", "opening", "reading"}


def test_a_session_opens_without_what_is_shown_on_request() -> None:
    found = loaded_by(OPEN_SESSION)
    screens = {name.rpartition(".")[2] for name in found if name.startswith("acp_tui.ui.screens.")}
    assert screens == SCREENS_OF_THE_START
    assert not found.intersection(
        {
            "acp_tui.base.config.checking",
            "acp_tui.base.config.writing",
            "acp_tui.ui.detail.content",
            "acp_tui.ui.detail.sheet",
            "acp_tui.ui.judging",
            "acp_tui.ui.keys.changes",
            "acp_tui.ui.palette",
            "acp_tui.ui.themes",
        }
    )
    assert not tops(found).intersection({"markdown_it", "pygments", "sqlite3", "tomlkit"})


def test_a_list_for_scripts_needs_nothing_that_draws_or_talks_to_agents(tmp_path: Path) -> None:
    folders = f"os.environ['ACP_TUI_STATE_DIR'] = os.environ['ACP_TUI_CACHE_DIR'] = {str(tmp_path)!r}"
    listing = "main(['sessions', '--all', '--json'])"
    code = f"import os\n{folders}\nfrom acp_tui.cli import main\n{listing}"
    found = loaded_by(code)
    assert not tops(found).intersection({"textual", "pydantic", "anyio", "asyncio", "markdown_it"})
    assert not {name for name in found if name.startswith(("acp_tui.client", "acp_tui.protocol"))}
