"""What the user did to sessions as a whole: their names, pins and the trash. Kept here and nowhere else.

An append-only ndjson file, one mark a line: `{"t", "session", "do", "name"?}`. Invariants: the last mark of a
sort wins; what is no mark, torn or of a newer acp-tui, is passed over and stays; writers in several processes
take turns, and one mark is one `write`; what was marked is on the disk when the method returns.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from acp_tui.base.paths import private
from acp_tui.journal.telling import number

Deed = Literal["rename", "pin", "unpin", "trash", "restore"]


@dataclass(frozen=True, slots=True)
class Mark:
    """What holds of one session."""

    name: str = ""
    """The user's; empty: it has none."""
    pinned: bool = False
    trashed_at: float | None = None
    """Seconds since the epoch; None: it is not in the trash."""


NONE = Mark()


class Marks:
    """Those in `path`. Writing raises `OSError`; a file that cannot be read has none."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def all(self) -> dict[str, Mark]:
        """By the id of the session."""
        found: dict[str, Mark] = {}
        for record in self._records():
            id = record.get("session")
            if isinstance(id, str):
                found[id] = _marked(found.get(id, NONE), record)
        return found

    def rename(self, id: str, name: str, at: float) -> None:
        """Call it so; an empty name gives it the agent's title again."""
        self._add(id, "rename", at, name=" ".join(name.split()))

    def pin(self, id: str, at: float) -> None:
        """Keep it at the top."""
        self._add(id, "pin", at)

    def unpin(self, id: str, at: float) -> None:
        """Where its activity puts it."""
        self._add(id, "unpin", at)

    def trash(self, id: str, at: float) -> None:
        """Out of sight; nothing is removed."""
        self._add(id, "trash", at)

    def restore(self, id: str, at: float) -> None:
        """Out of the trash again."""
        self._add(id, "restore", at)

    def _records(self) -> Iterator[dict[str, Any]]:
        try:
            data = self.path.read_bytes()
        except OSError:
            return
        for line in data.split(b"\n"):
            record = _record(line)
            if isinstance(record, dict):
                yield record

    def _add(self, id: str, do: Deed, at: float, **more: str) -> None:
        line = json.dumps({"t": at, "session": id, "do": do, **more}).encode() + b"\n"
        private(self.path.parent)
        fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX)
            size = os.fstat(fd).st_size
            torn = size and os.pread(fd, 1, size - 1) != b"\n"
            _write(fd, b"\n" + line if torn else line, size)
            os.fsync(fd)
        finally:
            os.close(fd)


def _record(line: bytes) -> Any:
    """What stands in a line; None: nothing that can be read."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _write(fd: int, data: bytes, size: int) -> None:
    """All of it or nothing."""
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(fd, view) :]
    except OSError:
        os.ftruncate(fd, size)
        raise


def _marked(before: Mark, record: dict[str, Any]) -> Mark:
    at = record.get("t")
    match record.get("do"):
        case "rename":
            name = record.get("name")
            return replace(before, name=name if isinstance(name, str) else "")
        case "pin" | "unpin" as do:
            return replace(before, pinned=do == "pin")
        case "trash":
            return replace(before, trashed_at=number(at))
        case "restore":
            return replace(before, trashed_at=None)
        case _:
            return before
