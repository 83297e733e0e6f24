"""Direct writing against a full repaint: the bytes of the driver go to a terminal, cell by cell the same."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from acp_tui.ui.terminal import steady
from acp_tui.ui.terminal.steady import SteadyLine, bare, difference, moved, wanted
from acp_tui.ui.transcript import selection as spots
from tests.store.seen import Fed
from tests.ui.screen_text import screen_text
from tests.ui.transcript.stage import Chat, Stage, prose, stage, talk

WIDE = "列車は東京を出た。日本語の文章 🚆 mixed with ASCII, 한국어도 있다 🎉 and ｆｕｌｌ width, cafés. "


class Terminal(HeadlessDriver):
    """A driver that does not call itself headless: what the app writes goes to a terminal of pyte."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        width, height = self._size or (80, 24)
        self.screen = pyte.Screen(width, height)
        self.stream = pyte.Stream(self.screen)
        self.written = 0

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        self.written += len(data)
        self.stream.feed(data)


Cell = tuple[str, str, str, bool, bool, bool, bool]


def cells(driver: Terminal) -> list[list[Cell]]:
    """Every cell of the terminal: character, colours and attributes."""
    buffer = driver.screen.buffer
    return [
        [
            (c.data, c.fg, c.bg, c.bold, c.italics, c.underscore, c.reverse)
            for c in (buffer[y][x] for x in range(driver.screen.columns))
        ]
        for y in range(driver.screen.lines)
    ]


