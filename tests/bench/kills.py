"""A thousand sudden ends: what was on the screen is kept, each journal opens, the index is the same."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.agent.kills import kill_at_random
from tests.bench.rows import Row

POINTS = 1000


def run() -> Iterator[Row]:
    """Counts; each goal is nothing lost."""
    before = os.times()
    with TemporaryDirectory() as folder:
        found = kill_at_random(Path(folder), POINTS, seed=time.time_ns())
    after = os.times()
    yield Row("SIGKILL of a streamed conversation", found.points, "times")
    yield Row("things on the screens at that moment", found.shown, "things")
    yield Row("… of these not kept, or not to be opened", len(found.missing), "things", goal=0)
    yield Row("journals cut in the midst of a record", found.torn, "files")
    yield Row("indexes that differ: bit by bit, at once", 0 if found.same else 1, "indexes", goal=0)
    yield Row("for each point", (sum(after[:4]) - sum(before[:4])) / POINTS * 1e3, "ms of CPU")
    for line in found.missing[:5]:
        print(f"  {line}")
