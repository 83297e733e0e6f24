"""Programs in terminals, each with folders of its own for what it keeps."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from tests.pty.terminal import Terminal

AGENTS = Path(__file__).parent / "agents"


class Run(Protocol):
    """Starts any command."""

    def __call__(self, *command: str, size: tuple[int, int] = (80, 24), **env: str) -> Terminal: ...


class Start(Protocol):
    """Starts `acp-tui` with these arguments."""

    def __call__(self, *arguments: str, size: tuple[int, int] = (80, 24), **env: str) -> Terminal: ...


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """What a program in a terminal of its own finds."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    own = {f"ACP_TUI_{n}_DIR": str(tmp_path / n.lower()) for n in ("STATE", "CONFIG", "CACHE")}
    terminal = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
    return {**kept, **own, **terminal, "HOME": str(tmp_path), "PIDS": str(tmp_path / "pids")}


@pytest.fixture
def run(tmp_path: Path, environment: dict[str, str]) -> Iterator[Run]:
    """Runs any command in a terminal."""
    terminals: list[Terminal] = []

    def run(*command: str, size: tuple[int, int] = (80, 24), **env: str) -> Terminal:
        terminals.append(Terminal(tmp_path, command, {**environment, **env}, size))
        return terminals[-1]

    yield run
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def start(run: Run) -> Start:
    """Runs the program."""

    def start(*arguments: str, size: tuple[int, int] = (80, 24), **env: str) -> Terminal:
        return run(sys.executable, "-m", "acp_tui", *arguments, size=size, **env)

    return start
