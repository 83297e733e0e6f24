"""Let the terminal move the transcript's rows: a scroll region and the cells that differ, not a repaint.

Through Textual's compositor a frame costs a screenful of bytes whatever changed in it. While nothing else
stands on its rows, a widget of full width may write the difference between the rows the terminal shows and
the new ones. Invariants:
* What is written is the difference to what the terminal shows; so nothing is written here while anything on
  these rows waits to be painted, after a resize, or when the rows are not known. Then Textual paints.
* Every private name of Textual that this needs is used here only. If one is missing, Textual paints as ever.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from operator import is_

from rich.console import Console
from rich.segment import Segment
from textual.app import App
from textual.geometry import Region
from textual.screen import Screen
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from acp_tui.ui.terminal.scrollbar import Painted, told
from acp_tui.ui.terminal.sgr import Cell, erases, written

try:
    from textual._compositor import CompositorUpdate
except ImportError:  # another Textual than the one this was written for
    CompositorUpdate = object  # type: ignore[assignment,misc]

_NARROW = re.compile(
    r"[ -~\u00a1-\u00ac\u00ae-\u02af\u2010-\u2027\u2190-\u21ff\u2500-\u25fa\u2713\u2717]*"
).fullmatch
"""Characters of one cell in every terminal that draws our frame right."""

_ON_APP = ("_display", "_batch_count")
_ON_SCREEN = ("_compositor",)
_ON_WIDGET = ("_repaint_regions", "_exchange_repaint_regions", "_set_dirty", "_layout_cache")
_ON_COMPOSITOR = ("visible_widgets", "_dirty_regions")


def wanted() -> bool:
    """The switch: `ACP_TUI_STEADY=0` in the environment turns direct writing off."""
    return os.environ.get("ACP_TUI_STEADY", "") != "0"


def missing(app: App[object], screen: Screen[object], widget: Widget) -> list[str]:
    """Private names of Textual that are needed here and are not there."""
    lacks = [name for name in _ON_APP if not hasattr(app, name)]
    lacks += [name for name in _ON_SCREEN if not hasattr(screen, name)]
    lacks += [name for name in _ON_WIDGET if not hasattr(widget, name)]
    if not lacks:
        lacks += [name for name in _ON_COMPOSITOR if not hasattr(screen._compositor, name)]
    return lacks if CompositorUpdate is not object else [*lacks, "CompositorUpdate"]


class _Direct:
    """Knows when a widget may write on its rows itself."""

    wide = False
    """They must be whole rows of the screen."""

    def __init__(self, widget: Widget, enabled: bool | None = None) -> None:
        self._own = widget
        self.enabled = wanted() if enabled is None else enabled
        self._checked = False
        self._layout: object = None
        self._alone = False

    def _may_write(self, *parts: Widget) -> bool:
        """Also for these parts of it."""
        app, screen = self._own.app, self._own.screen
        if not self._checked:
            self._checked = True
            self.enabled = self.enabled and not missing(app, screen, self._own)
        if not self.enabled or app.is_inline or app._batch_count or app.screen is not screen:
            return False  # to Textual the screen below another one is current too
        if screen._compositor._dirty_regions or any(one._repaint_regions for one in (self._own, *parts)):
            return False  # what the terminal shows is about to change
        visible = screen._compositor.visible_widgets
        if visible is not self._layout:  # a new dict after each layout
            self._layout, self._alone = visible, self._stands_alone(visible, parts)
        return self._alone

    def _stands_alone(self, visible: dict[Widget, tuple[Region, Region]], parts: tuple[Widget, ...]) -> bool:
        widget, screen = self._own, self._own.screen
        region = widget.region
        mine = {widget, *parts, *widget.ancestors}
        return (
            widget in visible
            and (not self.wide or region.column_span == (0, screen.size.width))
            and screen.size.region.contains_region(region)
            and not any(
                region.overlaps(other.intersection(clip))
                for each, (other, clip) in visible.items()
                if each not in mine
            )
        )


class SteadyLine(_Direct):
    """Shows a widget of a row or two that changes by itself: a clock need not move the whole app."""

    def show_anew(self) -> None:
        """Render it again and write what differs; else have Textual do so."""
        widget = self._own
        if not widget.is_attached or not self._may_write():
            widget.refresh()
            return
        area = widget.region
        whole = Region(0, 0, area.width, area.height)
        old = widget.render_lines(whole)
        _outdate(widget)
        differ = map(difference, old, widget.render_lines(whole))
        cells = [(area.x + cell[0], area.y + y, cell[1]) for y, cell in enumerate(differ) if cell]
        if cells:
            update = RowsUpdate(area.y, area.bottom - 1, 0, cells)
            widget.app._display(widget.screen, update)  # type: ignore[arg-type]


class Steady(_Direct):
    """Shows new rows of one widget, by itself where it may, else through Textual."""

    wide = True

    def __init__(self, widget: ScrollView, enabled: bool | None = None) -> None:
        super().__init__(widget, enabled)
        self.widget = widget
        self.shown: Counter[str] = Counter()
        """How often rows were shown, and how: `scrolled`, `direct`, `plain`, or `same` (none differed)."""
        self._bar = Painted()

    def show(self, old: list[Strip], new: list[Strip], total: int, top: float) -> None:
        """Show `new` where the terminal shows `old` (empty: not known); the bar at line `top` of `total`."""
        bar = self.widget.vertical_scrollbar
        direct = len(old) == len(new) and self._may_write(bar)
        before = after = self._bar.cells(bar)
        if told(bar, total, len(new), top):
            after = self._bar.cells(bar)
        if direct and len(before) == len(after) == len(new):
            self._write(old, new, before, after)
        else:
            self._paint(old, new, before != after)

    def _paint(self, old: list[Strip], new: list[Strip], bar_differs: bool) -> None:
        widget = self.widget
        if bar_differs:
            widget.vertical_scrollbar.refresh()
        width = widget.size.width
        known = len(old) == len(new)
        rows = [y for y, strip in enumerate(new) if not known or (old[y] is not strip and old[y] != strip)]
        if rows:
            Widget.refresh(widget, *(Region(0, first, width, stop - first) for first, stop in _runs(rows)))
        self.shown["plain" if rows or bar_differs else "same"] += 1

    def _write(
        self, old: list[Strip], new: list[Strip], before: Sequence[Segment], after: Sequence[Segment]
    ) -> None:
        widget = self.widget
        area, bar = widget.region, widget.vertical_scrollbar
        shift = moved(old, new)
        if before != after:
            _outdate(bar)
        inside = range(max(0, -shift), min(len(new), len(new) - shift))  # these were there before
        bars = self._bar.rows(
            bar, [y for y in range(len(new)) if y not in inside or before[y + shift] != after[y]]
        )
        written: list[Cell] = []
        for y, strip in enumerate(new):
            if cell := difference(old[y + shift], strip) if y in inside else (0, bare(strip)):
                written.append((area.x + cell[0], area.y + y, cell[1]))
            if y in bars:
                written.append((area.right - bars[y].cell_length, area.y + y, bars[y]))
        if shift or written:
            update = RowsUpdate(area.y, area.bottom - 1, shift, written)
            widget.app._display(widget.screen, update)  # type: ignore[arg-type]
        self.shown["scrolled" if shift else "direct" if written else "same"] += 1


def _outdate(widget: Widget) -> None:
    """It must be rendered again, but we draw it; asking for a refresh sends messages all over the app."""
    widget._layout_cache.clear()
    widget._set_dirty()
    widget._exchange_repaint_regions()


class RowsUpdate(CompositorUpdate):
    """Move the terminal's rows `first` to `last` up by `shift` (down if negative), then draw `cells`."""

    def __init__(self, first: int, last: int, shift: int, cells: Sequence[Cell]) -> None:
        self.first, self.last, self.shift, self.cells = first, last, shift, cells

    def render_segments(self, console: Console) -> str:
        drawn = written(self.cells, console, erases())
        if not self.shift:
            return drawn
        # Delete or insert lines at the top of a region: any terminal since the VT102 can.
        lines = f"{self.shift}M" if self.shift > 0 else f"{-self.shift}L"
        top, bottom = self.first + 1, self.last + 1
        return f"\x1b[m\x1b[{top};{bottom}r\x1b[{top};1H\x1b[{lines}\x1b[r{drawn}"


