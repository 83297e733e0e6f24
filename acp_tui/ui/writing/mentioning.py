"""The files one can mention in a conversation: found in the background, shown as they are found.

Invariants: what is shown comes from an index that a thread fills; a search takes steps of a few milliseconds
and lets keys be heard between them, and a newer one ends it; an index that is old is replaced by another
only once that is whole. Nothing runs unless a mention is being written.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from time import monotonic

from acp_tui.services.files import FileIndex
from acp_tui.services.fuzzy import Match
from acp_tui.services.mentions import typed, written
from acp_tui.ui.writing.offers import Found

LIMIT = 50
"""Files that are offered at most."""
FRESH = 5.0
"""Seconds for which an index counts as new; or twenty times what it took."""
BUSY = 0.008
"""Seconds a search goes on without letting keys be heard."""
_LINES = re.compile(r"(?<=.):\d*(?:-\d*)?$")


class Files:
    """See the module. `changed` is called on the loop whenever there is more to show."""

    def __init__(
        self, roots: tuple[str, ...], changed: Callable[[], None], *, fresh: float = FRESH, busy: float = BUSY
    ) -> None:
        self.roots = roots
        self.query: str | None = None
        """What is looked for; None: nothing."""
        self.found: list[Found] = []
        """What fits it best, of what is known."""
        self.building = False
        self._changed = changed
        self._fresh, self._busy = fresh, busy
        self._index = FileIndex(roots)
        self._built_at = float("-inf")
        self._took = 0.0
        self._over = False
        self._searching: asyncio.Task[None] | None = None
        self._building: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._index)

    @property
    def truncated(self) -> bool:
        """There are more than can be kept."""
        return self._index.truncated

    def close(self) -> None:
        """Nobody asks any more."""
        self._over = True
        for task in (self._searching, self._building):
            if task is not None:
                task.cancel()

    def look_for(self, query: str | None) -> None:
        """From now on show what fits this."""
        if query == self.query:
            return
        begins = self.query is None
        self.query = query
        if query is None:
            self.found = []
            return
        if begins and not self.building and monotonic() - self._built_at > max(self._fresh, 20 * self._took):
            self.building = True
            self._building = asyncio.get_running_loop().create_task(self._build())
        self._search()

    def best(self, query: str) -> list[Found]:
        """What fits, in one go: for a key that cannot wait."""
        if query != self.query or (self._searching is not None and not self._searching.done()):
            self.found = _shown(self._index.best(query, LIMIT), query)
        return self.found

    def _search(self) -> None:
        if self._searching is not None:
            self._searching.cancel()
        self._searching = asyncio.get_running_loop().create_task(self._find(self.query or ""))

    async def _find(self, query: str) -> None:
        until = monotonic() + self._busy
        best: list[Match] = []
        for step in self._index.search(query, LIMIT):
            best = step
            if monotonic() >= until:
                await asyncio.sleep(0)
                until = monotonic() + self._busy
        self.found = _shown(best, query)
        self._changed()

    async def _build(self) -> None:
        """Fill an index in a thread; the first one is searched while it grows."""
        index = FileIndex(self.roots) if len(self._index) else self._index
        first, began, loop = index is self._index, monotonic(), asyncio.get_running_loop()

        def fill() -> None:
            told = monotonic()
            for _ in index.build():
                if self._over:
                    return
                if first and monotonic() - told > 0.25:
                    told = monotonic()
                    loop.call_soon_threadsafe(self._more)

        await asyncio.to_thread(fill)
        self._index, self.building = index, False
        self._built_at = monotonic()
        self._took = self._built_at - began
        self._more()

    def _more(self) -> None:
        if self.query is not None and not self._over:
            self._search()


def _shown(matches: list[Match], query: str) -> list[Found]:
    """What is written whole comes first: it needs no taking."""
    found = [Found(match.path, match.positions) for match in matches]
    return sorted(found, key=lambda one: one.path != query)


def sought(text: str, cursor: int) -> tuple[int, str, str] | None:
    """The mention being written before the cursor: where it begins, its path, the lines it names."""
    found = typed(text, cursor)
    if found is None:
        return None
    start, letters = found
    lines = _LINES.search(letters)
    return (start, letters[: lines.start()], lines[0]) if lines else (start, letters, "")


def mention(found: Found, lines: str, *, enter: bool) -> str:
    """What stands in the text for it: a folder that is entered waits for what is in it."""
    text = written(found.path)
    if found.folder and not enter:
        return text[:-1] if text.endswith('"') else text
    return f"{text}{lines if not found.folder else ''} "
