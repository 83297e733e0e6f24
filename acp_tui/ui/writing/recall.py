"""Walking through earlier prompts of a folder, as a shell does.

Invariants: what was being written comes back at the lower end, and what was changed on the way is still there
as long as the walk lasts; the file is read when a walk begins, so that what another window sent is in it.
"""

from __future__ import annotations

from acp_tui.services.history import History, Prompt
from acp_tui.services.pasted import Pasted


class Recall:
    """One place of writing, and where it is on its walk."""

    def __init__(self, history: History, pasted: Pasted) -> None:
        self._history = history
        self._pasted = pasted
        self._prompts: list[Prompt] = []
        """Newest first; read when the walk began."""
        self._here = -1
        """-1: what is being written."""
        self._changed: dict[int, str] = {}

    @property
    def walking(self) -> bool:
        """An earlier prompt is shown."""
        return self._here >= 0

    def stop(self) -> None:
        """What is shown now is what is being written."""
        self._here = -1
        self._changed.clear()

    def step(self, by: int, text: str) -> str | None:
        """The prompt so many before (negative: after) the shown one, of which this is the text; None if
        there is none.
        """
        if not self.walking:
            self._prompts = self._history.prompts()
        there = self._here + by
        if not -1 <= there < len(self._prompts) or there == self._here:
            return None
        self._changed[self._here] = text
        self._here = there
        return self._changed[there] if there in self._changed else self.shown(self._prompts[there])

    def shown(self, prompt: Prompt) -> str:
        """As it was written: long pastes as pieces."""
        return self._pasted.folded(prompt.text, prompt.pasted)

    def prompts(self) -> list[Prompt]:
        """All that are kept, newest first."""
        return self._history.prompts()
