"""Which commands that fetch packages the user agreed to: each exact one once, with its variables.

Invariants: one word that changed is another command; a damaged file means that nothing was agreed to; where
it cannot be written the user is asked again next time.
"""

from __future__ import annotations

import contextlib
import shlex
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from acp_tui.base import atomic
from acp_tui.base.lock import turn
from acp_tui.base.paths import state_dir
from acp_tui.services.known_agents.resolving import Start

KEEP = 500
LARGEST = 1 << 20


class Agreed(BaseModel):
    """One of them."""

    model_config = ConfigDict(frozen=True)

    command: tuple[str, ...]
    env: tuple[tuple[str, str], ...] = ()
    at: float = 0.0


class _File(BaseModel):
    agreed: list[Agreed] = []


def needed(start: Start, path: Path | None = None) -> bool:
    """The user has to be asked."""
    if start.tool is None:
        return False
    wanted = _key(start)
    return all((one.command, one.env) != wanted for one in _load(path or _default()).agreed)


def give(start: Start, at: float, path: Path | None = None) -> None:
    """He agreed, at `at` seconds since the epoch: from now on."""
    file = path or _default()
    command, env = _key(start)
    with contextlib.suppress(OSError), turn(file):
        others = [one for one in _load(file).agreed if (one.command, one.env) != (command, env)]
        made = _File(agreed=[Agreed(command=command, env=env, at=at), *others][:KEEP])
        atomic.write(file, made.model_dump_json(indent=1).encode())


def shown(start: Start) -> str:
    """The exact command with its variables, as a shell would take it; not cleaned for the screen."""
    env = [f"{name}={shlex.quote(value)}" for name, value in sorted(start.env.items())]
    return " ".join([*env, shlex.join(start.command)])


def why(start: Start) -> str:
    """What the user agrees to, in a sentence."""
    return f"{start.name} is not installed here. {start.tool} can fetch it and start it, by this command:"


def _key(start: Start) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    return start.command, tuple(sorted(start.env.items()))


def _load(file: Path) -> _File:
    try:
        with file.open("rb") as opened:
            data = opened.read(LARGEST + 1)
        return _File.model_validate_json(data) if len(data) <= LARGEST else _File()
    except (OSError, ValidationError):
        return _File()


def _default() -> Path:
    return state_dir() / "agreed.json"
