"""The list above the composer with what fits what is written, and beside it, where there is room, the file
that is marked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from textual.app import ComposeResult
from textual.containers import Horizontal

from acp_tui.protocol.session import AvailableCommand
from acp_tui.protocol.unknown import Unknown
from acp_tui.ui import keys
from acp_tui.ui.widgets.completion import ROWS, Completion
from acp_tui.ui.widgets.composer import Composer
from acp_tui.ui.writing.arguments import Argument
from acp_tui.ui.writing.offering import Offering
from acp_tui.ui.writing.offers import Command, Found, Offer

ROOM = 90
"""Columns from which on there is a preview."""
LEAST = 4
"""Rows of it, also beside a shorter list; where lines are named, all of them as far as they fit."""


class Offers(Horizontal):
    """Of one composer."""

    DEFAULT_CSS = """
    Offers { height: auto; }
    Offers Completion { width: 1fr; }
    """

    def __init__(self, composer: Composer, roots: Callable[[], tuple[str, ...]]) -> None:
        super().__init__()
        self.composer = composer
        self.roots = roots
        self.offering = Offering(roots, self.look)
        composer.fits = lambda text, cursor: bool(self.offering.fitting(text, cursor))
        composer.takes_enter = self._takes_enter
        composer.hint = self.offering.hint
        composer.mark = self.mark

    def compose(self) -> ComposeResult:
        yield Completion()

    @property
    def completion(self) -> Completion:
        """The list."""
        return self.query_one(Completion)

    def use(self, commands: Iterable[AvailableCommand | Unknown]) -> None:
        """The agent offers these from now on."""
        self.offering.use(commands)
        self.composer.update_suggestion()
        self.look()

    def look(self) -> None:
        """Show what fits what is written."""
        if self.is_mounted:
            shown = self.offering.shown(self.composer.text, self.composer.at)
            self.completion.offer(shown.offers, shown.note, chosen=shown.chosen)
            self.show_file()

    def _takes_enter(self, text: str, cursor: int) -> bool:
        return self.offering.takes_enter(text, cursor, self.completion.current)

    def dismiss(self, text: str) -> None:
        """Offer nothing for this text."""
        self.offering.dismiss(text)

    def close_list(self) -> bool:
        """Close it until the text changes; False if there is none."""
        if shown := bool(self.completion.display):
            self.offering.dismiss(self.composer.text)
            self.look()
        return shown

    def end(self) -> None:
        """Nobody writes here any more."""
        self.offering.close()

    def mark(self, step: int) -> None:
        """Mark another row of what fits now."""
        self.look()
        self.completion.mark(step)

    # Taking

    def take_marked(self, event: Composer.Complete) -> bool:
        """Take what is marked of what fitted then; False if nothing did."""
        self.completion.offer(self.offering.fitting(event.text, event.cursor))
        current = self.completion.current
        if current is None:
            return False
        self._take(current, event.text, event.cursor, event.enter)
        return True

    def on_completion_chosen(self, event: Completion.Chosen) -> None:
        """A click."""
        event.stop()
        self._take(event.offer, self.composer.text, self.composer.at, enter=True)

    def _take(self, offer: Offer, text: str, cursor: int, enter: bool) -> None:
        """What was typed since stays, behind it."""
        if isinstance(offer, Found):
            self._mention(offer, text, cursor, enter)
        elif isinstance(offer, Argument):
            self._argue(offer, text, cursor)
        elif offer.id:
            self._run(offer, self.composer.text.removeprefix(text))
        else:
            typed = self.composer.text.removeprefix(text)
            name = f"/{offer.name} " if offer.takes_input else f"/{offer.name}"
            self.composer.put(name + typed)
            self.offering.dismiss(self.composer.text)
        self.look()
        self.composer.focus()

    def _mention(self, found: Found, text: str, cursor: int, enter: bool) -> None:
        from acp_tui.ui.writing.mentioning import mention, sought

        what = sought(text, cursor)
        if what is None:
            return
        start, _, lines = what
        written = mention(found, lines, enter=enter)
        self.completion.forget_mark()
        place, went_on = self.composer.place, self.composer.at > cursor
        self.composer.replace(written, place(start), place(cursor), maintain_selection_offset=went_on)

    def _argue(self, argument: Argument, text: str, cursor: int) -> None:
        """In place of what was written of it, with room for what may follow; a draft is written in."""
        place = self.offering.place(text, cursor)
        if place is None:
            return
        rest, typed = text[place.end :], self.composer.text.removeprefix(text)
        blank = " " if argument.cursor is None and not rest[:1].isspace() else ""
        self.completion.forget_mark()
        self.composer.put(f"{text[: place.start]}{argument.value}{blank}{rest}{typed}")
        at = len(argument.value) + 1 if argument.cursor is None else argument.cursor
        self.composer.move_cursor(self.composer.place(place.start + at + len(typed)))

    def _run(self, command: Command, typed: str) -> None:
        """One of ours is done at once, and leaves nothing behind."""
        self.composer.put(typed)
        deed = keys.deed(command.id)
        node = self.app if deed.where == "everywhere" else self.screen
        self.call_later(self.app.run_action, deed.action, node)

    # The marked file

    def on_completion_marked(self, event: Completion.Marked) -> None:
        """Another one."""
        event.stop()
        self.show_file()

    def show_file(self) -> None:
        """Beside the list, where there is room."""
        current = self.completion.current
        room = self.size.width >= ROOM and isinstance(current, Found) and self.completion.display
        shown = self.query("Preview")
        if not room or not isinstance(current, Found):
            shown.set(display=False)
            return
        from acp_tui.ui.widgets.preview import Preview

        preview = shown.first(Preview) if shown else Preview()
        if not shown:
            self.mount(preview)
        preview.display = True
        path = os.path.join(self.roots()[0], current.path)
        first, last = self._lines()
        rows = max(len(self.completion.matches), LEAST if last is None else last - first + 1)
        preview.show(path, first, min(ROWS, rows))

    def _lines(self) -> tuple[int, int | None]:
        """The first of those that are meant, and the last if one was named."""
        from acp_tui.ui.writing.mentioning import sought

        found = sought(self.composer.text, self.composer.at)
        begin, _, end = found[2].lstrip(":").partition("-") if found is not None else ("", "", "")
        first = max(1, int(begin)) if begin.isdecimal() else 1
        return first, int(end) if end.isdecimal() else None
