"""Which members of a column stand together in one line: finished reads and searches, one after the other.

Invariants: a run is all such calls between which nothing shows; from `LEAST` on it is a group, with one line
at its first member in the place of all of them, or, open, above them. A call that comes or goes costs the
same however long its run is; only what is rare, a split or the joining of two long runs, costs their length.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from textual.strip import Strip

from acp_tui.store.entities import Entity, ToolCall
from acp_tui.store.holding import is_diff

LEAST = 3


class Part(NamedTuple):
    """What a call adds to its run."""

    kind: Literal["read", "search"]
    name: str
    """What was read: a file read twice is one file."""
    seconds: float


def part_of(entity: Entity) -> Part | None:
    """A finished read or search; None for anything else, and for one that changed a file."""
    if not isinstance(entity, ToolCall) or entity.status != "completed" or entity.ruled:
        return None
    kind = entity.kind
    if (kind != "read" and kind != "search") or any(map(is_diff, entity.content)):
        return None
    name = entity.locations[0].path if entity.locations else entity.title or entity.key.id
    took = (entity.ended_at or 0.0) - (entity.started_at or 0.0) if entity.started_at is not None else 0.0
    return Part("read" if kind == "read" else "search", name, max(0.0, took))


class Run:
    """Calls that follow each other, and what they did together."""

    __slots__ = ("count", "drawn", "first", "last", "open", "reads", "searches", "seconds")

    def __init__(self, index: int, part: Part) -> None:
        self.first = self.last = index
        self.count = 1
        self.open = False
        self.reads: Counter[str] = Counter()
        self.searches = 0
        self.seconds = 0.0
        self.drawn: tuple[object, Strip] | None = None
        """Its line, and what it shows."""
        self.add(part)

    @property
    def grouped(self) -> bool:
        """It is long enough for a line of its own."""
        return self.count >= LEAST

    def add(self, part: Part, times: int = 1) -> None:
        """One call more; or, `times` -1, one less."""
        self.seconds += part.seconds * times
        if part.kind == "search":
            self.searches += times
            return
        self.reads[part.name] += times
        if not self.reads[part.name]:
            del self.reads[part.name]

    def take(self, other: Run) -> None:
        """All of the other's calls."""
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)
        self.count += other.count
        self.reads.update(other.reads)
        self.searches += other.searches
        self.seconds += other.seconds
        self.open = self.open or other.open


class Groups:
    """The runs of one column. What changes returns the members that show something else now."""

    def __init__(self) -> None:
        self._runs: dict[int, Run] = {}
        self._parts: dict[int, Part] = {}

    def __contains__(self, index: int) -> bool:
        return index in self._runs

    def group(self, index: int) -> Run | None:
        """The group a member belongs to."""
        run = self._runs.get(index)
        return run if run is not None and run.grouped else None

    def head(self, index: int) -> Run | None:
        """The group whose line stands at this member."""
        run = self.group(index)
        return run if run is not None and run.first == index else None

    def hidden(self, index: int) -> bool:
        """The member is shown by the line of its group only."""
        run = self.group(index)
        return run is not None and not run.open and run.first != index

    def members(self, run: Run) -> list[int]:
        """All calls of a run."""
        return [index for index in range(run.first, run.last + 1) if self._runs.get(index) is run]

    def differs(self, index: int, part: Part | None) -> bool:
        """The member was something else, the last time."""
        return self._parts.get(index) != part

    def put(self, index: int, part: Part | None, before: int | None, after: int | None) -> Collection[int]:
        """A member is this now; before and after it show these."""
        old = self._parts.get(index)
        if part is None:
            return self._leave(index)
        self._parts[index] = part
        if old is not None:
            run = self._runs[index]
            run.add(old, -1)
            run.add(part)
            return (run.first,)
        self._runs[index] = Run(index, part)
        changed = {index}
        for other in (before, after):
            if other is not None and other in self._runs:
                changed |= self._join(self._runs[index], self._runs[other])
        return changed if self._runs[index].grouped else ()

    def append(self, index: int, part: Part, before: int | None) -> Run:
        """A new last member; before it shows this one. Returns the run it is in."""
        run = self._runs.get(before) if before is not None else None
        if run is None:
            run = Run(index, part)
        else:
            run.add(part)
            run.count += 1
            run.last = index
        self._parts[index], self._runs[index] = part, run
        return run

    def between(self, index: int, shows: bool, before: int | None, after: int | None) -> Collection[int]:
        """A member that is no such call shows now, or does not any more."""
        left = self._runs.get(before) if before is not None else None
        right = self._runs.get(after) if after is not None else None
        if shows:
            return self._split(left, index) if left is not None and left.last > index else ()
        return self._join(left, right) if left is not None and right is not None else ()

    def toggle(self, run: Run) -> Collection[int]:
        """Open or close a group."""
        run.open = not run.open
        return self.members(run)

    def truncate(self, count: int, size: int) -> Collection[int]:
        """Only the first `count` of `size` members stay."""
        changed: set[int] = set()
        for index in range(size - 1, count - 1, -1):
            if index in self._runs:
                changed.update(self._leave(index))
        return {index for index in changed if index < count}

    def _join(self, one: Run, other: Run) -> set[int]:
        if one is other:
            return set()
        big, small = (one, other) if one.count >= other.count else (other, one)
        coming = self.members(small)
        changed = {big.first, *coming}
        if not big.grouped or small.open > big.open:
            changed.update(self.members(big))
        big.take(small)
        for index in coming:
            self._runs[index] = big
        return changed

    def _leave(self, index: int) -> Collection[int]:
        run = self._runs[index]
        if index == run.last:  # the usual case at the end: nothing is split
            return self._shorten(run)
        del self._parts[index]
        return {index, *self._split(run, index)}

    def _shorten(self, run: Run) -> Collection[int]:
        members, grouped = (self.members(run), run.grouped) if run.count <= LEAST else ([run.last], True)
        last = run.last
        del self._runs[last]
        run.add(self._parts.pop(last), -1)
        run.count -= 1
        if run.count:
            run.last = next(i for i in range(last - 1, run.first - 1, -1) if self._runs.get(i) is run)
        return {last, run.first, *(members if grouped else ())}

    def _split(self, run: Run, at: int) -> Collection[int]:
        members = self.members(run)
        for side in ([i for i in members if i < at], [i for i in members if i > at]):
            self._make(side, run.open)
        if at not in self._parts:
            self._runs.pop(at, None)
        return members

    def _make(self, members: Iterable[int], opened: bool) -> None:
        run: Run | None = None
        for index in members:
            single = Run(index, self._parts[index])
            single.open = opened
            if run is None:
                run = single
            else:
                run.take(single)
            self._runs[index] = run
