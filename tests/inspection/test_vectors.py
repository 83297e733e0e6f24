"""Every vector, played through `inspect`, gives what it expects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from acp_tui.inspect import understand

VECTORS = sorted((Path(__file__).parent.parent / "vectors").glob("*.json"))


def differences(expected: Any, found: Any, place: str = "$") -> list[str]:
    """Where `found` does not match the partial description."""
    if isinstance(expected, dict) and expected and isinstance(found, dict):
        return [line for key, value in expected.items() for line in _member(key, value, found, place)]
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        pairs = enumerate(zip(expected, found, strict=True))
        return [line for n, (one, other) in pairs for line in differences(one, other, f"{place}[{n}]")]
    if type(expected) is type(found) and expected == found:
        return []
    return [f"{place}: expected {expected!r}, found {found!r}"]


def _member(key: str, value: Any, found: dict[str, Any], place: str) -> list[str]:
    if value == {"$absent": True}:
        return [f"{place}.{key}: expected nothing"] if key in found else []
    if key not in found:
        return [f"{place}.{key}: missing"]
    return differences(value, found[key], f"{place}.{key}")


def test_all_vectors_are_here() -> None:
    assert len(VECTORS) == 202


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_vector(path: Path) -> None:
    expected = json.loads(path.read_text())["expect"]
    assert differences(expected, understand(path)) == []
