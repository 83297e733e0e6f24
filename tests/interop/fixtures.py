"""Fixtures for tests that talk to the reference agent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.node import Launch, install, reference


@pytest.fixture(scope="session")
def reference_packages() -> None:
    """The packages of the reference agent are installed."""
    install()


@pytest.fixture
def reference_agent(reference_packages: None, tmp_path: Path) -> Launch:
    """How to start a reference agent whose sessions are this test's own."""
    return reference(tmp_path / "reference-state.json")
