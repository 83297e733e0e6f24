"""The agent's slash commands that fit what is being written; stands above the composer, never over
anything.

Pure matching below, one widget above it. The widget owns the mark only; which commands exist is the
store's word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from acp_tui.protocol.session import AvailableCommand
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import one_line

ROWS = 8


@dataclass(frozen=True, slots=True)
class Command:
    """One command as it is offered: name without slash, hint for its input, description; all clean."""

    name: str
    hint: str = ""
    description: str = ""

    @property
    def takes_input(self) -> bool:
        """Something may follow the name (CM-03)."""
        return bool(self.hint)


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


def matching(text: str, commands: Sequence[Command]) -> list[Command]:
    """Commands for `/na…` at the very start of the text, before any blank; those that begin so come first."""
    if not text.startswith("/") or any(character.isspace() for character in text):
        return []
    wanted = text[1:].casefold()
    begin = [c for c in commands if c.name.casefold().startswith(wanted)]
    inside = [c for c in commands if wanted in c.name.casefold() and c not in begin]
    return begin + inside


class Completion(Widget):
    """The list. Hidden while nothing fits."""

    matches: reactive[tuple[Command, ...]] = reactive((), layout=True)
    marked: reactive[int] = reactive(0)

    @dataclass
    class Chosen(Message):
        """A row was clicked."""

        command: Command

    def offer(self, matches: Sequence[Command]) -> None:
        """Show these; the mark stays on its command while that is still there."""
        current = self.current
        self.matches = tuple(matches)
        self.marked = self.matches.index(current) if current in self.matches else 0
        self.display = bool(matches)

    @property
    def current(self) -> Command | None:
        """The marked command."""
        return self.matches[self.marked] if self.marked < len(self.matches) else None

    def mark(self, step: int) -> None:
        """Mark another row, round the ends."""
        if self.matches:
            self.marked = (self.marked + step) % len(self.matches)

    @property
    def first(self) -> int:
        """The first row shown: the marked one is always among them."""
        return max(0, min(self.marked - ROWS // 2, len(self.matches) - ROWS))

    def get_content_height(self, *_: object) -> int:
        """A row for each, up to eight."""
        return min(ROWS, len(self.matches))

    def render(self) -> RenderResult:
        shown = self.matches[self.first : self.first + ROWS]
        names = min(24, max((cell_len(c.name) for c in shown), default=0))
        rows = [self._row(i + self.first, command, names) for i, command in enumerate(shown)]
        return Content("\n").join(rows)

    def _row(self, index: int, command: Command, names: int) -> Content:
        here = index == self.marked
        row = Content.assemble(
            ("❯ " if here else "  ", "$accent"),
            (f"/{command.name}".ljust(names + 1), "bold $foreground" if here else "$foreground"),
            (f"  {command.hint}" if command.hint else "", "italic"),
            f"  {command.description}",
        )
        return row.truncate(self.content_size.width, ellipsis=True)

    def on_click(self, event: events.Click) -> None:
        """Choose the row under the mouse."""
        row = self.first + event.y
        if row < len(self.matches):
            event.stop()
            self.post_message(self.Chosen(self.matches[row]))
