"""How things look: one frozen set of Rich styles, made once for each theme.

Invariants: a `Look` never changes and is compared by identity, so it may be part of any cache key. Every
style holds the background it stands on, so a line drawn with it needs nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any

from rich.segment import Segment
from rich.style import Style

PREFIX = "transcript--"
_DIM = Style(dim=True)


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class Look:
    """Styles by what they mean; the component class of `code_string` is `transcript--code-string`."""

    base: Style
    dim: Style
    strong: Style
    accent: Style

    user: Style
    user_bar: Style
    thought: Style
    heading: Style
    subheading: Style
    emphasis: Style
    strike: Style
    code_inline: Style
    link: Style
    quote: Style
    quote_bar: Style
    bullet: Style
    rule: Style
    table_head: Style
    table_rule: Style
    math: Style

    code: Style
    code_label: Style
    code_keyword: Style
    code_name: Style
    code_function: Style
    code_type: Style
    code_string: Style
    code_number: Style
    code_comment: Style
    code_operator: Style
    code_builtin: Style
    code_tag: Style
    code_attribute: Style
    code_heading: Style
    code_error: Style

    title: Style
    kind: Style
    path: Style
    result: Style
    time: Style
    status_running: Style
    status_done: Style
    status_failed: Style
    status_waiting: Style
    status_off: Style

    terminal: Style
    diff_add: Style
    diff_add_word: Style
    diff_delete: Style
    diff_delete_word: Style
    diff_context: Style
    diff_number: Style
    diff_hunk: Style

    turn: Style
    turn_waiting: Style
    turn_failed: Style
    compaction: Style

    @property
    def colours_code(self) -> bool:
        """There is a difference between keywords, strings and the like."""
        styles = (
            getattr(self, part) for part in _PARTS if part.startswith("code_") and part != "code_inline"
        )
        return any(style != self.code for style in styles)

    @classmethod
    def from_styles(cls, styles: Mapping[str, Style]) -> Look:
        """A look from the styles of the component classes in `LOOK_PARTS`; a missing one looks like the
        base."""
        base = styles.get(PREFIX + "base", Style.null())
        made = {part: base + styles.get(component(part), Style.null()) for part in _PARTS}
        for part in made:
            if part.startswith("code_") and part != "code_inline":
                made[part] = made["code"] + styles.get(component(part), Style.null())
        return cls(**made)


def component(part: str) -> str:
    """The component class of a part: `user_bar` is `transcript--user-bar`."""
    return PREFIX + part.replace("_", "-")


_PARTS = tuple(f.name for f in fields(Look))
LOOK_PARTS: tuple[str, ...] = tuple(component(part) for part in _PARTS)
"""Component classes of the transcript, one for each style of a `Look`."""


@lru_cache(maxsize=8)
def dimmed(look: Look) -> Look:
    """The same, dim: what is past."""
    return Look(**{part: getattr(look, part) + _DIM for part in _PARTS})


@lru_cache(maxsize=4096)
def act(*action: str | int | None) -> Style:
    """A style that makes what it covers clickable: `("toggle",)`, `("link", url)`, `("open", path, line)`."""
    return Style(meta={"act": action})


def act_at(row: Iterable[Segment], cell: int) -> tuple[Any, ...]:
    """What a click on a cell of a drawn row should do; empty: nothing."""
    for segment in row:
        cell -= segment.cell_length
        if cell < 0:
            meta = segment.style.meta if segment.style is not None else {}
            return tuple(meta.get("act", ()))
    return ()


def _fallback() -> dict[str, Style]:
    plain = {
        "dim": "bright_black", "strong": "bold", "accent": "cyan", "user_bar": "cyan",
        "thought": "italic bright_black",
        "heading": "bold underline", "subheading": "bold", "emphasis": "italic", "strike": "strike",
        "code_inline": "yellow", "link": "underline cyan", "quote": "italic", "quote_bar": "bright_black",
        "bullet": "bright_black", "rule": "bright_black", "table_head": "bold", "table_rule": "bright_black",
        "code_label": "bright_black", "code_keyword": "magenta", "code_function": "blue", "code_type": "cyan",
        "code_string": "green", "code_number": "yellow", "code_comment": "bright_black", "code_error": "red",
        "path": "cyan", "result": "bright_black", "time": "bright_black", "status_running": "cyan",
        "status_done": "green", "status_failed": "red",
        "status_waiting": "yellow", "status_off": "bright_black",
        "diff_add": "green", "diff_delete": "red",
        "diff_add_word": "reverse green", "diff_delete_word": "reverse red",
        "diff_number": "bright_black", "diff_hunk": "bright_black",
        "turn": "bright_black", "turn_waiting": "yellow", "turn_failed": "red",
        "compaction": "bright_black",
    }  # fmt: skip
    return {component(part): Style.parse(style) for part, style in plain.items()}


FALLBACK = Look.from_styles(_fallback())
"""A look of palette colours, for plain output and tests."""

COLOURLESS = Look.from_styles({})
"""Words alone."""
