"""Answers are never given by accident (PM-20), and every request is answered when work is cancelled."""

from __future__ import annotations

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow


def test_keys_from_before_and_held_keys_answer_nothing(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.say("perm=2")
    terminal.until("1–3 answer")  # the panel has the focus: till then keys are the composer's
    while terminal.seconds("2 wait for you") < 1:
        terminal.press("1")  # as often as a terminal repeats a key that is held
        terminal.read(0.03)
    assert "1 of 2" in terminal.text()

    terminal.press("3")  # a fresh key answers the first
    terminal.until_gone("1 of 2")
    while terminal.seconds("waits for you") < 3:
        terminal.press("3")  # held on: it does not answer the second
        terminal.read(0.03)
    terminal.press("1")
    terminal.until("answers: no yes")
    terminal.quit()


def test_cancelling_answers_every_request_with_cancelled(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.say("perm=5")
    terminal.until("1 of 5")
    terminal.press("escape")
    terminal.until("answers:" + 5 * " cancelled")
    terminal.until("cancelled by you")
    terminal.until("○ ready")
    assert "Allow once" not in terminal.text()
    terminal.quit()


def test_an_agent_that_ignores_cancel_can_be_stopped_and_started_again(start: Start) -> None:
    terminal = start(*WORDS, "child")
    terminal.until("○ ready")
    terminal.say("hello deaf")
    terminal.until("◐ working")
    terminal.press("escape")
    terminal.until_lasted("cancel asked", 3)
    assert "ready" not in terminal.text(), "nothing is said to have stopped that has not"
    terminal.press("escape")
    terminal.until("has not confirmed the cancel")
    terminal.quiet(0.5)
    terminal.press("enter")
    terminal.until("The agent was stopped")
    terminal.until(lambda: len(terminal.living()) == 1)
    terminal.until("you said hello")
    terminal.press("f5")
    terminal.until("○ ready")
    terminal.say("again")
    terminal.until("you said again")
    terminal.until("you said hello")
    terminal.quit()
