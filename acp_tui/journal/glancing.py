"""A glance at a journal: its beginning and its end, enough for a line in a list.

Invariant: what was not read is not guessed: counts are too low then, never wrong in kind.
"""

from __future__ import annotations

import os
from itertools import takewhile
from pathlib import Path
from typing import IO

from acp_tui.journal.log import parse
from acp_tui.journal.saved import Journaled
from acp_tui.journal.scanning import SCANNER, Scan, whole_lines
from acp_tui.journal.telling import number, text

BEGINNING = 32 * 1024
"""Bytes read of the beginning, and then to the end of the line."""
END = 4096


def glance(path: Path) -> tuple[Journaled, bool]:
    """What they say, and whether that is all there is. Raises `OSError`."""
    journal = Journaled(name=path.name, scanner=SCANNER)
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        taken = Scan(journal)
        for line in takewhile(lambda _: journal.offset < BEGINNING, whole_lines(file, 0)):
            taken.take(line)
        if size - journal.offset < END:
            for line in whole_lines(file, journal.offset):
                taken.take(line)
            return journal, True
        _ended(file, journal, size)
    return journal, False


def _ended(file: IO[bytes], journal: Journaled, size: int) -> None:
    """Whether its last record says that the connection ended; when something was said last."""
    file.seek(max(journal.offset, size - END))
    last = file.read(END).rsplit(b"\n", 2)
    record = parse(last[-2]) if len(last) > 2 else None
    record = record if isinstance(record, dict) else {}
    if record.get("event") == "connection_lost":
        journal.ended, journal.reason = number(record.get("t")), text(record.get("reason"))
    for stretch in journal.stretches:  # nobody knows how it stands at the end
        stretch.prompts.clear()
        stretch.state = ""
