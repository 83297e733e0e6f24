"""Where big content is put aside: bytes in, a slip for them out.

Invariants: `put` never raises and loses nothing; a slip gives the very bytes, any number of times and from
any thread, or raises `Gone`; what it stands for is given up with the last reference to it.
"""

from __future__ import annotations

from typing import Protocol


class Gone(OSError):
    """What was put aside cannot be had back; the text says why, in words for the user."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Slip(Protocol):
    """Stands for bytes that were put aside."""

    def load(self) -> bytes:
        """The bytes. Raises `Gone`."""


class Shelf(Protocol):
    """Takes bytes that are seldom looked at."""

    def put(self, data: bytes) -> Slip:
        """Keep them; where that cannot be done elsewhere, in memory."""


class InMemory:
    """A slip with its bytes: what there is without a disk."""

    __slots__ = ("_data",)

    def __init__(self, data: bytes) -> None:
        self._data = data

    def load(self) -> bytes:
        return self._data


class Memory:
    """A shelf that is no disk: for replays, tests, and whoever wants no files."""

    def put(self, data: bytes) -> Slip:
        return InMemory(data)


MEMORY = Memory()
"""One for all: it holds nothing itself."""
