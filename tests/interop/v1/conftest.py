"""One process of the peer for all tests of a module; what our client sent it is checked at the end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.interop.stage import staged
from tests.interop.v1.stage import PEER, OldStage


@pytest.fixture(scope="module")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
async def peer(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[OldStage]:
    """Our client and the peer."""
    folder = tmp_path_factory.mktemp("peer")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("STATE", "CONFIG", "CACHE"):
            patch.setenv(f"ACP_TUI_{name}_DIR", str(folder / name.lower()))
        async with staged(PEER, folder, OldStage) as stage:
            yield stage


@pytest.fixture
async def stage(peer: OldStage, tmp_path: Path) -> OldStage:
    """With a new session in this test's own folder."""
    await peer.enter(tmp_path)
    return peer
