"""What `.gitignore` files leave out, as git reads them: those above, those beside, those below.

Invariant: the deepest file that says anything about a path decides; what stands in a folder that is left out
is never looked at, so nothing below it can take that back.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

LONGEST = 1_000_000
"""Bytes of an ignore file that are read at most."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The patterns of one folder, and those above it."""

    folder: str
    """Absolute, ending with a slash."""
    spec: GitIgnoreSpec
    above: Rules | None = None

    def ignores(self, path: str) -> bool:
        """Whether an absolute path is left out; a folder's ends with a slash."""
        rules: Rules | None = self
        while rules is not None:
            said = rules.spec.check_file(path[len(rules.folder) :]).include
            if said is not None:
                return said
            rules = rules.above
        return False


def inside(folder: str, above: Rules | None) -> Rules | None:
    """The rules for what stands in this folder."""
    return _with(os.path.join(folder, ".gitignore"), folder, above)


def of_repository(folder: str) -> Rules | None:
    """The rules that the repository around a folder has for it, without the folder's own."""
    above = list(_up_to_repository(folder))
    rules = _with(os.path.join(above[-1], ".git", "info", "exclude"), above[-1], None) if above else None
    for parent in reversed(above):
        if parent != folder:
            rules = inside(parent, rules)
    return rules


def _up_to_repository(folder: str) -> Iterator[str]:
    """The folder and those above it, up to the one with `.git`; none if there is no such."""
    found = []
    while True:
        found.append(folder)
        if os.path.lexists(os.path.join(folder, ".git")):
            yield from found
            return
        parent = os.path.dirname(folder)
        if parent == folder:
            return
        folder = parent


def _with(file: str, folder: str, above: Rules | None) -> Rules | None:
    try:
        with open(file, "rb") as stream:
            lines = stream.read(LONGEST).decode("utf-8", "surrogateescape").splitlines()
    except (OSError, ValueError):
        return above
    spec = _spec(lines)
    return Rules(os.path.join(folder, ""), spec, above) if spec.patterns else above


def _spec(lines: list[str]) -> GitIgnoreSpec:
    """The lines as patterns, without those that are none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of odd but valid sets in a pattern
        try:
            return GitIgnoreSpec.from_lines(lines)
        except (ValueError, re.error):
            return GitIgnoreSpec.from_lines(line for line in lines if _is_pattern(line))


def _is_pattern(line: str) -> bool:
    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True
