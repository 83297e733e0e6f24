"""Nothing of a test is kept in the user's own folders."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("folders")
    for name in ("STATE", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"ACP_TUI_{name}_DIR", str(folder / name.lower()))
    monkeypatch.delenv("ACP_TUI_CONFIG", raising=False)
    return folder


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
