"""The reader's place in a message that takes long to lay out: little at a time, and the same in the end."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import count

import pytest

from acp_tui.render.look import FALLBACK
from acp_tui.render.view import View
from acp_tui.render.views import make_view
from acp_tui.render.views.message import MessageView
from acp_tui.store.entities import Entity
from acp_tui.ui.transcript.column import Column
from tests.store.seen import Fed
from tests.ui.transcript.stage import text

MANY = 1500
HEIGHT = 20
SLICES = 20
"""Leaves that may be laid out at a time."""


def fed() -> Fed:
    words = "\n\n".join(f"paragraph {n} with **words** that wrap at the narrow width" for n in range(MANY))
    said = Fed()("agent_message", messageId="big", content=[text(words)])
    return said("agent_message", messageId="last", content=[text("the end")])


class Reader:
    """A column whose views find that time passes with every leaf."""

    def __init__(self, said: Fed, patience: float = math.inf) -> None:
        ticks = count()

        def make(entity: Entity) -> View:
            return make_view(entity, said.store, lambda: next(ticks) / 500)

        self.column = Column(said.store, said.session.ref, make)
        self.column.look = FALLBACK
        self.column.sync()
        self.column.set_width(70)
        self.column.window(HEIGHT)
        self.column.patience = patience
        self.windows = 0
        self.most = 0
        """Leaves laid out at once."""

    def drawn(self) -> int:
        return sum(view.text.drawn for view in self.column.views if isinstance(view, MessageView))

    def do(self, act: Callable[[], object]) -> None:
        before = self.drawn()
        act()
        self.most = max(self.most, self.drawn() - before)

    def rows(self) -> list[str]:
        """What is shown when everything has come."""
        while True:
            self.windows += 1
            self.do(lambda: self.column.window(HEIGHT))
            if not self.column.behind:
                return [row.strip.text for row in self.column.window(HEIGHT)]


def forget(column: Column) -> None:
    for view in column.views:
        view.forget()


def follow(column: Column) -> None:
    column.following = True


ACTS: dict[str, list[Callable[[Column], object]]] = {
    "another width": [lambda column: column.set_width(41)],
    "back to it": [forget, lambda column: column.stand(0, 2001)],
    "a jump": [forget, lambda column: column.jump(1700)],
    "up from below": [forget, lambda column: column.stand(1, 0), lambda column: column.move(-900)],
    "moves on the way": [
        lambda column: column.set_width(41),
        lambda column: column.move(-50),
        lambda column: column.move(7),
    ],
    "two widths": [lambda column: column.set_width(41), lambda column: column.set_width(55)],
    "to the end": [forget, follow],
}


@pytest.mark.parametrize("act", ACTS)
def test_it_comes_in_slices_and_is_the_same_place(act: str) -> None:
    said = fed()
    calm, hurried = Reader(said), Reader(said, 0.01)
    for one in (calm, hurried):
        one.column.following = False
        one.column.patience = math.inf
        one.column.stand(0, 1001)
        one.column.window(HEIGHT)
    hurried.column.patience = 0.01
    for do in ACTS[act]:
        hurried.do(partial(do, hurried.column))
        do(calm.column)
    assert hurried.rows() == calm.rows()
    assert hurried.column.top == calm.column.top
    assert hurried.column.following is calm.column.following
    assert hurried.most <= SLICES
    assert hurried.windows > MANY // SLICES // 2


def test_while_it_comes_the_bar_stays_about_where_it_was() -> None:
    one = Reader(fed())
    one.column.following = False
    one.column.stand(0, 1500)
    one.column.window(HEIGHT)
    share = one.column.top_line / one.column.heights.total
    one.column.patience = 0.01
    one.column.set_width(41)
    assert one.column.window(HEIGHT) == [] and one.column.awaited
    assert abs(one.column.top_line / one.column.heights.total - share) < 0.1
    assert 0 <= one.column.come < 100
