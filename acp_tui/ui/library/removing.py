"""Takes sessions out of the trash for good, after it was said in so many words what goes and what stays.

Invariant: nothing is asked about what cannot be removed, and nothing is removed but what was asked about.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from acp_tui.journal.entry import Entry
from acp_tui.render.clean import one_line
from acp_tui.render.words import count, size
from acp_tui.ui.library import wording
from acp_tui.ui.workers import later

if TYPE_CHECKING:
    from acp_tui.journal.emptying import Emptied, Weight
    from acp_tui.ui.screens.library import LibraryScreen


class Removing:
    """For one library screen."""

    def __init__(self, screen: LibraryScreen) -> None:
        self._screen = screen

    async def one(self, entry: Entry) -> None:
        """Ask about this one."""
        from acp_tui.journal.emptying import weigh

        weight = await self._screen.librarian.ask(lambda library: weigh(library, [entry.id]))
        self._ask(f"Remove “{one_line(wording.title(entry), 44)}” for good?", weight)

    async def all(self) -> None:
        """Ask about all that is in the trash, of all folders."""
        from acp_tui.journal.emptying import weigh

        weight = await self._screen.librarian.ask(weigh)
        self._ask(f"Remove all that is in the trash for good: {count(len(weight.ids), 'session')}?", weight)

    def _ask(self, heading: str, weight: Weight) -> None:
        if self._screen.gone:
            return
        if not weight.ids:
            self._screen.say("The trash is empty")
            return
        from acp_tui.ui.screens.question import Question

        question = Question(heading, what_goes(weight), "remove for good", "keep")
        self._screen.app.push_screen(question, partial(self._answered, weight))

    def _answered(self, weight: Weight, sure: bool | None) -> None:
        if sure:
            self._screen.run_worker(later(self._remove, weight), group="library-deed")

    async def _remove(self, weight: Weight) -> None:
        from acp_tui.journal.emptying import empty

        done = await self._screen.librarian.ask(lambda library: empty(library, weight.ids))
        self._screen.say(what_went(done), "warning" if done.kept else "info")
        self._screen.index_anew()


def what_goes(weight: Weight) -> list[str]:
    """What is removed, and what is not."""
    words = f"{count(weight.messages, 'message')}, {size(weight.size)} of journals"
    return [
        "",
        f"Goes, and never comes back: {words}.",
        "Stays: what agents keep on their side, files you exported.",
    ]


def what_went(done: Emptied) -> str:
    """The end of it."""
    gone = (
        f"Removed for good: {count(len(done.removed), 'session')}" if done.removed else "Nothing was removed"
    )
    if not done.kept:
        return gone
    which = "it is" if len(done.kept) == 1 else "they are"
    return f"{gone}; {len(done.kept)} stayed: {which} open, or the journals cannot be written"
