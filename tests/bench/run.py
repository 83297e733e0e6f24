"""Runs the benches and prints one table: `python tests/bench/run.py [--only NAME]... [--list]` (Linux).

Every figure stands beside its yardstick, measured in the same run: machines differ, ratios less. Exit status
1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import time
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.rows import Row

BENCHES = {
    "decode": "a line of JSON into the store, beside json.loads",
    "journal": "keeping and reading back a record",
    "saved": "a saved session of 100,000 updates, opened from its checkpoint",
    "library": "10,000 sessions: indexed, listed, searched",
    "kills": "SIGKILL at 1,000 random points of a streamed conversation",
    "start": "the program to a usable prompt, beside a bare Textual app",
    "growth": "400 kB in 10,000 chunks: the last tenth beside the first",
    "live": "20 B chunks at 50/s while following, and idling",
    "flood": "everything at once, and keys meanwhile",
    "memory": "what an entity out of view costs beside its own text, and 100 terminals of 1 MB",
    "replay": "10,000 turns at once, as an agent replays them",
    "session": "10,000 entities beside 100: open, stream, resize",
    "search": "a word in 10,000 entities",
    "turns": "the longest turn of the loop over monstrous content",
}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", action="append", choices=BENCHES, metavar="NAME", help=", ".join(BENCHES))
    options.add_argument("--list", action="store_true", help="say what there is")
    chosen = options.parse_args()
    if chosen.list:
        print("\n".join(f"{name:10} {about}" for name, about in BENCHES.items()))
        return 0
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    missed = 0
    for name in chosen.only or BENCHES:
        print(f"\n{name}: {BENCHES[name]}")
        start = time.monotonic()
        missed += show(import_module(f"tests.bench.{name}").run())
        print(f"  ({time.monotonic() - start:.0f} s)", flush=True)
    print(f"\n{missed} goals missed" if missed else "\nall goals kept")
    return 1 if missed else 0


def show(rows: Iterable[Row]) -> int:
    """Print the figures as they come; how many goals were missed."""
    missed = 0
    for row in rows:
        beside = "" if row.yardstick is None else f"{row.yardstick:10.4g} {row.unit:6}{row.ratio:8.2f}x"
        goal = "" if row.goal is None else f"goal {row.goal:g}{'x' if row.yardstick is not None else ''}"
        verdict = {None: "", True: "kept", False: "MISSED"}[row.kept]
        print(f"  {row.what:46} {row.value:10.4g} {row.unit:6} {beside:26} {goal:12} {verdict}", flush=True)
        missed += row.kept is False
    return missed


if __name__ == "__main__":
    sys.exit(main())
