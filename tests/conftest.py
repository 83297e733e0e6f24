"""Fixtures for all tests. No example of hypothesis fails for taking long on a busy machine."""

from __future__ import annotations

from hypothesis import settings

from tests.interop.fixtures import reference_agent, reference_packages

__all__ = ["reference_agent", "reference_packages"]

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
