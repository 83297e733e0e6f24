"""One journal scanned: which sessions it has, where they stand in it, and the facts a list shows of them.

Invariants: the same bytes give the same facts, in whatever portions they are read; most lines are told apart
by their bytes and never parsed; a line that is not whole yet is left for the next time; no line, however
broken, ends a scan.
"""

from __future__ import annotations

from pathlib import Path

from acp_tui.journal.saved import Journaled


def scan(path: Path, known: Journaled | None = None) -> Journaled:
    """What the journal says, going on where `known` ends if that is of the same file. Raises `OSError`."""
    raise NotImplementedError


def headed(path: Path) -> Journaled:
    """Only what the header says: cheap, for a first list. Raises `OSError`."""
    raise NotImplementedError


def kept(journal: Journaled) -> bytes:
    """The facts as JSON, to go on with later."""
    raise NotImplementedError


def known(data: bytes) -> Journaled | None:
    """Back from `kept`; None if it was made by other code."""
    raise NotImplementedError
