"""Which journals are being written now: those of an acp-tui that is alive.

By the records that each keeps of its running agents. A pid alone would not do: they are used again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from acp_tui.base import processes
from acp_tui.journal.saved import Head

NEAR = 60.0
"""Seconds between the beginning of a journal and of its agent, at most."""


@dataclass(frozen=True, slots=True)
class Writers:
    """Those alive at the time of the look."""

    journals: frozenset[str]
    """Paths."""
    starts: tuple[tuple[int, float], ...]
    """Their pids, and when they started an agent: a journal that was taken away begins again elsewhere."""

    def write(self, path: Path, pid: int, started: float) -> bool:
        """The journal there with this header is one of theirs."""
        if str(path) in self.journals:
            return True
        return any(pid == one and abs(started - at) < NEAR for one, at in self.starts)

    def has(self, path: Path, head: Head) -> bool:
        """The same."""
        return self.write(path, head.pid, head.started)


def writers(running: Path) -> Writers:
    """By the records in that folder (`paths.running_dir()`)."""
    try:
        records = [_read(path) for path in running.glob("*.json")]
    except OSError:
        records = []
    living = [one for one in records if processes.alive(one[0], one[1])]
    journals = frozenset(journal for *_, journal in living if journal)
    return Writers(journals, tuple((pid, started) for pid, _, started, _ in living))


def _read(path: Path) -> tuple[int, str, float, str]:
    """Pid and birth of the acp-tui, when its agent was started, the journal."""
    try:
        said: Any = json.loads(path.read_bytes())
        if said.get("died"):
            return 0, "", 0.0, ""
        pid, birth = int(said["client_pid"]), str(said["client_birth"])
        return pid, birth, float(said["started"]), str(said.get("journal") or "")
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError, OverflowError):
        return 0, "", 0.0, ""
