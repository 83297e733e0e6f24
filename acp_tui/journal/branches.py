"""The git branch of a folder, read from its files: nothing is run, and nothing outside of them is believed.

Invariant: whatever stands there, the answer is short and has no line break; empty: no git, or not to be read.
"""

from __future__ import annotations

import os
import stat
from pathlib import PurePosixPath

LONGEST = 200
"""Characters of a branch's name."""
READ = 4096
COMMIT = 7
"""Digits of a commit that stand for it."""


def branch(folder: str) -> str:
    """Of the repository in which the folder lies: its branch, or the first digits of the commit."""
    if not folder.startswith("/"):
        return ""
    path = folder.rstrip("/")
    while True:
        git = f"{path}/.git"
        said = _read(f"{git}/HEAD") or _elsewhere(git)
        if said:
            return _named(said)
        if not path:
            return ""
        path = path[: path.rindex("/")]


def _elsewhere(git: str) -> str:
    """A worktree has a file that says where its things are."""
    said = _read(git)
    if not said.startswith("gitdir:"):
        return ""
    return _read(str(PurePosixPath(git).parent / said.removeprefix("gitdir:").strip() / "HEAD"))


def _named(said: str) -> str:
    if said.startswith("ref:"):
        said = said.removeprefix("ref:").strip().removeprefix("refs/heads/")
        return said[:LONGEST]
    return said[:COMMIT]


def _read(path: str) -> str:
    """The first line of a file; a pipe or a device is none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return ""
    try:
        plain = stat.S_ISREG(os.fstat(fd).st_mode)
        lines = os.read(fd, READ).decode(errors="replace").splitlines() if plain else []
    except OSError:
        return ""
    finally:
        os.close(fd)
    return lines[0].strip() if lines else ""
