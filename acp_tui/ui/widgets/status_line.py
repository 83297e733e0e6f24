"""The last line: what goes on and for how long, at the right the keys that matter now.

Its clock runs only while something elapses; at rest nothing runs and nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget

from acp_tui.store.keys import Key, Kind
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.standing import Hint, Mood, Status
from acp_tui.ui.widgets.hints import hint_line

if TYPE_CHECKING:
    from acp_tui.store.store import Store
    from acp_tui.ui.terminal.steady import SteadyLine

STYLES: dict[Mood, str] = {"calm": "", "busy": "$accent", "ask": "$warning", "bad": "$error"}
_HELP: Hint = ("everywhere.help", "help")
ESCAPE = "chat.escape"


class StatusLine(Bound, Widget):
    """The line, fed from the store and, while something elapses, by a clock."""

    status: reactive[Status] = reactive(Status("busy", "starting"))
    seconds: reactive[int] = reactive(0, repaint=False, init=False)
    """Whole seconds of the clock: the line changes once a second at most by itself."""
    hints: reactive[tuple[Hint, ...] | None] = reactive(None)
    """Keys of what has the focus; None: those of the state."""
    below: reactive[Hint | None] = reactive(None)
    """The way to what came below what is in sight; None: the end is in sight."""

    def __init__(self, now: Callable[[], float], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.now = now
        self.clock: Timer | None = None
        self._steady: SteadyLine | None = None
        self._heard: Callable[[], float] = float

    def on_mount(self) -> None:
        """The clock stands until it is needed."""
        self.clock = self.set_interval(1.0, self.tick, pause=True)
        self.watch_status(self.status)

    def show(self, store: Store, ref: str) -> None:
        """Follow this session."""
        from acp_tui.ui.status import heard, status  # the first picture comes before there is a store

        self.unfollow()
        self._heard = lambda: heard(store, found) if (found := store.sessions.get(ref)) is not None else 0.0

        def changed(_: frozenset[Key]) -> None:
            self.status = status(store, store.sessions.get(ref))

        kinds = (Kind.SESSION, Kind.TIMELINE, Kind.UNKNOWN_UPDATES)
        whole = (Kind.CONNECTION, Kind.REQUESTS, Kind.SESSIONS)
        self.follow(store, changed, keys=[*(Key(ref, k) for k in kinds), *(Key("", k) for k in whole)])
        changed(frozenset())

    def watch_status(self, new: Status) -> None:
        """Start or stop the clock."""
        if self.clock is not None:
            if new.ticks:
                self.clock.resume()
            else:
                self.clock.pause()

    def tick(self) -> None:
        """A second has passed."""
        self.seconds = int(self.now())

    def watch_seconds(self) -> None:
        """Another second is shown, and nothing else."""
        if self._steady is None:
            from acp_tui.ui.terminal.steady import SteadyLine  # the first picture shows no second yet

            self._steady = SteadyLine(self)
        self._steady.show_anew()

    def render(self) -> RenderResult:
        width = self.content_size.width
        state = self.status
        if state.heard_at is not None:  # a word that changes nothing else is a sign of life, too
            state = replace(state, heard_at=max(state.heard_at, self._heard()))
        left = Content.styled(state.line(self.now()), STYLES[state.mood])
        left = left.truncate(max(width // 2, width - self._way_out(state)), ellipsis=True)
        right = self._keys(width - left.cell_length - 2)
        return Content.assemble(left, " " * max(0, width - left.cell_length - right.cell_length), right)

    def _way_out(self, state: Status) -> int:
        """Cells kept for the key that helps where nothing goes on, however long the reason is."""
        own = state.hints if self.hints is None else self.hints
        return hint_line([own[0], _HELP]).cell_length + 2 if state.mood == "bad" and own else 0

    def _keys(self, room: int) -> Content:
        """As many hints as there is room for; the way down, the way to stop, then help stay the longest."""
        hints = [] if self.below is None else [self.below]
        own = self.status.hints if self.hints is None else self.hints
        said = {keys.hint(key) for key, _ in own}
        hints += [hint for hint in self.status.hints if hint[0] == ESCAPE and keys.hint(ESCAPE) not in said]
        hints += own
        while True:
            content = hint_line([*hints, _HELP])
            if content.cell_length <= room:
                return content
            if not hints:
                return Content()
            least = [hint for hint in hints if hint[0] != ESCAPE and hint is not self.below]
            hints.remove((least or hints)[-1])
