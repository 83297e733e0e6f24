"""The column against a plain list of views: gaps, groups, heights, and a place that only the reader moves."""

from __future__ import annotations

import math
from typing import ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from acp_tui.render.look import FALLBACK, Look
from acp_tui.render.view import Lookup, Now, View
from acp_tui.render.wrap import Lines, blank
from acp_tui.store.entities import Entity, ToolCall
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Store
from acp_tui.ui.transcript.column import Row
from acp_tui.ui.transcript.grouped import GROUP, GroupedColumn
from acp_tui.ui.transcript.groups import LEAST, part_of

WIDTH = 20
TURNS = 10_000
"""More than any of these columns needs to have all laid out."""


class Block(View):
    """So many lines as its entity's `meta` says; its estimate may be quite wrong."""

    @property
    def size(self) -> int:
        return int((self.entity.meta or {})["size"])

    def estimate(self, width: int) -> int:
        return self.gap + max(1, (self.size * 7) % 5) if self.size else 0

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        if not self.size:
            return Lines()
        lines = self.begin(width, look)
        for _ in range(self.size):
            lines.add(blank(width, look.base))
        return lines


class Compact(Block):
    compact: ClassVar[bool] = True


class Slow(Block):
    """Lays out a line or two at a time if it is hurried."""

    def __init__(self, entity: Entity, store: Lookup, now: Now) -> None:
        super().__init__(entity, store, now)
        self.more = False

    @property
    def behind(self) -> bool:
        return self.more

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        lines = super().draw(width, look, None)
        height = len(lines)
        if self.patience < math.inf:
            lines.cut((len(old) if self.more and old is not None else 0) + 2)
        self.more = len(lines) < height
        return lines

    def forget(self) -> None:
        super().forget()
        self.more = False


class SlowCompact(Slow):
    compact: ClassVar[bool] = True


