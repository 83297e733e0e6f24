"""The terminal's title: which conversation, said when it changes, given back at the end."""

from __future__ import annotations

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow


def test_the_title_names_the_conversation_and_is_given_back(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.say("title=Fix_it hello")
    terminal.until("you said hello")
    terminal.say("title=Fix_it again")
    terminal.until("you said again")
    terminal.until("○ ready")
    terminal.quit()
    *titles, last = terminal.titles()
    assert titles[-1] == "Fix it · Words"
    assert titles[-2].endswith(" · Words")
    assert len(set(titles)) == len(titles)
    assert last == ""
    assert terminal.raw.count(b"\x1b[22;2t") == terminal.raw.count(b"\x1b[23;2t") == 1


def test_the_start_screen_has_the_programs_name(start: Start) -> None:
    terminal = start()
    terminal.until("demo")
    terminal.quit()
    assert terminal.titles() == ["acp-tui", ""]


def test_it_can_be_left_alone(start: Start) -> None:
    terminal = start(*WORDS, ACP_TUI_TITLE="0")
    terminal.until("○ ready")
    terminal.quit()
    assert terminal.titles() == []
