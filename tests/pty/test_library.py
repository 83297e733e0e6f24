"""`acp-tui sessions` in a terminal: the library, and from there back into a session."""

from __future__ import annotations

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow


def test_a_session_is_found_again_read_and_gone_on_with(start: Start) -> None:
    first = start(*WORDS)
    first.until("○ ready")
    first.say("hello")
    first.until("you said hello")
    first.quit()

    second = start("sessions")
    second.until("❯   hello")
    assert not any(WORDS[-1] in command for command in second.living().values()), "no agent was started"
    second.press("\r")
    second.until("saved · read only")
    second.until("you said hello")
    second.press("r")
    second.until("○ ready")
    second.say("again")
    second.until("you said again")
    second.quit()


def test_the_process_that_makes_the_index_never_outlives_us(start: Start) -> None:
    first = start(*WORDS)
    first.until("○ ready")
    first.say("hello")
    first.until("you said hello")
    first.quit()

    second = start("sessions", "--all")
    second.until("❯   hello")
    second.quit()
    assert second.living() == {}
