"""Asks the library in a thread of its own, one question after the other, so no key ever waits for a disk.

One for the whole run: what was read for one look at the library is there for the next. Invariants: a question
nobody waits for any more is not asked, unless it has begun; after `close` none is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from acp_tui.journal.entry import Entry
from acp_tui.journal.library import Library
from acp_tui.journal.saved import Saved

Answer = TypeVar("Answer")


class Librarian:
    """Of one library."""

    def __init__(self, library: Library | None = None) -> None:
        self._library = library or Library()
        self._thread = ThreadPoolExecutor(1, "library")
        self._closed = False

    async def ask(self, question: Callable[[Library], Answer]) -> Answer:
        """What the question finds; raises what it raises, and `CancelledError` where nobody asks any more."""
        if self._closed:
            raise asyncio.CancelledError
        return await asyncio.get_running_loop().run_in_executor(self._thread, question, self._library)

    def close(self) -> None:
        """Nobody asks any more; returns at once."""
        if not self._closed:
            self._closed = True
            self._thread.submit(self._library.close)
            self._thread.shutdown(wait=False)

    # Asked in another thread, by who reads a session there; `OSError` after `close`

    def entry(self, prefix: str) -> Entry:
        """As `Library.entry`."""
        return self._wait(lambda library: library.entry(prefix))

    def saved(self, id: str) -> Saved | None:
        """As `Library.saved`."""
        return self._wait(lambda library: library.saved(id))

    @property
    def checkpoints(self) -> Path:
        """Their folder."""
        return self._library.checkpoints

    def _wait(self, question: Callable[[Library], Answer]) -> Answer:
        try:
            asked = self._thread.submit(question, self._library)
        except RuntimeError:
            raise OSError("the library is closed") from None
        return asked.result()
