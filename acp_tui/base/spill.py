"""A shelf on the disk: one file without a name, gone with the process whatever ends it.

Invariants: the file is the owner's alone, and nobody finds it by a name; room that was given back is used
again before the file grows; while the disk refuses, what comes stays in memory.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from acp_tui.base.paths import private
from acp_tui.base.shelf import Gone, InMemory, Slip

BLOCK = 64 * 1024
"""Bytes of one block; each thing begins a block of its own."""


class Spill:
    """A shelf below `folder`, which is made, like the file, when the first thing comes.

    Put aside from one thread; slips may be loaded and dropped in any.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._fd: int | None = None
        self._blocks = 0
        """How many the file has."""
        self._free: list[int] = []

    @property
    def size(self) -> int:
        """Bytes of the file, free blocks included."""
        return self._blocks * BLOCK

    def put(self, data: bytes) -> Slip:
        """To the disk if it takes them."""
        blocks = [self._block() for _ in range(0, len(data), BLOCK)]
        try:
            fd = self._fd if self._fd is not None else self._open()
            for number, block in enumerate(blocks):
                _write(fd, data[number * BLOCK : (number + 1) * BLOCK], block * BLOCK)
        except OSError:
            self.give_back(blocks)
            return InMemory(data)
        return _OnDisk(self, blocks, len(data))

    def take(self, blocks: list[int], size: int) -> bytes:
        """What stands in these blocks. Raises `Gone`."""
        assert self._fd is not None, "only what was put is taken"
        try:
            data = b"".join(os.pread(self._fd, BLOCK, block * BLOCK) for block in blocks)[:size]
        except OSError as error:
            raise Gone((error.strerror or str(error)).lower()) from None
        if len(data) < size:
            raise Gone("its file was cut")
        return data

    def give_back(self, blocks: list[int]) -> None:
        """Nobody asks for these any more."""
        self._free.extend(blocks)

    def __del__(self) -> None:
        if self._fd is not None:  # no slip is left either: each holds on to this
            os.close(self._fd)

    def _block(self) -> int:
        if self._free:
            return self._free.pop()
        self._blocks += 1
        return self._blocks - 1

    def _open(self) -> int:
        path = private(self._folder) / f"spill-{os.getpid()}-{secrets.token_hex(4)}"
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with suppress(OSError):
            path.unlink()
        return self._fd


class _OnDisk:
    """A slip for blocks of the file."""

    __slots__ = ("_blocks", "_size", "_spill")

    def __init__(self, spill: Spill, blocks: list[int], size: int) -> None:
        self._spill, self._blocks, self._size = spill, blocks, size

    def load(self) -> bytes:
        return self._spill.take(self._blocks, self._size)

    def __del__(self) -> None:
        self._spill.give_back(self._blocks)


def _write(fd: int, data: bytes, at: int) -> None:
    view = memoryview(data)
    while view:
        written = os.pwrite(fd, view, at)
        view, at = view[written:], at + written
