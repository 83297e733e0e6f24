"""The last part of what the agent wrote to stderr (TR-04): bounded, however much comes."""

from __future__ import annotations

LINES = 200
SIZE = 64 * 1024


class Tail:
    """Costs one copy of at most `SIZE` bytes for each read; lines are made only when asked for."""

    __slots__ = ("_cut", "_data")

    def __init__(self) -> None:
        self._data = b""
        self._cut = False

    def feed(self, data: bytes) -> None:
        """Append, and forget what is too old."""
        self._data += data[-SIZE:]
        if len(self._data) > SIZE:
            self._data = self._data[-SIZE:]
            self._cut = True

    def lines(self) -> list[str]:
        """The last lines as they came, decoded; the first is left out where it has lost its beginning."""
        lines = self._data.decode(errors="replace").split("\n")
        if not lines[-1]:
            lines.pop()
        if self._cut and len(lines) > 1:
            lines = lines[1:]
        return [line.removesuffix("\r") for line in lines[-LINES:]]
