"""Heights of many things one under the other: where each begins and which one covers a line, in O(log n).

A Fenwick tree. Node i (from 1) holds the sum of the `i & -i` values that end with value i - 1; so a value can
be appended, and the last ones taken off, without touching any other node.
"""

from __future__ import annotations

from collections.abc import Iterable


class Heights:
    """A list of heights, none negative, with their running sums."""

    __slots__ = ("_nodes", "_values", "total")

    def __init__(self, values: Iterable[int] = ()) -> None:
        self._values: list[int] = []
        self._nodes = [0]
        self.total = 0
        self.extend(values)

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: int) -> int:
        return self._values[index]

    def append(self, height: int) -> None:
        """Add one at the end."""
        node = len(self._nodes)
        below, low = height, node - (node & -node)
        child = node - 1
        while child > low:
            below += self._nodes[child]
            child -= child & -child
        self._nodes.append(below)
        self._values.append(height)
        self.total += height

    def extend(self, heights: Iterable[int]) -> None:
        """Add many at the end."""
        first = len(self._nodes)
        added = list(heights)
        self._values += added
        self._nodes += added
        self.total += sum(added)
        node = first - 1
        while node:  # sums that no older node holds
            self._lift(node)
            node -= node & -node
        for node in range(first, len(self._nodes)):
            self._lift(node)

    def _lift(self, node: int) -> None:
        """Add what a node holds to the one above it."""
        above = node + (node & -node)
        if above < len(self._nodes):
            self._nodes[above] += self._nodes[node]

    def truncate(self, count: int) -> None:
        """Keep the first `count`."""
        self.total -= sum(self._values[count:])
        del self._values[count:]
        del self._nodes[count + 1 :]

    def set(self, index: int, height: int) -> int:
        """Change one; returns by how much it grew."""
        grown = height - self._values[index]
        if grown:
            self._values[index] = height
            self.total += grown
            node = index + 1
            while node < len(self._nodes):
                self._nodes[node] += grown
                node += node & -node
        return grown

    def start(self, index: int) -> int:
        """The line on which `index` begins: the sum of all heights before it."""
        line = 0
        while index:
            line += self._nodes[index]
            index -= index & -index
        return line

    def find(self, line: int) -> tuple[int, int]:
        """Which one covers `line`, and the line inside it; `(len, rest)` past the end."""
        index, step = 0, 1 << len(self._values).bit_length()
        while step:
            node = index + step
            if node < len(self._nodes) and self._nodes[node] <= line:
                index, line = node, line - self._nodes[node]
            step >>= 1
        return index, line

    def shown_after(self, index: int) -> int:
        """How many after `index` have any height at all."""
        rest = self._values[index + 1 :]
        return len(rest) - rest.count(0)
