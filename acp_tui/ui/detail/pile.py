"""Parts one under the other, and where the reader is among them. No widget.

Invariants: the place is a part and a line in it, never an absolute line, so what changes above or below does
not move the reader, and at another width what he reads stays; a place that is not laid out yet is `awaited`;
heights are exact for parts that were laid out, estimates for the others; a window lays
out only what it shows; at most `KEPT` parts hold lines; a part that fails is told about and stands as one
line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from textual.strip import Strip

from acp_tui.render.look import Look
from acp_tui.render.wrap import Lines, wrap
from acp_tui.ui.detail.parts import Part
from acp_tui.ui.transcript.heights import Heights
from acp_tui.ui.transcript.place import Place, place_in_source

KEPT = 64


def _unheard(error: Exception) -> None:
    raise error


class Row(NamedTuple):
    """A row of the window: a line of a part."""

    part: int
    line: int
    strip: Strip


class Pile:
    """See the module."""

    def __init__(self, parts: Sequence[Part] = ()) -> None:
        self.broke: Callable[[Exception], object] = _unheard
        """Told of a part that failed; may raise."""
        self.parts: list[Part] = []
        self.heights = Heights()
        self.width = 0
        self.look: Look | None = None
        self.following = False
        """The window stays at the end while more comes."""
        self.cursor: Part | None = None
        self.nth = 0
        """Which of the stops of that part it is."""
        self.behind = False
        """A part in the last window is not laid out whole: ask again soon."""
        self.awaited = False
        """The last window lacks rows for that."""
        self.part = 0
        self.line = 0
        """Line in the part; beside a place that is sought, lines from there."""
        self._sought: Place | None = None
        self._drawn: dict[Part, None] = {}
        self.show(parts)

    def show(self, parts: Sequence[Part]) -> None:
        """These parts from now on; those that stay the same keep their lines, and the reader his place."""
        old, before = self.parts, self.parts[self.part] if self.parts else None
        same = 0
        for one, other in zip(old, parts, strict=False):
            if one is not other:
                break
            same += 1
        self.heights.truncate(same)
        self.parts = list(parts)
        for part in self.parts[same:]:
            self.heights.append(part.estimate(self.width or 80))
        if before is not None and self.part >= same and (self.part, self.line) != (0, 0):
            self._find(before, old)
        if self.cursor is not None and not any(part is self.cursor for part in self.parts):
            self.cursor = None

    def _find(self, before: Part, old: Sequence[Part]) -> None:
        """The reader's part at its new place; where it is gone, the one as far from the end."""
        places = {id(part): index for index, part in enumerate(self.parts)}
        if id(before) in places:
            self.part = places[id(before)]
            return
        self.part = max(0, min(len(self.parts) - 1, len(self.parts) - (len(old) - self.part)))

    def fit(self, width: int, look: Look) -> None:
        """Another width or look: what is out of sight is estimated again."""
        if width != self.width:
            self._sought = None if self.following else self._place()
            self.width = width
            self.heights = Heights(part.estimate(width) for part in self.parts)
            self._drawn = {}
        self.look = look

    def _place(self) -> Place | None:
        """What stands at the top, by its source; None: the beginning of a part, or nobody knows."""
        if self._sought is not None or not self.line or self.look is None or self.part >= len(self.parts):
            return self._sought.anew() if self._sought is not None else None
        lines = self.lines(self.part)
        if self.line >= len(lines):
            return None
        place, self.line = place_in_source(lines, self.line), 0
        return place

    def refit(self) -> None:
        """Anything may be as high as it never was."""
        self.heights = Heights(part.estimate(self.width or 80) for part in self.parts)

    def lines(self, index: int) -> Lines:
        """The lines of a part, whose height is exact from now on."""
        assert self.look is not None
        part = self.parts[index]
        try:
            made = part.lines(self.width, self.look)
        except Exception as error:  # of whatever kind: the rest can still be read
            self.broke(error)
            said = "This could not be shown. The other tabs may have it."
            made = wrap(
                [(said, self.look.status_failed)], self.width, self.look.base, first=[(" ", self.look.base)]
            )
        self.heights.set(index, max(len(made), self.heights[index] if part.behind else 0))
        self._drawn.pop(part, None)
        self._drawn[part] = None
        return made

    def window(self, height: int) -> list[Row]:
        """The rows at the reader's place; at the end the last ones."""
        self.behind = self.awaited = False
        if not self.parts or height <= 0:
            return []
        if self.following:
            self._stand_at_end(height)
        elif not self._found():
            return []
        rows = self._rows(height)
        if len(rows) < height and self.awaited:
            return rows
        if len(rows) < height and (self.part, self.line) != (0, 0):
            self._stand_at_end(height)
            rows = self._rows(height)
        if self.following and rows:  # the last slice may have come between finding the end and drawing it
            last = rows[-1]
            self.behind |= self.heights.start(last.part) + last.line + 1 < self.heights.total
        while len(self._drawn) > KEPT:
            part = next(iter(self._drawn))
            del self._drawn[part]
            if not any(self.parts[row.part] is part for row in rows):
                part.forget()
        return rows

    def _found(self) -> bool:
        """Lay out as far as what is sought; False: that takes longer."""
        if self._sought is None:
            return True
        lines = self.lines(self.part)
        line = self._sought.line(lines, not self.parts[self.part].behind)
        if line is None:
            self.behind = self.awaited = True
            return False
        self._sought = None
        self.move(line)
        return True

    def _rows(self, height: int) -> list[Row]:
        """The rows at the place; where a part is not laid out so far, only those before."""
        rows: list[Row] = []
        index, line = self.part, self.line
        while index < len(self.parts) and len(rows) < height:
            made = self.lines(index).strips
            self.behind |= self.parts[index].behind
            seen = made[line : line + height - len(rows)]
            rows += [Row(index, at, strip) for at, strip in enumerate(seen, line)]
            if len(rows) < height and self.parts[index].behind and not self.following:
                self.awaited = True
                break
            index, line = index + 1, 0
        return rows

    def _stand_at_end(self, height: int) -> None:
        self._sought = None
        index, need = len(self.parts), height
        while index > 0:
            index -= 1
            size = len(self.lines(index))
            if size >= need:
                self.part, self.line = index, size - need
                return
            need -= size
        self.part = self.line = 0

    @property
    def top(self) -> int:
        """The absolute line at the top, a sum of heights most of which are estimates."""
        start = self.heights.start(self.part)
        if self._sought is None or self.part >= len(self.parts):
            return start + self.line
        return start + self._sought.about(self.heights[self.part]) + self.line

    def move(self, by: int) -> None:
        """Down by exactly so many lines, up if negative."""
        self.following = False
        if not self.parts:
            return
        self.line += by
        if self._sought is not None:
            return
        while self.line < 0 and self.part > 0:
            self.part -= 1
            self.line += len(self.lines(self.part))
        self.line = max(0, self.line)
        while self.part < len(self.parts) - 1 and self.line >= (size := len(self.lines(self.part))):
            if self.parts[self.part].behind:
                break
            self.line -= size
            self.part += 1

    def jump(self, line: int) -> None:
        """To an absolute line, as far as that is known."""
        self.following, self._sought = False, None
        self.part, self.line = self.heights.find(max(0, line))
        if self.part >= len(self.parts):
            self.part, self.line = max(0, len(self.parts) - 1), 0

    def stand(self, index: int, line: int = 0) -> None:
        """This line of this part on the first row."""
        self.following, self._sought = False, None
        self.part, self.line = index, line

    def step(self, by: int) -> tuple[int, int] | None:
        """The part and line of the next or previous stop, from the cursor or from the top of the window; the
        cursor goes there."""
        at, nth = self.place(self.cursor), self.nth
        if at is None:
            at, line = self.part, self.line + (by < 0)
            above = [stop for stop in self._stops(at) if stop < line]
            nth = len(above) - (by > 0) if above or by < 0 else -1
        nth += by
        while 0 <= at < len(self.parts):
            stops = self._stops(at)
            if 0 <= nth < len(stops):
                self.cursor, self.nth = self.parts[at], nth
                return at, stops[nth]
            at += by
            nth = 0 if by > 0 else len(self._stops(at)) - 1 if at >= 0 else -1
        return None

    def _stops(self, index: int) -> Sequence[int]:
        if index >= len(self.parts) or not self.parts[index].stop:
            return ()
        self.lines(index)
        return self.parts[index].stops()

    def cursor_line(self) -> int:
        """The line of its part that the cursor stands on."""
        stops = self.cursor.stops() if self.cursor is not None else ()
        return stops[min(self.nth, len(stops) - 1)] if stops else 0

    def place(self, part: Part | None) -> int | None:
        """The index of a part."""
        return (
            next((i for i, one in enumerate(self.parts) if one is part), None) if part is not None else None
        )

    def at(self) -> Part | None:
        """The part with something to take that the reader is in: the cursor's, or the last above it."""
        place = self.place(self.cursor)
        here = self.part if place is None else place
        above = (part for part in reversed(self.parts[: here + 1]) if part.piece is not None)
        below = (part for part in self.parts[here:] if part.piece is not None)
        return next(above, None) or next(below, None)
