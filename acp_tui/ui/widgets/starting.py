"""While an agent starts: its command, and after a few seconds its last words on stderr; later, that it is
silent.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from acp_tui.render.clean import one_line
from acp_tui.store.keys import Key, Kind
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound

if TYPE_CHECKING:
    from acp_tui.store.store import Store

WORDS_AFTER = 3.0
HUNG = 12.0
"""Seconds after which an agent that has not answered `initialize` is said not to answer."""


def said(command: Sequence[str]) -> Content:
    """What is starting."""
    return Content.assemble("starting ", (one_line(shlex.join(command), 200), "$foreground"))


class Starting(Bound, Widget):
    """Stands above the composer until the agent answers; one can write meanwhile."""

    seconds: reactive[int] = reactive(0, layout=True)

    def __init__(self, store: Store, now: Callable[[], float], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.store = store
        self.now = now
        self.clock: Timer | None = None

    def on_mount(self) -> None:
        """Follow the connection."""
        self.clock = self.set_interval(1.0, self.tick, pause=True)
        self.follow(self.store, self.changed, keys=[Key("", Kind.CONNECTION)])
        self.changed(frozenset())

    def changed(self, _: frozenset[Key]) -> None:
        """There only while the agent starts."""
        self.display = self.store.connection.phase in ("starting", "initializing")
        if self.clock is not None:
            (self.clock.resume if self.display else self.clock.pause)()
        self.tick()

    def tick(self) -> None:
        """A second has passed."""
        self.seconds = int(self.elapsed)
        self.refresh()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        started = self.store.connection.started_at
        return max(0.0, self.now() - started) if started else 0.0

    def lines(self) -> list[Content]:
        """What to say now."""
        connection = self.store.connection
        found = [said(connection.command)]
        if self.elapsed >= WORDS_AFTER and connection.stderr_tail:
            found.append(Content(f"  {one_line(connection.stderr_tail[-1], 300)}"))
        if self.elapsed >= HUNG:
            found.append(
                Content.styled("  It has not answered yet. Is it an ACP agent, or does it want", "$warning")
            )
            found.append(
                Content.styled(
                    f"  something from you first? {keys.hint('chat.restart')} starts it again,"
                    f" {keys.hint('chat.escape')} goes back.",
                    "$warning",
                )
            )
        return found

    def get_content_height(self, *_: object) -> int:
        """A row for each line."""
        return len(self.lines())

    def render(self) -> RenderResult:
        width = self.content_size.width
        return Content("\n").join([line.truncate(width, ellipsis=True) for line in self.lines()])
