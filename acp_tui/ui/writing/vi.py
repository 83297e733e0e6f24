"""Vi's keys for a small text, for those who ask for them: a small set, but what is there does what vi does.

Pure: a key, the text and the cursor's place in it give what is to happen. Invariants: a key that is not known
does nothing and forgets the count and the operator before it; nothing types while in normal mode; the cursor
of normal mode stands on a letter, never behind the last of a line that has one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Command = Literal["", "undo", "redo", "older", "newer"]
MOST = 999
"""What a count can be at most."""
_WORD = re.compile(r"\w+|[^\w\s]+")


@dataclass(frozen=True, slots=True)
class Act:
    """What a key does: replace a part of the text, put the cursor somewhere, go to insert mode."""

    cursor: int
    start: int = 0
    end: int = 0
    text: str | None = None
    """None: nothing is replaced."""
    insert: bool = False
    command: Command = ""
    times: int = 1


class Vi:
    """Mode, what was typed of a command so far, and what was deleted or yanked last."""

    def __init__(self) -> None:
        self.normal = False
        self.register = ""
        self.whole_lines = False
        """The register holds whole lines."""
        self._count = ""
        self._operator = ""
        self._outer = 1
        """The count before the operator."""
        self._g = False

    def leave_insert(self, text: str, at: int) -> int:
        """Escape: normal mode; returns where the cursor is then."""
        self._forget()
        if self.normal:
            return at
        self.normal = True
        return at - 1 if at > _line(text, at)[0] else at

    def enter_insert(self) -> None:
        """As at the beginning."""
        self.normal = False
        self._forget()

    def _forget(self) -> None:
        self._count, self._operator, self._outer, self._g = "", "", 1, False

    def press(self, key: str, text: str, at: int) -> Act:
        """A character, or `ctrl+r`, in normal mode."""
        if key.isdecimal() and key.isascii() and (key != "0" or self._count) and not self._g:
            self._count = (self._count + key)[-3:]
            return Act(at)
        if key == "g" and not self._g:
            self._g = True
            return Act(at)
        key, self._g = ("gg" if self._g and key == "g" else "" if self._g else key), False
        if key in ("d", "c", "y") and not self._operator:
            self._operator, self._outer, self._count = key, self._times, ""
            return Act(at)
        act = self._do(key, text, at)
        self._forget()
        if act.insert:
            self.normal = False
        return act

    @property
    def _times(self) -> int:
        return min(MOST, max(1, int(self._count or "1")))

    def _do(self, key: str, text: str, at: int) -> Act:
        times = min(MOST, self._times * self._outer)
        if self._operator:
            return self._operate(key, text, at, times)
        if key in ("u", "ctrl+r"):
            return Act(at, command="undo" if key == "u" else "redo", times=times)
        if key in ("j", "k") and _vertical(text, at, times, 1 if key == "j" else -1) is None:
            return Act(at, command="newer" if key == "j" else "older")
        moved = self._motion(key, text, at, times)
        if moved is not None:
            return Act(_on_letter(text, moved[0]))
        return self._insert(key, text, at) or self._change(key, text, at, times) or Act(at)

    def _insert(self, key: str, text: str, at: int) -> Act | None:
        start, end = _line(text, at)
        places = {"i": at, "a": min(at + 1, end), "I": start + _indent(text[start:end]), "A": end}
        if key in places:
            return Act(places[key], insert=True)
        if key == "o":
            return Act(end + 1, end, end, "\n", insert=True)
        return Act(start, start, start, "\n", insert=True) if key == "O" else None

    def _change(self, key: str, text: str, at: int, times: int) -> Act | None:
        _, end = _line(text, at)
        if key == "x":
            return self._cut(text, at, min(at + times, end))
        if key in ("D", "C"):
            return self._cut(text, at, end, change=key == "C")
        return self._put(text, at, times) if key == "p" and self.register else None

    def _put(self, text: str, at: int, times: int) -> Act:
        _, end = _line(text, at)
        if self.whole_lines:
            return Act(end + 1 + _indent(self.register), end, end, ("\n" + self.register) * times)
        place = min(at + 1, end)
        return Act(place + len(self.register) * times - 1, place, place, self.register * times)

    def _operate(self, key: str, text: str, at: int, times: int) -> Act:
        operator = self._operator
        if key == operator:
            return self._lines(text, at, _vertical(text, at, times - 1, 1, clamp=True) or at)
        if key == "w" and operator == "c" and at < len(text) and not text[at].isspace():
            key = "e"  # as vi does: the blanks behind the word stay
        moved = self._motion(key, text, at, times)
        if moved is None:
            return Act(at)
        target, kind = moved
        if kind == "lines":
            return self._lines(text, *sorted((at, target)))
        start, end = sorted((at, target))
        if kind == "inclusive":
            end = min(end + 1, len(text))
        if key == "w":
            end = min(end, max(start, _line(text, start)[1] if times == 1 else end))
        if operator == "y":
            self.register, self.whole_lines = text[start:end], False
            return Act(start)
        return self._cut(text, start, end, change=operator == "c")

    def _cut(self, text: str, start: int, end: int, *, change: bool = False) -> Act:
        if end > start:
            self.register, self.whole_lines = text[start:end], False
        after = text[:start] + text[end:]
        return Act(start if change else _on_letter(after, start), start, end, "", insert=change)

    def _lines(self, text: str, first: int, last: int) -> Act:
        start, end = _line(text, first)[0], _line(text, last)[1]
        self.register, self.whole_lines = text[start:end], True
        if self._operator == "y":
            return Act(first)
        if self._operator == "c":
            return Act(start, start, end, "", insert=True)
        if end < len(text):
            end += 1
        elif start:
            start -= 1
        after = text[:start] + text[end:]
        begin = _line(after, min(start, len(after)))[0] if end == len(text) else start
        return Act(begin + _indent(after[begin : _line(after, begin)[1]]), start, end, "")

    def _motion(self, key: str, text: str, at: int, times: int) -> tuple[int, str] | None:
        start, end = _line(text, at)
        match key:
            case "h":
                return max(start, at - times), "exclusive"
            case "l":
                return min(end, at + times), "exclusive"
            case "0":
                return start, "exclusive"
            case "^":
                return start + _indent(text[start:end]), "exclusive"
            case "$":
                return end, "exclusive"
            case "w" | "b" | "e":
                return _words(key, text, at, times), "inclusive" if key == "e" else "exclusive"
            case "j" | "k":
                there = _vertical(text, at, times, 1 if key == "j" else -1)
                return (there, "lines") if there is not None else None
            case "gg" | "G":
                return self._to_line(key, text), "lines"
        return None

    def _to_line(self, key: str, text: str) -> int:
        lines = text.split("\n")
        wanted = int(self._count) if self._count else (1 if key == "gg" else len(lines))
        number = min(max(wanted, 1), len(lines)) - 1
        return sum(len(line) + 1 for line in lines[:number]) + _indent(lines[number])


def _line(text: str, at: int) -> tuple[int, int]:
    """Where the line begins and ends that a place lies in."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    return start, len(text) if end < 0 else end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t")) if line.strip() else 0


def _on_letter(text: str, at: int) -> int:
    """The nearest place where the cursor of normal mode can stand."""
    at = min(max(at, 0), len(text))
    start, end = _line(text, at)
    return max(start, at - 1) if at == end else at


def _vertical(text: str, at: int, times: int, step: int, *, clamp: bool = False) -> int | None:
    """So many lines further, in the same column; None where there are none (`clamp`: as far as there are)."""
    lines = text.split("\n")
    row = text.count("\n", 0, at)
    there = row + step * times
    if clamp:
        there = min(max(there, 0), len(lines) - 1)
    if not 0 <= there < len(lines):
        return None
    column = at - _line(text, at)[0]
    return sum(len(line) + 1 for line in lines[:there]) + min(column, len(lines[there]))


def _words(key: str, text: str, at: int, times: int) -> int:
    """Where so many words lead: to a beginning, back to one, to an end."""
    spans = [match.span() for match in _WORD.finditer(text)]
    for _ in range(times):
        if key == "w":
            at = next((start for start, _ in spans if start > at), len(text))
        elif key == "e":
            at = next((end - 1 for _, end in spans if end - 1 > at), max(len(text) - 1, 0))
        else:
            at = next((start for start, _ in reversed(spans) if start < at), 0)
    return at
