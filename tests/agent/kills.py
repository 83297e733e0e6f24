"""Kills a streamed conversation at random points, and compares what was shown with what is kept.

Every point is another run of a client in one state folder; afterwards each journal is opened, and the index
is brought up bit by bit and at once.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from acp_tui.journal.folding import Folded, fold
from acp_tui.journal.saved import Saved, joined
from acp_tui.journal.scanning import scan
from tests.agent.streamed import shown
from tests.journal.indexing_run import bring_up, content

ROOT = Path(__file__).parents[2]
RANKS = ("pending", "in_progress", "completed", "answered")
"""How tool calls and questions go on; never back."""
MOST_REPORTS, MOST_WAIT = 16, 4000
BITS = 5
"""How often the index is brought up meanwhile."""


@dataclass
class Found:
    """What became of all of them."""

    points: int = 0
    shown: int = 0
    """Things that were on a screen when it was killed."""
    kept: int = 0
    """Things that are kept of them: what was not shown yet too."""
    torn: int = 0
    """Journals that ended in the midst of a record."""
    empty: int = 0
    """Points at which nothing was shown yet."""
    missing: list[str] = field(default_factory=list)
    """What was shown and is not kept, or cannot be opened."""
    same: bool = False
    """The index that was brought up bit by bit is the one that is made at once."""


def kill_at_random(state: Path, points: int, seed: int) -> Found:
    """So many kills below `state`."""
    found, chance, seen = Found(points), random.Random(seed), set[Path]()
    command = [sys.executable, "-m", "tests.agent.streamed"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as client:
        for point in range(points):
            assert client.stdin is not None and client.stdout is not None
            wanted = [str(state), chance.randrange(MOST_REPORTS), chance.randrange(MOST_WAIT)]
            client.stdin.write(json.dumps(wanted).encode() + b"\n")
            client.stdin.flush()
            _compare(found, point, json.loads(client.stdout.readline()), _new(state, seen))
            if point % (points // BITS) == 0:
                bring_up(state, state / "bit by bit")
    bring_up(state, state / "bit by bit")
    bring_up(state, state / "at once")
    found.same = content(state / "bit by bit") == content(state / "at once")
    return found


def _new(state: Path, seen: set[Path]) -> list[Path]:
    fresh = [path for path in (state / "journal").glob("*/*.ndjson") if path not in seen]
    seen.update(fresh)
    return fresh


def _compare(found: Found, point: int, told: dict[str, str], journals: list[Path]) -> None:
    """Of one point."""
    found.empty += not told
    found.shown += len(told)
    kept: dict[str, str] = {}
    for folded in _opened(found, journals):
        kept |= shown(folded.store)
        found.missing += [f"{point}: {problem}" for problem in folded.problems]
    found.kept += len(kept)
    for name, was in told.items():
        if not _is_kept(was, kept.get(name)):
            found.missing.append(f"{point}: {name} {was!r}, kept: {kept.get(name)!r}")


def _opened(found: Found, journals: list[Path]) -> Iterator[Folded]:
    for path in journals:
        with path.open("rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 1))
            found.torn += file.read() != b"\n"
    saved: list[Saved] = joined((path, scan(path)) for path in journals)
    yield from (fold(one) for one in saved)


def _is_kept(was: str, now: str | None) -> bool:
    if now is None:
        return False
    return RANKS.index(was) <= RANKS.index(now) if was in RANKS and now in RANKS else now.startswith(was)
