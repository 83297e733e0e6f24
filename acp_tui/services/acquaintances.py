"""What was learnt of an agent when it last answered, by the command that started it.

Invariants: one small file for its owner only, changed under a lock and replaced as a whole, so that several
programs can learn at once. A damaged or missing file reads as empty; where nothing can be written nothing is
remembered, and nothing else happens. Commands are kept as digests only: they may hold secrets (S56).
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from acp_tui.base import atomic
from acp_tui.base.lock import turn
from acp_tui.base.paths import state_dir

KEEP = 200
"""Agents; those that were met least recently are forgotten."""
LARGEST = 1 << 20
"""Bytes; what is larger was not written here."""
LONGEST = 200
"""Characters of a name or a version."""


class Acquaintance(BaseModel):
    """An agent that answered before."""

    model_config = ConfigDict(frozen=True)

    protocol: Annotated[int, Field(ge=1, le=0xFFFF)]
    """The version it agreed to."""
    name: Annotated[str, Field(max_length=LONGEST)] = ""
    """As it calls itself, not cleaned for the screen; empty: it did not say."""
    version: Annotated[str, Field(max_length=LONGEST)] = ""
    """Its own version, in whatever form; empty: it did not say."""
    ask: Annotated[int, Field(ge=0, le=0xFFFF)] = 0
    """The version of the protocol to ask for next time; 0: the one it agreed to."""
    at: Annotated[float, Field(allow_inf_nan=False)]
    """When it last answered, in seconds since the epoch."""


class _File(BaseModel):
    agents: dict[str, Acquaintance] = {}


class Memory:
    """All that was known at one moment. Making one reads a file: not for a frame."""

    def __init__(self, path: Path | None = None) -> None:
        self._agents = _load(path or _default()).agents

    def of(self, command: Sequence[str]) -> Acquaintance | None:
        """What is known of the agent that exactly this command starts."""
        return self._agents.get(_digest(command))


def remembered(command: Sequence[str], path: Path | None = None) -> Acquaintance | None:
    """The same, of one."""
    return Memory(path).of(command)


def remember(
    command: Sequence[str],
    *,
    protocol: int,
    name: str,
    version: str,
    at: float,
    ask: int = 0,
    path: Path | None = None,
) -> None:
    """It answered, at `at` seconds since the epoch; what was known of it before is replaced."""
    file = path or _default()
    try:
        learnt = Acquaintance(protocol=protocol, name=_kept(name), version=_kept(version), at=at, ask=ask)
    except ValidationError:  # a version that no protocol has
        return
    with contextlib.suppress(OSError), turn(file):
        agents = {**_load(file).agents, _digest(command): learnt}
        newest = sorted(agents.items(), key=lambda one: one[1].at, reverse=True)[:KEEP]
        atomic.write(file, _File(agents=dict(newest)).model_dump_json(indent=1).encode())


def _load(file: Path) -> _File:
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
        return _File.model_validate_json(data) if len(data) <= LARGEST else _File()
    except (OSError, ValidationError):
        return _File()


def _digest(command: Sequence[str]) -> str:
    words = "\0".join(command).encode("utf-8", "surrogatepass")
    return hashlib.sha256(words).hexdigest()[:32]


def _kept(text: str) -> str:
    """Lone surrogates are no JSON."""
    return text[:LONGEST].encode("utf-8", "replace").decode()


def _default() -> Path:
    return state_dir() / "agents.json"
