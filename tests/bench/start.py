"""The demo beside a bare Textual app, by what the screen shows: to the first picture, and to a session.

The first picture is the whole screen with the place to write; a bare app has no more to show than one. What
comes after it, up to a session that is open, has nothing beside it: a bare app talks to nobody.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.bench.program import READY, terminal
from tests.bench.rows import Row

GOAL = 1.5
ROUNDS = 7
TYPED = "ж"
SCREEN = "\x1b[?1049h"
"""From here on the app draws; before, the terminal itself echoes keys."""
PICTURE = "❯"
"""The composer's sign."""

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
    rounds = [(_bare(BARE), _bare(WRITING), _picture(), _session()) for _ in range(ROUNDS)]
    bare, writing, picture, session = (_least(one) for one in zip(*rounds, strict=True))
    yield Row("CPU of our process until the first picture", picture[1], "s", bare[1], GOAL)
    yield Row("time until the first picture", picture[0], "s", bare[0])
    yield Row("the same beside a bare app with a TextArea: CPU", picture[1], "s", writing[1])
    yield Row("a key pressed before anything shows is shown after", picture[2], "s", bare[0])
    yield Row("CPU of our process until a session is open", session[1], "s", bare[1])
    yield Row("time until a session is open", session[0], "s", bare[0])


def _least(times: Sequence[Sequence[float]]) -> list[float]:
    return [min(column) for column in zip(*times, strict=True)]


def _bare(source: str) -> tuple[float, float]:
    with terminal("-c", source) as child:
        shown = child.wait_for("it is here")
        return shown - child.started, child.cpu


def _picture() -> tuple[float, float, float]:
    with terminal("-m", "acp_tui", "demo") as child:
        child.type(TYPED)
        shown = child.wait_for(PICTURE, since=child.wait_for(SCREEN))
        used = child.cpu
        typed = child.wait_for(TYPED, since=child.wait_for(SCREEN))
        return shown - child.started, used, typed - child.started


def _session() -> tuple[float, float]:
    with terminal("-m", "acp_tui", "demo") as child:
        ready = child.wait_for(READY)
        return ready - child.started, child.cpu
