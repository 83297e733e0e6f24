"""A lock file that says who holds it, by pid and birth, so that one left by a dead process is taken over.

The file is changed only under `flock`, so two that recover the same stale lock cannot both win. Programs that
are started often take one first: nothing that takes long to load is needed for two fields.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from acp_tui.base import processes
from acp_tui.base.paths import private


class Owner(NamedTuple):
    """Who holds a lock."""

    pid: int
    birth: str


class Lock:
    """Held from `take` until `release`; also free again as soon as its owner's process is dead."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.held = False

    def take(self) -> Owner | None:
        """None: it is ours now. Else the living owner, which may be this process."""
        private(self.path.parent)
        with self._opened() as fd:
            owner = _read(fd)
            if owner is not None and processes.alive(owner.pid, owner.birth):
                return owner
            me = processes.find(os.getpid())
            mine = Owner(pid=os.getpid(), birth=me.birth if me else "")
            os.ftruncate(fd, 0)
            os.pwrite(fd, json.dumps(mine._asdict()).encode(), 0)
            self.held = True
        return None

    def owner(self) -> Owner | None:
        """Who has it now, if he lives; takes nothing."""
        try:
            fd = os.open(self.path, os.O_RDONLY)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(fd, fcntl.LOCK_SH)
            owner = _read(fd)
        finally:
            os.close(fd)
        return owner if owner is not None and processes.alive(owner.pid, owner.birth) else None

    def release(self) -> None:
        """Give it up; a second call does nothing."""
        if self.held:
            self.held = False
            with self._opened():
                self.path.unlink(missing_ok=True)

    @contextmanager
    def _opened(self) -> Iterator[int]:
        """The file that bears the name now, locked: who waits may get one that was removed meanwhile."""
        while True:
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
                if _same(fd, self.path):
                    yield fd
                    return
            finally:
                os.close(fd)


@contextmanager
def turn(path: Path) -> Iterator[None]:
    """Whoever writes the file at `path` waits for this: its neighbour is locked, for itself it is replaced.

    Only for what takes no time. Raises `OSError` where nothing can be written.
    """
    private(path.parent)
    fd = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def _same(fd: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), os.stat(path))
    except FileNotFoundError:
        return False


def _read(fd: int) -> Owner | None:
    """None for an empty file, and for one that a crash left damaged."""
    try:
        found: Any = json.loads(os.pread(fd, 4096, 0))
    except (ValueError, RecursionError):
        return None
    match found:
        case {"pid": int(pid), "birth": str(birth)}:
            return Owner(pid, birth)
        case _:
            return None
