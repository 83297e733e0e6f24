from __future__ import annotations

import pytest

from tests.render.stage import Stage


@pytest.fixture
def stage() -> Stage:
    """A session in which the agent works."""
    stage = Stage()
    stage.update("state_update", state="running")
    return stage
