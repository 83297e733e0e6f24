"""The real program with the bench's agent, on a pseudo-terminal, in folders of its own."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench.terminal import Terminal

ROOT = Path(__file__).parents[2]
READY = "○ ready"
"""Shown once there is a session to write to."""


def environment(home: str) -> dict[str, str]:
    """Nothing of the user's, nothing left behind."""
    folders = {f"XDG_{name}_HOME": f"{home}/{name.lower()}" for name in ("STATE", "CONFIG", "DATA", "CACHE")}
    return {**folders, "PYTHONPATH": str(ROOT), "COLORTERM": "truecolor", "LANG": "C.UTF-8"}


@contextmanager
def terminal(*command: str, env: Mapping[str, str] | None = None) -> Iterator[Terminal]:
    """A Python command on a terminal."""
    with (
        TemporaryDirectory() as home,
        Terminal([sys.executable, *command], {**environment(home), **(env or {})}) as child,
    ):
        yield child


class Program:
    """The program with an agent that is ready."""

    def __init__(self, child: Terminal, log: Path) -> None:
        self.terminal = child
        self._log = log

    def prompt(self, text: str) -> None:
        """Send a prompt the way the user does."""
        self.terminal.type(text)
        self.terminal.pump(0.3)
        self.terminal.type("\r")

    def do(self, workload: str, tag: str, limit: float = 120.0) -> float:
        """Run a workload until its end is on the screen; returns when that was."""
        since = self.terminal.reads[-1][0]
        self.prompt(f"{workload} {tag}")
        return self.terminal.wait_for(f"⟦{tag}⟧", limit, since)

    def noted(self, event: str) -> list[dict[str, Any]]:
        """What the agent noted since the last `forget`."""
        facts = [json.loads(line) for line in self._log.read_text(encoding="utf-8").splitlines()]
        return [fact for fact in facts if fact["event"] == event]

    def forget(self) -> None:
        """Begin a new list of notes."""
        self._log.write_text("", encoding="utf-8")


@contextmanager
def program() -> Iterator[Program]:
    """Start it, wait until it is ready, let it do everything once: first times are not what is measured."""
    with TemporaryDirectory() as folder:
        log = Path(folder, "log")
        log.touch()
        command = ("-m", "acp_tui", "--cwd", str(ROOT), sys.executable, "-m", "tests.bench.agent")
        with terminal(*command, env={"BENCH_LOG": str(log)}) as child:
            child.wait_for(READY)
            running = Program(child, log)
            running.do("stream message 40 0 200", "warm1")
            running.do("stream terminal 40 0 20", "warm2")
            child.pump(1.0)
            running.forget()
            yield running
