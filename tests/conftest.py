"""Fixtures for all tests. No example of hypothesis fails for taking long on a busy machine."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.interop.fixtures import reference_agent, reference_packages
from tests.journal import keeping

__all__ = ["reference_agent", "reference_packages"]

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")

# Where nothing compiled may be kept, each of the workers compiles every test and what it imports anew, and so
# does each of the hundreds of programs they start: as much again as a twentieth of the tests.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_collection_finish() -> None:
    """Thousands of tests, and all that they import, stay to the end: no collection need look at them again.

    What the tests themselves make goes: an app takes all that there is for its own, and would keep it there.
    It goes seldom: most of what a test leaves is let go without looking for it.
    """
    gc.collect()
    gc.freeze()
    gc.freeze = lambda: None
    gc.set_threshold(50_000, 20, 50)
    gc.set_threshold = lambda *_: None


@pytest.fixture(autouse=True)
def _journals_end() -> Iterator[None]:
    """Thousands of tests together may not have more files open than one program may."""
    yield
    keeping.close_all()
