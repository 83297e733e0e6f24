from __future__ import annotations

import pytest

from acp_tui.base.clock import Clock


class Machine:
    """Its clock, which can be set and goes on in its sleep, and one that counts while it is awake."""

    def __init__(self) -> None:
        self.wall, self.steady = 1_000_000.0, 50.0
        self.busy = True
        self.clock = Clock(lambda: self.busy, lambda: self.wall, lambda: self.steady)

    def run(self, seconds: float) -> None:
        self.wall += seconds
        self.steady += seconds


@pytest.mark.parametrize("jump", [-3600.0, 7200.0], ids=["set back", "slept or set forward"])
def test_what_is_measured_takes_as_long_as_the_machine_ran(jump: float) -> None:
    machine = Machine()
    since = machine.clock()
    assert since == machine.wall
    machine.run(3)
    machine.wall += jump
    machine.run(4)
    assert machine.clock() - since == 7
    machine.busy = False
    assert machine.clock() == machine.wall, "a moment is told by the clock on the wall"
    machine.busy = True
    since = machine.clock()
    machine.run(5)
    assert machine.clock() - since == 5


def test_a_clock_that_is_adjusted_a_little_makes_no_steps() -> None:
    machine = Machine()
    machine.busy = False
    since = machine.clock()
    machine.wall -= 0.5
    assert machine.clock() == since
