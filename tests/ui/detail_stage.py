"""A detail screen, or the log of notices, on a store fed by hand, with the program's own style sheet."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

import acp_tui.ui.app
from acp_tui.store.keys import Kind
from acp_tui.ui.detail.around import Around
from acp_tui.ui.detail.sheet import Sheet
from acp_tui.ui.screens.detail import DetailScreen
from acp_tui.ui.screens.notices import NoticesScreen
from acp_tui.ui.screens.tabbed import Tabbed
from tests.store.seen import Fed
from tests.ui.screen_text import screen_text

LIMIT = 30.0


def b64(data: bytes | str) -> str:
    """As it stands on the wire."""
    return base64.b64encode(data.encode() if isinstance(data, str) else data).decode()


class Reader(App[None]):
    """What the screens need of an app."""

    CSS_PATH = Path(acp_tui.ui.app.__file__).parent / "app.tcss"
    AUTO_FOCUS = None

    def __init__(self, first: Tabbed, fed: Fed) -> None:
        super().__init__()
        self.first, self.fed = first, fed

    def on_mount(self) -> None:
        self.push_screen(self.first)
        self.fed.store.flush()
        self.fed.store.on_dirty = self.fed.store.flush


class Reading:
    """Acts and looks."""

    def __init__(self, fed: Fed, app: Reader, pilot: Pilot[None]) -> None:
        self.fed, self.app, self.pilot = fed, app, pilot
        self.tabbed = app.first

    @property
    def sheet(self) -> Sheet:
        return self.tabbed.sheet

    @property
    def screen(self) -> Screen[object]:
        return self.app.screen

    def rows(self) -> list[str]:
        return screen_text(self.app)

    def text(self) -> str:
        return "\n".join(self.rows())

    def body(self) -> list[str]:
        """The rows of the sheet, without the scrollbar."""
        area = self.sheet.region
        return [row[: area.width - 1].rstrip() for row in self.rows()[area.y : area.bottom]]

    async def press(self, *keys: str) -> Reading:
        await self.pilot.press(*keys)
        await self.pilot.pause(0)
        return self

    async def type(self, text: str) -> Reading:
        return await self.press(*("space" if one == " " else one for one in text))

    async def until(self, what: str | Callable[[], object]) -> Reading:
        """Wait until the screen shows this text, or until this is true."""
        with anyio.move_on_after(LIMIT):
            while not (what in self.text() if isinstance(what, str) else what()):
                await self.pilot.pause()
                await anyio.sleep(0.005)
            return self
        raise AssertionError(f"never came: {what}\n{self.text()}")


@asynccontextmanager
async def reading(
    fed: Fed,
    kind: Kind | None,
    id_: str = "",
    *,
    size: tuple[int, int] = (80, 24),
    cwd: str = "",
    journals: Sequence[Path] = (),
) -> AsyncIterator[Reading]:
    """The detail screen of an entity; without a kind, the log of notices."""
    around = Around(store=fed.store, now=lambda: fed.at, cwd=cwd, journals=lambda: journals)
    if cwd:
        fed.session.cwd = cwd
    if kind is None:
        first: Tabbed = NoticesScreen(fed.session, around)
    else:
        first = DetailScreen(fed.key(kind, id_), around)
    app = Reader(first, fed)
    async with app.run_test(size=size, notifications=True) as pilot:
        made = Reading(fed, app, pilot)
        await made.until(lambda: first.is_attached and first.sheet.rows)
        yield made
