"""Fixtures for all tests. No example of hypothesis fails for taking long on a busy machine."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.interop.fixtures import reference_agent, reference_packages
from tests.journal import keeping

__all__ = ["reference_agent", "reference_packages"]

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")


def pytest_collection_finish() -> None:
    """Thousands of tests, and all that they import, stay to the end: no collection need look at them again.

    What the tests themselves make goes: an app takes all that there is for its own, and would keep it there.
    """
    gc.collect()
    gc.freeze()
    gc.freeze = lambda: None


@pytest.fixture(autouse=True)
def _journals_end() -> Iterator[None]:
    """Thousands of tests together may not have more files open than one program may."""
    yield
    keeping.close_all()