def moved(old: list[Strip], new: list[Strip]) -> int:
    """By how many rows most strips went up: by identity, as strips are kept, else (made anew) by text."""
    if sum(map(is_, old, new)) > len(new) // 2:
        return 0
    names: tuple[Callable[[Strip], Hashable], ...] = (id, lambda strip: strip.text.rstrip() or id(strip))
    for name in names:
        where = {name(strip): y for y, strip in enumerate(old)}
        votes = Counter(where[key] - y for y, key in enumerate(map(name, new)) if key in where)
        shift, count = votes.most_common(1)[0] if votes else (0, 0)
        if count > len(new) // 2:
            break
    return shift if count > votes[0] + 1 else 0


def difference(old: Strip, new: Strip) -> tuple[int, Strip] | None:
    """Column and cells from the first to the last that differ; the whole row if widths may be in doubt."""
    if old is new or old == new:
        return None
    if old.cell_length != new.cell_length or not (_NARROW(old.text) and _NARROW(new.text)):
        return 0, new
    first = _alike([*old], [*new], old.text, new.text)
    if first == new.cell_length:
        return None
    mirrored = old.text[::-1], new.text[::-1]
    return first, new.crop(first, new.cell_length - _alike([*old][::-1], [*new][::-1], *mirrored))


def _alike(old: list[Segment], new: list[Segment], was: str, now: str) -> int:
    """So many characters from the beginning are the same; the segments may be cut in another way."""
    same, differs = 0, len(now)
    while same < differs:  # the first `same` characters are; to look at each would cost ten times as much
        middle = (same + differs + 1) // 2
        if was[same:middle] == now[same:middle]:
            same = middle
        else:
            differs = middle - 1
    x = at = 0
    ends = len(old[0].text) if old else 0
    for text, style, _ in new:
        stop = x + len(text)
        while x < stop and x < same:
            while ends <= x:
                at += 1
                ends += len(old[at].text)
            if old[at].style != style:
                return x
            x = min(stop, ends)
        x = stop
    return same


def bare(strip: Strip) -> Strip:
    """Without the unstyled blanks at its end: a row that a scroll uncovers is blank already."""
    segments = [*strip]
    if not segments:
        return strip
    text, style, _ = segments[-1]
    if text.strip(" ") or (style and (style.bgcolor or style.reverse or style.underline or style.strike)):
        return strip
    return strip.crop(0, strip.cell_length - len(text))


def _runs(rows: list[int]) -> list[tuple[int, int]]:
    """Rows in order as runs: (first, last + 1)."""
    runs: list[tuple[int, int]] = []
    for y in rows:
        if runs and runs[-1][1] == y:
            runs[-1] = (runs[-1][0], y + 1)
        else:
            runs.append((y, y + 1))
    return runs
