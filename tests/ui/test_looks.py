"""What holds at every size and in every theme: nothing breaks, nothing that matters is lost, toasts stay
few.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from textual.geometry import Region
from textual.widgets._toast import Toast

from acp_tui.ui.widgets.options import Options
from acp_tui.ui.widgets.permission_panel import PermissionPanel
from tests.clock import Clock
from tests.ui.driving import Driven, asked, driving, words

pytestmark = pytest.mark.anyio


def places(driven: Driven) -> list[tuple[str, Region]]:
    """Where the parts of the chat stand."""
    return [(str(child), child.region) for child in driven.chat.children if child.display and child.region]


@pytest.mark.parametrize("size", [(20, 8), (30, 10), (50, 16), (80, 24), (120, 40), (220, 60)])
async def test_at_every_size_the_options_and_the_composer_are_in_sight(size: tuple[int, int]) -> None:
    clock = Clock()
    async with driving(words(), clock=clock, size=size) as driven:
        await asked(driven, clock, "plan title=T usage command=" + "_".join("abcdefgh" for _ in range(99)))
        screen = driven.app.screen.size.region
        assert screen.contains_region(driven.composer.region)
        assert screen.contains_region(driven.chat.query_one(Options).region)
        panel = driven.chat.query_one(PermissionPanel).region
        assert panel.height <= max(4, size[1] // 2)
        rows = [region for _, region in places(driven)]
        assert all(not a.overlaps(b) for i, a in enumerate(rows) for b in rows[i + 1 :])


async def test_the_panel_keeps_its_half_when_the_terminal_shrinks() -> None:
    clock = Clock()
    async with driving(words(), clock=clock, size=(120, 40)) as driven:
        await asked(driven, clock, "command=" + "_".join(f"w{n}" for n in range(600)))
        assert driven.panel.region.height == 20
        await driven.pilot.resize_terminal(60, 16)
        await driven.until(lambda: driven.panel.region.height <= 8)
        assert driven.app.screen.size.region.contains_region(driven.chat.query_one(Options).region)


@pytest.mark.parametrize("theme", ["acp-dark", "acp-light", "acp-ansi", "acp-high-contrast", "nord"])
async def test_every_theme_draws_every_screen(theme: str) -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        assert theme in driven.app.found.found or theme == "nord"
        driven.app.theme = theme
        await asked(driven, clock, "hello plan usage notice=N command=ls")
        await driven.press("f1")
        await driven.until("Everywhere")
        await driven.press("escape", "f2")
        await driven.until("Notices")
        await driven.press("escape", "ctrl+q")
        await driven.until("This ends")


async def test_an_unknown_theme_is_said_and_the_rest_works() -> None:
    async with driving(words(), theme="no-such-theme") as driven:
        await driven.until("No theme no-such-theme")
        assert driven.app.theme == "acp-dark"


async def test_a_toast_covers_neither_panel_nor_composer() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "notice=A notice=B notice=C command=ls")
        for toast in driven.app.screen.query(Toast):
            assert not toast.region.overlaps(driven.panel.region)
            assert not toast.region.overlaps(driven.composer.region)


async def test_more_than_nine_options_have_numbers_in_turn() -> None:
    clock = Clock()
    async with driving(words(), clock=clock) as driven:
        await asked(driven, clock, "options=12")
        assert "9 Option 9" in driven.text() and "Option 10" not in driven.text()
        driven.panel.focus()
        await driven.press("m")
        await driven.until("3 Option 12")
        clock.at += 5
        await driven.press("3")
        await driven.until("answer: o12")


@pytest.mark.parametrize(("rows", "blank"), [(24, 0), (29, 0), (30, 1), (40, 1)])
async def test_a_tall_screen_breathes_and_a_low_one_wastes_nothing(rows: int, blank: int) -> None:
    clock = Clock()
    async with driving(words(), clock=clock, size=(80, rows)) as driven:
        await asked(driven, clock, "plan command=ls")
        regions = sorted((region for _, region in places(driven)), key=lambda region: region.y)
        gaps = [below.y - above.bottom for above, below in pairwise(regions)]
        assert gaps == [0, blank, *[0] * (len(gaps) - 2)]
        assert regions[-1].bottom == rows
