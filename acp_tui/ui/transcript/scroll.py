"""Shows a column of views through the line API: a virtual list that settles once a frame.

Invariants:
* `render_lines` serves a snapshot of the rows. Only `settle` replaces it, or a paint after someone asked for
  a refresh; so what the terminal shows is known, and `Steady` may send the difference.
* Nothing is laid out while text streams: `virtual_size` and the scroll position are set past their watchers,
  and the scrollbar is always there, as one that appears changes the width.
* Keys and the wheel show within a frame; growing text at most `TEXT_RATE` times a second; in a flood what is
  new gets a share of the time only, and so is all there sooner. No timer runs while nothing changes.
"""

from __future__ import annotations

import asyncio
import contextvars
import gc
from collections.abc import Collection, Iterable, Mapping
from time import monotonic
from typing import Any, Self

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.constants import MAX_FPS
from textual.geometry import Region, Size
from textual.reactive import var
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from acp_tui.render.look import Look
from acp_tui.render.wrap import spread
from acp_tui.store.keys import Key
from acp_tui.ui import unofficial
from acp_tui.ui.binding import Bound
from acp_tui.ui.terminal.driver import TerminalDriver
from acp_tui.ui.terminal.steady import Steady
from acp_tui.ui.transcript import selection as spots
from acp_tui.ui.transcript.column import Row
from acp_tui.ui.transcript.grouped import GroupedColumn
from acp_tui.ui.transcript.look import CURSOR, Filtered, resolve

FRAME = 1 / MAX_FPS
TEXT_RATE = 12
SLICE = 0.025
"""Seconds at a time in which text that waits in thousands of lines is laid out."""
SLICE_TYPING, PACE_TYPING, TYPING = 0.008, 1 / TEXT_RATE, 0.3
"""The same, and how often, within so many seconds of a key: keys come first, also in a flood."""
REST, LONGEST = 3.0, 0.25
"""In a flood settling rests so many times as long as it took, but no longer than so many seconds."""
ON_THE_WAY = 0.2
"""Seconds between two looks at text that is being laid out."""
BAR_RESTS = 3
"""How often in a row growing text leaves the scrollbar as it is: drawing it costs as much as the text."""


