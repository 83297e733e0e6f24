"""The files and folders that can be mentioned: an index of a session's folders, built piece by piece.

Invariants: a step of `build` takes a few milliseconds, whatever the disk holds, so it can run between the
frames of a screen as well as in a thread; what is found can be searched at once. Nothing is opened but ignore
files; symbolic links are not followed into folders, so there are no loops; what cannot be read is counted.
A name with control characters, or one that is no text, cannot be mentioned and is left out (SF-05).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from time import perf_counter

from acp_tui.services import ignoring
from acp_tui.services.fuzzy import Haystack, Match
from acp_tui.services.ignoring import Rules

STEP = 0.003
"""Seconds after which a step ends at the next file."""
MOST = 300_000
"""Files and folders that are kept at most."""
_NEVER = frozenset({".git", ".hg", ".svn", ".jj"})


class FileIndex:
    """Paths as they are mentioned: below the first root relative to it, below the others absolute; a folder
    ends with a slash.
    """

    def __init__(
        self, roots: tuple[str, ...], *, most: int = MOST, clock: Callable[[], float] = perf_counter
    ) -> None:
        self.roots = _apart(roots)
        self.done = False
        self.truncated = False
        """There are more than `most`."""
        self.unreadable = 0
        """Folders that could not be read."""
        self.unspeakable = 0
        """Names that nobody can write."""
        self._found = Haystack()
        self._most = most
        self._clock = clock

    def __len__(self) -> int:
        return len(self._found)

    def search(self, query: str, limit: int = 50) -> Iterator[list[Match]]:
        """The best so far, step by step (`Haystack.search`), among what has been found until now."""
        return self._found.search(query, limit)

    def best(self, query: str, limit: int = 50) -> list[Match]:
        """The answer in one go."""
        return self._found.best(query, limit)

    def build(self) -> Iterator[int]:
        """Look; each step tells how many there are. The nearest folders come first."""
        batch: list[str] = []
        until = self._clock() + STEP
        for path in self._walk():
            if path:
                batch.append(path)
            if self._clock() >= until:
                self._keep(batch)
                yield len(self._found)
                until = self._clock() + STEP
        self._keep(batch)
        self.done = True
        yield len(self._found)

    def _keep(self, batch: list[str]) -> None:
        self._found.add(batch[: self._most - len(self._found)])
        batch.clear()

    def _walk(self) -> Iterator[str]:
        """Every path that is not left out, and an empty one for each that is."""
        found = 0
        for number, root in enumerate(self.roots):
            shown = "" if number == 0 else os.path.join(root, "")
            level: list[tuple[str, str, Rules | None]] = [(root, shown, ignoring.of_repository(root))]
            while level:
                below: list[tuple[str, str, Rules | None]] = []
                for folder, name, rules in level:
                    for path in self._folder(folder, name, rules, below):
                        yield path
                        found += bool(path)
                        if found >= self._most:
                            self.truncated = True
                            return
                level = below

    def _folder(
        self, folder: str, shown: str, above: Rules | None, below: list[tuple[str, str, Rules | None]]
    ) -> Iterator[str]:
        try:
            entries = os.scandir(folder)
        except OSError:
            self.unreadable += 1
            return
        rules = ignoring.inside(folder, above)
        with entries:
            while (entry := _next(entries)) is not None:
                is_folder = _is_folder(entry)
                path = entry.path + "/" if is_folder else entry.path
                if entry.name in _NEVER or (rules is not None and rules.ignores(path)):
                    yield ""
                elif not speakable(entry.name):
                    self.unspeakable += 1
                    yield ""
                else:
                    name = shown + entry.name + ("/" if is_folder else "")
                    if is_folder and entry.path not in self.roots:  # that one is walked by itself
                        below.append((entry.path, name, rules))
                    yield name


def speakable(name: str) -> bool:
    """A name of printable text: one that can be written, and shown as it is."""
    return name.isprintable()


def _next(entries: Iterator[os.DirEntry[str]]) -> os.DirEntry[str] | None:
    try:
        return next(entries, None)
    except OSError:  # the folder went away, or its disk
        return None


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _apart(roots: tuple[str, ...]) -> tuple[str, ...]:
    """Absolute, each once; one below the first would be found twice."""
    found: list[str] = []
    for root in map(os.path.normpath, roots):
        if root not in found and not (found and root.startswith(os.path.join(found[0], ""))):
            found.append(root)
    return tuple(found)
