"""The transcript's colours: component classes in TCSS, made into one `Look` for each theme.

Invariant: nothing but theme variables; where the theme is the terminal's palette, no mixed backgrounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.strip import Strip
from textual.widget import Widget

from acp_tui.render.look import LOOK_PARTS

CURSOR = "transcript--cursor"
FOUND, FOUND_HERE = "transcript--found", "transcript--found-here"
PARTS = {*LOOK_PARTS, CURSOR, FOUND, FOUND_HERE}

CSS = """
Transcript {
    height: 1fr;
    width: 1fr;
    background: $background;
    color: $foreground;
    border: none;
    padding: 0;
    overflow-x: hidden;
    overflow-y: scroll;
    scrollbar-size-vertical: 1;

    & > .transcript--cursor { color: $accent; text-style: bold; }
    & > .transcript--found { background: $warning 35%; text-style: underline; }
    & > .transcript--found-here { color: $warning; background: $background; text-style: bold reverse; }
    & > .transcript--base { color: $foreground; background: $background; }
    & > .transcript--dim { color: $text-muted; }
    & > .transcript--strong { text-style: bold; }
    & > .transcript--accent { color: $accent; }

    & > .transcript--user { text-style: bold; }
    & > .transcript--user-bar { color: $accent; }
    & > .transcript--thought { color: $text-muted; text-style: italic; }
    & > .transcript--heading { color: $primary; text-style: bold; }
    & > .transcript--subheading { text-style: bold; }
    & > .transcript--emphasis { text-style: italic; }
    & > .transcript--strike { text-style: strike; }
    & > .transcript--code-inline { color: $text-primary; }
    & > .transcript--link { color: $accent; text-style: underline; }
    & > .transcript--quote { color: $text-muted; }
    & > .transcript--quote-bar { color: $text-muted; }
    & > .transcript--bullet { color: $text-muted; }
    & > .transcript--rule { color: $text-muted; }
    & > .transcript--table-head { text-style: bold; }
    & > .transcript--table-rule { color: $text-muted; }
    & > .transcript--math { color: $text-secondary; }

    & > .transcript--code { background: $surface; }
    & > .transcript--code-label { color: $text-muted; }
    & > .transcript--code-keyword { color: $text-accent; }
    & > .transcript--code-function { color: $text-primary; }
    & > .transcript--code-type { color: $text-secondary; }
    & > .transcript--code-string { color: $text-success; }
    & > .transcript--code-number { color: $text-warning; }
    & > .transcript--code-comment { color: $text-muted; text-style: italic; }
    & > .transcript--code-builtin { color: $text-secondary; }
    & > .transcript--code-tag { color: $text-accent; }
    & > .transcript--code-attribute { color: $text-secondary; }
    & > .transcript--code-heading { color: $text-primary; text-style: bold; }
    & > .transcript--code-error { color: $text-error; }

    & > .transcript--kind { color: $text-muted; }
    & > .transcript--path { color: $text-secondary; }
    & > .transcript--result { color: $text-muted; }
    & > .transcript--time { color: $text-muted; }
    & > .transcript--status-running { color: $accent; }
    & > .transcript--status-done { color: $text-muted; }
    & > .transcript--status-failed { color: $error; }
    & > .transcript--status-waiting { color: $warning; }
    & > .transcript--status-off { color: $text-muted; }

    & > .transcript--terminal { color: $foreground; }
    & > .transcript--diff-add { background: $success 12%; }
    & > .transcript--diff-add-word { background: $success 30%; text-style: bold; }
    & > .transcript--diff-delete { background: $error 12%; }
    & > .transcript--diff-delete-word { background: $error 30%; text-style: bold; }
    & > .transcript--diff-context { color: $text-muted; }
    & > .transcript--diff-number { color: $text-muted; }
    & > .transcript--diff-hunk { color: $text-muted; }

    & > .transcript--turn { color: $text-muted; }
    & > .transcript--turn-waiting { color: $warning; }
    & > .transcript--turn-failed { color: $error; }
    & > .transcript--compaction { color: $text-muted; }

    &:ansi > .transcript--found { background: $background; }
    &:ansi > .transcript--diff-add { color: $success; background: $background; }
    &:ansi > .transcript--diff-add-word { color: $success; background: $background; text-style: reverse; }
    &:ansi > .transcript--diff-delete { color: $error; background: $background; }
    &:ansi > .transcript--diff-delete-word { color: $error; background: $background; text-style: reverse; }
}
"""


def resolve(widget: Widget) -> Mapping[str, Style]:
    """Each part's style: the base whole, the others what their own rules say, mixed with what is behind."""
    found: dict[str, Style] = {}
    for name in sorted(PARTS):
        whole = widget.get_component_rich_style(name)
        if name == "transcript--base":
            found[name] = whole
            continue
        styles = widget.get_component_styles(name)
        colored = styles.has_rule("color") or styles.has_rule("auto_color")
        found[name] = styles.text_style + Style.from_color(
            whole.color if colored else None,
            whole.bgcolor if styles.has_rule("background") else None,
        )
    return found


class Filtered:
    """Strips through the app's filters (NO_COLOR, palettes); those of the last frame not once more."""

    def __init__(self) -> None:
        self._how: tuple[Sequence[LineFilter], Color] | None = None
        self._known: dict[int, tuple[Strip, Strip]] = {}

    def through(self, strips: list[Strip], filters: Sequence[LineFilter], background: Color) -> list[Strip]:
        """The strips as the filters let them through."""
        if self._how != (filters, background):
            self._how, self._known = (filters, background), {}
        made: dict[
            int, tuple[Strip, Strip]
        ] = {}  # by identity, which lives as long as the strip is kept here
        for strip in strips:
            known = self._known.get(id(strip))
            if known is None:
                shown = strip
                for line_filter in filters:
                    shown = shown.apply_filter(line_filter, background)
                known = strip, shown
            made[id(strip)] = known
        self._known = made
        return [made[id(strip)][1] for strip in strips]