class ColumnMachine(RuleBasedStateMachine):
    """Members of any size come and change while a reader moves."""

    patience = math.inf
    views: ClassVar[tuple[type[Block], type[Block]]] = (Block, Compact)

    def __init__(self) -> None:
        super().__init__()
        self.store = Store()
        self.session = self.store.add(Session(ref="s1", cwd="/w"))
        self.column = GroupedColumn(self.store, "s1", self.make)
        self.column.look, self.column.patience = FALLBACK, self.patience
        self.column.set_width(WIDTH)
        self.number = 0

    def make(self, entity: Entity) -> View:
        kind = self.views[entity.key.kind is Kind.TOOL_CALL]
        return kind(entity, self.store, lambda: 0.0)

    def window(self, height: int) -> list[Row]:
        """What is shown when everything has come."""
        rows = self.column.window(height)
        for _ in range(TURNS):
            if not self.column.behind:
                return rows
            assert not self.column.awaited or len(rows) < height
            rows = self.column.window(height)
        raise AssertionError("it never has all")

    def add(self, where: list[Key], compact: bool, size: int) -> None:
        self.number += 1
        key = Key("s1", Kind.TOOL_CALL if compact else Kind.AGENT_MESSAGE, str(self.number))
        self.session.entities[key] = Entity(key=key, created_at=0.0, meta={"size": size})
        where.append(key)

    @rule(
        kind=st.sampled_from(["read", "search", "read", "edit"]),
        status=st.sampled_from(["completed", "completed", "in_progress"]),
        size=st.integers(1, 3),
        count=st.integers(1, 4),
    )
    def call(self, kind: str, status: str, size: int, count: int) -> None:
        for _ in range(count):
            self.number += 1
            key = Key("s1", Kind.TOOL_CALL, str(self.number))
            call = ToolCall(key=key, created_at=0.0, kind=kind, status=status, meta={"size": size})
            self.session.entities[key] = call
            self.session.timeline.append(key)
        self.column.sync()

    @precondition(lambda self: self.calls())
    @rule(data=st.data(), status=st.sampled_from(["completed", "completed", "failed"]))
    def end(self, data: st.DataObject, status: str) -> None:
        call = data.draw(st.sampled_from(self.calls()))
        call.status = status
        call.revision += 1
        self.column.changed(self.column.concerned({call.key}))

    @precondition(lambda self: any(len(group) >= LEAST for group in self.groups()))
    @rule(data=st.data())
    def toggle(self, data: st.DataObject) -> None:
        group = data.draw(st.sampled_from([group for group in self.groups() if len(group) >= LEAST]))
        assert self.column.fold(group[0], GROUP)

    def calls(self) -> list[ToolCall]:
        return [entity for entity in self.session.entities.values() if isinstance(entity, ToolCall)]

    def groups(self) -> list[list[int]]:
        """Runs of finished reads and searches, by looking at everything."""
        runs: list[list[int]] = [[]]
        for index, view in enumerate(self.column.views):
            if part_of(view.entity) is not None:
                runs[-1].append(index)
            elif isinstance(view, Block) and view.size:
                runs.append([])
        return [run for run in runs if run]

    @rule(compact=st.booleans(), size=st.integers(0, 9))
    def append(self, compact: bool, size: int) -> None:
        self.add(self.session.timeline, compact, size)
        self.column.sync()

    @rule(sizes=st.lists(st.integers(0, 4), max_size=3))
    def replace_the_tail(self, sizes: list[int]) -> None:
        self.session.tail.clear()
        for size in sizes:
            self.add(self.session.tail, False, size)
        self.column.sync()

    @precondition(lambda self: self.session.timeline)
    @rule(data=st.data(), size=st.integers(0, 9))
    def change(self, data: st.DataObject, size: int) -> None:
        entity = self.session.entities[data.draw(st.sampled_from(self.session.timeline))]
        size = max(size, isinstance(entity, ToolCall))
        entity.meta = {"size": size}
        entity.revision += 1
        self.column.changed(self.column.concerned({entity.key}))

    @rule(lines=st.integers(-30, 30), height=st.integers(1, 12))
    def move(self, lines: int, height: int) -> None:
        before = self.position(height)
        self.column.following = False
        self.column.move(lines)
        self.window(height)
        exact = self.exact_heights()
        last = max(0, sum(exact) - height)
        assert self.position(height) == max(0, min(last, before + lines))

    @rule(width=st.integers(10, 30))
    def resize(self, width: int) -> None:
        self.column.set_width(width)

    @rule()
    def look_at_it_anew(self) -> None:
        """Another reader, who gets a width only after all members."""
        seeing = GroupedColumn(self.store, "s1", self.make)
        seeing.look, seeing.patience = FALLBACK, self.patience
        assert seeing.sync() or not self.column.views
        seeing.set_width(WIDTH)
        self.column = seeing

    def exact_heights(self) -> list[int]:
        sizes = [view.size for view in self.column.views if isinstance(view, Block)]
        for group in self.groups():
            run = self.column.groups.group(group[0])
            assert (run is not None) == (len(group) >= LEAST)
            if run is not None:
                assert self.column.groups.members(run) == group
                assert run.reads.total() + run.searches == run.count == len(group)
                sizes[group[0]] = sizes[group[0]] + 1 if run.open else 1
                for index in group[1:] if not run.open else ():
                    sizes[index] = 0
        heights: list[int] = []
        before: View | None = None
        for view, size in zip(self.column.views, sizes, strict=True):
            gap = size and before is not None and not (before.compact and view.compact)
            heights.append(size + bool(gap))
            before = view if size else before
        return heights

    def position(self, height: int) -> int:
        """The absolute line at the top, by exact heights."""
        rows = self.window(height)
        return sum(self.exact_heights()[: rows[0].member]) + rows[0].line if rows else 0

    @invariant()
    def the_window_is_what_the_list_says(self) -> None:
        height = 7
        rows = [(row.member, row.line) for row in self.window(height)]
        every = [(m, line) for m, size in enumerate(self.exact_heights()) for line in range(size)]
        assert len(rows) == min(height, len(every))
        start = every.index(rows[0]) if rows else 0
        assert rows == every[start : start + height]
        if self.column.following:
            assert rows == every[-height:]


ColumnMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestColumn = ColumnMachine.TestCase


class HurriedMachine(ColumnMachine):
    """The same where nothing is laid out at once: every place is the same, only later."""

    patience = 1e-3
    views = (Slow, SlowCompact)


HurriedMachine.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestHurriedColumn = HurriedMachine.TestCase


def test_a_group_that_closes_before_all_is_laid_out_waits_for_nothing() -> None:
    machine = HurriedMachine()
    machine.call(kind="read", status="completed", size=3, count=LEAST)
    machine.column.fold(0, GROUP)
    machine.column.window(7)
    assert machine.column.behind
    machine.column.fold(0, GROUP)
    machine.window(7)


def test_what_is_laid_out_only_in_part_is_not_the_end() -> None:
    machine = HurriedMachine()
    machine.append(compact=False, size=3)
    machine.append(compact=False, size=15)
    column = machine.column
    column.following = False
    column.stand(1, 0)
    column.window(4)
    assert column.views[1].behind
    assert not column.following