class ColumnScroll(Bound, ScrollView, can_focus=True, inherit_bindings=False):
    """The window on a `Column`. Of full width, without border and padding."""

    following = var(True)
    """The window is at the end and stays there while text arrives."""
    unseen = var(0)
    """How many members came below the window that were never in it."""

    def __init__(
        self, *, steady: bool | None = None, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.set_reactive(Widget.auto_links, False)
        self.steady = Steady(self, steady)
        """How rows get to the terminal; `steady` False: by Textual only."""
        self.column: GroupedColumn | None = None
        self.rows: list[Row] = []
        """What stands on the rows of the window, from the top; there may be fewer than rows."""
        self._snapshot: list[Strip] = []
        self._snapshot_old = True
        self._moved = True
        self._dirty_keys: set[Key] = set()
        self._styles_seen: Mapping[str, Style] = {}
        self._look: Look | None = None
        self._look_old = True
        self._background = Color(0, 0, 0)
        self._filtered = Filtered()
        self._settle_handle: asyncio.TimerHandle | None = None
        self._own_context: contextvars.Context | None = None
        self._settled_at = 0.0
        self._took = 0.0  # seconds, the last settling
        self._drawn_at = 0.0
        self._waiting = False
        self._bar = (0, 0.0)  # lines in all and line at the top, as the bar was told last
        self._bar_rests = 0

    # When to settle

    @property
    def pending(self) -> bool:
        """Something is still to be settled."""
        return self._settle_handle is not None

    def settle_soon(self, pace: float = FRAME) -> None:
        """Settle as soon as `pace` seconds have passed since the last time."""
        if self._own_context is None or not self.is_running:
            return
        loop = asyncio.get_running_loop()
        due = max(loop.time(), self._settled_at + pace)
        if self._settle_handle is not None:
            if self._settle_handle.when() <= due:
                return
            self._settle_handle.cancel()
        self._settle_handle = loop.call_at(due, self._settle_due, context=self._own_context)

    def settle_in_turn(self, pace: float) -> None:
        """The same for what comes by itself: it leaves time for more to come."""
        self.settle_soon(max(pace, min(LONGEST, REST * self._took)))

    def _settle_due(self) -> None:
        """Not by a message: to send oneself one twelve times a second costs a tenth of what it does."""
        self._settle_handle = None
        if self.going:
            return  # its scrollbar may be gone already
        try:
            self.settle()
        except Exception as error:  # in a callback of the loop: nobody else would hear of it
            unofficial.fail(self.app, error)

    def on_mount(self) -> None:
        """From now on there is something to settle in."""
        self._own_context = contextvars.copy_context()

    def on_unmount(self) -> None:
        """Nothing settles any more."""
        if self._settle_handle is not None:
            self._settle_handle.cancel()
            self._settle_handle = None

    def mark(self, keys: Iterable[Key]) -> None:
        """These changed; fold them in at the next settling."""
        self._dirty_keys.update(keys)

    # Settling

    def settle(self) -> None:
        """Fold in what changed, keep the reader's place or follow the end, show the difference."""
        self._settled_at = asyncio.get_running_loop().time()
        if self.column is not None and self.column.width and self.is_mounted:
            self._settle(self.column)
            self._took = asyncio.get_running_loop().time() - self._settled_at

    def _settle(self, column: GroupedColumn) -> None:
        keys, self._dirty_keys = self._dirty_keys, set()
        self._moved |= self._take_in(column)
        touched = column.concerned(keys)
        self.members_changed(touched)
        touched = column.changed(touched)
        grown = bool(touched) and not self._moved
        old = self._snapshot
        shown = {row.member for row in self.rows}
        if self._moved or self._snapshot_old or column.following or not touched.isdisjoint(shown):
            self._draw(column)
        self._place(column)
        self.steady.show(old, self._snapshot, *self._bar_place(column, grown))
        if self.following != column.following:  # to set them would cost more than to look at them
            self.following = column.following
        if self.unseen != column.unseen:
            self.unseen = column.unseen

    def _bar_place(self, column: GroupedColumn, grown: bool) -> tuple[int, float]:
        """Where the bar says the window is; while the end is followed that may be some frames old."""
        if grown and column.following and self.following and self._bar_rests < BAR_RESTS:
            self._bar_rests += 1
            self.settle_soon((BAR_RESTS + 1) / TEXT_RATE)
        else:
            self._bar, self._bar_rests = (column.heights.total, self.scroll_y), 0
        return self._bar

    def _take_in(self, column: GroupedColumn) -> bool:
        before, session = column.settled, column.session
        if not column.sync():
            return False
        self.members_came(before if column.session is session else 0)
        selection = self.text_selection
        if selection is not None and selection.end is not None and spots.member(selection.end.y) >= before:
            self.select(None)  # it lies in the tail, and that has moved
        return True

    def members_came(self, kept: int) -> None:
        """Only the first `kept` members are those they were."""

    def members_changed(self, touched: Collection[int]) -> None:
        """These show something else."""

    def select(self, selection: Selection | None) -> None:
        """Select this here, or nothing."""
        others = {widget: one for widget, one in self.screen.selections.items() if widget is not self}
        self.screen.selections = others if selection is None else {**others, self: selection}

    def _place(self, column: GroupedColumn) -> None:
        top = column.top_line
        self.set_reactive(Widget.virtual_size, Size(column.width, column.heights.total))
        if round(self.scroll_y) != top:  # a fraction of a line is the pace of a drag; leave it
            self.set_reactive(Widget.scroll_y, float(top))
            self.set_reactive(Widget.scroll_target_y, float(top))

    def on_resize(self) -> None:
        """A terminal may have reflowed or cut its rows: nothing is known of them now."""
        self._snapshot = []
        self._moved = True
        self._fit()
        self.settle()

    def _fit(self) -> None:
        width = self.scrollable_content_region.width
        if self.column is not None and width:
            self.column.look = self.look
            if width != self.column.width:
                self.column.set_width(width)

    # Moving

    def move(self, lines: int) -> None:
        """Move the window by just so many lines, up if negative."""
        if self.column is not None and self.column.width:
            self.column.following = False
            self.column.move(lines)
            self.show_anew()

    def stand(self, index: int, line: int = 0, row: int = 0) -> None:
        """Put a line of a member on a row of the window."""
        if self.column is not None:
            self.column.stand(index, line)
            self.move(-row)

    def point(self, index: int, inside: bool = False) -> None:
        """Put the cursor on a member; `inside`: under the line of its group."""
        if self.column is not None and index < len(self.column):
            self.column.cursor = self.column.views[index].key
            self.column.inside = inside
            self.show_anew()

    def show_anew(self) -> None:
        """Something else is to be seen: within a frame."""
        self._moved = True
        self.settle_soon()

    def follow_end(self) -> None:
        """Go to the end and stay there."""
        if self.column is not None:
            self.column.following = True
            self.show_anew()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Wheel, scrollbar and selecting past the edge come here; what is far is gone to by estimate."""
        old, new, height = round(old_value), round(new_value), self.size.height
        column = self.column
        if old == new or column is None or len(self._snapshot) != height:
            return  # while it is resized it is not the user who scrolls
        if abs(new - old) <= height:
            self.move(new - old)
        elif new >= self.max_scroll_y:
            self.follow_end()
        else:
            column.following = False
            column.jump(new)
            self.show_anew()

    def scroll_to(self, x: float | None = None, y: float | None = None, **how: Any) -> None:
        """Never animated: an animation ends at an absolute line, and those are estimates."""
        super().scroll_to(x, y, **{**how, "animate": False})

    # Drawing

    def notify_style_update(self) -> None:
        """Another theme, or another class on the widget: colours may differ."""
        super().notify_style_update()
        self._look_old = True

    @property
    def look(self) -> Look:
        """The colours of the theme that is on."""
        if self._look is None or self._look_old:
            self._look_old = False
            self._background = self.background_colors[1]
            styles = resolve(self)
            if styles != self._styles_seen or self._look is None:
                self._styles_seen, self._look = styles, Look.from_styles(styles)
        return self._look

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Whoever asks for a paint gets rows made anew."""
        self._snapshot_old = True
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def _draw(self, column: GroupedColumn) -> None:
        column.look = look = self.look
        height = self.size.height
        typing = column.following and monotonic() - TerminalDriver.heard_at < TYPING
        column.patience = SLICE_TYPING if typing else SLICE
        rows = column.window(height)
        if column.behind:
            self._moved = True
            self.settle_soon(PACE_TYPING if typing else 0)
            gc.freeze()  # a few objects a line: to look through those of 100,000 again and again takes long
        if column.behind and self._awaits(column, height):
            return
        self._drawn_at = monotonic()
        if column.awaited:
            strips = self._meanwhile(column, height)
        else:
            self.rows = rows
            strips = self._adorned(column)
        strips += [Strip.blank(column.width, look.base)] * (height - len(strips))
        self._snapshot = self._filtered.through(strips, self.get_line_filters(), self._background)
        self._snapshot_old, self._moved = False, column.behind

    def _awaits(self, column: GroupedColumn, height: int) -> bool:
        """What shall be shown is not laid out yet, and something on the way to it was shown just now."""
        if column.awaited and not self._waiting:
            self._drawn_at = monotonic()  # most often it is there before anybody misses it
        self._waiting = column.awaited
        known = not self._snapshot_old and len(self._snapshot) == height
        waits = column.awaited or (column.following and self.following)
        return known and waits and monotonic() - self._drawn_at < ON_THE_WAY

    def _meanwhile(self, column: GroupedColumn, height: int) -> list[Strip]:
        """What was there before, and how far what comes is."""
        base = self.look.base
        self.rows = [row for row in self.rows[:height] if row.member < len(column)]
        strips = [row.strip.adjust_cell_length(column.width, base) for row in self.rows]
        strips += [Strip.blank(column.width, base)] * (height - len(strips))
        said = [(f" laying out … {column.come} % ", self.look.status_running)]
        return [*strips[:-1], spread((), said, column.width, base)]

    def _adorned(self, column: GroupedColumn) -> list[Strip]:
        strips = [row.strip for row in self.rows]
        if (y := self._cursor_row(column)) is not None:
            cursor = Strip([Segment("❯", (self.look.base + self._styles_seen[CURSOR]))], 1)
            strips[y] = Strip.join([cursor, strips[y].crop(1)])
        if (selection := self.text_selection) is not None:
            selected = Style(bgcolor=self.screen.get_component_rich_style("screen--selection").bgcolor)
            for y, row in enumerate(self.rows):
                if span := selection.get_span(spots.spot(row.member, row.line)):
                    strips[y] = spots.highlighted(strips[y], span, selected)
        return strips

    def _cursor_row(self, column: GroupedColumn) -> int | None:
        index = column.place(column.cursor) if column.cursor is not None and self.has_focus else None
        if index is None:
            return None
        first = 1 if column.views[index].gap else 0
        if column.groups.head(index) is not None and not column.on_line(index):
            first += 1
        return next((y for y, row in enumerate(self.rows) if row.member == index and row.line >= first), None)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Rows of the snapshot; the styles cache is bypassed, as they are styled and padded."""
        if self.column is None or not self.column.width:
            return [Strip.blank(crop.width, self.rich_style)] * crop.height
        if self._snapshot_old or len(self._snapshot) != self.size.height:
            self._draw(self.column)
        rows = self._snapshot[crop.y : crop.bottom]
        if crop.column_span == (0, self.size.width):
            return rows
        return [row.crop(crop.x, crop.right) for row in rows]

    def render_line(self, y: int) -> Strip:
        """Asked for by Textual only to find what is under the mouse."""
        if y < len(self.rows):
            row = self.rows[y]
            return row.strip.apply_offsets(0, spots.spot(row.member, row.line))
        return Strip.blank(self.size.width)

    # Selecting

    def selection_updated(self, selection: Selection | None) -> None:
        """Show another selection."""
        self.show_anew()

    def selected_text(self) -> str:
        """The source text of what is selected here."""
        selection = self.text_selection
        found = self.get_selection(selection) if selection is not None else None
        return found[0] if found is not None else ""

    def members_of(self, selection: Selection, column: GroupedColumn) -> range:
        """The members of which something is selected, and those between."""
        first = spots.member(selection.start.y) if selection.start is not None else 0
        last = spots.member(selection.end.y) if selection.end is not None else len(column) - 1
        return range(first, min(last, len(column) - 1) + 1)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The source text under a selection, also of what was never drawn."""
        column = self.column
        if column is None or not column.width or not len(column):
            return None
        drawn = ((i, column.laid(i)) for i in self.members_of(selection, column))
        text = spots.copied(((i, lines, lines.strips) for i, lines in drawn), selection)
        column.shed()
        return text, "\n"
