"""Everything a terminal showed, as parts: its end at once, the rest as it can be read beside the keys.

Invariants: bytes are read once; a step reads a little and says whether there is more; finished rows are in
parts that never change again, so that only the last part is laid out anew while output comes.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Sequence

from acp_tui.render import words
from acp_tui.render.look import Look
from acp_tui.render.rows import Row
from acp_tui.render.screen import Screen
from acp_tui.render.views.terminal import row_runs
from acp_tui.render.wrap import Lines, wrap
from acp_tui.store.entities import Terminal
from acp_tui.ui.detail.parts import BLOCK, Part, Words

TAIL = 65_536
"""Bytes of a long output that are shown at once."""
READ = 8192
"""Bytes read between two looks at the clock."""
KEEP = 400_000
"""Rows kept; a screen of our own holds more than the transcript's."""


class Reading:
    """A screen and how far it has read a terminal's output."""

    def __init__(self, terminal: Terminal, tail: int | None = None) -> None:
        self.terminal = terminal
        self.tail = tail
        self.begin()

    def begin(self) -> None:
        """From the first byte, or from the first line of the last `tail` bytes."""
        size, output = self.terminal.size, self.terminal.output
        self.screen = Screen(size.cols if size else None, size.rows if size else None, keep=KEEP)
        self.generation = output.generation
        self.revision = 0
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self.begun_at = output.cut
        self._place = output.cut if self.tail is None else max(output.cut, output.end - self.tail)
        self._page, self._offset = b"", 0
        if self._place > output.cut:
            self._turn()
            self._offset = self._page.find(b"\n") + 1

    def _turn(self) -> None:
        self._page, self._place = self.terminal.output.read(self._place)
        self._offset = 0

    @property
    def left(self) -> int:
        """Bytes not read yet."""
        return self.terminal.output.end - self._place + len(self._page) - self._offset

    def again(self) -> bool:
        """What was read is void, so it began anew; a cut at the front of what was read voids nothing."""
        output = self.terminal.output
        if output.generation == self.generation and self._place >= output.cut:
            return False
        self.begin()
        return True

    def read(self, enough: Callable[[], bool] = lambda: False) -> bool:
        """Read on; True when everything is read."""
        while self.left > 0:
            if self._offset >= len(self._page):
                self._turn()
            data = self._page[self._offset : self._offset + READ]
            self._offset += len(data)
            self.revision += 1
            if text := self._decoder.decode(data):
                self.screen.feed(text)
            if enough():
                return False
        self._page, self._offset = b"", 0
        return True


class Rows(Part):
    """Some rows of a screen: finished ones by number, or from a number on all there are."""

    def __init__(self, reading: Reading, first: int, last: int | None) -> None:
        super().__init__()
        self._reading, self._first, self._last = reading, first, last

    def rows(self) -> Sequence[Row]:
        """The rows as they are now."""
        screen = self._reading.screen
        start = self._first - screen.dropped
        if self._last is not None:
            return screen.finished[max(0, start) : max(0, self._last - screen.dropped)]
        return [*screen.finished[max(0, start) :], *screen.live]

    @property
    def version(self) -> int | None:
        return self._reading.revision if self._last is None else None

    def estimate(self, width: int) -> int:
        return self._last - self._first if self._last is not None else len(self.rows())

    def text(self) -> str:
        return "\n".join(
            row if isinstance(row, str) else "".join(text for text, _ in row) for row in self.rows()
        )

    def draw(self, width: int, look: Look) -> Lines:
        made = Lines()
        for row in self.rows():
            made.extend(
                wrap(row_runs(row, look), width, look.terminal, first=[(" ", look.base)], words=False)
            )
        return made


class Blocks:
    """What a reading has read, as parts that stay the same while more comes."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self._screen = reading.screen
        self._finished: list[Part] = []
        self._last: Part = Rows(reading, 0, None)

    def parts(self) -> list[Part]:
        """Finished blocks, and one of all that may still change."""
        screen = self.reading.screen
        if screen is not self._screen:
            self._screen, self._finished, self._last = screen, [], Rows(self.reading, 0, None)
        ready = (screen.dropped + len(screen.finished)) // BLOCK
        while len(self._finished) < ready:
            first = len(self._finished) * BLOCK
            self._finished.append(Rows(self.reading, first, first + BLOCK))
            self._last = Rows(self.reading, first + BLOCK, None)
        gone = -(-screen.dropped // BLOCK)
        return [*self._finished[gone:], self._last]


class Scrollback:
    """The parts of one terminal."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._whole = Blocks(Reading(terminal))
        self._end: Blocks | None = None

    def step(self, enough: Callable[[], bool]) -> bool:
        """Read on; True when there is nothing more to read."""
        whole = self._whole.reading
        if whole.again():
            self._end = None
        through = whole.read(enough)
        if through:
            self._end = None
        elif self._end is None and whole.left > TAIL:
            self._end = Blocks(Reading(self.terminal, TAIL))
        if self._end is not None:
            self._end.reading.again()
            self._end.reading.read()
        return through

    def parts(self) -> list[Part]:
        """What there is to show now."""
        whole = self._whole.reading
        if self._end is not None:
            total = self.terminal.output.size
            share = 100 * (total - whole.left) // max(1, total)
            return [Words(f"… reading what stands above: {share} %", "dim"), *self._end.parts()]
        lost = whole.begun_at
        note = [Words(f"the first {words.size(lost)} are not kept", "dim")] if lost else []
        return [*note, *self._whole.parts()]
