"""Read a `git_patch`: sections of files with hunks (DF-05). A small reader that forgives what Git would
not write.

Invariants: reading never fails and loses nothing that could matter: what stands before the first section is
returned beside them, what cannot be read inside of one stays there as a raw hunk (DF-06). One pass over the
lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_ESCAPE = re.compile(rb"\\([abtnvfr\"\\]|[0-7]{1,3})")
_ESCAPES = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}
_PATHS = (
    ("--- ", "old", ""),
    ("+++ ", "new", ""),
    ("rename from ", "old", "move"),
    ("rename to ", "new", "move"),
    ("copy from ", "old", "copy"),
    ("copy to ", "new", "copy"),
)
_NOTES = (
    ("Binary files ", ""),
    ("old mode ", ""),
    ("new mode ", ""),
    ("new file mode ", "add"),
    ("deleted file mode ", "delete"),
    ("similarity index ", ""),
    ("dissimilarity index ", ""),
)
_BINARY = "GIT binary patch"
_SECTION = "diff --git "


@dataclass(slots=True)
class Hunk:
    """Lines with their first character: space, plus, minus or backslash; or raw ones that are no hunk."""

    old: int
    new: int
    title: str
    lines: list[str] = field(default_factory=list)
    raw: bool = False


@dataclass(slots=True)
class Section:
    """What a patch says of one file."""

    old: str | None = None
    new: str | None = None
    operation: str = "modify"
    hunks: list[Hunk] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Lines of its header about modes, similarity and the like, as Git wrote them."""
    binary: list[str] = field(default_factory=list)
    """The lines of a `GIT binary patch`."""
    added: int = 0
    removed: int = 0
    head: str = ""
    """Git's line above it, for a section that says no more."""

    @property
    def paths(self) -> frozenset[str]:
        """The paths it is about."""
        return frozenset(path for path in (self.old, self.new) if path)


class Patch(NamedTuple):
    """The sections of a patch, and the lines before them."""

    sections: list[Section]
    stray: list[str]


def read_patch(text: str) -> Patch:
    """The patch, read; without sections if it is none."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    reader = _Reader(lines)
    while reader.at < len(lines):
        reader.step()
    return Patch(reader.sections, reader.stray)


class _Reader:
    """Goes over the lines once; `at` is the next one."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.at = 0
        self.sections: list[Section] = []
        self.stray: list[str] = []

    def step(self) -> None:
        """Take one line, and the body that it opens."""
        line = self.lines[self.at]
        self.at += 1
        if line.startswith(_SECTION):
            head = line[len(_SECTION) :]
            self.sections.append(Section(*_both(head), head=head))
        elif self._opens(line):
            self.sections.append(Section())
            self._header(self.sections[-1], line)
        elif self.sections:
            self._header(self.sections[-1], line)
        else:
            self.stray.append(line)

    def _opens(self, line: str) -> bool:
        """A section without Git's line above it."""
        begins = line.startswith("--- ") and self._line(self.at).startswith("+++ ")
        return begins and not (self.sections and not self.sections[-1].hunks)

    def _line(self, at: int) -> str:
        return self.lines[at] if at < len(self.lines) else ""

    def _header(self, section: Section, line: str) -> None:
        """One line of a section outside its hunks."""
        found = _HUNK.match(line)
        if found:
            self._hunk(section, found)
            return
        for start, side, operation in _PATHS:
            if line.startswith(start):
                setattr(section, side, path := _path(line[len(start) :]))
                said = operation or ("" if path else {"old": "add", "new": "delete"}[side])
                section.operation = said or section.operation
                return
        for start, operation in _NOTES:
            if line.startswith(start):
                section.notes.append(line)
                section.operation = operation or section.operation
                return
        if line.startswith(_BINARY):
            section.binary = self._until(lambda line: line.startswith(_SECTION))
        elif line.strip() and not line.startswith("index "):
            section.hunks.append(Hunk(0, 0, "", [line, *self._until(_structure)], raw=True))

    def _until(self, ends: Callable[[str], bool]) -> list[str]:
        start = self.at
        while self.at < len(self.lines) and not ends(self.lines[self.at]):
            self.at += 1
        return self.lines[start : self.at]

    def _hunk(self, section: Section, found: re.Match[str]) -> None:
        start = self.at
        added, removed = self._body(int(found[2] or 1), int(found[4] or 1))
        section.added += added
        section.removed += removed
        lines = self.lines[start : self.at]
        if "" in lines:  # somebody stripped the space of an empty line
            lines = [line or " " for line in lines]
        section.hunks.append(Hunk(int(found[1]), int(found[3]), found[5], lines))

    def _body(self, old: int, new: int) -> tuple[int, int]:
        """Go to the end of a hunk of so many lines, and of those beyond that look like its own: counts
        written by a model are often wrong."""
        lines, at, end = self.lines, self.at, len(self.lines)
        added = removed = 0
        while at < end:
            line = lines[at]
            sign = line[:1]
            if old <= 0 and new <= 0 and (sign not in _SIGNS or not sign or self._ends(line, at)):
                break
            if sign == "+":
                added += 1
                new -= 1
            elif sign == "-":
                removed += 1
                old -= 1
            elif sign in _BLANK:
                old -= 1
                new -= 1
            elif sign != "\\":
                break
            at += 1
        self.at = at
        return added, removed

    def _ends(self, line: str, at: int) -> bool:
        """A line that looks like a removed one, but begins the next file or a mail's signature."""
        return line.rstrip() == "--" or (line.startswith("--- ") and self._line(at + 1).startswith("+++ "))


_SIGNS = "+- \\"
_BLANK = (" ", "", "\r")


def _structure(line: str) -> bool:
    """The line begins something that can be read."""
    return line.startswith(_SECTION) or _HUNK.match(line) is not None


def _both(text: str) -> tuple[str | None, str | None]:
    """The two paths of a `diff --git` line where that is certain: both quoted, or twice the same."""
    half = len(text) // 2
    left, right = text[:half], text[half + 1 :]
    same = left == right or (left[:2] == "a/" and right[:2] == "b/" and left[2:] == right[2:])
    if same and len(text) % 2 and text[half] == " ":
        return _path(left), _path(right)
    parts = text.split(" ")
    return (_path(parts[0]), _path(parts[1])) if len(parts) == 2 else (None, None)


def _path(text: str) -> str | None:
    text = text.split("\t", 1)[0].rstrip("\r")
    if len(text) > 1 and text[0] == text[-1] == '"':
        raw = text[1:-1].encode("utf-8", "surrogatepass")
        text = _ESCAPE.sub(_byte, raw).decode("utf-8", "replace")
    return None if text == "/dev/null" else text


def _byte(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([_ESCAPES[code] if code in _ESCAPES else int(code, 8) & 0xFF])
