"""Fixtures for all tests."""

from __future__ import annotations

from tests.interop.fixtures import reference_agent, reference_packages

__all__ = ["reference_agent", "reference_packages"]
