"""What can be offered for what is being written: the agent's commands and what may follow them, ours, files.
Pure.

Invariants: a command of ours is never mistaken for one of the agent's: they are marked apart, and where both
have a name it means the agent's (CM-10); what fits nothing is text. All texts of the agent are clean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from acp_tui.protocol.session import AvailableCommand
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import one_line
from acp_tui.services.likely import UNLIKELY, rank
from acp_tui.ui import keys
from acp_tui.ui.writing.arguments import Argument

_NOT_BY_NAME = frozenset({"chat.escape", "chat.next_place", "chat.previous_place", "chat.interrupt"})
"""What makes sense as a key only."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command as it is offered: name without slash, hint for its input, description; all clean."""

    name: str
    hint: str = ""
    description: str = ""
    id: str = ""
    """What of the key table it does; empty: it is the agent's."""

    @property
    def takes_input(self) -> bool:
        """Something may follow the name (CM-03)."""
        return bool(self.hint)


@dataclass(frozen=True, slots=True)
class Found:
    """A file or folder (which ends with a slash), and where the letters stand in it."""

    path: str
    positions: tuple[int, ...] = ()

    @property
    def folder(self) -> bool:
        """Tab goes into it."""
        return self.path.endswith("/")


Offer = Command | Found | Argument


def offered(commands: Iterable[AvailableCommand | Unknown]) -> list[Command]:
    """The session's commands; unknown types only if they have a name (CM-05)."""
    found = []
    for command in commands:
        if isinstance(command, Unknown):
            name, description, hint = command.raw.get("name"), command.raw.get("description"), ""
        else:
            name, description = command.name, command.description
            hint = getattr(command.input, "hint", "") or ""
        if isinstance(name, str) and name:
            text = description if isinstance(description, str) else ""
            found.append(Command(one_line(name), one_line(hint), one_line(text)))
    return found


def ours() -> list[Command]:
    """What the program itself can do in a chat, by name."""
    return [
        Command(deed.name.replace("_", "-"), description=deed.what, id=deed.id)
        for deed in keys.TABLE
        if deed.where in ("everywhere", "chat") and deed.id not in _NOT_BY_NAME and not deed.numbered
    ]


def matching(text: str, commands: Sequence[Command]) -> list[Command]:
    """Commands for `/na…` at the very start of the text, before any blank; the likely ones first."""
    if not text.startswith("/") or any(character.isspace() for character in text):
        return []
    wanted = text[1:].casefold()
    ranked = [
        (how, command) for command in commands if (how := rank(wanted, command.name.casefold())) < UNLIKELY
    ]
    return [command for _, command in sorted(ranked, key=lambda pair: pair[0])]


def hint_for(text: str, commands: Sequence[Command]) -> str:
    """What may follow a command that was written and has no input yet."""
    name, blank, rest = text.partition(" ")
    if not blank or rest.strip() or not name.startswith("/"):
        return ""
    return next((command.hint for command in commands if name == f"/{command.name}"), "")
