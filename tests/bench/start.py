"""The demo to a usable prompt, beside a bare Textual app to its first picture: by what the screen shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.bench.program import READY, terminal
from tests.bench.rows import Row

GOAL = 1.5
ROUNDS = 7
TYPED = "ж"
SCREEN = "\x1b[?1049h"
"""From here on the app draws; before, the terminal itself echoes keys."""

BARE = """
from textual.app import App
from textual.widgets import Static
class Bare(App):
    ENABLE_COMMAND_PALETTE = False
    def compose(self):
        yield Static("it is here")
Bare().run()
"""
WRITING = """
from textual.app import App
from textual.widgets import Static, TextArea
class Writing(App):
    ENABLE_COMMAND_PALETTE = False
    def compose(self):
        yield Static("it is here")
        yield TextArea()
Writing().run()
"""


def run() -> Iterator[Row]:
    """The least of some rounds, taken in turns."""
    rounds = [(_bare(BARE), _bare(WRITING), _demo()) for _ in range(ROUNDS)]
    bare, writing, demo = (_least(one) for one in zip(*rounds, strict=True))
    yield Row("CPU of our process until a session is open", demo[1], "s", bare[1], GOAL)
    yield Row("time until a session is open", demo[0], "s", bare[0])
    yield Row("the same beside a bare app with a TextArea: CPU", demo[1], "s", writing[1])
    yield Row("the same beside a bare app with a TextArea: time", demo[0], "s", writing[0])
    yield Row("a key pressed before anything shows is shown after", demo[2], "s", bare[0])


def _least(times: Sequence[Sequence[float]]) -> list[float]:
    return [min(column) for column in zip(*times, strict=True)]


def _bare(source: str) -> tuple[float, float, float]:
    with terminal("-c", source) as child:
        shown = child.wait_for("it is here")
        return shown - child.started, child.cpu, 0.0


def _demo() -> tuple[float, float, float]:
    with terminal("-m", "acp_tui", "demo") as child:
        child.type(TYPED)
        ready = child.wait_for(READY)
        used = child.cpu
        typed = child.wait_for(TYPED, since=child.wait_for(SCREEN, since=child.started))
        return ready - child.started, used, typed - child.started
