"""The transcript's scrollbar as cells: told where it stands without a layout, and drawn without a repaint.

Invariant: a cell looks exactly as Textual paints it, because Textual has painted one like it; painting the
whole bar for each step of the thumb cost as much as all the text beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.filter import LineFilter
from textual.geometry import Region
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip


def told(bar: ScrollBar, total: int, window: int, top: float) -> bool:
    """The window of so many lines is at line `top` of `total`; True if the bar did not know."""
    now = total, window, int(top * 8) / 8  # its own grain
    if (bar.window_virtual_size, bar.window_size, bar.position) == now:
        return False
    bar.set_reactive(ScrollBar.window_virtual_size, now[0])
    bar.set_reactive(ScrollBar.window_size, now[1])
    bar.set_reactive(ScrollBar.position, now[2])
    return True


class Painted:
    """Cells of a bar as they go to the terminal."""

    def __init__(self) -> None:
        self._known: dict[Segment, Strip] = {}
        self._how: tuple[Sequence[LineFilter], object] | None = None
        self._stands: tuple[object, ...] = ()
        self._cells: Sequence[Segment] = ()

    def cells(self, bar: ScrollBar) -> Sequence[Segment]:
        """What stands on each row of the bar, before the app's filters; none if it draws in a way of its
        own."""
        stands: tuple[object, ...] = (bar.window_virtual_size, bar.window_size, bar.position, bar.outer_size)
        stands = (*stands, bar.mouse_over, bar.grabbed, bar.app.theme)
        if stands != self._stands:
            self._stands, self._cells = stands, _cells(bar)
        return self._cells

    def rows(self, bar: ScrollBar, wanted: Sequence[int]) -> dict[int, Strip]:
        """These rows of the bar, on which `cells` stand."""
        if not wanted:
            return {}
        how = [*bar.get_line_filters()], bar.app.ansi_theme
        if how != self._how:
            self._how, self._known = how, {}
        return {y: self._row(bar, y, self._cells[y]) for y in wanted}

    def _row(self, bar: ScrollBar, y: int, cell: Segment) -> Strip:
        known = self._known.get(cell)
        if known is None:
            (known,) = bar.render_lines(Region(0, y, bar.size.width, 1))
            self._known[cell] = known
        return known


def _cells(bar: ScrollBar) -> Sequence[Segment]:
    drawn, size = bar.render(), bar.size
    if not isinstance(drawn, ScrollBarRender) or not isinstance(drawn.style, Style) or not size:
        return ()
    back, color = drawn.style.bgcolor, drawn.style.color
    assert back is not None and color is not None, "a scrollbar has both colours"
    return drawn.render_bar(
        size=size.height,
        virtual_size=drawn.virtual_size,
        window_size=drawn.window_size,
        position=drawn.position,
        thickness=size.width,
        back_color=back,
        bar_color=color,
    ).segments
