"""A terminal of the agent as its last lines (TM-07, TM-17); one terminal may be drawn in several places.

Invariants: bytes are read once while `Output.generation` stays; a long output that was never watched, or
came in a flood, is read from near its end. What is finished is kept as runs, not as strips.
"""

from __future__ import annotations

from codecs import getincrementaldecoder

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.look import Look
from acp_tui.render.markdown import Page
from acp_tui.render.pen import style
from acp_tui.render.screen import Row, Screen
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import Terminal

TAIL = 65_536
"""Bytes of an output not watched from its beginning that are read for its last lines."""
KEPT = 500
"""Finished lines kept: more than are ever shown in the timeline. The detail screen reads all bytes anew."""
FLOOD = 131_072
"""Bytes at once beyond which nobody has watched: reading them would take longer than a frame."""


class Playback:
    """A screen that follows a terminal's output."""

    __slots__ = ("_chunks", "_consumed", "_decoder", "_generation", "_skipped", "screen", "terminal")

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._begin()

    def _begin(self) -> None:
        size = self.terminal.size
        self.screen = Screen(size.cols if size else None, size.rows if size else None, KEPT)
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._generation = self.terminal.output.generation
        self._chunks = 0
        self._consumed = self.terminal.output.cut
        self._skipped = 0
        self._start_near_end()

    def _start_near_end(self) -> None:
        """Leave out all but the last `TAIL` bytes, up to a line's start if there is one."""
        output = self.terminal.output
        left = output.size
        while left > TAIL:
            chunk = output.chunks[self._chunks]
            if left - len(chunk) < TAIL:
                at = chunk.find(b"\n", left - TAIL) + 1 or left - TAIL
                self._skip(chunk[:at], len(chunk))
                self._feed(chunk[at:])
                break
            self._skip(chunk, len(chunk))
            left -= len(chunk)

    def _skip(self, left_out: bytes, length: int) -> None:
        self._skipped += left_out.count(b"\n")
        self._consumed += length
        self._chunks += 1

    def sync(self) -> Screen:
        """Read what is new."""
        output = self.terminal.output
        voided = output.generation != self._generation and not self._after_cut()
        if voided or output.cut + output.size - self._consumed > FLOOD:
            self._begin()
        for chunk in output.chunks[self._chunks :]:
            self._feed(chunk)
            self._consumed += len(chunk)
        self._chunks = len(output.chunks)
        return self.screen

    def _after_cut(self) -> bool:
        """The front of the output was cut, nothing else: go on where we were."""
        output = self.terminal.output
        offset = self._consumed - output.cut
        if output.generation != self._generation + 1 or not output.cut or not 0 <= offset <= output.size:
            return False
        at = 0
        for index, chunk in enumerate(output.chunks):
            if at + len(chunk) > offset:
                self._feed(chunk[offset - at :])
                self._consumed += at + len(chunk) - offset
                self._chunks = index + 1
                break
            at += len(chunk)
        else:
            self._chunks = len(output.chunks)
        self._generation = output.generation
        return True

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
    if terminal.exit_status is not None:
        said.append(words.exit_status(terminal.exit_status.exit_code, terminal.exit_status.signal))
        took = end - terminal.created_at
        said.append(words.duration(took) if took >= 0.05 else "")
    elif terminal.no_final:
        said.append(words.NO_FINAL[terminal.no_final])
    else:
        said.append("cancelling" if terminal.cancelling else "running")
        said.append(words.running(end - terminal.created_at))
    return [one_line(fact, 40) for fact in said if fact]
