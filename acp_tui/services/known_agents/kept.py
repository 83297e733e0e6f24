"""The last good copy of the registry's document, as it came.

Invariants: it is checked again whenever it is read; it counts only for the source it came from; what cannot
be read is no copy.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ValidationError

from acp_tui.base import atomic
from acp_tui.base.lock import turn
from acp_tui.base.paths import state_dir
from acp_tui.services.known_agents.catalog import Known
from acp_tui.services.known_agents.document import Refused, parse


@dataclass(frozen=True, slots=True)
class Copy:
    """What it says."""

    agents: list[Known]
    at: float
    """When it was read, in seconds since the epoch."""


class _File(BaseModel):
    source: str
    at: float
    document: str


def load(source: str, path: Path | None = None) -> Copy | None:
    """The copy of what was read from `source`."""
    try:
        file = _File.model_validate_json((path or _default()).read_bytes())
        return Copy(parse(file.document.encode())[0], file.at) if file.source == source else None
    except (OSError, ValidationError, Refused):
        return None


def keep(source: str, data: bytes, at: float, path: Path | None = None) -> tuple[list[Known], int]:
    """Check it and keep it instead of the copy there was; returns what `parse` does. Raises `Refused`, and
    `OSError` where it cannot be written: then the copy is as it was.
    """
    parsed = parse(data)
    file = path or _default()
    made = _File(source=source, at=at, document=data.decode())
    with turn(file):
        atomic.write(file, made.model_dump_json().encode())
    return parsed


def _default() -> Path:
    return state_dir() / "registry.json"
