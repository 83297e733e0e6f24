"""The tree of heights against a plain list."""

from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from acp_tui.ui.transcript.heights import Heights

heights = st.integers(0, 40)


def covering(values: list[int], line: int) -> tuple[int, int]:
    """The slow, obvious search."""
    for index, height in enumerate(values):
        if line < height:
            return index, line
        line -= height
    return len(values), line


class HeightsMachine(RuleBasedStateMachine):
    """Any sequence of changes leaves tree and list telling the same."""

    def __init__(self) -> None:
        super().__init__()
        self.plain: list[int] = []
        self.tree = Heights()

    @rule(values=st.lists(heights, max_size=20))
    def build(self, values: list[int]) -> None:
        self.plain, self.tree = values, Heights(values)

    @rule(height=heights)
    def append(self, height: int) -> None:
        self.plain.append(height)
        self.tree.append(height)

    @rule(values=st.lists(heights, max_size=20))
    def extend(self, values: list[int]) -> None:
        self.plain = [*self.plain, *values]
        self.tree.extend(values)

    @precondition(lambda self: self.plain)
    @rule(data=st.data(), height=heights)
    def change(self, data: st.DataObject, height: int) -> None:
        index = data.draw(st.integers(0, len(self.plain) - 1))
        assert self.tree.set(index, height) == height - self.plain[index]
        self.plain[index] = height

    @rule(data=st.data())
    def truncate(self, data: st.DataObject) -> None:
        count = data.draw(st.integers(0, len(self.plain)))
        self.plain = self.plain[:count]
        self.tree.truncate(count)

    @invariant()
    def tells_the_same(self) -> None:
        assert len(self.tree) == len(self.plain)
        assert [self.tree[i] for i in range(len(self.plain))] == self.plain
        assert self.tree.total == sum(self.plain)
        starts = [0, *accumulate(self.plain)]
        assert [self.tree.start(i) for i in range(len(self.plain) + 1)] == starts
        for line in {0, 1, self.tree.total // 2, self.tree.total - 1, self.tree.total, self.tree.total + 3}:
            if line >= 0:
                assert self.tree.find(line) == covering(self.plain, line)


TestHeights = HeightsMachine.TestCase


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.data())
def test_counts_what_shows_after_an_index(values: list[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(-1, len(values) - 1))
    assert Heights(values).shown_after(index) == sum(1 for v in values[index + 1 :] if v)
