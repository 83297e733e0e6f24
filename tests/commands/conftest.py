"""`acp-tui run` as scripts run it: a process without a terminal, its outputs apart, folders of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.living import living

TOLD = (sys.executable, str(Path(__file__).parent / "agents" / "told.py"))
"""Does what the prompt says in JSON."""
WORDS = (sys.executable, str(Path(__file__).parents[1] / "ui" / "agents" / "words.py"))
"""Does what the words of a prompt say."""
MARK = "ACP_TUI_RUN_MARK"
"""Everything that is started inherits this variable."""
LIMIT = 60.0


@dataclass(frozen=True)
class Done:
    """How it ended."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[Any]:
        """Standard output as JSON, a value a line."""
        return [json.loads(line) for line in self.out.splitlines()]


class Scripted(Protocol):
    """Runs `acp-tui run` to its end."""

    def __call__(self, *words: str, input: str | bytes = b"", **env: str) -> Done: ...


class Starting(Protocol):
    """Starts `acp-tui run` and leaves it."""

    def __call__(self, *words: str, **env: str) -> subprocess.Popen[bytes]: ...


@dataclass(frozen=True)
class Place:
    """Where the runs of one test live."""

    env: dict[str, str]
    mark: str

    def living(self) -> dict[int, str]:
        """Every process of theirs that still runs: pid and command."""
        return living(MARK, self.mark)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    kept = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
    own = {f"ACP_TUI_{n}_DIR": str(tmp_path / n.lower()) for n in ("STATE", "CONFIG", "CACHE")}
    mark = uuid.uuid4().hex
    return Place({**kept, **own, "LC_ALL": "C.UTF-8", "HOME": str(tmp_path), MARK: mark}, mark)


@pytest.fixture
def starting(place: Place, tmp_path: Path) -> Iterator[Starting]:
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str, **env: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, "-m", "acp_tui", "run", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            env={**place.env, **env},
            start_new_session=True,  # no terminal
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()
    for pid in place.living():
        os.kill(pid, 9)


@pytest.fixture
def scripted(starting: Starting) -> Scripted:
    def run(*words: str, input: str | bytes = b"", **env: str) -> Done:
        process = starting(*words, **env)
        data = input.encode() if isinstance(input, str) else input
        out, err = process.communicate(data, LIMIT)
        return Done(process.returncode, out.decode(), err.decode())

    return run
