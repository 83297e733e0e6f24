"""What is painted is the same, whoever is asked for it."""

from __future__ import annotations

from typing import Any

import pytest
from rich.segment import Segment
from textual._compositor import ChopsUpdate, Compositor
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from acp_tui.ui.terminal.frugal import FrugalCompositor, paint_frugally


class Counted(Widget):
    """Counts the rows it was asked for."""

    asked = 0

    def render_lines(self, crop: Region) -> list[Strip]:
        self.asked += crop.height
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        return Strip([Segment(f"row {y} ".ljust(self.size.width, "."))])


class Stage(Screen[None]):
    """Rows under each other, some of which are out of sight, and something over them."""

    CSS = """
    Stage { layers: below above; }
    Counted { height: 12; }
    VerticalScroll { height: 5; width: 40; }
    VerticalScroll Static { height: 3; border: solid red; }
    #over { layer: above; offset: 3 2; width: 9; height: 9; background: blue; }
    """

    def __init__(self) -> None:
        super().__init__()
        paint_frugally(self)

    def compose(self) -> ComposeResult:
        yield Counted()
        with VerticalScroll():
            yield Static("one")
            yield Static("two")
            yield Static("three")
        yield Static("last", id="last")
        yield Static("over\neverything", id="over")


def painted(screen: Screen[Any], regions: set[Region]) -> str:
    """What goes to the terminal for these regions."""
    screen._compositor._dirty_regions = set(regions)
    update = screen._compositor.render_partial_update()
    assert isinstance(update, ChopsUpdate)
    return update.render_segments(screen.app.console)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "regions",
    [
        {Region(0, 17, 80, 1)},
        {Region(0, 3, 80, 2)},
        {Region(5, 1, 4, 2), Region(0, 13, 80, 3)},
        {Region(39, 11, 2, 3)},
        {Region(0, 0, 80, 24)},
    ],
)
async def test_the_same_is_painted_as_by_textual(
    regions: set[Region], monkeypatch: pytest.MonkeyPatch
) -> None:
    app: App[None] = App()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(Stage())
        app.screen.query_one(VerticalScroll).scroll_to(y=2, animate=False)
        await pilot.pause()
        assert type(app.screen._compositor) is FrugalCompositor
        frugal = painted(app.screen, regions)
        monkeypatch.setattr(FrugalCompositor, "_get_renders", Compositor._get_renders)
        assert frugal == painted(app.screen, regions)


@pytest.mark.anyio
async def test_a_widget_is_asked_for_the_rows_that_are_painted() -> None:
    app: App[None] = App()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.push_screen(Stage())
        await pilot.pause()
        counted = app.screen.query_one(Counted)
        counted.asked = 0
        app.screen.query_one("#last", Static).update("another")
        await pilot.pause()
        assert counted.asked == 0
        counted.refresh(Region(0, 4, 80, 1))
        await pilot.pause()
        assert counted.asked == 1
