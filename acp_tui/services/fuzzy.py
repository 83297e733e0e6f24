"""Which of very many paths somebody means by a few letters.

Invariants: letters match in order and regardless of case; a name that is or begins with them goes before one
that holds them, that before a path that holds them, that before one that has them scattered, shorter before
longer; an answer comes in steps of at most `CHUNK` paths, each giving the best so far, so that nothing waits
for the last path; paths may be added in one thread while another searches, which then knows those that were
there when it began. Paths are searched as one long text: asking each alone takes ten times as long.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import accumulate, chain, islice

CHUNK = 4096
"""Paths looked at in one step: a few milliseconds at most."""
ENOUGH = 4
"""Candidates of a step that are scored, in multiples of what is wanted."""


@dataclass(frozen=True, slots=True)
class Match:
    """A path and where the letters stand in it."""

    path: str
    positions: tuple[int, ...]


class Haystack:
    """Paths to search, in the order they were added. None of them may hold a line break."""

    def __init__(self, paths: Sequence[str] = ()) -> None:
        self._parts: tuple[tuple[_Chunk, ...], tuple[str, ...]] = ((), ())
        """Whole chunks and what is not one yet; replaced, never changed."""
        self.add(paths)

    def __len__(self) -> int:
        chunks, last = self._parts
        return len(chunks) * CHUNK + len(last)

    def add(self, paths: Sequence[str]) -> None:
        """More paths, from now on."""
        chunks, last = self._parts
        whole, last = [*chunks], (*last, *paths)
        while len(last) >= CHUNK:
            whole.append(_Chunk(last[:CHUNK]))
            last = last[CHUNK:]
        self._parts = (tuple(whole), last)

    def search(self, query: str, limit: int = 50) -> Iterator[list[Match]]:
        """The best so far, after each step; the last one is the answer. An empty query finds the shortest."""
        letters = "".join(query.split()).lower()
        chunks, last = self._parts
        chunks = (*chunks, _Chunk(last)) if last else chunks
        best: list[_Ranked] = []
        for chunk in chunks:
            best = nsmallest(limit, chain(best, chunk.holding(letters, limit * ENOUGH)))
            yield _shown(best, letters)
        if len(best) < limit and len(letters) > 1:
            scattered = re.compile("^" + "".join(map(_up_to, letters)), re.MULTILINE)
            for chunk in chunks:
                best = nsmallest(limit, chain(best, chunk.having(scattered, letters, limit * ENOUGH)))
                yield _shown(best, letters)
        yield _shown(best, letters)

    def best(self, query: str, limit: int = 50) -> list[Match]:
        """The answer in one go."""
        *_, last = self.search(query, limit)
        return last


_Ranked = tuple[int, int, str]
"""How well it fits (less is better), its length, the path."""


class _Chunk:
    """Some paths as one text in small letters, and where each begins in it."""

    __slots__ = ("paths", "starts", "text")

    def __init__(self, paths: Sequence[str]) -> None:
        small = [path.lower() for path in paths]
        self.paths = paths
        self.text = "\n".join(small)
        self.starts = [0, *accumulate(len(path) + 1 for path in small)][:-1]

    def holding(self, letters: str, most: int) -> Iterator[_Ranked]:
        """Paths that hold the letters together."""
        text, at = self.text, 0
        for _ in range(most):
            at = text.find(letters, at)
            if at < 0:
                return
            yield self._ranked(at, letters)
            at = text.find("\n", at) + 1
            if not at:
                return

    def having(self, scattered: re.Pattern[str], letters: str, most: int) -> Iterator[_Ranked]:
        """Paths that have them in order, but not together."""
        for match in islice(scattered.finditer(self.text), most):
            path = self.paths[bisect_right(self.starts, match.start()) - 1]
            if letters not in path.lower():
                name = _name(path).lower()
                yield 5 if _one_by_one(name, letters, 0) else 6, len(path), path

    def _ranked(self, at: int, letters: str) -> _Ranked:
        path = self.paths[bisect_right(self.starts, at) - 1]
        if letters.endswith("/") and len(path) > len(letters) and path.lower().startswith(letters):
            return -1 if "/" not in path[len(letters) :].rstrip("/") else 0, len(path), path  # what is in it
        name = _name(path).lower()
        if "/" in letters.rstrip("/"):  # part of the way is named: what counts is where that begins
            name = path.lower()
            name = name[max(0, name.find("/" + letters) + 1) :]
        if name.startswith(letters):
            rest = name[len(letters) :]
            return 0 if not rest or rest[0] in "./" else 1, len(path), path
        place = name.find(letters)
        if place < 0:
            return 4, len(path), path
        return 2 if name[place - 1] in "_.- " else 3, len(path), path


def _name(path: str) -> str:
    """The last part; a folder keeps its slash."""
    return path[path.rstrip("/").rfind("/") + 1 :]


def _up_to(letter: str) -> str:
    return f"[^{re.escape(letter)}\n]*{re.escape(letter)}"


def _shown(best: list[_Ranked], letters: str) -> list[Match]:
    return [Match(path, _positions(path, letters)) for _, _, path in best]


def _positions(path: str, letters: str) -> tuple[int, ...]:
    """Where to mark the letters: together and as far right as they stand together, else one by one."""
    lower, wanted = path.lower(), letters
    if len(lower) != len(path):  # a letter that is two in lower case
        return ()
    whole = lower.rfind(wanted)
    if whole >= 0:
        return tuple(range(whole, whole + len(wanted)))
    name = lower.rstrip("/").rfind("/") + 1
    return _one_by_one(lower, wanted, name) or _one_by_one(lower, wanted, 0)


def _one_by_one(text: str, wanted: str, start: int) -> tuple[int, ...]:
    found: list[int] = []
    for letter in wanted:
        start = text.find(letter, start)
        if start < 0:
            return ()
        found.append(start)
        start += 1
    return tuple(found)
