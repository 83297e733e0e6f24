"""One journal scanned: which sessions it has, where they stand in it, and the facts a list shows of them.

Invariants: the same bytes give the same facts, in whatever portions they are read; most lines are told apart
by their bytes and never parsed; a line that is not whole yet is left for the next time; no line, however
broken, ends a scan.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any
from zlib import crc32

from acp_tui.journal.log import parse
from acp_tui.journal.saved import Counts, Head, Journaled, Listed, Stretch, Waiting
from acp_tui.journal.telling import Telling, number, text

SCANNER = 7
"""Raise it when a scan gives other facts than before."""
SEEN = 4096
"""Bytes before the offset that must still be the same for a scan to go on."""

_HEADER = b'{"acp-tui-journal":'
_UPDATE = re.compile(
    rb'\{"seq":\d+,"t":(-?\d+(?:\.\d+)?),"dir":"<","session":"([^"\\]*)",'
    rb'"msg":\{"jsonrpc":"2\.0","method":"session/update",'
)
_KIND = b'"sessionUpdate":'
_QUICK = {
    b'"agent_message_chunk"': b'"messageId":"',
    b'"agent_thought_chunk"': b"",
    b'"terminal_output_chunk"': b"",
    b'"tool_call_content_chunk"': b'"toolCallId":"',
}
"""Kinds of which there are many, and how each names what it adds to, where that counts."""


def scan(path: Path, known: Journaled | None = None) -> Journaled:
    """What the journal says, going on where `known` ends if that is of the same file. Raises `OSError`.

    `known` itself may be changed, and is not to be used any more.
    """
    with path.open("rb") as file:
        journal = known if known is not None and goes_on(file, known) else Journaled(name=path.name)
        journal.scanner = SCANNER
        taken = Scan(journal)
        for line in whole_lines(file, journal.offset):
            taken.take(line)
        journal.seen = before(file, journal.offset)
    return journal


def whole_lines(file: IO[bytes], offset: int) -> Iterator[bytes]:
    """The lines from a place on, without one that is still being written."""
    file.seek(offset)
    for line in file:
        if not line.endswith(b"\n"):
            return
        yield line


def before(file: IO[bytes], offset: int) -> int:
    """Checksum of what stands before a place: by it a file is known again."""
    start = max(0, offset - SEEN)
    file.seek(start)
    return crc32(file.read(offset - start), offset)


def goes_on(file: IO[bytes], known: Journaled) -> bool:
    """It is still the file that was scanned, and perhaps longer."""
    if known.scanner != SCANNER or os.fstat(file.fileno()).st_size < known.offset:
        return False
    return before(file, known.offset) == known.seen


def kept(journal: Journaled) -> bytes:
    """The facts as JSON behind a checksum, to go on with later."""
    facts = json.dumps(asdict(journal), separators=(",", ":")).encode()
    return b"%08x" % crc32(facts) + facts


def known(data: bytes) -> Journaled | None:
    """Back from `kept`; None if it was damaged, or made by other code."""
    try:
        if int(data[:8], 16) != crc32(data[8:]):
            return None
        facts = json.loads(data[8:])
        return _restored(facts) if facts["scanner"] == SCANNER else None
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _restored(facts: dict[str, Any]) -> Journaled:
    head = Head(**{**facts["head"], "command": tuple(facts["head"]["command"])})
    rest = {
        "stretches": [_stretch(one) for one in facts["stretches"]],
        "early": {name: _stretch(one) for name, one in facts["early"].items()},
        "listed": {name: Listed(**one) for name, one in facts["listed"].items()},
        "waiting": {name: Waiting(**_tupled(one)) for name, one in facts["waiting"].items()},
    }
    return Journaled(**{**facts, **rest, "head": head})


def _stretch(facts: dict[str, Any]) -> Stretch:
    counts = {name: Counts(**facts[name]) for name in ("live", "replayed")}
    return Stretch(**{**_tupled(facts), **counts})


def _tupled(facts: dict[str, Any]) -> dict[str, Any]:
    return {**facts, "additional_directories": tuple(facts["additional_directories"])}


class Scan:
    """Takes line after line of one journal."""

    def __init__(self, journal: Journaled) -> None:
        self.journal = journal
        self._telling = Telling(journal)

    def take(self, line: bytes) -> None:
        """The next line, with its newline."""
        if not self._quick(line) and not line.isspace():
            self._slow(line)
        self.journal.offset += len(line)

    def _quick(self, line: bytes) -> bool:
        """One more piece of something, recognised without parsing.

        A quote inside a JSON string is escaped, so what is sought can only be a key; where it stands more
        than once, or in an unusual way, the line is parsed.
        """
        head = _UPDATE.match(line)
        if head is None:
            return False
        at = line.find(_KIND, head.end()) + len(_KIND)
        if at < len(_KIND) or line.find(_KIND, at) >= 0:
            return False
        name = _QUICK.get(line[at : line.find(b'"', at + 1) + 1])
        if name is None:
            return False
        id = b""
        if name:
            start = line.find(name, head.end()) + len(name)
            id = line[start : line.find(b'"', start)]
            if start < len(name) or line.find(name, start) >= 0 or b"\\" in id:
                return False
        self._telling.piece(
            head[2].decode(errors="replace"), name, id.decode(errors="replace"), float(head[1]), len(line)
        )
        return True

    def _slow(self, line: bytes) -> None:
        if line.startswith(_HEADER):
            self._header(parse(line))
            return
        record = parse(line)
        if not isinstance(record, dict):
            self.journal.broken += 1
            return
        self._telling.record(record, len(line))

    def _header(self, said: Any) -> None:
        if not isinstance(said, dict):
            self.journal.broken += 1
            return
        command = said.get("command")
        words = [w for w in command if isinstance(w, str)] if isinstance(command, list) else []
        self.journal.head = Head(
            version=_whole(said.get("acp-tui-journal")),
            generation=_whole(said.get("generation")),
            command=tuple(words),
            cwd=text(said.get("cwd")),
            started=number(said.get("started")),
            order=number(said.get("order")),
            pid=_whole(said.get("pid")),
            program=text(said.get("version")),
            first=_whole(said.get("first")),
        )
        self.journal.active = max(self.journal.active, self.journal.head.started)
        if not self.journal.agent and words:
            self.journal.agent = words[0]


def _whole(value: Any) -> int:
    return value if type(value) is int else 0
