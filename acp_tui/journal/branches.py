"""The git branch of a folder, read from its files: nothing is run, and nothing outside of them is believed.

Invariant: whatever stands there, the answer is short and has no line break; empty: no git, or not to be read.
"""

from __future__ import annotations

from pathlib import Path

LONGEST = 200
"""Characters of a branch's name."""
READ = 4096
COMMIT = 7
"""Digits of a commit that stand for it."""


def branch(folder: str) -> str:
    """Of the repository in which the folder lies: its branch, or the first digits of the commit."""
    if not folder.startswith("/"):
        return ""
    path = Path(folder)
    for each in (path, *path.parents):
        said = _read(each / ".git" / "HEAD") or _elsewhere(each)
        if said:
            return _named(said)
    return ""


def _elsewhere(folder: Path) -> str:
    """A worktree has a file that says where its things are."""
    said = _read(folder / ".git")
    if not said.startswith("gitdir:"):
        return ""
    return _read(folder / said.removeprefix("gitdir:").strip() / "HEAD")


def _named(said: str) -> str:
    if said.startswith("ref:"):
        said = said.removeprefix("ref:").strip().removeprefix("refs/heads/")
        return said[:LONGEST]
    return said[:COMMIT]


def _read(path: Path) -> str:
    """The first line."""
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            lines = file.read(READ).decode(errors="replace").splitlines()
    except (OSError, ValueError):
        return ""
    return lines[0].strip() if lines else ""
