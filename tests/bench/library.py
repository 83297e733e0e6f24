"""A library of 10,000 sessions: indexed, listed and searched."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.library_maker import library
from tests.bench.rows import Row

SESSIONS = 10_000
SIZE = int(float(os.environ.get("ACP_TUI_BENCH_LIBRARY", "2e8")))
"""Bytes of journals; no session is shorter than a turn."""
ROUNDS = 5
SEARCHES = ("needle-4242", "the", "the return", "soc", "pars writ", '"else error"', "return_12")
"""A word that stands once, common ones, beginnings, a phrase."""

FIRST = """
import sys, time
from pathlib import Path
import acp_tui.client.machine, acp_tui.protocol.v2
start = time.process_time()
from acp_tui.journal.library import Library, Query
library = Library(Path(sys.argv[1]), Path(sys.argv[1]) / "cache")
page = library.entries(Query(limit=100))
first = time.process_time() - start
assert len(page) == 100

def least(what):
    spent = []
    for _ in range(3):
        start = time.process_time()
        what()
        spent.append(time.process_time() - start)
    return min(spent)

print(first)
print(least(lambda: library.entries(Query(words="wri soc"))))
for words in sys.argv[2:]:
    print(least(lambda: library.search(words)), least(lambda: library.search(words, folder=page[50].cwd)))
"""
"""What a program that runs has to do to show the first page, imports of the library included."""


def run() -> Iterator[Row]:
    """CPU seconds, each the least of several."""
    with TemporaryDirectory() as name:
        state = Path(name)
        size = library(state / "journal", SESSIONS, SIZE)
        yield Row("journals", size / 1e6, "MB")
        none = min(_asked(state)[0][0] for _ in range(ROUNDS))
        yield Row("first page without an index", none, "s")
        spent = _indexed(state)
        yield Row("index and checkpoints: CPU", spent, "s")
        yield Row("the same: MB of journals a second", size / 1e6 / spent, "MB/s")
        kept = sum(path.stat().st_size for path in (state / "cache").rglob("*") if path.is_file())
        yield Row("their size, beside the journals", kept / 1e6, "MB", size / 1e6)
        yield Row("index again where nothing changed: CPU", _indexed(state), "s")
        yield from _figures(state)


def _figures(state: Path) -> Iterator[Row]:
    rounds = [_asked(state) for _ in range(ROUNDS)]
    yield Row("first page of 100", min(said[0][0] for said in rounds), "s", goal=0.3)
    yield Row("a few letters of a title", min(said[1][0] for said in rounds), "s", goal=0.2)
    for number, words in enumerate(SEARCHES, 2):
        for place, where in enumerate(("", ", in one folder")):
            least = min(said[number][place] for said in rounds)
            yield Row(f"search {words}{where}", least, "s", goal=0.2)


def _asked(state: Path) -> list[list[float]]:
    command = [sys.executable, "-c", FIRST, str(state), *SEARCHES]
    said = subprocess.run(command, check=True, capture_output=True, text=True, cwd=Path(__file__).parents[2])
    return [[float(word) for word in line.split()] for line in said.stdout.splitlines()]


def _indexed(state: Path) -> float:
    """CPU of an indexing in a process of its own."""
    env = {**os.environ, "ACP_TUI_STATE_DIR": str(state), "ACP_TUI_CACHE_DIR": str(state / "cache")}
    before = os.times()
    command = [sys.executable, "-m", "acp_tui.journal.indexing"]
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        last = process.stdout.read().splitlines()[-1]
        assert b'"done"' in last, last
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
