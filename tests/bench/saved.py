"""A saved session of 100,000 updates: scanned, folded, kept, and opened again from what was kept."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from acp_tui.journal.checkpoint import Checkpoints
from acp_tui.journal.folding import fold
from acp_tui.journal.log import parse
from acp_tui.journal.saved import Saved, joined
from acp_tui.journal.scanning import kept, scan
from tests.bench.library_maker import session
from tests.bench.rows import Row

UPDATES = 100_000
PACE = 20_000
OPEN_GOAL = 0.35
ROUNDS = 5

OPEN = """
import sys, time
from pathlib import Path
import acp_tui.client.machine, acp_tui.protocol.v2
start = time.process_time()
from acp_tui.journal.checkpoint import Checkpoints
from acp_tui.journal.saved import joined
from acp_tui.journal.scanning import known
folder = Path(sys.argv[1])
[path] = (folder / "journal").rglob("*.ndjson")
[saved] = joined([(path, known((folder / "facts").read_bytes()))])
folded = Checkpoints(folder / "cache").open(saved)
print(time.process_time() - start, len(folded.session.entities))
"""
"""What a program that runs has to do to open it; the facts come from the index."""

T = TypeVar("T")


def run() -> Iterator[Row]:
    """CPU seconds, beside parsing every line; opened in a process of its own, imports included."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        made = session(folder / "journal", UPDATES)
        plain, _ = _spent(lambda: [parse(line) for line in made.path.read_bytes().splitlines()])
        scanned, journal = _spent(lambda: scan(made.path))
        yield Row("scan, beside parsing", scanned, "s", plain)
        [saved] = joined([(made.path, journal)])
        yield from _folded(folder, saved, made.updates, plain)
        (folder / "facts").write_bytes(kept(scan(made.path)))
        least = min(_opened(folder) for _ in range(ROUNDS))
        yield Row("open from the checkpoint: CPU", least, "s", goal=OPEN_GOAL)


def _folded(folder: Path, saved: Saved, updates: int, plain: float) -> Iterator[Row]:
    spent, folded = _spent(lambda: fold(saved))
    yield Row("fold from the start, beside parsing", spent, "s", plain)
    yield Row("fold: for an update", spent / updates * 1e6, "µs", goal=1e6 / PACE)
    spent, done = _spent(lambda: Checkpoints(folder / "cache").keep(folded))
    assert done
    yield Row("keep a checkpoint", spent, "s")


def _opened(folder: Path) -> float:
    command = [sys.executable, "-c", OPEN, str(folder)]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    return float(said.stdout.split()[0])


def _spent(what: Callable[[], T]) -> tuple[float, T]:
    start = time.process_time()
    result = what()
    return time.process_time() - start, result
