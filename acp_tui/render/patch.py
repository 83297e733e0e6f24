"""Read a `git_patch`: sections of files with hunks (DF-05). A small reader that forgives what Git would
not write.

Invariant: reading never fails; what is no section is left to the caller as raw text (DF-06).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_ESCAPE = re.compile(rb"\\([abtnvfr\"\\]|[0-7]{1,3})")
_ESCAPES = {b"a": 7, b"b": 8, b"t": 9, b"n": 10, b"v": 11, b"f": 12, b"r": 13, b'"': 34, b"\\": 92}
_NOTES = ("Binary files ", "GIT binary patch", "old mode ", "new mode ", "similarity index ")


@dataclass(slots=True)
class Hunk:
    """Lines with their first character: space, plus, minus or backslash."""

    old: int
    new: int
    title: str
    lines: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Section:
    """What a patch says of one file."""

    old: str | None = None
    new: str | None = None
    hunks: list[Hunk] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    added: int = 0
    removed: int = 0

    @property
    def paths(self) -> frozenset[str]:
        """The paths it is about."""
        return frozenset(path for path in (self.old, self.new) if path)


def read_patch(text: str) -> list[Section]:
    """The sections of a patch, in order; empty if it is none."""
    sections: list[Section] = []
    section: Section | None = None
    hunk: Hunk | None = None
    left = [0, 0]  # lines of the hunk that are still to come: old, new
    lines = text.split("\n")
    if lines and not lines[-1]:
        lines.pop()
    for line in lines:
        if hunk is not None and section is not None and _in_hunk(section, hunk, line, left):
            continue
        if line.startswith("diff --git "):
            section, hunk = Section(*_both(line[11:])), None
            sections.append(section)
        elif section is not None or line.startswith("--- "):
            if section is None:
                sections.append(section := Section())
            hunk = _header(section, line, left) or (hunk if line.startswith("\\") else None)
    return sections


def _in_hunk(section: Section, hunk: Hunk, line: str, left: list[int]) -> bool:
    sign = line[:1]
    if left[0] <= 0 and left[1] <= 0 and sign != "\\":
        return False
    if sign not in ("+", "-", " ", "\\", "", "\r"):
        return False
    hunk.lines.append(line or " ")
    if sign != "\\":
        left[0] -= sign != "+"
        left[1] -= sign != "-"
        section.added += sign == "+"
        section.removed += sign == "-"
    return True


def _header(section: Section, line: str, left: list[int]) -> Hunk | None:
    """One line of a section outside its hunks; a hunk if it opens one."""
    found = _HUNK.match(line)
    if found:
        left[0], left[1] = int(found[2] or 1), int(found[4] or 1)
        section.hunks.append(Hunk(int(found[1]), int(found[3]), found[5]))
        return section.hunks[-1]
    for start, side in (("--- ", "old"), ("+++ ", "new")):
        if line.startswith(start):
            setattr(section, side, _path(line[4:]))
    for start, side in (
        ("rename from ", "old"),
        ("copy from ", "old"),
        ("rename to ", "new"),
        ("copy to ", "new"),
    ):
        if line.startswith(start):
            setattr(section, side, _path(line[len(start) :]))
    if line.startswith(_NOTES):
        section.notes.append(line)
    return None


def _both(text: str) -> tuple[str | None, str | None]:
    """The two paths of a `diff --git` line where that is certain: both quoted, or twice the same."""
    half = len(text) // 2
    if len(text) % 2 and text[half] == " " and text[:half] == text[half + 1 :]:
        return _path(text[:half]), _path(text[half + 1 :])
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
