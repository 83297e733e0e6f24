"""Records of conversations, whatever wrote them: traces, test vectors, our journals, lab traces.

A file that is no record at all is a `BadRecord` with a sentence that says where and why.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from acp_tui.journal.record import BadRecord, Line, lines
from acp_tui.protocol.jsonio import parse
from acp_tui.protocol.unknown import Invalid


class Record(NamedTuple):
    """Everything that happened, in order."""

    lines: list[Line]
    protocol: int
    """The version that is spoken where the record does not tell."""


def read(path: Path) -> Record:
    """The record in this file; raises `BadRecord`."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadRecord(error.strerror or str(error)) from None
    try:
        whole = parse(text)
    except Invalid:
        whole = None
    if isinstance(whole, dict) and isinstance(whole.get("messages"), list):
        told = [line for number, entry in enumerate(whole["messages"], 1) for line in lines(entry, number)]
        return Record(told, 1 if whole.get("protocol") == 1 else 2)
    return Record(list(_lines(text)), 2)


def _lines(text: bytes) -> Iterator[Line]:
    written = text.split(b"\n")
    for number, raw in enumerate(written, 1):
        if not raw.strip():
            continue
        try:
            entry = parse(raw)
        except Invalid as invalid:
            if number == len(written) and number > 1:
                return  # the torn end of a record that was cut off while it was written
            raise BadRecord(f"line {number} is not JSON: {invalid.reason}") from None
        if number == 1 and isinstance(entry, dict) and "acp-tui-journal" in entry:
            continue
        yield from lines(entry, number)


__all__ = ["BadRecord", "Record", "read"]
