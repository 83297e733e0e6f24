from __future__ import annotations

import pytest
from rich.color import Color
from rich.style import Style

from acp_tui.render.pen import PLAIN, sgr, style

DARK = Style(color=Color.parse("#24272e"), bgcolor=Color.parse("#fafaf8"))
LIGHT = Style(color=Color.parse("#d5d8df"), bgcolor=Color.parse("#15171c"))


@pytest.mark.parametrize(
    ("params", "base", "color"),
    [
        ("48;2;0;0;95", DARK, "#ffffff"),
        ("48;2;0;0;95", LIGHT, "#d5d8df"),
        ("48;5;231", LIGHT, "#000000"),
        ("48;5;231", DARK, "#24272e"),
        ("38;2;1;2;3;48;2;0;0;0", DARK, "#010203"),
        ("7;48;2;0;0;95", DARK, "#24272e"),
        ("1", DARK, "#24272e"),
    ],
)
def test_text_without_a_colour_is_readable_on_a_background_that_has_one(
    params: str, base: Style, color: str
) -> None:
    made = style(sgr(PLAIN, params), base)
    assert made.color is not None
    assert made.color.get_truecolor().hex == color


def test_the_colours_of_the_terminal_itself_stay() -> None:
    assert style(sgr(PLAIN, "44"), Style()).color is None


def test_without_colours_nothing_turns_into_a_grey_that_hides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    base = Style(color=Color.from_rgb(1, 2, 3), bgcolor=Color.from_rgb(4, 5, 6))
    blue, bold_on_red, turned = sgr(PLAIN, "34"), sgr(PLAIN, "1;41"), sgr(PLAIN, "7;33")
    assert style(blue, base) == base
    assert style(bold_on_red, base) == base + Style(bold=True, reverse=True)
    assert style(turned, base) == base + Style(reverse=True)
