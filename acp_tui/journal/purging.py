"""Taking a saved session out of its journals for good: nothing of what was said in it is left.

Invariants: only journals that nobody writes any more are touched, all of a session's or none; a journal is
replaced as a whole or not at all, and keeps its name, so that the other sessions in it keep their ids (but
for an agent that gave one id twice on that connection); one without any session left is removed. What an
agent's `session/list` told of it stays: that is the agent's.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from acp_tui.base import atomic
from acp_tui.journal.log import parse
from acp_tui.journal.saved import Part, Saved, Stretch
from acp_tui.journal.scanning import scan
from acp_tui.journal.writers import Writers


def purge(saved: Saved, writing: Writers) -> bool:
    """Take it out. False: one of its journals is being written, so nothing was done. Raises `OSError`."""
    if any(writing.has(part.path, part.journal.head) for part in saved.parts):
        return False
    for path, parts in groupby(saved.parts, key=lambda part: part.path):
        _take_out(path, list(parts))
    return True


def _take_out(path: Path, parts: list[Part]) -> None:
    atomic.write(path, b"".join(_rest(path, parts)))
    if not any(stretch.content for stretch in scan(path).stretches):
        path.unlink()
        atomic.sync_folder(path.parent)


def _rest(path: Path, parts: Iterable[Part]) -> Iterator[bytes]:
    """The lines that belong to others."""
    takers = [_Taker(part.stretch) for part in parts]
    with path.open("rb") as file:
        offset = 0
        for line in file:
            if not any(taker.takes(line, offset) for taker in takers):
                yield line
            offset += len(line)


class _Taker:
    """Knows the records of one stretch, line after line."""

    def __init__(self, stretch: Stretch) -> None:
        self._since, self._until = stretch.since, stretch.until
        self._asked = stretch.asked
        self._ids = frozenset([stretch.session_id, *stretch.children])
        self._needles = [*map(_ascii, self._ids), *map(_plain, self._ids)]
        self._opening: set[str] = set()
        """The request that opened it, by its id as JSON, until it is answered."""

    def takes(self, line: bytes, offset: int) -> bool:
        """Whether this line, at that place, belongs to it."""
        asked = offset == self._asked
        within = self._since <= offset and (self._until is None or offset < self._until)
        if not (asked or self._opening or (within and any(needle in line for needle in self._needles))):
            return False
        record = parse(line)
        if not isinstance(record, dict):
            return False
        message = record.get("msg")
        if asked and isinstance(message, dict) and "id" in message:
            self._opening.add(json.dumps(message["id"]))
            return True
        if self._opening and self._opens(record, message):
            return True
        return within and record.get("session") in self._ids

    def _opens(self, record: dict[str, object], message: object) -> bool:
        """It is the agent's answer to the request that opened the session."""
        if record.get("dir") != "<" or not isinstance(message, dict) or "method" in message:
            return False
        id = json.dumps(message.get("id"))
        found = id in self._opening
        self._opening.discard(id)
        return found


def _ascii(id: str) -> bytes:
    return json.dumps(id)[1:-1].encode()


def _plain(id: str) -> bytes:
    return json.dumps(id, ensure_ascii=False)[1:-1].encode("utf-8", "surrogatepass")
