"""What a run that was killed leaves behind is ended by the next one, which says so (S39)."""

from __future__ import annotations

import signal

import pytest

from tests.pty.agents import SCRIPTED
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow


def test_the_agents_of_a_killed_run_are_ended_and_named(start: Start) -> None:
    other = start(*SCRIPTED)
    other.until("○ ready")
    first = start(*SCRIPTED, "linger", "ignore-term")
    first.until("○ ready")
    first.signal(signal.SIGKILL)
    first.wait()
    (agent,) = first.living()

    second = start()
    second.until("earlier run was killed")
    second.until(f"pid {agent} of")
    assert "Ended: " in second.text()
    second.until(lambda: first.living() == {})
    second.quit()

    third = start()
    third.until("Start an agent")
    third.quit()
    assert b"was killed" not in third.raw
    assert len(other.living()) == 2, "what belongs to a run that lives is left alone"
    other.quit()
