"""What the library lists, as lines: sessions in pages that come when they are looked at, or what was found.

Pure but for the pages that are put in. Invariants: a line costs the same however many there are; what is not
there yet is an empty line, never waited for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.style import Style
from textual.strip import Strip

from acp_tui.journal.entry import Entry, Hit
from acp_tui.render.clean import clean
from acp_tui.render.wrap import Run, blank, spread
from acp_tui.ui.library import wording

PAGE = 100
"""Sessions of a page."""
HEIGHT = 2
"""Lines of a session."""
_SPACE = re.compile(r"\s+")
_INDENT = 4
_KIND = 9


@dataclass(frozen=True, slots=True)
class Styles:
    """Of the theme; each whole."""

    base: Style
    title: Style
    dim: Style
    accent: Style
    wait: Style
    found: Style
    here: Style
    """Background of the marked one."""


class Rows(Protocol):
    """Lines, and the stops among them that can be marked."""

    @property
    def lines(self) -> int:
        """In all."""

    @property
    def stops(self) -> int:
        """In all."""

    def span(self, stop: int) -> tuple[int, int]:
        """Its first line, and how many it has."""

    def stop(self, line: int) -> int:
        """The one a line belongs to."""

    def draw(self, line: int, width: int, styles: Styles, *, here: bool) -> Strip:
        """A line; `here`: its stop is the marked one."""


class Sessions:
    """Two lines each."""

    def __init__(self, total: int, now: float) -> None:
        self._total = total
        self.now = now
        self.pages: dict[int, list[Entry]] = {}

    @property
    def stops(self) -> int:
        return self._total

    @property
    def lines(self) -> int:
        return self._total * HEIGHT

    def span(self, stop: int) -> tuple[int, int]:
        return stop * HEIGHT, HEIGHT

    def stop(self, line: int) -> int:
        return line // HEIGHT

    def entry(self, stop: int) -> Entry | None:
        """The one there; None: its page is not."""
        page = self.pages.get(stop // PAGE, ())
        return page[stop % PAGE] if stop % PAGE < len(page) else None

    def place(self, id: str) -> int | None:
        """Where a session is, if its page is there."""
        for number, page in self.pages.items():
            for place, entry in enumerate(page):
                if entry.id == id:
                    return number * PAGE + place
        return None

    def wanted(self, first: int, last: int) -> list[int]:
        """Pages that these stops need."""
        last = min(last, self.stops - 1)
        return [page for page in range(first // PAGE, last // PAGE + 1) if page not in self.pages]

    def draw(self, line: int, width: int, styles: Styles, *, here: bool) -> Strip:
        entry = self.entry(line // HEIGHT)
        if entry is None:
            return blank(width, styles.base)
        left, right = (
            _first(entry, self.now, styles, here) if not line % HEIGHT else _second(entry, self.now, styles)
        )
        return _whole(left, right, width, styles, here)


def _first(entry: Entry, now: float, styles: Styles, here: bool) -> tuple[list[Run], list[Run]]:
    state = wording.state(entry)
    mark = wording.MARKS.get(state, " ") if state is not None else " "
    left: list[Run] = [("❯ " if here else "  ", styles.accent), (f"{mark} ", _styled(entry, styles))]
    left += [("▲ ", styles.accent)] if entry.pinned else []
    return [*left, *_title(entry, styles)], [("  " + wording.facts(entry, now) + " ", styles.dim)]


def _second(entry: Entry, now: float, styles: Styles) -> tuple[list[Run], list[Run]]:
    left = [(" " * _INDENT, styles.base), (wording.who(entry), styles.dim)]
    if entry.trashed_at is not None:
        return left, [("  " + wording.deleted(entry.trashed_at, now) + " ", styles.dim)]
    return left, [("  " + wording.badges(entry) + " ", _styled(entry, styles))]


def _styled(entry: Entry, styles: Styles) -> Style:
    state = wording.state(entry)
    name = wording.STYLES.get(state, "dim") if state is not None else "dim"
    return {"accent": styles.accent, "wait": styles.wait}.get(name, styles.dim)


def _title(entry: Entry, styles: Styles) -> list[Run]:
    title = wording.title(entry)
    if not entry.title.strip():
        return [(title, styles.dim)]
    if not entry.matched or title != entry.title:
        return [(title, styles.title)]
    places = set(entry.matched)
    return [(letter, styles.found if at in places else styles.title) for at, letter in enumerate(title)]


def _whole(left: Sequence[Run], right: Sequence[Run], width: int, styles: Styles, here: bool) -> Strip:
    if not here:
        return spread(left, right, width, styles.base)
    left, right = ([(text, style + styles.here) for text, style in runs] for runs in (left, right))
    return spread(left, right, width, styles.base + styles.here)


class Found:
    """Sessions, and below each what was found in it."""

    def __init__(self, now: float) -> None:
        self.now = now
        self.hits: list[Hit] = []
        self.more = False
        """There may be others."""
        self.asked = 0
        """Hits that came, also those that are not shown."""
        self._stops: list[Entry | Hit] = []
        self._tops: list[int] = []
        self._lines = 0

    @property
    def stops(self) -> int:
        return len(self._stops)

    @property
    def lines(self) -> int:
        return self._lines

    def add(self, hits: Iterable[Hit]) -> None:
        """Others; those of one session that follow each other stand below it."""
        for hit in hits:
            if not self.hits or self.hits[-1].entry.id != hit.entry.id:
                self._add(hit.entry, 2 if self._stops else 1)
            self.hits.append(hit)
            self._add(hit, 1)

    def _add(self, stop: Entry | Hit, height: int) -> None:
        self._stops.append(stop)
        self._tops.append(self._lines)
        self._lines += height

    def place(self, id: str) -> int | None:
        """The first place that was found in this session."""
        return next(
            (at for at, one in enumerate(self._stops) if isinstance(one, Hit) and one.entry.id == id), None
        )

    def at(self, stop: int) -> Entry | Hit:
        """What is there."""
        return self._stops[stop]

    def span(self, stop: int) -> tuple[int, int]:
        end = self._tops[stop + 1] if stop + 1 < len(self._tops) else self.lines
        return self._tops[stop], end - self._tops[stop]

    def stop(self, line: int) -> int:
        return max(0, bisect_right(self._tops, line) - 1)

    def draw(self, line: int, width: int, styles: Styles, *, here: bool) -> Strip:
        number = self.stop(line)
        if number >= len(self._stops):
            return blank(width, styles.base)
        top, height = self.span(number)
        stop = self._stops[number]
        if line < top + height - 1:
            return blank(width, styles.base)  # above a session
        cursor = ("❯ " if here else "  ", styles.accent)
        if isinstance(stop, Hit):
            left = [cursor, *_snippet(stop, width, styles)]
            return _whole(left, [(" ", styles.base)], width, styles, here)
        right = " · ".join(filter(None, (wording.agent(stop), wording.when(stop.active, self.now))))
        left = [cursor, (wording.title(stop), styles.title)]
        return _whole(left, [(f"  {right} ", styles.dim)], width, styles, here)


def _snippet(hit: Hit, width: int, styles: Styles) -> list[Run]:
    """On one line, with the first match in sight."""
    runs: list[Run] = []
    end = 0
    for start, stop in hit.matches:
        runs += [(_flat(hit.snippet[end:start]), styles.dim), (_flat(hit.snippet[start:stop]), styles.found)]
        end = stop
    runs.append((_flat(hit.snippet[end:]), styles.dim))
    before = runs[0][0].lstrip()
    most = max(8, (width - _KIND) // 3)
    runs[0] = (f"…{before[-most:]}" if len(before) > most and hit.matches else before, styles.dim)
    return [("  " + wording.kind(hit.kind).ljust(_KIND), styles.accent), *runs]


def _flat(text: str) -> str:
    return _SPACE.sub(" ", clean(text))
