"""What is offered for what is being written now: commands at the very start, what their agent says may follow
them, files behind an `@`.

Invariants: it is asked anew at each key that takes something, for the list on the screen may be of a moment
ago; what the user closed stays closed until he writes something else; files are looked for only while a
mention is being written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from acp_tui.protocol.session import AvailableCommand
from acp_tui.protocol.unknown import Unknown
from acp_tui.ui import keys
from acp_tui.ui.writing.arguments import Known, Place
from acp_tui.ui.writing.offers import Command, Found, Offer, hint_for, matching, offered, ours

if TYPE_CHECKING:
    from acp_tui.ui.writing.mentioning import Files


class Shown(NamedTuple):
    """What is known now, and a word about it."""

    offers: Sequence[Offer] = ()
    note: str = ""
    chosen: bool = True
    """The first is meant unless the user marks another; else nothing is, until he marks one."""


class Offering:
    """Of one conversation."""

    def __init__(self, roots: Callable[[], tuple[str, ...]], changed: Callable[[], None]) -> None:
        self._roots = roots
        self._changed = changed
        self._agents: list[Command] = []
        self._known = Known()
        self._files: Files | None = None
        self._closed = ""
        """The text for which the user closed the list."""

    def close(self) -> None:
        """Nobody writes here any more."""
        if self._files is not None:
            self._files.close()

    def use(self, commands: Iterable[AvailableCommand | Unknown]) -> None:
        """The agent offers these from now on."""
        commands = tuple(commands)
        self._agents = offered(commands)
        self._known = Known(commands)

    def dismiss(self, text: str) -> None:
        """The user wants nothing offered for this text."""
        self._closed = text

    def hint(self, text: str) -> str:
        """What may follow a command that has no input yet."""
        return hint_for(text, self._agents)

    # What is on the screen

    def shown(self, text: str, cursor: int) -> Shown:
        """What is known now, without waiting."""
        if text == self._closed:
            self._look_for(None)
            return Shown()
        if commands := self._commands(text):
            self._look_for(None)
            return Shown(commands)
        if place := self.place(text, cursor):
            self._look_for(None)
            return Shown(place.fitting, "" if place.chosen else _unchosen(place), place.chosen)
        found = _sought(text, cursor)
        self._look_for(found[1] if found is not None else None)
        files = self._files
        if found is None or files is None:
            return Shown()
        if not files.found:
            return Shown(note="looking for files …" if files.building else "")
        more = f"{len(files):,} so far" if files.building else ""
        return Shown(files.found, more or ("not all files: there are too many" if files.truncated else ""))

    def place(self, text: str, cursor: int) -> Place | None:
        """The argument of an agent's command that is being written, where something is known of it."""
        return self._known.place(text, cursor)

    def _look_for(self, query: str | None) -> None:
        roots = self._roots() if query is not None else ()
        if query is not None and (self._files is None or self._files.roots != roots):
            from acp_tui.ui.writing.mentioning import Files

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
        if place := self.place(text, cursor):
            return place.fitting
        found = _sought(text, cursor)
        if found is None or self._files is None or not len(self._files):
            return ()
        return self._files.best(found[1])

    def takes_enter(self, text: str, cursor: int, marked: Offer | None) -> bool:
        """Enter takes the marked one: not where all of that is written already."""
        fitting = self.fitting(text, cursor)
        if not fitting:
            return False
        if (place := self.place(text, cursor)) is not None:
            return place.chosen or marked in fitting
        first = marked if marked in fitting else fitting[0]
        if isinstance(first, Command):
            return bool(first.id or first.takes_input or text != f"/{first.name}")
        found = _sought(text, cursor)
        return found is not None and isinstance(first, Found) and first.path != found[1]

    def _commands(self, text: str) -> list[Command]:
        if not text.startswith("/"):
            return []
        found = matching(text, [*self._agents, *ours()])
        only = len(found) == 1 and not found[0].id and not found[0].takes_input
        return [] if only and text == f"/{found[0].name}" else found


def _unchosen(place: Place) -> str:
    """What a draft is, for it has the whole row; and what the keys do."""
    only = place.fitting[0] if len(place.fitting) == 1 else None
    about = only.description if only is not None and only.cursor is not None else ""
    take, send = keys.hint("composer.complete"), keys.hint("composer.send")
    said = f"{take} takes {'it' if only is not None else 'the first'} · {send} sends what is written"
    return f"{about}\n{said}" if about else said


def _sought(text: str, cursor: int) -> tuple[int, str, str] | None:
    if "@" not in text:
        return None
    from acp_tui.ui.writing.mentioning import sought

    return sought(text, cursor)