@pytest.fixture(autouse=True)
def truecolor(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal the app believes to be in."""
    for name, value in (("COLORTERM", "truecolor"), ("TERM", "xterm-256color")):
        monkeypatch.setenv(name, value)
    for name in ("NO_COLOR", "ACP_TUI_STEADY"):
        monkeypatch.delenv(name, raising=False)


class Modal(ModalScreen[None]):
    """Something over everything."""

    CSS = "Modal { align: center middle; } Static { width: 30; height: 5; background: $error; }"

    def compose(self) -> ComposeResult:
        yield Static("modal")


class Theatre:
    """One stage with its terminal; the same acts are played in both modes."""

    def __init__(self, on: Stage) -> None:
        assert isinstance(on.app._driver, Terminal)
        self.on, self.driver = on, on.app._driver
        self.shots: dict[str, list[list[Cell]]] = {}
        self.spoken = 0

    async def stream(self, count: int) -> None:
        for _ in range(count):
            self.spoken += 1
            tail = WIDE if self.spoken % 5 == 0 else prose(self.spoken, 14)
            await self.on.say("agent_message", "new", tail + ("\n\n" if self.spoken % 3 == 0 else " "))

    async def quiet(self) -> None:
        """Wait until nothing is written any more; a screen behind another paints late."""
        await self.on.settled()
        written = -1
        while written != self.driver.written:
            written = self.driver.written
            await self.on.pilot.pause()

    async def shot(self, name: str) -> None:
        """The terminal as it is must be what a full repaint makes of it."""
        await self.quiet()
        self.shots[name] = before = cells(self.driver)
        self.on.app.screen.refresh()
        await self.quiet()
        after = cells(self.driver)
        wrong = [y for y, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        assert not wrong, (
            name,
            wrong,
            "".join(c[0] for c in before[wrong[0]]),
            "".join(c[0] for c in after[wrong[0]]),
        )
        assert screen_text(self.on.app)[0] == "".join(c[0] for c in before[0]).rstrip()


@asynccontextmanager
async def theatre(fed: Fed, *, steady: bool, size: tuple[int, int] = (90, 26)) -> AsyncIterator[Theatre]:
    async with stage(fed, size, headless=False, steady=steady, driver_class=Terminal) as on:
        yield Theatre(on)


async def follow_and_scroll(play: Theatre) -> None:
    on = play.on
    await play.stream(40)
    await play.shot("follow")
    for lines in (*[-3] * 12, *[3] * 4, *[-1] * 5):
        await on.wheel(lines)
    await play.shot("wheel")
    await play.stream(6)
    await play.shot("up while streaming")
    await on.wheel(-400)
    for _ in range(4):
        await on.wheel(-3)
    await play.shot("far up")
    on.transcript.follow_end()
    await play.stream(12)
    await play.shot("back at the end")


async def things_above(play: Theatre) -> None:
    on = play.on
    on.app.notify("a toast in the middle", timeout=600)
    await play.stream(8)
    await on.wheel(-3)
    await play.shot("toast")
    on.app.clear_notifications()
    on.transcript.follow_end()
    await play.stream(8)
    await play.shot("toast gone")
    await on.app.push_screen(Modal())
    await play.stream(4)
    await play.shot("modal")
    on.app.pop_screen()
    await play.stream(4)
    await play.shot("modal gone")


async def selecting_and_colours(play: Theatre) -> None:
    on = play.on
    assert on.transcript.column is not None
    last = len(on.transcript.column) - 1
    here = on.transcript.rows[3].line
    on.transcript.select(Selection(Offset(4, spots.spot(last, here)), Offset(30, spots.spot(last, here + 9))))
    await play.stream(4)
    await play.shot("selection")
    on.app.screen.clear_selection()
    on.transcript.focus()
    await on.press("up", "down", "enter", "z")
    await play.shot("cursor")
    on.app.theme = "textual-light"
    await play.stream(4)
    await play.shot("light")


async def searching(play: Theatre) -> None:
    on = play.on
    on.transcript.focus()
    await on.press("slash", *"lexer")
    await play.shot("search open")
    await play.stream(4)
    await on.press("up", "up", "enter")
    await play.stream(4)
    await play.shot("search walked")
    await on.press("escape")
    on.transcript.follow_end()
    await play.stream(4)
    await play.shot("search closed")


async def grouping(play: Theatre) -> None:
    on = play.on
    for number in range(5):
        fields = {"toolCallId": f"read{number}", "title": f"read {number}", "kind": "read"}
        on.fed("tool_call_update", **fields, status="in_progress")
        await on.settled()
        on.fed("tool_call_update", **fields, status="completed")
        await on.settled()
    await play.shot("grouped")
    on.transcript.focus()
    await on.press("end", "enter")
    await play.shot("group open")
    await on.press("enter", "c")
    on.app.clear_notifications()  # of what was copied: it goes by itself, sooner or later
    await play.stream(4)
    await play.shot("group closed")


async def resizing(play: Theatre) -> None:
    play.driver._size = (71, 22)
    play.driver.screen.resize(22, 71)
    await play.on.pilot.resize_terminal(71, 22)
    await play.stream(12)
    await play.shot("resized")


@pytest.mark.anyio
async def test_direct_writing_leaves_the_screen_a_repaint_would() -> None:
    shots = []
    for mode in (True, False):
        async with theatre(talk(120), steady=mode) as play:
            for act in (
                follow_and_scroll,
                things_above,
                selecting_and_colours,
                searching,
                grouping,
                resizing,
            ):
                await act(play)
            shown = play.on.transcript.steady.shown
            assert (shown["scrolled"] > 30) == mode and (shown["direct"] > 0) == mode, shown
            assert shown["plain"] > 0
            shots.append(play.shots)
    steadily, plainly = shots
    assert any("車" in cell[0] for row in steadily["follow"] for cell in row)
    for name, shot in steadily.items():
        assert shot == plainly[name], name


@pytest.mark.anyio
async def test_writes_a_fraction_of_the_bytes_and_none_when_nothing_happens() -> None:
    written = []
    for mode in (True, False):
        async with theatre(talk(60), steady=mode) as play:
            before = play.driver.written
            await play.stream(20)
            written.append(play.driver.written - before)
            before = play.driver.written
            await play.on.settled()
            play.on.fed("usage_update", used=1, size=2)
            await play.on.settled()
            assert play.driver.written == before
    assert written[0] * 4 < written[1], written


@pytest.mark.anyio
async def test_no_row_is_painted_twice_in_a_frame() -> None:
    async with theatre(talk(60), steady=True) as play:
        await play.stream(5)
        frames: list[str] = []
        write = play.driver.stream.feed
        play.driver.stream.feed = lambda data: (frames.append(data), write(data))[1]  # type: ignore[method-assign,assignment,func-returns-value]
        for _ in range(6):
            frames.clear()
            await play.stream(1)
            painted = [
                data
                for data in frames
                if prose(play.spoken, 14).split()[-1] in data or "width, cafés" in data
            ]
            assert len(painted) == 1


@pytest.mark.anyio
@pytest.mark.parametrize(
    "owner, name", [(steady, "_ON_APP"), (steady, "_ON_WIDGET"), (steady, "_ON_COMPOSITOR")]
)
async def test_a_missing_private_name_means_plain_painting(
    monkeypatch: pytest.MonkeyPatch, owner: Any, name: str
) -> None:
    monkeypatch.setattr(owner, name, (*getattr(owner, name), "_no_longer_there"))
    async with theatre(talk(20), steady=True) as play:
        await play.stream(4)
        assert play.on.transcript.steady.shown.keys() <= {"plain", "same"}
        await play.shot("plain")


@pytest.mark.anyio
async def test_the_private_names_are_there() -> None:
    fed = talk(5)
    app = Chat(fed)
    async with app.run_test() as pilot:
        await pilot.pause()
        assert steady.missing(app, app.screen, app.query_one("Transcript")) == []


def test_the_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    assert wanted()
    monkeypatch.setenv("ACP_TUI_STEADY", "0")
    assert not wanted()
    assert not steady.Steady(Static()).enabled  # type: ignore[arg-type]
    assert steady.Steady(Static(), enabled=True).enabled  # type: ignore[arg-type]


def row(words: str, style: str = "") -> Strip:
    return Strip([Segment(words, Style.parse(style))])


def test_rows_that_moved_are_found_by_identity_and_by_text() -> None:
    rows = [row(f"row {n}") for n in range(20)]
    assert moved(rows[:10], rows[3:13]) == 3
    assert moved(rows[5:15], rows[1:11]) == -4
    assert moved(rows[:10], [row(f"row {n}") for n in range(2, 12)]) == 2
    assert moved(rows[:10], rows[10:20]) == 0
    blank = row(" ")
    assert moved([blank] * 10, [blank] * 10) == 0


def test_only_cells_that_differ_are_drawn_but_wide_rows_whole() -> None:
    assert difference(row("abcdef"), row("abcdef")) is None
    assert difference(row("abcdef"), row("abXdYf")) == (2, row("XdY"))
    assert difference(row("abcdef"), row("abcdef", "bold")) == (0, row("abcdef", "bold"))
    assert difference(row("日本"), row("日木")) == (0, row("日木"))


@given(
    st.lists(st.tuples(st.sampled_from(" ab"), st.sampled_from(["", "red", "bold"])), min_size=1),
    st.dictionaries(st.integers(0, 40), st.tuples(st.sampled_from(" ab"), st.sampled_from(["", "red"]))),
    st.sets(st.integers(1, 40)),
)
def test_from_the_first_to_the_last_cell_that_differs_however_a_row_is_cut(
    was: list[tuple[str, str]], others: dict[int, tuple[str, str]], cuts: set[int]
) -> None:
    now = [others.get(x, cell) for x, cell in enumerate(was)]
    differ = [x for x, (old, new) in enumerate(zip(was, now, strict=True)) if old != new]
    found = difference(_cut(was, set()), _cut(now, cuts))
    if found is None:
        assert not differ
    else:
        whole = _cut(now, cuts)
        assert found == (differ[0], whole.crop(differ[0], differ[-1] + 1))


def _cut(cells: list[tuple[str, str]], cuts: set[int]) -> Strip:
    """A row of these cells, with a new segment for each style and at each cut."""
    segments: list[Segment] = []
    for x, (text, name) in enumerate(cells):
        style = Style.parse(name)
        if segments and segments[-1].style == style and x not in cuts:
            segments[-1] = Segment(segments[-1].text + text, style)
        else:
            segments.append(Segment(text, style))
    return Strip(segments)


def test_blanks_at_the_end_are_left_out_unless_they_are_seen() -> None:
    assert bare(Strip([Segment("ab"), Segment("   ")])) == Strip([Segment("ab")])
    coloured = Strip([Segment("ab"), Segment("   ", Style.parse("on red"))])
    assert bare(coloured) is coloured


class Clock(Widget):
    """A line with a time."""

    DEFAULT_CSS = "Clock { height: 1; dock: bottom; background: blue; padding: 0 1; }"
    at = 0

    def render(self) -> str:
        return f"working {self.at} s, 日本"


class Clocked(App[None]):
    """Has one, and something that may lie over it."""

    CSS = "Screen { layers: below above; } #over { layer: above; dock: bottom; width: 4; height: 2; }"

    def compose(self) -> ComposeResult:
        yield Static("words above")
        yield Clock()
        yield Static("over", id="over")


@pytest.mark.anyio
@pytest.mark.parametrize("over", [False, True])
async def test_a_line_that_changes_by_itself_writes_its_cells_unless_something_lies_over_it(
    over: bool,
) -> None:
    app = Clocked(driver_class=Terminal)
    async with app.run_test(size=(40, 6), headless=False) as pilot:
        clock, driver = app.query_one(Clock), app._driver
        assert isinstance(driver, Terminal)
        app.query_one("#over").display = over
        await pilot.pause()
        line = SteadyLine(clock)
        for at in (1, 9, 10):
            clock.at = at
            before = driver.written
            line.show_anew()
            assert (driver.written > before) is not over  # at once, or when Textual paints
            await pilot.pause()
            shown = cells(driver)
            app.screen.refresh()
            await pilot.pause()
            assert shown == cells(driver)
            assert f"{at} s" in "".join(cell[0] for cell in shown[-1])


@pytest.mark.anyio
async def test_a_line_of_a_screen_below_another_writes_nothing_into_that() -> None:
    app = Clocked(driver_class=Terminal)
    async with app.run_test(size=(40, 6), headless=False) as pilot:
        app.query_one("#over").display = False
        clock, driver = app.query_one(Clock), app._driver
        assert isinstance(driver, Terminal)
        await app.push_screen(Screen())
        await pilot.pause()
        line, shown = SteadyLine(clock), cells(driver)
        for at in (1, 9):
            clock.at = at
            line.show_anew()
            await pilot.pause()
            assert shown == cells(driver)
