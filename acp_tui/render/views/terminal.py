"""A terminal of the agent as its last lines (TM-07, TM-17); one terminal may be drawn in several places.

Invariants: bytes are read once while `Output.generation` stays; a long output that was never watched, or
came in a flood, is read from near its end. What is finished is kept as runs, not as strips.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Iterator

from acp_tui.render import words
from acp_tui.render.clean import clean, one_line
from acp_tui.render.look import Look
from acp_tui.render.markdown import Page
from acp_tui.render.pen import style
from acp_tui.render.rows import Row
from acp_tui.render.screen import Screen
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import Terminal
from acp_tui.store.output import Output

TAIL = 65_536
"""Bytes of an output not watched from its beginning that are read for its last lines."""
KEPT = 500
"""Finished lines kept: more than are ever shown in the timeline. The detail screen reads all bytes anew."""
FLOOD = 131_072
"""Bytes at once beyond which nobody has watched: reading them would take longer than a frame."""


def told_by(output: Output) -> Iterator[str]:
    """All that it says, clean, in pieces that end with a line."""
    decode = getincrementaldecoder("utf-8")("replace").decode
    open_line: list[str] = []
    for data in output.pieces():
        whole, end, rest = decode(data).rpartition("\n")
        if end:
            yield clean("".join([*open_line, whole, end]))
            open_line = []
        open_line.append(rest)
    yield clean("".join(open_line))


class Playback:
    """A screen that follows a terminal's output."""

    __slots__ = ("_decoder", "_generation", "_place", "_skipped", "screen", "terminal")

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._begin()

    def _begin(self) -> None:
        """Leave out all but the last `TAIL` bytes, up to a line's start if there is one."""
        size, output = self.terminal.size, self.terminal.output
        self.screen = Screen(size.cols if size else None, size.rows if size else None, KEPT)
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._generation = output.generation
        self._place = output.end
        start = max(output.cut, output.end - TAIL)
        data = b"".join(output.pieces(start))
        if start > output.cut:
            data = data[data.find(b"\n") + 1 :]
        self._skipped = output.newlines - data.count(b"\n")
        self._feed(data)

    def sync(self) -> Screen:
        """Read what is new."""
        output = self.terminal.output
        voided = output.generation != self._generation or self._place < output.cut
        if voided or output.end - self._place > FLOOD:
            self._begin()
        for data in output.pieces(self._place):
            self._feed(data)
        self._place = output.end
        return self.screen

    def _feed(self, data: bytes) -> None:
        if text := self._decoder.decode(data):
            self.screen.feed(text)

    @property
    def count(self) -> int:
        """Lines of the whole output."""
        return self._skipped + self.screen.count


def row_runs(row: Row, look: Look) -> list[Run]:
    """One line of a terminal as runs."""
    if isinstance(row, str):
        return [(row, look.terminal)]
    return [(text, style(pen, look.terminal)) for text, pen in row]


def terminal_lines(playback: Playback, page: Page, limit: int) -> Lines:
    """The last `limit` lines under a count of those above, or all of them."""
    screen = playback.sync()
    look = page.look
    made = Lines()
    above = playback.count - limit
    if above > 0 or playback.terminal.output.cut:
        cut = ", the first of them not kept" if playback.terminal.output.cut else ""
        said = f"… {words.count(max(above, 0), 'line')}{cut}"
        made.extend(wrap([(said, look.dim)], page.width, look.base, first=page.left))
    for row in screen.last(limit):
        made.extend(wrap(row_runs(row, look), page.width, look.terminal, first=page.left, words=False))
    return made


def facts(terminal: Terminal, at: float) -> list[str]:
    """How it stands with the process, in words (TM-09, TM-14)."""
    said: list[str] = []
    end = terminal.exited_at or at
    wish = words.CANCELS[terminal.cancel.status] if terminal.cancel is not None else ""
    if terminal.exit_status is not None:
        said.append(words.exit_status(terminal.exit_status.exit_code, terminal.exit_status.signal))
        said.append(wish)
        took = end - terminal.created_at
        said.append(words.duration(took) if took >= 0.05 else "")
    elif terminal.no_final:
        said.append(words.NO_FINAL[terminal.no_final])
    else:
        said.append(wish or "running")
        said.append(words.running(end - terminal.created_at))
    return [one_line(fact, 40) for fact in said if fact]
