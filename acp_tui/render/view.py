"""What the transcript knows of an entity's looks: lines on demand, an estimate while unseen.

Invariants:
* `strips` is cached by all that it shows; lines that did not change are the same `Strip` objects as before.
* `estimate` reads counters only. A view that was never drawn, or was told to `forget`, holds no text of
  its own.
* A view reads the store and changes nothing but its own folding.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from textual.strip import Strip

from acp_tui.render.look import Look
from acp_tui.render.wrap import Lines, blank
from acp_tui.store.entities import Entity
from acp_tui.store.keys import Key
from acp_tui.store.session import Session

REUSED = 300
"""Lines of a view beyond which it must itself see to it that unchanged lines stay the same objects."""

Now = Callable[[], float]

_CLOSED: frozenset[int] = frozenset()
_NONE = Lines()
"""Of all views that were not drawn; nothing is ever put into it."""


class Lookup(Protocol):
    """What a view asks of the store; it changes nothing there."""

    @property
    def sessions(self) -> Mapping[str, Session]:
        """Sessions by our reference."""

    @property
    def requests(self) -> Sequence[Key]:
        """Requests that wait for the user."""

    def entity(self, key: Key) -> Entity | None:
        """The entity of that key, if it is known."""


class View:
    """One entity of the timeline as lines. Made by `acp_tui.render.views.make_view`."""

    __slots__ = (
        "_choice",
        "_key",
        "_lines",
        "_look",
        "_opened",
        "entity",
        "gap",
        "now",
        "patience",
        "store",
    )

    compact: ClassVar[bool] = False
    """A blank line stands between two neighbours unless both are compact."""
    foldable: ClassVar[bool] = False

    def __init__(self, entity: Entity, store: Lookup, now: Now) -> None:
        self.entity = entity
        self.store = store
        self.now = now
        self.gap = False
        """Draw one blank line first; the transcript sets it before it asks for strips."""
        self.patience = math.inf
        """Seconds to lay out for; what is not done then makes it `behind`. Set like the gap."""
        self._choice: bool | None = None
        self._opened = _CLOSED
        """Parts inside that the user unfolded."""
        self._key: tuple[Any, ...] | None = None
        self._look: Look | None = None
        self._lines = _NONE

    @property
    def key(self) -> Key:
        """The entity's key."""
        return self.entity.key

    @property
    def folded(self) -> bool | None:
        """None: nothing here folds."""
        if not self.foldable:
            return None
        return self.folded_at_first() if self._choice is None else self._choice

    @folded.setter
    def folded(self, value: bool | None) -> None:
        self._choice = value

    def toggle(self) -> None:
        """Fold or unfold; a choice of the user outlives changes of the entity."""
        if self.foldable:
            self._choice = not self.folded

    def act(self, action: tuple[Any, ...]) -> bool:
        """Carry out a click on a part marked `meta["act"]`, if it is a thing of this view; True if it was."""
        if action == ("toggle",):
            self.toggle()
            return self.foldable
        if len(action) == 2 and action[0] == "part":
            self._opened ^= {action[1]}
            return True
        return False

    def folded_at_first(self) -> bool:
        """Whether it is folded as long as the user has not said."""
        return True

    def related(self) -> tuple[Key, ...]:
        """Keys of other entities that are drawn here (the terminals of a tool call); their changes change
        this view."""
        return ()

    @property
    def ticking(self) -> bool:
        """It shows a time that runs: ask again once a second while it is in sight."""
        return False

    @property
    def behind(self) -> bool:
        """The last `strips` are only a beginning; asked again, they go on from there."""
        return False

    def estimate(self, width: int) -> int:
        """Lines it will take, from counters only; exact where it is cheap to be."""
        return self.gap + 1

    def strips(self, width: int, look: Look) -> Sequence[Strip]:
        """The lines, each exactly `width` cells; empty if there is nothing to show.

        The list is the view's own: read it, keep the strips, not the list.
        """
        return self.lines(width, look).strips

    def soft(self, line: int) -> bool:
        """The line of the last `strips` goes on in the next: a soft wrap."""
        return self.joint(line) != "\n"

    def joint(self, line: int) -> str:
        """What stands in the source between this line and the next: a newline, a space, or nothing."""
        return self._lines.joint(line)

    def gutter(self, line: int) -> int:
        """Cells at the left of the line that are decoration, not source."""
        return self._lines.gutter(line)

    def margin(self, line: int) -> int:
        """Characters at the right of the line that are decoration, not source."""
        return self._lines.margin(line)

    def source(self) -> str:
        """The source text of the whole entity, for copying."""
        return ""

    def pieces(self) -> Iterator[str]:
        """`source`, in pieces none of which takes long to make."""
        yield self.source()

    def reveal(self, offset: int | None, source: str = "") -> bool:
        """Draw what stands around a place in `source`, where it is too long to be drawn whole; None: no more.

        True if that is something to draw anew.
        """
        return False

    def excerpt(self, part: int, fence: int) -> str:
        """Source of a piece of code: what a click on the act `("copy", part, fence)` copies."""
        return ""

    def forget(self) -> None:
        """Drop everything that can be made again: it is far out of sight."""
        self._key = None
        self._lines = _NONE

    def lines(self, width: int, look: Look) -> Lines:
        """Strips with their marks, from the cache where nothing changed."""
        shape = (width, self.gap, self._choice, self.folded, self._opened)
        key = (*shape, self.entity.revision, self.others(), self.second())
        if key != self._key or look is not self._look or self.behind:
            same = self._key is not None and look is self._look and shape == self._key[: len(shape)]
            before = self._lines.strips.known(0, REUSED) if same else []
            old = self._lines if same else None
            self._lines = self.draw(width, look, old)
            if self._lines is not old and len(self._lines) <= REUSED:  # who changes the old ones keeps them
                self._lines.reuse(before)
            self._key, self._look = key, look
        return self._lines

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        """Make the lines. `old` are the last ones if width, look, gap and folding are still the same; they
        may be changed and given back."""
        raise NotImplementedError

    def begin(self, width: int, look: Look) -> Lines:
        """New lines, with the gap if there is one."""
        lines = Lines()
        if self.gap:
            lines.add(blank(width, look.base))
        return lines

    def second(self) -> int:
        """Whole seconds on the clock while a running time is shown, so that it is drawn anew once a
        second."""
        return int(self.now()) if self.ticking else 0

    @property
    def cwd(self) -> str:
        """The folder paths are shown relative to."""
        session = self.store.sessions.get(self.entity.key.session)
        return session.cwd if session is not None else ""

    def others(self) -> tuple[Any, ...]:
        """State of everything else that is drawn here; a part of the cache's key."""
        known = (self.store.entity(key) for key in self.related())
        return tuple(-1 if entity is None else entity.revision for entity in known)
