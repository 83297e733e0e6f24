"""The agent commands used last, for the launcher: newest first, each once.

A damaged or missing file reads as empty. A command that holds what looks like a secret is not kept (S56).
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from pydantic import BaseModel, Field, ValidationError

from acp_tui.base import atomic, redact
from acp_tui.base.paths import state_dir

KEEP = 20


class RecentCommand(BaseModel):
    """One way an agent was started."""

    command: tuple[str, ...] = Field(min_length=1)
    cwd: str
    used_at: float
    env: tuple[str, ...] = ()
    """Names only: the values come from the environment each time."""


class _File(BaseModel):
    commands: list[RecentCommand] = []


def load(path: Path | None = None) -> list[RecentCommand]:
    """Newest first."""
    try:
        return _File.model_validate_json((path or _default()).read_bytes()).commands
    except (OSError, ValidationError):
        return []


def add(used: RecentCommand, path: Path | None = None) -> None:
    """Put it first. Where the file cannot be written nothing is remembered, and nothing else happens."""
    if redact.command(used.command) != list(used.command):
        return
    others = [known for known in load(path) if (known.command, known.cwd) != (used.command, used.cwd)]
    with contextlib.suppress(OSError):
        kept = _File(commands=[used, *others][:KEEP])
        atomic.write(path or _default(), kept.model_dump_json(indent=1).encode())


def forget(command: tuple[str, ...], cwd: str, path: Path | None = None) -> None:
    """Do not offer it any more."""
    kept = [known for known in load(path) if (known.command, known.cwd) != (command, cwd)]
    with contextlib.suppress(OSError):
        atomic.write(path or _default(), _File(commands=kept).model_dump_json(indent=1).encode())


def _default() -> Path:
    return state_dir() / "recent.json"
