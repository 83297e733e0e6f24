"""A small terminal screen: text with escape sequences in, lines of styled runs out (TM-06, TM-07, SF-02).

Invariants: a line that scrolled out of the live rows is finished: packed with its neighbours, never touched
again. Only colours, attributes, cursor moves and erasing are obeyed; titles, clipboard, links,
queries and modes are swallowed, and what a full-screen program draws on the alternate screen is left out.
Any split of the text gives the same lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len, set_cell_size

from acp_tui.render.clean import clean
from acp_tui.render.pen import PLAIN, sgr
from acp_tui.render.rows import Piece, Row, Rows

ROWS: Final = 50
"""Live rows where the agent reports no size."""
COLUMNS: Final = 4096
"""Where a line is cut if no width is known."""
KEEP: Final = 50_000
"""Finished lines kept where nothing else is said; the oldest are dropped and counted."""

_TOKEN = re.compile(
    r"([^\x00-\x1f\x7f-\x9f]+)"
    r"|(?:\x1b\[|\x9b)([0-?]*)[ -/]*([@-~])"
    r"|(\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])"
    r"|(\x1b[ -/]*[0-Z\\^-~])"
    r"|(\x1b\[?[ -?]*|\x9b[ -?]*)\Z"
    r"|([\x00-\x1f\x7f-\x9f])"
)
_STRING_END = re.compile(r"\x07|\x1b\\?|\x9c|\x18|\x1a")
_LONGEST_SEQUENCE = 128


class Screen:
    """One terminal. `feed` it, then read `finished` and `live`."""

    def __init__(self, columns: int | None = None, rows: int | None = None, keep: int = KEEP) -> None:
        self.columns = columns or COLUMNS
        self.rows = max(1, min(rows or ROWS, 500))
        self.keep = keep
        """Finished lines kept; twice as many are, before the oldest are dropped."""
        self.finished = Rows()
        self.dropped = 0
        """Finished lines that are not kept any more."""
        self._live: list[list[Piece]] = [[]]
        self._x = self._y = 0
        self._saved = (0, 0)
        self._pen = PLAIN
        self._rest = ""
        self._string = ""  # the introducer of a string that has not ended
        self._alternate = False

    @property
    def live(self) -> list[Row]:
        """The rows that may still change, without the empty ones at the end."""
        rows = [_packed(row) for row in self._live]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    @property
    def count(self) -> int:
        """Lines so far, those no longer kept included."""
        live = len(self._live)
        while live and not self._live[live - 1]:
            live -= 1
        return self.dropped + len(self.finished) + live

    def last(self, count: int) -> list[Row]:
        """The last lines."""
        live = self.live
        missing = count - len(live)
        return [*self.finished[-missing:], *live] if missing > 0 else live[-count:] if count else []

    def feed(self, text: str) -> None:
        """Take decoded text."""
        if self._rest:
            text, self._rest = self._rest + text, ""
        at = 0
        while at < len(text):
            at = self._swallow(text, at) if self._string else self._take(text, at)
        if len(self.finished) > self.keep * 2:
            before = len(self.finished)
            self.finished.drop(self.keep)
            self.dropped += before - len(self.finished)

    def _swallow(self, text: str, at: int) -> int:
        """Skip a string up to its end; a title that never ends is over with its line."""
        end = _STRING_END.search(text, at)
        if self._string in ("\x1b]", "\x9d"):
            newline = text.find("\n", at)
            if newline >= 0 and (end is None or newline < end.start()):
                self._string = ""
                return newline
        if end is None:
            return len(text)
        if end[0] == "\x1b" and end.end() == len(text):
            self._rest = "\x1b"
            return len(text)
        self._string = ""
        return end.start() if end[0] == "\x1b" else end.end()

    def _take(self, text: str, at: int) -> int:
        for found in _TOKEN.finditer(text, at):
            plain, params, final, string, escape, partial, control = found.groups()
            if plain is not None:
                if not self._alternate:
                    self._put(plain)
            elif final is not None:
                self._sequence(params, final)
            elif string is not None:
                self._string = string
                return found.end()
            elif escape is not None:
                self._escape(escape[-1] if len(escape) == 2 else "")
            elif partial is not None:
                self._rest = partial if len(partial) < _LONGEST_SEQUENCE else ""
            elif not self._alternate:
                self._control(control)
        return len(text)

    def _control(self, char: str) -> None:
        if char in "\n\x0b\x0c\x85":
            self._x = 0  # a bare newline is a new line: what pipes carry
            self._down()
        elif char == "\r":
            self._x = 0
        elif char == "\b":
            self._x = max(0, self._x - 1)
        elif char == "\t":
            self._x = min((self._x // 8 + 1) * 8, self.columns - 1)

    def _down(self) -> None:
        if self._y + 1 < len(self._live):
            self._y += 1
            return
        self._live.append([])
        if len(self._live) > self.rows:
            self.finished.append(_packed(self._live.pop(0)))
        else:
            self._y += 1

    def _put(self, text: str) -> None:
        text = clean(text)
        step = COLUMNS if text.isascii() else max(32, min(COLUMNS, self.columns * 2))
        for at in range(0, len(text), step):  # what is left is measured with each row: little must be left
            self._put_piece(text[at : at + step])

    def _put_piece(self, text: str) -> None:
        size = len(text) if text.isascii() else cell_len(text)
        while self._x + size > self.columns:
            head = set_cell_size(text, max(0, self.columns - self._x)) if self._x < self.columns else ""
            fit = len(head) if text.startswith(head) else len(head) - 1
            if fit <= 0 and self._x == 0:
                fit = 1
            self._write(text[:fit])
            text = text[fit:]
            size = cell_len(text)
            self._x = 0
            self._down()
        self._write(text)

    def _write(self, text: str) -> None:
        if not text:
            return
        row = self._live[self._y]
        size = len(text) if text.isascii() else cell_len(text)
        used = _width(row)
        if self._x == used:
            if row and row[-1][1] == self._pen:
                row[-1] = (row[-1][0] + text, self._pen)
            else:
                row.append((text, self._pen))
        elif self._x > used:
            row += [(" " * (self._x - used), PLAIN), (text, self._pen)]
        else:
            right = _slice(row, self._x + size, used)
            self._live[self._y] = _joined([*_slice(row, 0, self._x), (text, self._pen), *right])
        self._x += size

    def _escape(self, final: str) -> None:
        if final == "7":
            self._saved = (self._x, self._y)
        elif final == "8":
            self._move(*self._saved)
        elif final == "D" or final == "E":
            self._control("\n")
        elif final == "M":
            self._y = max(0, self._y - 1)
        elif final == "c":
            self._pen, self._alternate = PLAIN, False
            self._erase_screen(2)

    def _sequence(self, params: str, final: str) -> None:
        if params[:1] in ("?", ">", "<", "="):
            if final in "hl" and params.strip("?") in ("47", "1047", "1049"):
                self._alternate = final == "h"
            return
        if final == "m":
            self._pen = sgr(self._pen, params)
        elif not self._alternate:
            numbers = [_number(part) for part in params.split(";")]
            if not self._cursor(final, numbers):
                self._edit(final, numbers)

    def _cursor(self, final: str, numbers: list[int]) -> bool:
        count = max(1, numbers[0])
        x, y = self._x, self._y
        if final in "Hf":
            x, y = max(1, numbers[1] if len(numbers) > 1 else 1) - 1, count - 1
        elif final in "AF":
            x, y = (0 if final == "F" else x), y - count
        elif final in "BEe":
            x, y = (0 if final == "E" else x), y + count
        elif final in "Ca":
            x += count
        elif final == "D":
            x -= count
        elif final in "G`":
            x = count - 1
        elif final == "d":
            y = count - 1
        elif final == "s":
            self._saved = (x, y)
        elif final == "u":
            x, y = self._saved
        else:
            return False
        self._move(x, y)
        return True

    def _move(self, x: int, y: int) -> None:
        self._x = max(0, min(x, self.columns - 1))
        self._y = max(0, min(y, self.rows - 1))
        while len(self._live) <= self._y:
            self._live.append([])

    def _edit(self, final: str, numbers: list[int]) -> None:
        count = max(1, numbers[0])
        row, x = self._live[self._y], self._x
        used = _width(row)
        if final == "K":
            self._live[self._y] = _erased(row, x, used, numbers[0])
        elif final == "J":
            self._erase_screen(numbers[0])
        elif final == "X":
            end = min(x + count, used)
            if end > x:
                blank = (" " * (end - x), PLAIN)
                self._live[self._y] = [*_slice(row, 0, x), blank, *_slice(row, end, used)]
        elif final == "P":
            self._live[self._y] = [*_slice(row, 0, x), *_slice(row, x + count, used)]
        elif final == "@" and x < used:
            blank = (" " * min(count, self.columns - x), PLAIN)
            self._live[self._y] = _slice([*_slice(row, 0, x), blank, *_slice(row, x, used)], 0, self.columns)
        elif final in "LM":
            self._edit_rows(final, min(count, self.rows))

    def _edit_rows(self, final: str, count: int) -> None:
        if final == "M":
            del self._live[self._y : self._y + count]
            while len(self._live) <= self._y:
                self._live.append([])
        else:
            self._live[self._y : self._y] = [[] for _ in range(count)]
            del self._live[self.rows :]

    def _erase_screen(self, how: int) -> None:
        if how >= 2:
            self._live = [[] for _ in self._live]
        elif how == 1:
            self._live[: self._y] = [[] for _ in range(self._y)]
            self._live[self._y] = _erased(self._live[self._y], self._x, _width(self._live[self._y]), 1)
        else:
            del self._live[self._y + 1 :]
            self._live[self._y] = _slice(self._live[self._y], 0, self._x)


def _number(text: str) -> int:
    return min(int(text), 100_000) if text.isdecimal() and len(text) < 8 else 0


def _width(row: Sequence[Piece]) -> int:
    return sum([len(text) if text.isascii() else cell_len(text) for text, _ in row])


def _packed(row: list[Piece]) -> Row:
    if all(pen is PLAIN for _, pen in row):
        return "".join([text for text, _ in row]).rstrip(" ")
    return tuple(row)


def _joined(row: Sequence[Piece]) -> list[Piece]:
    """Neighbours of one pen as one piece: a progress bar must not leave a piece for each of its steps."""
    made: list[Piece] = []
    for text, pen in row:
        if made and made[-1][1] == pen:
            made[-1] = (made[-1][0] + text, pen)
        else:
            made.append((text, pen))
    return made


def _erased(row: list[Piece], x: int, used: int, how: int) -> list[Piece]:
    if how == 0:
        return _slice(row, 0, x)
    if how == 1 and x + 1 < used:
        return [(" " * (x + 1), PLAIN), *_slice(row, x + 1, used)]
    return []


def _slice(row: Sequence[Piece], start: int, end: int) -> list[Piece]:
    """The cells from `start` to `end`; half of a wide character becomes a space."""
    return list(_sliced(row, start, end)) if end > start else []


def _sliced(row: Sequence[Piece], start: int, end: int) -> Iterator[Piece]:
    at = 0
    for text, pen in row:
        size = len(text) if text.isascii() else cell_len(text)
        first, last = max(start, at), min(end, at + size)
        if first < last:
            if last - first < size:
                text = _cells(text, first - at, last - at)
            yield text, pen
        at += size


def _cells(text: str, start: int, end: int) -> str:
    if text.isascii():
        return text[start:end]
    head = set_cell_size(text, end)
    if not start:
        return head
    skipped = set_cell_size(text, start)
    kept = head[len(skipped) :] if text.startswith(skipped) else " " + head[len(skipped) :]
    return set_cell_size(kept, end - start)
