"""What only the user interface knows of the settings: which keys can be, which themes there are.

Pure: from one reading of the file to what holds, and everything that is wrong with the file.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from acp_tui.base.config import Config, Problem
from acp_tui.base.config.writing import key_path
from acp_tui.ui.keys.changes import changes


@dataclass(frozen=True, slots=True)
class Judged:
    """A reading of the file, seen by the user interface."""

    config: Config
    keys: Mapping[str, str]
    """Changed keys: binding id → keys with commas."""
    problems: tuple[Problem, ...]
    """All of them, in the order of the file."""


def judge(config: Config, themes: Collection[str]) -> Judged:
    """Judge keys and theme too."""
    found = list(config.problems)
    made, refused = changes(config.settings.keys) if config.settings.keys else ({}, [])
    found += [config.problem(key_path(config, one.id), one.reason) for one in refused]
    theme = config.settings.theme
    if theme and theme not in themes:
        close = difflib.get_close_matches(theme[:60], themes, 1)
        hint = f"; did you mean {close[0]}?" if close else ""
        found.append(
            config.problem(("theme",), f"there is no such theme{hint}; there are {', '.join(themes)}")
        )
    return Judged(config, made, tuple(sorted(found, key=lambda problem: problem.line)))
