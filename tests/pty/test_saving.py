"""The real program where nothing can be kept: it says so, and everything else works."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow

DENIED = Path("/sys/kernel")
"""Nobody may make a folder there, root neither."""


@pytest.mark.parametrize("above", ["a file", DENIED])
def test_nothing_can_be_kept(start: Start, tmp_path: Path, above: str | Path) -> None:
    (tmp_path / "a file").write_text("")
    state, cache = (str(tmp_path / above / name) for name in ("state", "cache"))
    terminal = start(*WORDS, ACP_TUI_STATE_DIR=state, ACP_TUI_CACHE_DIR=cache)
    terminal.until("NOT SAVED")
    terminal.until("Not saved")
    terminal.say("hello")
    terminal.until("you said hello")
    terminal.press("f11")
    terminal.until("The index could not be made: ")
    terminal.press("escape")
    terminal.until("NOT SAVED")
    terminal.type("half a thought")
    terminal.until("What you write is not kept")
    terminal.press("ctrl+q")
    terminal.until("it is in memory only")
    terminal.press("ctrl+q")
    terminal.check_ended()
    listed = start("sessions", "--all", "--json", ACP_TUI_STATE_DIR=state, ACP_TUI_CACHE_DIR=cache)
    assert listed.wait() == 0 and b"Traceback" not in listed.raw
