"""The settings file as it was read: settings, mistakes, and where each thing stands.

Invariants: reading never raises and never prevents a start. No file is no mistake, and costs an attempt to
open it. A file that is not TOML is not used at all: guessing what it meant could allow what it forbids.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from acp_tui.base.config.model import Settings
from acp_tui.base.config.problem import Problem
from acp_tui.base.paths import config_file

LARGEST = 1 << 20
"""Bytes; what is larger is no settings file."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")


@dataclass(frozen=True)
class Config:
    """One reading of the file."""

    path: Path
    settings: Settings = field(default_factory=Settings)
    problems: tuple[Problem, ...] = ()
    text: str = field(default="", repr=False)
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """What the file says, unchecked."""

    @cached_property
    def _places(self) -> Mapping[tuple[str | int, ...], int]:
        from acp_tui.base.config.places import places

        return places(self.text) if self.data else {}

    def line(self, path: tuple[str | int, ...]) -> int | None:
        """Where the file says it; None where it does not."""
        return self._places.get(path)

    def problem(self, path: tuple[str | int, ...], reason: str) -> Problem:
        """A mistake at this path, or at what is nearest to it in the file."""
        lines = (self._places.get(path[:length]) for length in range(len(path), 0, -1))
        line = next((found for found in lines if found is not None), 1)
        return Problem(self.path, line, dotted(path), reason)


def dotted(path: tuple[str | int, ...]) -> str:
    """A path as one would write it; members of lists are counted from 1."""
    words = ""
    for step in path:
        if isinstance(step, int):
            words += f"[{step + 1}]"
        else:
            name = step if _BARE.fullmatch(step) else f'"{repr(step)[1:-1]}"'
            words += f".{name}" if words else name
    return words if len(words) <= 120 else words[:119] + "…"


def load(path: Path | None = None) -> Config:
    """Read the settings; of a file that is not there, the defaults."""
    place = path or config_file()
    try:
        data = _bytes(place)
    except FileNotFoundError:
        return Config(place)
    except (OSError, ValueError) as error:
        return Config(place, problems=(Problem(place, 1, "", f"cannot be read: {_reason(error)}"),))
    return parse(place, data)


def _reason(error: Exception) -> str:
    return error.strerror or str(error) if isinstance(error, OSError) else str(error)


def _bytes(place: Path) -> bytes:
    """Never waits for a pipe; `/dev/null` is an empty file."""
    with open(os.open(place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISREG(mode) or str(place) == os.devnull:
            data = file.read(LARGEST + 1)
        else:
            raise ValueError("it is no file")
    if len(data) > LARGEST:
        raise ValueError("it is larger than a mebibyte")
    return data


def parse(place: Path, data: bytes) -> Config:
    """What these bytes mean as the file at `place`."""
    import tomllib

    try:
        text = data.decode().removeprefix("\ufeff").replace("\r\n", "\n")
        raw = tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Config(place, problems=(Problem(place, line, "", "this is not UTF-8; nothing of it is used"),))
    except (ValueError, RecursionError) as error:
        return Config(place, problems=(_not_toml(place, text, error),), text=text)
    return _checked(place, text, raw)


def _not_toml(place: Path, text: str, error: Exception) -> Problem:
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", str(error), re.DOTALL)
    said = repr(found[1] if found else str(error))[1:-1][:200]
    line = int(found[2]) if found and found[2] else text.rstrip("\n").count("\n") + 1 if found else 1
    if isinstance(error, RecursionError):
        said = "lists or tables nested too deeply"
    return Problem(place, line, "", f"this is not TOML ({said}); nothing of it is used until it is mended")


def _checked(place: Path, text: str, raw: dict[str, Any]) -> Config:
    from acp_tui.base.config.checking import check

    if not raw:
        return Config(place, text=text)
    settings, mistakes = check(raw)
    bare = Config(place, settings, (), text, raw)
    if not mistakes:
        return bare
    problems = sorted((bare.problem(*one) for one in mistakes), key=lambda problem: problem.line)
    return Config(place, settings, tuple(problems), text, raw)
