"""One line of the table: what was measured, beside what, and what it should be."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """A figure. With a yardstick, measured in the same run, the goal is for the ratio, else for the value."""

    what: str
    value: float
    unit: str
    yardstick: float | None = None
    goal: float | None = None

    @property
    def ratio(self) -> float | None:
        """How often the yardstick fits in it."""
        return self.value / self.yardstick if self.yardstick else None

    @property
    def kept(self) -> bool | None:
        """The goal is reached; None where there is none."""
        judged = self.ratio if self.yardstick is not None else self.value
        return None if self.goal is None or judged is None else judged <= self.goal
