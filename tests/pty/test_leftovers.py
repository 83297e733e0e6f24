"""What a killed run leaves behind is named by the next ones, and ended when the user wants that (S39)."""

from __future__ import annotations

import signal

import pytest

from tests.pty.agents import SCRIPTED
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow


def test_the_agents_of_a_killed_run_are_named_and_can_be_ended(start: Start) -> None:
    other = start(*SCRIPTED)
    other.until("○ ready")
    first = start(*SCRIPTED, "linger", "ignore-term")
    first.until("○ ready")
    first.signal(signal.SIGKILL)
    first.wait()
    (agent,) = first.living()

    second = start()
    second.until("1 of its agents still runs")
    second.press("shift+f11")
    second.until(f"pid {agent} of")
    assert agent in first.living()
    second.press("d")
    second.until("End what still runs?")
    second.quiet(0.5)  # it is deaf at first
    second.press("y")
    second.until("Ended: ")
    second.until(lambda: first.living() == {})
    second.quit()

    third = start()
    third.until("Start an agent")
    third.quit()
    assert b"still runs" not in third.raw
    assert len(other.living()) == 2, "what belongs to a run that lives is left alone"
    other.quit()
