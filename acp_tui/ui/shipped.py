"""Our own themes, one at a time, read without the checks that other people's files need.

Invariant, held by a test: what `read` makes of a file of ours is what `themes.read_theme` makes of it.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from textual.theme import BUILTIN_THEMES, Theme

DARK, LIGHT = "acp-dark", "acp-light"


def folder() -> Path:
    """Where they are: in the package (wheel), else beside it (editable install)."""
    package = Path(__file__).parent.parent
    inside = package / "themes"
    return inside if inside.is_dir() else package.parent / "themes"


def read(name: str) -> Theme | None:
    """The theme of this name; None if we have none."""
    path = folder() / f"{name}.toml"
    if path.parent != folder() or not path.is_file():
        return None
    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    colors, variables = raw.pop("colors"), raw.pop("variables", {})
    own = inherited(dark=raw["dark"]) if raw.get("ansi") else {}
    return Theme(name=name, variables={**own, **variables}, **colors, **raw)


def inherited(*, dark: bool) -> dict[str, str]:
    """What an ANSI theme does not say, Textual's own says."""
    return BUILTIN_THEMES["ansi-dark" if dark else "ansi-light"].variables


def for_background(dark: bool | None) -> str:
    """The theme for a terminal whose background is known to be dark or light; dark where it is not known."""
    return LIGHT if dark is False else DARK
