"""The journals below a folder, as the file system tells of them."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

SUFFIX = ".ndjson"


class File(NamedTuple):
    """A journal: its size in bytes, and when it was written to last, in ns since the epoch."""

    size: int
    changed: int


def files(root: Path) -> dict[str, File]:
    """By path below `root`; what cannot be looked at, or is no file, is left out."""
    found: dict[str, File] = {}
    for month in _entries(root):
        if month.name.endswith(SUFFIX):
            _add(found, month, month.name)
        else:
            for entry in _entries(month.path):
                if entry.name.endswith(SUFFIX):
                    _add(found, entry, f"{month.name}/{entry.name}")
    return found


def _entries(folder: Path | str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _add(found: dict[str, File], entry: os.DirEntry[str], name: str) -> None:
    try:
        stat = entry.stat()
    except OSError:
        return
    if S_ISREG(stat.st_mode):  # who opens a pipe waits for its other end
        found[name] = File(stat.st_size, stat.st_mtime_ns)
