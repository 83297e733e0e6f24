"""What is offered for what is being written now: commands at the very start, files behind an `@`.

Invariants: it is asked anew at each key that takes something, for the list on the screen may be of a moment
ago; what the user closed stays closed until he writes something else; files are looked for only while a
mention is being written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from acp_tui.protocol.session import AvailableCommand
from acp_tui.protocol.unknown import Unknown
from acp_tui.ui.offers import Command, Offer, hint_for, matching, offered, ours

if TYPE_CHECKING:
    from acp_tui.ui.mentioning import Files


class Offering:
    """Of one conversation."""

    def __init__(self, roots: Callable[[], tuple[str, ...]], changed: Callable[[], None]) -> None:
        self._roots = roots
        self._changed = changed
        self._agents: list[Command] = []
        self._files: Files | None = None
        self._closed = ""
        """The text for which the user closed the list."""

    def close(self) -> None:
        """Nobody writes here any more."""
        if self._files is not None:
            self._files.close()

    def use(self, commands: Iterable[AvailableCommand | Unknown]) -> None:
        """The agent offers these from now on."""
        self._agents = offered(commands)

    def dismiss(self, text: str) -> None:
        """The user wants nothing offered for this text."""
        self._closed = text

    def hint(self, text: str) -> str:
        """What may follow a command that has no input yet."""
        return hint_for(text, self._agents)

    # What is on the screen

    def shown(self, text: str, cursor: int) -> tuple[Sequence[Offer], str]:
        """What is known now, without waiting, and a word about it."""
        if text == self._closed:
            self._look_for(None)
            return (), ""
        if commands := self._commands(text):
            self._look_for(None)
            return commands, ""
        found = _sought(text, cursor)
        self._look_for(found[1] if found is not None else None)
        files = self._files
        if found is None or files is None:
            return (), ""
        if not files.found:
            return (), "looking for files …" if files.building else ""
        more = f"{len(files):,} so far" if files.building else ""
        return files.found, more or ("not all files: there are too many" if files.truncated else "")

    def _look_for(self, query: str | None) -> None:
        roots = self._roots() if query is not None else ()
        if query is not None and (self._files is None or self._files.roots != roots):
            from acp_tui.ui.mentioning import Files

            self.close()
            self._files = Files(roots, self._changed)
        if self._files is not None:
            self._files.look_for(query)

    # At a key

    def fitting(self, text: str, cursor: int) -> Sequence[Offer]:
        """What fits now, however long it takes: for a key that takes it."""
        if text == self._closed:
            return ()
        if commands := self._commands(text):
            return commands
        found = _sought(text, cursor)
        if found is None or self._files is None or not len(self._files):
            return ()
        return self._files.best(found[1])

    def takes_enter(self, text: str, cursor: int, marked: Offer | None) -> bool:
        """Enter takes the marked one: not where all of that is written already."""
        fitting = self.fitting(text, cursor)
        if not fitting:
            return False
        first = marked if marked in fitting else fitting[0]
        if isinstance(first, Command):
            return bool(first.id or first.takes_input or text != f"/{first.name}")
        found = _sought(text, cursor)
        return found is not None and first is not None and first.path != found[1]

    def _commands(self, text: str) -> list[Command]:
        if not text.startswith("/"):
            return []
        found = matching(text, [*self._agents, *ours()])
        only = len(found) == 1 and not found[0].id and not found[0].takes_input
        return [] if only and text == f"/{found[0].name}" else found


def _sought(text: str, cursor: int) -> tuple[int, str, str] | None:
    if "@" not in text:
        return None
    from acp_tui.ui.mentioning import sought

    return sought(text, cursor)
