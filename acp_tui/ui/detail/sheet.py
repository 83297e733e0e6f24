"""The window on a pile of parts, through the line API: no widget for anything that is read.

Invariants: rows are made by `settle`, which lays out what is in the window and nothing else; a refresh never
lays out; the scrollbar is always there, as one that appears changes the width.
"""

from __future__ import annotations

import gc
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from acp_tui.render.look import Look, act_at
from acp_tui.ui.detail.parts import SLICE, Part
from acp_tui.ui.detail.pile import Pile, Row
from acp_tui.ui.detail.search import Hit, Search, Span
from acp_tui.ui.terminal.dragging import drag_on
from acp_tui.ui.transcript import selection as spots
from acp_tui.ui.transcript.look import CSS, CURSOR, PARTS, resolve

PAUSE = 0.01


class Sheet(ScrollView, can_focus=True, inherit_bindings=False):
    """See the module."""

    DEFAULT_CSS = CSS.replace("Transcript", "Sheet")
    COMPONENT_CLASSES = PARTS

    @dataclass
    class Clicked(Message):
        """Something that a part marked was clicked, and the part did not do it itself."""

        action: tuple[Any, ...]
        part: Part

    @dataclass
    class Searched(Message):
        """The search has come further."""

    def __init__(self) -> None:
        super().__init__()
        self.set_reactive(Widget.auto_links, False)
        self.pile = Pile()
        self.rows: list[Row] = []
        self.search: Search | None = None
        self._look: Look | None = None
        self._cursor_style = Style.null()
        self._working = False
        self._spans: dict[int, dict[int, list[Span]]] = {}

    # What is shown

    def put(self, pile: Pile) -> None:
        """Show another pile, as it was left."""
        self.pile = pile
        self.rows = []
        self.search = None
        self._point()
        self.screen.clear_selection()
        self.settle()

    def update_parts(self, parts: Sequence[Part]) -> None:
        """The same pile with other parts."""
        self.pile.show(parts)
        self._point()
        if self.search is not None:
            self.search = self._anew(self.search)
        self.settle()

    def _point(self) -> None:
        """A cursor on the first stop, as long as nobody has moved."""
        pile = self.pile
        if pile.cursor is None and not pile.part and not pile.line and not pile.following:
            pile.cursor, pile.nth = next((part for part in pile.parts if part.stop), None), 0

    def first_stop(self) -> Part | None:
        """The first part in the window that the cursor may stand on."""
        return next((part for row in self.rows if (part := self.pile.parts[row.part]).stop), None)

    @property
    def look(self) -> Look:
        """The colours of the theme that is on."""
        if self._look is None:
            styles = resolve(self)
            self._look = Look.from_styles(styles)
            self._cursor_style = self._look.base + styles[CURSOR]
        return self._look

    def notify_style_update(self) -> None:
        """Another theme."""
        super().notify_style_update()
        self._look = None
        if self.is_attached and self.pile.width:
            self.call_later(self.settle)

    def on_resize(self) -> None:
        """Lay out for the new width."""
        self.settle()

    def settle(self) -> None:
        """Make the rows of the window, and say where it is."""
        width = self.scrollable_content_region.width
        if not width or not self.is_attached:
            return
        pile = self.pile
        if width != pile.width and pile.width and self.search is not None:
            self.search = self._anew(self.search)
        pile.fit(width, self.look)
        rows = pile.window(self.size.height)
        if not pile.awaited or len(rows) >= len(self.rows):
            self.rows = rows  # else what was there before, until what is sought is laid out
        self._spans = {}
        if self.search is not None and not pile.awaited:
            self._spans = {index: self._spans_of(index) for index in {row.part for row in self.rows}}
        self._tell_bar(pile)
        self.refresh()
        drag_on(self.screen)
        if pile.behind:
            gc.freeze()  # a few objects a line: to look through those of 100,000 again and again takes long
            self._work()

    def _spans_of(self, index: int) -> dict[int, list[Span]]:
        assert self.search is not None
        if self.pile.parts[index].behind:
            return {}
        shown = [row.line for row in self.rows if row.part == index]
        rows = range(min(shown), max(shown) + 1)
        return self.search.spans(self.pile.parts[index], self.pile.lines(index), rows)

    def _tell_bar(self, pile: Pile) -> None:
        top, total = pile.top, pile.heights.total
        self.set_reactive(Widget.virtual_size, Size(pile.width, total))
        self.set_reactive(Widget.scroll_y, float(top))
        self.set_reactive(Widget.scroll_target_y, float(top))
        bar = self.vertical_scrollbar
        bar.window_virtual_size, bar.window_size, bar.position = total, self.size.height, top

    # Moving

    def move(self, lines: int) -> None:
        """By exactly so many lines."""
        self.pile.move(lines)
        self._moved()

    def page(self, by: int) -> None:
        """A page, with a line of the last one."""
        self.move(by * max(1, self.size.height - 1))

    def home(self) -> None:
        """To the first line."""
        self.pile.stand(0)
        self._moved()

    def end(self) -> None:
        """To the last line, and stay there."""
        self.pile.following = True
        self._moved()

    def _moved(self) -> None:
        self.settle()
        pile = self.pile
        if pile.cursor is not None and not any(pile.parts[row.part] is pile.cursor for row in self.rows):
            pile.cursor = None

    def step(self, by: int) -> None:
        """To the next or previous place to stop at."""
        stop = self.pile.step(by)
        if stop is None:
            self.page(by)
            return
        if not any((row.part, row.line) == stop for row in self.rows[: max(1, self.size.height * 2 // 3)]):
            self.pile.stand(*stop)
        self.pile.following = False
        self.settle()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Wheel and scrollbar; what is far is gone to by estimate."""
        old, new, height = round(old_value), round(new_value), self.size.height
        if old == new:
            return
        if abs(new - old) <= height:
            self.pile.move(new - old)
        elif new >= self.max_scroll_y:
            self.pile.following = True
        else:
            self.pile.jump(new)
        self.call_later(self._moved)

    def scroll_to(self, x: float | None = None, y: float | None = None, **how: Any) -> None:
        """Never animated: an animation ends at an absolute line, and those are estimates."""
        super().scroll_to(x, y, **{**how, "animate": False})

    # Searching

    def find(self, sought: str) -> None:
        """Look for this from here on; for nothing, stop looking."""
        self.search = Search(sought, self.search) if sought else None
        if self.search is not None:
            self._work()
        self.settle()

    def _anew(self, before: Search) -> Search:
        """The same search in what is other than it was; the reader stays where he is."""
        search = Search(before.sought, before)
        search.current, search.found = before.current, before.found
        self._work()
        return search

    def go(self, by: int) -> None:
        """To the next or previous hit."""
        search, pile = self.search, self.pile
        if search is None or not search.hits:
            return
        hit = search.next(by, self._here(search))
        assert hit is not None
        row = search.row(hit, pile.parts[hit.part], pile.lines(hit.part))
        if not any(one.part == hit.part and one.line == row for one in self.rows):
            pile.stand(hit.part, row)
            pile.move(-(self.size.height // 3))
        self._moved()

    def _work(self) -> None:
        """Go on with what is not laid out or looked through yet, after the keys that wait."""
        if not self._working and self.is_attached:
            self._working = True
            self.set_timer(PAUSE, self._go_on)

    def _go_on(self) -> None:
        self._working = False
        if self.pile.behind:
            self.settle()
        search = self.search
        if search is not None and search.looked < len(self.pile.parts):
            end = monotonic() + SLICE
            through = search.step(self.pile.parts, self.pile.lines, lambda: monotonic() > end)
            if search.current is None and not search.found and (through or self._found_below(search)):
                search.found = bool(search.hits)
                self.go(1)
            self.post_message(self.Searched())
            if not through:
                self._work()

    def _found_below(self, search: Search) -> bool:
        return bool(search.hits) and search.hits[-1] > self._here(search)

    def _here(self, search: Search) -> Hit:
        """What stands before all hits in what the reader looks at."""
        pile = self.pile
        section = search.section(pile.parts[pile.part], pile.lines(pile.part), pile.line)
        return Hit(pile.part, section, -1)

    # Drawing

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        if y >= len(self.rows):
            return Strip.blank(width, self.look.base)
        row = self.rows[y]
        strip = self._adorned(row)
        strip = strip.apply_offsets(0, spots.spot(row.part, row.line))
        return strip.adjust_cell_length(width, self.look.base)

    def _adorned(self, row: Row) -> Strip:
        strip, pile = row.strip, self.pile
        if row.part >= len(pile.parts):
            return strip
        part = pile.parts[row.part]
        if self.search is not None:
            for span in self._spans.get(row.part, {}).get(row.line, ()):
                here = self.search.current == (row.part, span.section, span.nth)
                mark = Style(reverse=True, bold=True) if here else self._selected
                strip = spots.highlighted(strip, (span.start, span.end), mark)
        if part is pile.cursor and row.line == pile.cursor_line():
            strip = Strip.join([Strip([Segment("❯", self._cursor_style)], 1), strip.crop(1)])
        if (selection := self.text_selection) is not None and (
            span_ := selection.get_span(spots.spot(row.part, row.line))
        ):
            strip = spots.highlighted(strip, span_, self._selected)
        return strip

    @property
    def _selected(self) -> Style:
        return Style(bgcolor=self.screen.get_component_rich_style("screen--selection").bgcolor)

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """One click acts on what is marked and puts the cursor there, two select a word."""
        event.prevent_default()
        if not 0 <= event.y < len(self.rows):
            return
        row = self.rows[event.y]
        if event.chain > 1:
            words = spots.word_at(row.strip.text, spots.character_at(row.strip.text, event.x))
            if words is not None:
                y = spots.spot(row.part, row.line)
                chosen = Selection(Offset(words[0], y), Offset(words[1], y))
                self.screen.selections = {self: chosen}
        elif self.text_selection is None:
            self._click(row, event.x)

    def _click(self, row: Row, cell: int) -> None:
        part = self.pile.parts[row.part]
        if part.stop:
            self.pile.cursor = part
            self.pile.nth = max(0, sum(stop <= row.line for stop in part.stops()) - 1)
        action = act_at(row.strip, cell)
        if action and not part.act(action):
            self.post_message(self.Clicked(action, part))
        self.settle()

    def selection_updated(self, selection: Selection | None) -> None:
        """Show another selection."""
        self.refresh()

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The source text under a selection."""
        pile = self.pile
        if not pile.parts or not pile.width:
            return None
        first = spots.member(selection.start.y) if selection.start is not None else 0
        last = spots.member(selection.end.y) if selection.end is not None else len(pile.parts) - 1
        members = range(first, min(last, len(pile.parts) - 1) + 1)
        drawn = ((i, pile.lines(i).strips) for i in members)
        return spots.copied(((i, pile.parts[i], strips) for i, strips in drawn), selection), "\n"
