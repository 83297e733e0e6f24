"""The list of what fits what is being written: commands, what may follow them, files. It stands above the
composer, never over anything.

The widget owns the mark only; what there is is said by who shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from acp_tui.render.clean import one_line
from acp_tui.ui.writing.arguments import Argument
from acp_tui.ui.writing.offers import Command, Found, Offer

ROWS = 8
WIDEST = 24
"""Cells for the names of commands at most."""
NONE = -1
"""No row is marked."""


class Completion(Widget):
    """The list. Hidden while nothing fits."""

    matches: reactive[tuple[Offer, ...]] = reactive((), layout=True)
    marked: reactive[int] = reactive(0)
    note: reactive[str] = reactive("", layout=True)
    """Rows of its own below the list."""

    @dataclass
    class Chosen(Message):
        """A row was clicked."""

        offer: Offer

    class Marked(Message):
        """Another row is marked, or the same of another list."""

    def offer(self, matches: Sequence[Offer], note: str = "", *, chosen: bool = True) -> None:
        """Show these; the mark stays on its row's offer while that is still there, and else goes to the first
        if that counts as `chosen`.
        """
        current = self.current
        self.matches = tuple(matches)
        places = {_name(offer): place for place, offer in enumerate(self.matches)}
        first = 0 if chosen else NONE
        self.marked = places.get(_name(current), first) if current is not None else first
        self.note = note
        self.display = bool(matches or note)
        if self.current != current:
            self.post_message(self.Marked())

    @property
    def current(self) -> Offer | None:
        """What is marked."""
        return self.matches[self.marked] if NONE < self.marked < len(self.matches) else None

    def mark(self, step: int) -> None:
        """Mark another row, round the ends."""
        if self.matches:
            before = max(self.marked, 0 if step < 0 else NONE)
            self.marked = (before + step) % len(self.matches)
            self.post_message(self.Marked())

    def forget_mark(self) -> None:
        """Begin again at the first row."""
        self.marked = 0
        self.matches = ()

    @property
    def first(self) -> int:
        """The first row shown: the marked one is always among them."""
        return max(0, min(self.marked - ROWS // 2, len(self.matches) - ROWS))

    def get_content_height(self, *_: object) -> int:
        """A row for each, up to eight, and those of the note."""
        return min(ROWS, len(self.matches)) + len(self.note.splitlines())

    def render(self) -> RenderResult:
        shown = self.matches[self.first : self.first + ROWS]
        width = self._names(shown)
        rows = [self._row(i + self.first, offer, width) for i, offer in enumerate(shown)]
        across = self.content_size.width
        rows += [Content(f"  {said}").truncate(across, ellipsis=True) for said in self.note.splitlines()]
        return Content("\n").join(rows)

    def _names(self, shown: Sequence[Offer]) -> int:
        """The column of the names; arguments leave as much to what is said of them."""
        names = [cell_len(offer.name) for offer in shown if isinstance(offer, Command)]
        values = [cell_len(offer.value) for offer in shown if isinstance(offer, Argument)]
        half = max(WIDEST, self.content_size.width // 2)
        return max(min(WIDEST, max(names, default=0)), min(half, max(values, default=0)))

    def _row(self, index: int, offer: Offer, names: int) -> Content:
        here = index == self.marked
        sign = ("❯ " if here else "  ", "$accent")
        style = "bold $foreground" if here else "$foreground"
        if isinstance(offer, Found):
            row = Content.assemble(sign, _path(offer, style, self.content_size.width - 2))
        elif isinstance(offer, Argument) and offer.cursor is not None:
            row = Content.assemble(sign, (one_line(offer.value), style))
        elif isinstance(offer, Argument):
            row = Content.assemble(sign, (_word(offer, names), style), f"  {offer.description}")
        else:
            row = Content.assemble(
                sign,
                (f"/{offer.name}".ljust(names + 1), style),
                (f"  {offer.hint}" if offer.hint else "", "italic"),
                ("  acp-tui", "$accent") if offer.id else "",
                f"  {offer.description}",
            )
        return row.truncate(self.content_size.width, ellipsis=True)

    def on_click(self, event: events.Click) -> None:
        """Take the row under the mouse."""
        row = self.first + event.y
        if row < len(self.matches) and event.y < ROWS:
            event.stop()
            self.post_message(self.Chosen(self.matches[row]))


def _word(argument: Argument, width: int) -> str:
    """In its column; an id that is too long for it shows its beginning."""
    word = one_line(argument.value, width)
    return word + " " * (width - cell_len(word))


def _name(offer: Offer) -> tuple[str, str]:
    if isinstance(offer, Argument):
        return offer.value, "argument"
    return (offer.path, "") if isinstance(offer, Found) else (offer.name, offer.id)


def _path(found: Found, style: str, width: int) -> Content:
    """With the letters that were sought; of a long one the end, where its name is."""
    cut = max(0, len(found.path) - width + 1) if cell_len(found.path) > width else 0
    shown = Content.styled(("…" if cut else "") + found.path[cut:], style)
    for place in found.positions:
        if place >= cut:
            at = place - cut + bool(cut)
            shown = shown.stylize("$accent", at, at + 1)
    return shown
