"""What can be found in a session, gathered from its journals, and the checkpoint that is kept on the way.

Invariant: a checkpoint that cannot be written costs nothing but the checkpoint.
"""

from __future__ import annotations

from pathlib import Path

from acp_tui.base.spill import Spill
from acp_tui.journal import index
from acp_tui.journal.checkpoint import Checkpoints
from acp_tui.journal.folding import Folded
from acp_tui.journal.saved import Saved
from acp_tui.journal.spoken import Said, spoken

BIG = 1024 * 1024
"""Bytes of a session of which a checkpoint is kept; shorter ones are folded from the start in no time."""


class Gathering:
    """With the checkpoints beside the index in `cache`."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache
        self._checkpoints = Checkpoints(cache / index.CHECKPOINTS)

    def said(self, saved: Saved) -> list[Said]:
        """In the order in which it came. Raises `OSError` where a journal cannot be read."""
        return spoken(self._folded(saved))

    def _folded(self, saved: Saved) -> Folded:
        shelf = Spill(self._cache)
        if sum(part.stretch.end - part.stretch.asked for part in saved.parts) < BIG:
            return self._checkpoints.open(saved, shelf)
        try:
            return self._checkpoints.bring_up(saved, shelf)
        except OSError:  # no room for a checkpoint: what can be found matters more
            return self._checkpoints.open(saved, shelf)
