"""The list of what fits what is being written: commands, files. It stands above the composer, never over
anything.

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

from acp_tui.ui.offers import Command, Found, Offer

ROWS = 8


class Completion(Widget):
    """The list. Hidden while nothing fits."""

    matches: reactive[tuple[Offer, ...]] = reactive((), layout=True)
    marked: reactive[int] = reactive(0)
    note: reactive[str] = reactive("", layout=True)
    """A row of its own below the list."""

    @dataclass
    class Chosen(Message):
        """A row was clicked."""

        offer: Offer

    class Marked(Message):
        """Another row is marked, or the same of another list."""

    def offer(self, matches: Sequence[Offer], note: str = "") -> None:
        """Show these; the mark stays on its row's offer while that is still there."""
        current = self.current
        self.matches = tuple(matches)
        places = {_name(offer): place for place, offer in enumerate(self.matches)}
        self.marked = places.get(_name(current), 0) if current is not None else 0
        self.note = note
        self.display = bool(matches or note)
        if self.current != current:
            self.post_message(self.Marked())

    @property
    def current(self) -> Offer | None:
        """What is marked."""
        return self.matches[self.marked] if self.marked < len(self.matches) else None

    def mark(self, step: int) -> None:
        """Mark another row, round the ends."""
        if self.matches:
            self.marked = (self.marked + step) % len(self.matches)
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
        """A row for each, up to eight, and one for the note."""
        return min(ROWS, len(self.matches)) + bool(self.note)

    def render(self) -> RenderResult:
        shown = self.matches[self.first : self.first + ROWS]
        names = [cell_len(offer.name) for offer in shown if isinstance(offer, Command)]
        width = min(24, max(names, default=0))
        rows = [self._row(i + self.first, offer, width) for i, offer in enumerate(shown)]
        if self.note:
            rows.append(Content(f"  {self.note}").truncate(self.content_size.width, ellipsis=True))
        return Content("\n").join(rows)

    def _row(self, index: int, offer: Offer, names: int) -> Content:
        here = index == self.marked
        sign = ("❯ " if here else "  ", "$accent")
        style = "bold $foreground" if here else "$foreground"
        if isinstance(offer, Found):
            row = Content.assemble(sign, _path(offer, style, self.content_size.width - 2))
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


def _name(offer: Offer) -> tuple[str, str]:
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
