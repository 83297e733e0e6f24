"""SIGKILL at 300 random points of a streamed conversation; `tests/bench` has 1,000."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.agent.kills import kill_at_random

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", range(3))
def test_what_was_shown_is_kept_and_found(tmp_path: Path, seed: int) -> None:
    found = kill_at_random(tmp_path, 100, seed)
    assert found.missing == []
    assert found.kept >= found.shown > 1000
    assert found.same
