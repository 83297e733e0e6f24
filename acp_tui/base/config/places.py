"""On which line of a TOML text each key stands.

The text is known to be TOML (`tomllib` has read it); this only walks over it once and keeps what `tomllib`
does not tell. A path is made of the keys and, in lists, of indices, as they lead to a value of the parsed
file.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping

Path = tuple[str | int, ...]

_BLANK = re.compile(r"[ \t]*")
_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}\r\n#]*")
_STRINGS = (
    re.compile(r'"""(?:\\.|(?!""").)*"{3,5}', re.DOTALL),
    re.compile(r"'''.*?'{3,5}", re.DOTALL),
    re.compile(r'"(?:\\.|[^"\\\n])*"'),
    re.compile(r"'[^'\n]*'"),
)


def places(text: str) -> Mapping[Path, int]:
    """The line (from 1) of every key and every member of a list."""
    walk = _Walk(text)
    with contextlib.suppress(RecursionError):  # lists in lists in lists, which no setting has
        walk.document()
    return walk.found


class _Walk:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: dict[Path, int] = {}
        self._counted = (0, 1)
        self._lists: dict[Path, int] = {}
        """How many `[[tables]]` a list has so far."""

    def document(self) -> None:
        table: Path = ()
        while self._skip(_SPACE):
            if self.text.startswith("[[", self.at):
                table = self._header(2)
            elif self.text[self.at] == "[":
                table = self._header(1)
            else:
                self._pair(table)

    def _skip(self, pattern: re.Pattern[str]) -> bool:
        match = pattern.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return self.at < len(self.text)

    def _here(self) -> int:
        at, line = self._counted
        self._counted = (self.at, line + self.text.count("\n", at, self.at))
        return self._counted[1]

    def _note(self, path: Path, line: int) -> None:
        """Also what is on the way there and was not named before."""
        for length in range(1, len(path) + 1):
            self.found.setdefault(path[:length], line)

    def _header(self, brackets: int) -> Path:
        line = self._here()
        self.at += brackets
        path = self._within_lists(self._key(), whole=brackets == 1)
        self.at += brackets
        if brackets == 2:
            number = self._lists.get(path, -1) + 1
            self._lists[path] = number
            self._note(path, line)
            path = (*path, number)
        self._note(path, line)
        return path

    def _within_lists(self, key: tuple[str, ...], *, whole: bool) -> Path:
        """A header names a list of tables where it means its last one."""
        path: Path = ()
        for index, name in enumerate(key):
            path = (*path, name)
            if path in self._lists and (whole or index < len(key) - 1):
                path = (*path, self._lists[path])
        return path

    def _pair(self, table: Path) -> None:
        line = self._here()
        path = (*table, *self._key())
        self._note(path, line)
        self.at += 1  # the =
        self._value(path)

    def _key(self) -> tuple[str, ...]:
        names = [self._name()]
        while self.text.startswith(".", self.at):
            self.at += 1
            names.append(self._name())
        return tuple(names)

    def _name(self) -> str:
        self._skip(_BLANK)
        bare = _BARE.match(self.text, self.at)
        if bare is not None:
            self.at, name = bare.end(), bare[0]
        else:
            name = _unquoted(self._string())
        self._skip(_BLANK)
        return name

    def _string(self) -> str:
        for pattern in _STRINGS:
            match = pattern.match(self.text, self.at)
            if match is not None:
                self.at = match.end()
                return match[0]
        raise ValueError(f"no string at {self.at}")

    def _value(self, path: Path) -> None:
        self._skip(_BLANK)
        first = self.text[self.at]
        if first == "[":
            self._list(path)
        elif first == "{":
            self._table(path)
        elif first in "\"'":
            self._string()
        else:
            self._skip(_SCALAR)

    def _list(self, path: Path) -> None:
        self.at += 1
        number = 0
        while self._skip(_SPACE) and self.text[self.at] != "]":
            self.found[(*path, number)] = self._here()
            self._value((*path, number))
            number += 1
            self._comma()
        self.at += 1

    def _table(self, path: Path) -> None:
        self.at += 1
        while self._skip(_SPACE) and self.text[self.at] != "}":
            self._pair(path)
            self._comma()
        self.at += 1

    def _comma(self) -> None:
        self._skip(_SPACE)
        if self.text[self.at] == ",":
            self.at += 1


def _unquoted(name: str) -> str:
    if name.startswith("'") or "\\" not in name:
        return name[1:-1]
    import tomllib

    return next(iter(tomllib.loads(f"{name} = 0")))
