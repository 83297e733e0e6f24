"""Saying only what differs leaves the same cells as saying everything."""

from __future__ import annotations

import pyte
from hypothesis import given
from hypothesis import strategies as st
from rich.color import Color
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from acp_tui.ui.terminal.sgr import Cell, written

colors = st.one_of(
    st.none(),
    st.sampled_from(["red", "bright_blue", "default"]).map(Color.parse),
    st.integers(16, 255).map(Color.from_ansi),
    st.tuples(*[st.integers(0, 255)] * 3).map(lambda rgb: Color.from_rgb(*rgb)),
)
attributes = st.fixed_dictionaries(
    {name: st.booleans() for name in ("bold", "italic", "underline", "reverse")}
)
styles = st.builds(
    lambda color, background, on: Style.from_color(color, background) + Style(**on),
    colors,
    colors,
    attributes,
)
words = st.one_of(st.text("ab é", min_size=1, max_size=4), st.integers(7, 12).map(lambda n: "b" + " " * n))
segments = st.builds(Segment, words, st.one_of(st.none(), styles))
rows = st.lists(st.lists(segments, max_size=5).map(Strip), min_size=1, max_size=5)
WIDTH = 90


def shown(data: str) -> list[list[object]]:
    screen = pyte.Screen(WIDTH, 6)
    pyte.Stream(screen).feed(data)
    return [[screen.buffer[y][x] for x in range(WIDTH)] for y in range(6)]


@given(rows, st.integers(0, 20), st.booleans())
def test_the_cells_are_the_same_and_nothing_is_left_on(
    strips: list[Strip], apart: int, erasing: bool
) -> None:
    console = Console(color_system="truecolor", force_terminal=True)
    end = Strip([Segment("|", Style(bold=True))])
    cells: list[Cell] = []
    for y, strip in enumerate(strips):
        cells += [(1, y, strip), (1 + strip.cell_length + apart, y, end)]
    plainly = "".join(f"\x1b[{y + 1};{x + 1}H{strip.render(console)}" for x, y, strip in cells)
    assert shown(written(cells, console, erasing) + "\x1b[6;1Hx") == shown(plainly + "\x1b[6;1Hx")


def test_long_blanks_are_erased_and_not_what_is_seen_of_blanks() -> None:
    console = Console(color_system="truecolor", force_terminal=True)
    blanks, lines = Strip([Segment(" " * 40, Style.parse("on red"))]), Style.parse("underline on red")
    assert " " not in written([(0, 0, blanks)], console, erasing=True)
    assert " " * 40 in written([(0, 0, blanks)], console)
    assert " " * 40 in written([(0, 0, Strip([Segment(" " * 40, lines)]))], console, erasing=True)


def test_a_link_is_opened_and_closed_around_its_words() -> None:
    strip = Strip([Segment("see "), Segment("here", Style(link="https://a.example/x"))])
    said = written([(0, 0, strip)], Console(color_system="truecolor", force_terminal=True))
    assert "https://a.example/x\x1b\\here\x1b]8;;\x1b\\" in said
