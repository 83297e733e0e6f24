"""A saved session folded into a store of its own: what a reader sees, without its agent.

The records run through the one client machine, as they did when they were written. Invariants: nothing is
sent, nothing is written; the same records give the same store, however often and in whatever portions they
are read; what an agent replays stands there once; a record that cannot be folded is left out and told of in
`problems`, never more than that.
"""

from __future__ import annotations

from pathlib import Path

from acp_tui.journal.saved import Saved
from acp_tui.store.store import Store


class Folded:
    """A saved session as it stands. All methods belong to one thread at a time."""

    store: Store
    """With this session, its subagents' and nothing else."""
    ref: str
    """Of the session in `store`, also if that is added to another: it begins with the saved session's id."""
    problems: list[str]
    """Sentences for the user: what could not be read."""
    paths: list[Path]
    """Its journals; the n-th is that of the generation n in `store`."""

    def follow(self, saved: Saved | None = None) -> int:
        """Fold what was added meanwhile, with a newer `saved` also what stands in further journals; how many
        records that were. A line that is not whole yet is left for the next time. Raises `OSError`."""
        raise NotImplementedError

    def lose(self, at: float) -> None:
        """Nothing will be added: its acp-tui ended without a word. What was under way is marked so."""
        raise NotImplementedError


def fold(saved: Saved) -> Folded:
    """All of it, from the start. Raises `OSError` where a journal cannot be read."""
    raise NotImplementedError
