"""A fake gateway, a client of it, and folders of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from acp_tui.aip.gateway.front import Gateway
from acp_tui.base.config.gateways import GatewaySettings
from tests.aip.fake import TOKEN, FakeGateway, served
from tests.aip.world import Time


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is kept is kept here; the token stands in a variable."""
    monkeypatch.setenv("ACP_TUI_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("GATEWAY_TOKEN", TOKEN)
    return tmp_path / "state"


@pytest.fixture
async def fake(anyio_backend: str) -> AsyncIterator[FakeGateway]:
    """It wants the token."""
    async with served(TOKEN) as gateway:
        yield gateway


@pytest.fixture
def time() -> Time:
    return Time()


def settings(fake: FakeGateway, **more: object) -> GatewaySettings:
    """For the fake gateway."""
    return GatewaySettings(url=fake.url, token_env="GATEWAY_TOKEN", answer_seconds=5.0, **more)  # type: ignore[arg-type]


def opened(fake: FakeGateway, time: Time, **more: object) -> Gateway:
    """A client of it; `async with` opens it."""
    return Gateway(settings(fake, **more), world=time.world())
