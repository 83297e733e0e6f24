"""Every test of this folder needs node and real processes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.interop.node import Launch
from tests.interop.stage import Stage, staged


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a test is kept in the user's own folders."""
    for name in ("STATE", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"ACP_TUI_{name}_DIR", str(tmp_path / name.lower()))


@pytest.fixture
async def stage(reference_agent: Launch, tmp_path: Path) -> AsyncIterator[Stage]:
    """Our client and the reference agent with an open session."""
    async with staged(reference_agent, tmp_path) as stage:
        yield stage
