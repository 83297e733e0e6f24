"""Themes from TOML files: ours, shipped with the program, and the user's, which may replace ours by name.

Invariant: a broken file never stops the program; it yields a `Problem` that names the file and the field,
and the other themes are still there.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator
from textual.color import Color, ColorParseError
from textual.theme import Theme

from acp_tui.ui.shipped import inherited


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with one theme file, in words."""

    path: Path
    field: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.field}: {self.reason}" if self.field else f"{self.path}: {self.reason}"


@dataclass(slots=True)
class Themes:
    """Every theme found, by name, and what was wrong with the rest."""

    found: dict[str, Theme] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def _color(value: str) -> str:
    try:
        Color.parse(value)
    except ColorParseError:
        raise ValueError(f"{value!r} is no colour; write #rrggbb or ansi_blue") from None
    return value


def _variable(value: str) -> str:
    """A colour with an opacity, or words of style: anything else would break the whole style sheet."""
    if not re.fullmatch(r"[\w#%. -]+", value):
        raise ValueError(f"{value!r} holds characters that no colour or style has")
    first = value.split()[0] if value.split() else ""
    if first not in _STYLE_WORDS:
        _color(first)
    return value


_STYLE_WORDS = frozenset({"auto", "none", "not", "bold", "dim", "italic", "underline", "reverse", "strike"})
Variable = Annotated[str, AfterValidator(_variable)]


class _Colors(BaseModel):
    """The colours Textual derives all others from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    primary: str
    secondary: str | None = None
    accent: str | None = None
    warning: str | None = None
    error: str | None = None
    success: str | None = None
    foreground: str | None = None
    background: str | None = None
    surface: str | None = None
    panel: str | None = None
    boost: str | None = None

    @field_validator("*")
    @classmethod
    def _is_color(cls, value: str | None) -> str | None:
        return value if value is None else _color(value)


class _ThemeFile(BaseModel):
    """One theme file. The name is the file's name without `.toml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    dark: bool
    ansi: bool = False
    """Colours are the terminal's own palette."""
    luminosity_spread: float = Field(default=0.15, ge=0, le=1)
    text_alpha: float = Field(default=0.95, ge=0, le=1)
    colors: _Colors
    variables: dict[str, Variable] = Field(default_factory=dict)

    def theme(self, name: str) -> Theme:
        """The same for Textual."""
        own = inherited(dark=self.dark) if self.ansi else {}
        return Theme(
            name=name,
            dark=self.dark,
            ansi=self.ansi,
            luminosity_spread=self.luminosity_spread,
            text_alpha=self.text_alpha,
            variables={**own, **self.variables},
            **self.colors.model_dump(),
        )


def load(folders: Iterable[Path]) -> Themes:
    """All themes of the folders; a later one replaces an earlier one of the same name."""
    themes = Themes()
    for path in _files(folders):
        read = read_theme(path)
        if isinstance(read, Theme):
            themes.found[read.name] = read
        else:
            themes.problems.extend(read)
    return themes


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        if folder.is_dir():
            yield from sorted(folder.glob("*.toml"))


def read_theme(path: Path) -> Theme | list[Problem]:
    """One file: the theme, or everything that is wrong with it."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        return [Problem(path, "", error.strerror or str(error))]
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [Problem(path, "", f"not TOML: {error}")]
    try:
        return _ThemeFile.model_validate(raw).theme(path.stem)
    except ValidationError as error:
        return [Problem(path, ".".join(map(str, e["loc"])), _reason(e["msg"])) for e in error.errors()]


def _reason(message: str) -> str:
    return message.removeprefix("Value error, ")
