"""Two runs of acp-tui on one session: one writes, the other reads along; then it may go on with it."""

from __future__ import annotations

import signal

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow


def test_the_second_one_reads_along_and_goes_on_when_the_first_has_left(start: Start) -> None:
    first = start(*WORDS)
    first.until("○ ready")
    first.say("hello")
    first.until("you said hello")

    second = start("--continue")
    second.until("read only, live")
    second.until(f"pid {first.process.pid}")
    second.until("you said hello")
    first.until("○ ready")
    first.say("again")
    first.until("you said again")
    second.until("you said again")
    second.press("r")
    second.until("go on with it there")
    assert len(second.living()) == 1, "no agent was started"

    first.quit()
    second.until("r resume")
    second.press("r")
    second.until("○ ready")
    second.until("you said again")
    second.say("third")
    second.until("you said third")
    second.quit()


def test_the_lock_of_one_that_was_killed_holds_nobody(start: Start) -> None:
    first = start(*WORDS)
    first.until("○ ready")
    first.say("hello")
    first.until("you said hello")
    first.signal(signal.SIGKILL)
    first.wait()

    second = start("--continue")
    second.until("○ ready")
    second.until("you said hello")
    second.quit()


def test_what_cannot_be_meant_is_one_line(start: Start) -> None:
    nothing = start("--continue")
    assert nothing.wait() == 2
    assert "acp-tui: --continue: nothing was saved in" in nothing.text()
    nobody = start("--resume", "1a2b")
    assert nobody.wait() == 2
    assert "no session has an id that begins so" in nobody.text().replace("\n", " ")
