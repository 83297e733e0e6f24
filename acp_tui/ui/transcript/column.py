"""All members of one session, one under the other: their heights, and the reader's place among them.

No widget: it is asked for the rows of a window and told how the reader moves. Invariants:
* The reader's place is a member and a line inside it, never an absolute line: whatever happens above or
  below, the row at the top stays. An absolute line is a sum of heights, and most of those are estimates.
* A height is exact once its member was drawn at this width, and an estimate from counters before that and
  after changes out of sight; drawing is the only thing that makes lines. At most `KEPT` views hold lines.
* A window takes no longer than the `patience`, whatever is in it. A place in a member that is not laid out
  so far is `awaited` meanwhile, and is the same when it comes.
* While there is no width nothing has a height.
* A member has a gap above it unless it is the first that shows, or it and the one before are both compact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import NamedTuple

from textual.strip import Strip

from acp_tui.render.look import Look, dimmed
from acp_tui.render.strips import Strips
from acp_tui.render.view import View
from acp_tui.render.wrap import Lines
from acp_tui.store.entities import Entity
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import Store
from acp_tui.ui.transcript.broken import BrokenView
from acp_tui.ui.transcript.heights import Heights
from acp_tui.ui.transcript.members import Broke, MakeView, Members, unheard
from acp_tui.ui.transcript.place import AtRow, Place, place_in_source

KEPT = 256


class Row(NamedTuple):
    """One row of the window: a line of a member."""

    member: int
    line: int
    strip: Strip


class Column(Members):
    """What a reader of one session has before him, and where he is in it."""

    def __init__(self, store: Store, ref: str, make: MakeView, broke: Broke = unheard) -> None:
        super().__init__(store, ref, make, broke)
        self.heights = Heights()
        self.width = 0
        self.look: Look | None = None
        self.following = True
        self.held = False
        """The reader looks at a place, not at the end: it is not followed, though it may be in sight."""
        self.cursor: Key | None = None
        self.patience = math.inf
        """Seconds that may be spent on laying out the members of a window."""
        self.behind = False
        """Not all of what the last window shows is laid out: ask again soon."""
        self.awaited = False
        """It lacks rows for that: what stands at the reader's place is still to come …"""
        self.come = 0
        """… and so much of the member it stands in has come, in per cent."""
        self.dims = False
        """What stands above the last compaction is dimmed: the agent does not know it any more."""
        self.seen = -1
        """The last member that was ever in the window."""
        self._revisions: list[int] = []  # of the entities when their heights were last looked at
        self._drawn: dict[int, None] = {}  # indices of views that hold lines, least recently drawn first
        self._top = 0
        self._line = 0
        """Line inside the member; beside a place that is sought, lines from there. One that is not in the
        member is still to be counted on from it."""
        self._sought: Place | None = None
        self._counting = False
        self._until = math.inf
        self._regapped = False

    # Members

    def sync(self) -> bool:
        top = self.views[self._top].key if self._top < len(self.views) else None
        if not super().sync():
            return False
        self._revisions += [view.entity.revision for view in self.views[len(self.heights) :]]
        self._measure()
        last = max(0, len(self.views) - 1)
        self._top = self._places.get(top, min(self._top, last)) if top is not None else 0
        self.seen = min(self.seen, last)
        return True

    def _truncate(self, count: int) -> None:
        for index in range(count, len(self.views)):
            self._drawn.pop(index, None)
        super()._truncate(count)
        del self._revisions[count:]
        self.heights.truncate(count)

    # Heights

    def set_width(self, width: int) -> None:
        """Lay out anew at a width: sums of estimates, and the reader's place kept by what stands there."""
        place = self._place() if self.width and len(self) and not self.following else None
        self.width = width
        self._drawn.clear()
        self.heights = Heights()
        self._measure()
        if place is not None:
            self._sought = place
            self._stands()

    def _measure(self) -> None:
        """Give members that have no height yet one."""
        start = len(self.heights)
        self.heights.extend(self._estimates(start) if self.width else [0] * (len(self.views) - start))

    def _estimates(self, start: int) -> Iterator[int]:
        """The heights of all from `start` on, with their gaps."""
        before = self._shown_before(self.heights.total)
        for index in range(start, len(self.views)):
            height = self._estimate_after(before, index)
            yield height
            if height:
                before = self.views[index]

    def _estimate_after(self, before: View | None, index: int) -> int:
        view = self.views[index]
        view.gap = before is not None and not (before.compact and view.compact)
        return self._estimate(index)

    def _estimate(self, index: int) -> int:
        return self.ask(index, lambda view: view.estimate(self.width))

    def _turned(self, index: int) -> None:
        """A member is another now."""

    def changed(self, indices: Iterable[int]) -> set[int]:
        """These changed: a cheaper height will do until they are drawn. Returns all that look different."""
        touched = set(indices)
        for index in touched:
            view = self.views[index]
            entity = self._store.entity(view.key)
            if entity is not None and (entity is not view.entity or isinstance(view, BrokenView)):
                self.views[index] = self._view(entity)
                self.views[index].gap = view.gap
            self._draws(index)
            if self.width:
                self._see_to_gap(index)
                self._put(index, self._estimate(index))
            self._turned(index)
        return touched

    def lines(self, index: int, hurried: bool = False) -> Strips:
        """The strips of one member; as `laid`."""
        return self.laid(index, hurried).strips

    def laid(self, index: int, hurried: bool = False) -> Lines:
        """Draw one member; its height is exact from now on, unless it was hurried and is behind."""
        self._see_to_gap(index)
        lines = self._drawn_lines(index, hurried)
        self._put(index, max(len(lines), self.heights[index] if self.views[index].behind else 0))
        self._drawn.pop(index, None)
        if len(lines):
            self._drawn[index] = None
        return lines

    def ready(self, index: int) -> bool:
        """Lay out some more of a member; True when it is laid out whole."""
        self._until = monotonic() + self.patience
        self.laid(index, hurried=True)
        return not self.views[index].behind

    def _drawn_lines(self, index: int, hurried: bool) -> Lines:
        look = self.look_of(index)
        self.views[index].patience = max(0.0, self._until - monotonic()) if hurried else math.inf
        return self.ask(index, lambda view: view.lines(self.width, look))

    def look_of(self, index: int) -> Look:
        """How a member looks."""
        assert self.look is not None
        return dimmed(self.look) if self.dims and index < self.past else self.look

    def shed(self, at_once: int = 0) -> None:
        """Let views that were not drawn for long forget their lines; `at_once` are needed together."""
        while len(self._drawn) > max(KEPT, at_once):
            index = next(iter(self._drawn))
            del self._drawn[index]
            self.views[index].forget()

    def catch_up(self) -> None:
        """Look at what changed while nobody watched."""
        known = enumerate(zip(self.views, self._revisions, strict=True))
        self.changed([index for index, (view, revision) in known if view.entity.revision != revision])

    def _put(self, index: int, height: int) -> None:
        self._revisions[index] = self.views[index].entity.revision
        empty = not self.heights[index]
        self.heights.set(index, height)
        if empty != (not height):
            after = self.heights.find(self.heights.start(index) + height)[0]
            if after < len(self.views):
                self._gap(after)

    def _see_to_gap(self, index: int) -> None:
        if not self.heights[index]:  # else it is kept right; nobody cared while there was nothing to show
            self._gap(index)

    def _gap(self, index: int) -> None:
        """Give a member its gap or take it away; its height and the reader's place go with it."""
        view, before = self.views[index], self._shown_before(self.heights.start(index))
        gap = before is not None and not (before.compact and view.compact)
        if gap == view.gap:
            return
        view.gap = gap
        grown = 1 if gap else -1
        if self.heights[index]:
            self.heights.set(index, self.heights[index] + grown)
            self._regapped = True
            if index == self._top:
                self._line += grown

    def _shown_before(self, line: int) -> View | None:
        return self.views[self.heights.find(line - 1)[0]] if line else None

    # The reader's place

    @property
    def top(self) -> tuple[int, int]:
        """The member at the top of the window and the line inside it."""
        return self._top, self._line

    @property
    def top_line(self) -> int:
        """The absolute line at the top of the window, as far as heights are known."""
        start = self.heights.start(min(self._top, len(self.views)))
        if self._sought is None or self._top >= len(self.views):
            return start + self._line
        return start + self._sought.about(self.heights[self._top]) + self._line

    def stand(self, index: int, line: int) -> None:
        """Put a line of a member at the top; lines beyond it are counted on through exact heights."""
        self._top, self._line, self._sought = index, line, None
        self.move(0)

    def move(self, lines: int) -> None:
        """Move the window, counting through exact heights, so that it moves just so many lines."""
        self._line += lines
        self._counting = True
        self._stands()

    def jump(self, line: int) -> None:
        """Go to what the heights known so far say is at an absolute line."""
        index, inner = self.heights.find(max(0, min(line, self.heights.total - 1)))
        if index < len(self.views):
            self._top, self._line, self._sought = index, 0, AtRow(inner)
            self._stands()

    def _stands(self) -> bool:
        """Lay out as far as the reader's place and count it through exact heights; False: that takes
        longer."""
        self._until = monotonic() + self.patience
        if self._sought is not None:
            lines = self.laid(self._top, hurried=True)
            line = self._sought.line(lines, not self.views[self._top].behind)
            if line is None:
                return self._come_so_far(self._top, lines)
            self._line, self._sought = self._line + line, None
        return not self._counting or self._counted()

    def _counted(self) -> bool:
        while self._line < 0 and self._top > 0:
            above = self._top - 1
            lines = self.laid(above, hurried=True)  # may give the one at the top a gap, and so change `_line`
            if self.views[above].behind:
                return self._come_so_far(above, lines)
            self._top = above
            self._line += self.heights[above]
        self._line = max(0, self._line)
        while self._top < len(self.views):
            lines = self.laid(self._top, hurried=True)
            if self._line < len(lines):
                break
            if self.views[self._top].behind:
                return self._come_so_far(self._top, lines)
            if self._top + 1 == len(self.views):
                break
            self._line -= len(lines)
            self._top += 1
        self._counting = False
        return True

    def _come_so_far(self, index: int, lines: Lines) -> bool:
        self.come = min(99, 100 * len(lines) // max(1, self.heights[index]))
        return False

    def window(self, height: int) -> list[Row]:
        """The rows to show now; fewer than `height` if there are no more. At the end it begins to follow,
        unless the reader is held."""
        if not height:
            return []
        for _ in range(3):  # a member that turns out to be empty may take a gap away further down
            self._regapped = False
            self._counting |= self._line < 0  # a gap went from above the top line
            self.awaited = not self.following and not self._stands()
            rows = [] if self.following or self.awaited else self._from_top(height)
            if not self.awaited and (len(rows) < height or not self._below(rows[-1])):
                self.following = self.following or not self.held
                rows = self._from_end(height)
            if not self._regapped:
                break
        self.behind = self.awaited or any(self.views[index].behind for index in {row.member for row in rows})
        if rows:
            self._top, self._line = rows[0].member, rows[0].line
            self.seen = max(self.seen, self.last_of(rows[-1].member))
            if self.following:
                self.seen = len(self.views) - 1
        self.shed(len(rows))
        return rows

    def last_of(self, index: int) -> int:
        """The last member that one stands for."""
        return index

    @property
    def unseen(self) -> int:
        """Members with something to show that came after all that was ever in the window."""
        return self.heights.shown_after(self.seen)

    def _below(self, row: Row) -> bool:
        """Something shows below this row, or will: the height of a member that is behind is an estimate."""
        return (
            self.views[row.member].behind
            or self.heights.start(row.member) + row.line + 1 < self.heights.total
        )

    def _from_top(self, height: int) -> list[Row]:
        """The rows at the reader's place; fewer also where nothing more is laid out, which is `awaited`."""
        rows: list[Row] = []
        index, line = self._top, self._line
        while len(rows) < height and index < len(self.views):
            lines = self.laid(index, hurried=True)
            seen = lines.strips[line : line + height - len(rows)]
            rows.extend(Row(index, number, strip) for number, strip in enumerate(seen, line))
            if len(rows) < height and self.views[index].behind:
                self.awaited = not self._come_so_far(index, lines)
                break
            index, line = index + 1, 0
        return rows

    def _from_end(self, height: int) -> list[Row]:
        self._sought, self._counting, self._until = None, False, monotonic() + self.patience
        rows: list[Row] = []
        index = len(self.views)
        while len(rows) < height and index:
            index -= 1
            strips = self.lines(index, hurried=True)
            first = max(0, len(strips) - (height - len(rows)))
            rows.extend(reversed([Row(index, n, strip) for n, strip in enumerate(strips[first:], first)]))
        rows.reverse()
        return rows

    # Keeping the place over a change of width

    def _place(self) -> Place | None:
        """What stands at the top, by the source; None: that is not laid out yet."""
        if self._sought is not None:
            return self._sought.anew()
        lines = self.laid(self._top, hurried=True)
        if not 0 <= self._line < len(lines) and self.views[self._top].behind:
            return None
        place = place_in_source(lines, max(0, min(self._line, len(lines) - 1)))
        self._line = 0
        return place

    # Folding

    def fold(self, index: int, action: tuple[object, ...] = ("toggle",)) -> bool:
        """Carry out an action of a view, such as folding; True if it was one."""
        view = self.views[index]
        folded = view.folded
        if not self.ask(index, lambda view: view.act(action)):
            return False
        if view.folded is not None and view.folded is not folded:
            self._choices[view.key] = view.folded
        self.changed((index,))
        return True

    def fold_thoughts(self) -> None:
        """Fold all thoughts, also those to come, if any is open; else open them."""
        thoughts = [i for i, view in enumerate(self.views) if view.key.kind is Kind.AGENT_THOUGHT]
        self._thoughts_folded = any(self.views[i].folded is False for i in thoughts)
        for index in thoughts:
            self.views[index].folded = self._thoughts_folded
            self._choices.pop(self.views[index].key, None)
        self.changed(thoughts)

    # Steps of the cursor

    def step(self, index: int, by: int, fits: Callable[[Entity], bool] | None = None) -> int | None:
        """The next member in a direction that shows, and fits if that is asked for."""
        index += by
        while 0 <= index < len(self.views):
            if self.heights[index] and (fits is None or fits(self.views[index].entity)):
                return index
            index += by
        return None
