"""A column in which finished reads and searches in a row take one line.

Invariants: members stay where they are in the timeline; one that its group's line stands for has no height.
The line is the first line of the group's first member, under its gap. The cursor is on that line, or
`inside`: on the call under it. A group in which a call was opened is open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from textual.strip import Strip

from acp_tui.render.views.group import GUTTER, Tally, group_line
from acp_tui.render.wrap import Lines, blank
from acp_tui.store.entities import ToolCall
from acp_tui.store.store import Store
from acp_tui.ui.transcript.column import Column
from acp_tui.ui.transcript.groups import LEAST, Groups, Run, part_of
from acp_tui.ui.transcript.members import Broke, MakeView, unheard

GROUP = ("group",)
"""The act of a click on a group's line."""


class GroupedColumn(Column):
    """See the module."""

    def __init__(self, store: Store, ref: str, make: MakeView, broke: Broke = unheard) -> None:
        super().__init__(store, ref, make, broke)
        self.groups = Groups()
        self.inside = False
        """The cursor is on the call under a group's line."""
        self._looked_at = 0  # members that were looked at for what stands together
        self._shifted: set[int] = set()  # members that show something else since `changed` began

    # Which stand together

    def _measure(self) -> None:
        start = len(self.heights)
        if not self.width or start != self._looked_at:
            super()._measure()  # without a width nobody asks; at another one they stand together as before
            return
        self._looked_at = len(self)
        heights, shifted = self._group(start)
        self.heights.extend(heights)
        self._relay(shifted)

    def _group(self, start: int) -> tuple[list[int], set[int]]:
        """Heights of the members from `start` on, which are new; and who shows something else now."""
        heights: list[int] = []
        shifted: set[int] = set()
        before = self.heights.find(self.heights.total - 1)[0] if self.heights.total else None
        for index in range(start, len(self)):
            part = part_of(self.views[index].entity)
            run = self.groups.append(index, part, before) if part is not None else None
            if run is None or run.open or not run.grouped:
                height = self._estimate_after(self.views[before] if before is not None else None, index)
                before = index if height else before
                heights.append(height)
                continue
            heights.append(0)
            new = self.groups.members(run) if run.count == LEAST else [index]
            if self._unfolded(new):
                shifted.update(self.groups.toggle(run))
                before = index
            elif run.count == LEAST:
                before = run.first
                for i in new:
                    if i < start:
                        shifted.add(i)
                    else:
                        heights[i - start] = self._estimate(i)
        return heights, shifted

    def _turned(self, index: int) -> None:
        if not self.width:
            return  # nobody knows yet what shows
        part = part_of(self.views[index].entity)
        if self.groups.differs(index, part):
            self._regroup(index, self.groups.put(index, part, *self._neighbours(index)))

    def _regroup(self, index: int, changed: Collection[int]) -> None:
        run = self.groups.group(index)
        if run is not None and not run.open and self._unfolded(changed):
            changed = self.groups.toggle(run)
        self._relay(changed)

    def _shows_itself(self, index: int) -> bool:
        """The line of a closed group does not stand for it."""
        run = self.groups.group(index)
        return run is None or run.open

    def _unfolded(self, indices: Iterable[int]) -> bool:
        """The user opened one of these calls."""
        return any(self.views[index].folded is False for index in indices)

    def _neighbours(self, index: int) -> tuple[int | None, int | None]:
        """The members that show before and after it."""
        start = self.heights.start(index)
        after = self.heights.find(start + self.heights[index])[0]
        return self.heights.find(start - 1)[0] if start else None, after if after < len(self) else None

    def _put(self, index: int, height: int) -> None:
        showed = self.heights[index] > 0
        super()._put(index, height)
        if showed != (height > 0) and index not in self.groups:
            self._relay(self.groups.between(index, height > 0, *self._neighbours(index)))

    def _relay(self, indices: Collection[int]) -> None:
        self._shifted.update(indices)
        for index in sorted(indices):
            if not self._shows_itself(index):  # else what it still lacks would be waited for
                self.views[index].forget()
                self._drawn.pop(index, None)
            if self.groups.hidden(index) and index == self._top:
                self._line = 0
            self._see_to_gap(index)
            self._put(index, self._estimate(index))
        place = self.place(self.cursor) if self.cursor is not None else None
        if place is not None and self.groups.hidden(place):
            run = self.groups.group(place)
            self.cursor, self.inside = self.views[run.first if run is not None else place].key, False

    def changed(self, indices: Iterable[int]) -> set[int]:
        self._shifted = set()
        return super().changed(indices) | self._shifted

    def _truncate(self, count: int) -> None:
        changed = self.groups.truncate(count, len(self))
        self._looked_at = min(self._looked_at, count)
        super()._truncate(count)
        self._relay(changed)

    # How they look

    def _estimate(self, index: int) -> int:
        run = self.groups.group(index)
        if run is None:
            return super()._estimate(index)
        head = run.first == index
        if not run.open:
            return self.views[index].gap + 1 if head else 0
        return super()._estimate(index) + head

    def _drawn_lines(self, index: int, hurried: bool) -> Lines:
        run = self.groups.group(index)
        if run is None or (run.open and run.first != index):
            return super()._drawn_lines(index, hurried)
        lines, gap = Lines(), self.views[index].gap
        if run.first != index:
            return lines
        if run.open:
            lines.extend(super()._drawn_lines(index, hurried))
        elif gap:
            lines.add(blank(self.width, self.look_of(index).base))
        lines.strips.insert(gap, self._line_of(run))
        lines.marks.insert(gap, GUTTER << 2)
        return lines

    def _line_of(self, run: Run) -> Strip:
        view = self.views[run.first]
        assert isinstance(view.entity, ToolCall)
        look = self.look_of(run.first)
        tally = Tally(len(run.reads), run.searches, run.seconds, run.open)
        shown = (tally, view.key, view.entity.revision, self.width, look, view.cwd)
        if run.drawn is None or run.drawn[0] != shown:
            run.drawn = shown, group_line(tally, view.entity, view.cwd, self.width, look)
        return run.drawn[1]

    def last_of(self, index: int) -> int:
        run = self.groups.head(index)
        return run.last if run is not None and not run.open else index

    # What can be done with them

    def fold(self, index: int, action: tuple[object, ...] = ("toggle",)) -> bool:
        if action != GROUP:
            return super().fold(index, action)
        run = self.groups.group(index)
        if run is None:
            return False
        self._relay(self.groups.toggle(run))
        return True

    def on_line(self, index: int) -> bool:
        """The cursor on this member is on the line of a group."""
        run = self.groups.head(index)
        return run is not None and not (run.open and self.inside)

    def step_inside(self, index: int, by: int) -> bool:
        """From a group's line to the call under it, or back; True if that was a step."""
        run = self.groups.head(index)
        if run is None or not run.open or self.inside == (by > 0):
            return False
        self.inside = by > 0
        return True

    def members(self, index: int) -> list[int]:
        """What the cursor on this member stands for: a whole group, or just it."""
        run = self.groups.head(index)
        return self.groups.members(run) if run is not None and self.on_line(index) else [index]
