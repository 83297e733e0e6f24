"""Checkpoints: what folding a saved session gave, kept so that only what came after is folded again.

A cache: each may be deleted, damaged or old at any time, and then the session is folded from the start.
Invariants: a checkpoint is taken only where the session is at rest, so that nothing that waits is lost in it;
reading one makes plain data and our own facts, runs nothing of what it says and changes nothing else; one
made by other code, of other journals or with another checksum is passed over; big content stays in a file
beside it until somebody looks at it.
"""

from __future__ import annotations

from pathlib import Path

from acp_tui.journal.folding import Folded
from acp_tui.journal.saved import Saved


class Checkpoints:
    """Those below `folder`, one or none for each saved session. Safe to use from several processes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def open(self, saved: Saved) -> Folded:
        """The session as it stands: from the checkpoint if there is a good one, and what came after it.

        Raises `OSError` where a journal cannot be read.
        """
        raise NotImplementedError

    def keep(self, saved: Saved, folded: Folded) -> bool:
        """Write one, if the session is at rest and something came since the last. Raises `OSError`."""
        raise NotImplementedError

    def forget(self, id: str) -> None:
        """Remove that of one saved session."""
        raise NotImplementedError
