"""The conversation of a subagent: opened from what stands for it, live, read only, and back with Escape."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

import acp_tui.ui.app
from acp_tui.client.intents import Cancel
from acp_tui.render.clean import clean
from acp_tui.store.entities import Subagent
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.ui.detail.around import Around
from acp_tui.ui.screens.child import ChildScreen
from acp_tui.ui.screens.detail import DetailScreen
from acp_tui.ui.screens.reading import ReadingScreen
from acp_tui.ui.stopping import ALONE, stoppable, why_not
from acp_tui.ui.transcript.widget import Transcript
from tests.render.hostile import HOSTILE
from tests.store.seen import Fed
from tests.ui.screen_text import screen_text
from tests.ui.transcript.stage import text

pytestmark = pytest.mark.anyio

LIMIT = 30.0


class Parent(ReadingScreen):
    """The conversation above."""

    def __init__(self, fed: Fed) -> None:
        super().__init__()
        self.fed = fed
        self._around = Around(store=fed.store, now=lambda: fed.at)

    @property
    def around(self) -> Around:
        return self._around

    def compose(self) -> ComposeResult:
        yield Transcript(self.fed.store, self.fed.session.ref, lambda: self.fed.at)

    def on_mount(self) -> None:
        self.transcript.focus()


class Reader(App[None]):
    """An app around it, with the program's own style sheet."""

    CSS_PATH = Path(acp_tui.ui.app.__file__).parent / "app.tcss"
    AUTO_FOCUS = None

    def __init__(self, fed: Fed) -> None:
        super().__init__()
        self.fed = fed

    def on_mount(self) -> None:
        self.push_screen(Parent(self.fed))
        self.fed.store.on_dirty = self.fed.store.flush


class Hands:
    """Acts and looks."""

    def __init__(self, app: Reader, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    def text(self) -> str:
        return "\n".join(screen_text(self.app))

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause(0)

    async def until(self, what: str | Callable[[], object]) -> None:
        with anyio.move_on_after(LIMIT):
            while not (what in self.text() if isinstance(what, str) else what()):
                await self.pilot.pause()
                await anyio.sleep(0.005)
            return
        raise AssertionError(f"never came: {what}\n{self.text()}")

    async def click(self, words: str) -> None:
        """Click where these words stand."""
        rows = screen_text(self.app)
        y = next(y for y, row in enumerate(rows) if words in row)
        await self.pilot.click(offset=(rows[y].index(words) + 1, y))
        await self.pilot.pause(0)

    @property
    def child(self) -> ChildScreen | None:
        return self.app.screen if isinstance(self.app.screen, ChildScreen) else None


@asynccontextmanager
async def reader(fed: Fed, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Hands]:
    app = Reader(fed)
    async with app.run_test(size=size, notifications=True) as pilot:
        hands = Hands(app, pilot)
        await hands.until(lambda: isinstance(app.screen, Parent) and app.screen.transcript.rows)
        yield hands


def family(*names: str) -> Fed:
    """A session with these subagents, each of which has said its name."""
    fed = Fed()
    fed.store.connection.phase = "ready"
    for name in names:
        fed("subagent_update", sessionId=name, title=f"The {name}", state={"state": "running"})
        chunk = {"sessionUpdate": "agent_message", "messageId": "m", "content": [text(f"I am the {name}")]}
        fed.feed(chunk, into=child_of(fed, name))
    return fed


def child_of(fed: Fed, name: str) -> Session:
    entity = fed[Kind.SUBAGENT, name]
    assert isinstance(entity, Subagent)
    return fed.store.sessions[entity.child]


def call_with(fed: Fed, *names: str) -> Fed:
    content = [{"type": "session", "sessionId": name} for name in names]
    return fed("tool_call_update", toolCallId="c", title="Delegate", status="in_progress", content=content)


async def test_enter_opens_it_and_escape_goes_back() -> None:
    async with reader(family("tester")) as hands:
        await hands.until("↳ The tester")
        await hands.press("enter")
        await hands.until("I am the tester")
        assert hands.child is not None
        rows = screen_text(hands.app)
        assert rows[0].strip().startswith("↳ The tester  in ") and rows[0].rstrip().endswith("read only")
        assert "◐ working" in rows[-1] and "Esc back" in rows[-1]
        await hands.press("escape")
        assert hands.child is None


async def test_a_click_on_the_line_under_the_call_opens_it() -> None:
    async with reader(call_with(family("tester"), "tester")) as hands:
        await hands.until("↳ The tester")
        await hands.click("The tester")
        await hands.until("I am the tester")


async def test_a_key_opens_it_from_the_call_and_the_message_that_name_it() -> None:
    fed = call_with(family("tester"), "tester")
    fed("session_message", messageId="n", senderSessionId="tester", content=[text("Done.")])
    async with reader(fed) as hands:
        await hands.until("Done.")
        for step in ("end", "up"):
            await hands.press(step, "s")
            await hands.until("I am the tester")
            await hands.press("q")


async def test_where_there_is_no_subagent_the_key_says_so() -> None:
    fed = Fed()("agent_message", messageId="m", content=[text("alone")])
    async with reader(fed) as hands:
        await hands.press("s")
        await hands.until("No subagent here")


async def test_it_is_live_and_says_when_nothing_came_yet() -> None:
    fed = family()("subagent_update", sessionId="kid", title="Slow one")
    async with reader(fed) as hands:
        await hands.press("enter")
        await hands.until("Nothing of this conversation has come yet.")
        assert "state not confirmed" in hands.text()
        child = child_of(fed, "kid")
        chunk = {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": text("first words")}
        fed.feed(chunk, into=child)
        await hands.until("first words")
        assert "Nothing of this" not in hands.text()
        fed("subagent_update", sessionId="kid", title="Not so slow", state={"state": "idle"})
        await hands.until("↳ Not so slow")
        await hands.until("○ idle")
        assert "by itself" not in hands.text()
        child.phase = "closed"
        fed.store.touch(Key(child.ref, Kind.SESSION))
        fed.flush()
        await hands.until("○ ended with its session")


async def test_it_says_who_wrote_to_whom_and_not_that_it_worked_by_itself() -> None:
    fed = family("tester")
    child, parent = child_of(fed, "tester"), fed.session.session_id
    note = {"messageId": "n", "senderSessionId": parent, "content": [text("Try it.")]}
    fed.feed({"sessionUpdate": "session_message", **note}, into=child)
    fed.feed({"sessionUpdate": "state_update", "state": "idle", "stopReason": "end_turn"}, into=child)
    async with reader(fed) as hands:
        await hands.press("enter")
        await hands.until("⇄ message from the agent above")
        await hands.until("○ idle")
        assert "by itself" not in hands.text()


async def test_tab_goes_to_the_subagent_beside_it() -> None:
    async with reader(family("first", "second")) as hands:
        await hands.press("home", "enter")
        await hands.until("I am the first")
        assert "1 of 2 subagents" in hands.text() and "Tab next subagent" in hands.text()
        await hands.press("tab")
        await hands.until("I am the second")
        assert "2 of 2 subagents" in hands.text()
        await hands.press("shift+tab")
        await hands.until("I am the first")


async def test_what_stands_in_it_opens_and_a_subagent_of_it_too() -> None:
    fed = family("outer")
    outer = child_of(fed, "outer")
    fed.feed({"sessionUpdate": "subagent_update", "sessionId": "inner", "title": "The inner"}, into=outer)
    async with reader(fed) as hands:
        await hands.press("enter")
        await hands.until("↳ The inner")
        await hands.press("end", "enter")
        await hands.until("↳ The inner  in The outer")
        await hands.press("escape", "home", "o")
        await hands.until(lambda: isinstance(hands.app.screen, DetailScreen))
        await hands.until("I am the outer")
        await hands.press("escape", "escape")
        assert isinstance(hands.app.screen, Parent)


async def test_what_came_while_something_stood_before_it_is_there_afterwards() -> None:
    fed = family("tester")
    async with reader(fed) as hands:
        await hands.press("enter")
        await hands.until("I am the tester")
        await hands.press("o")
        await hands.until(lambda: isinstance(hands.app.screen, DetailScreen))
        more = {"sessionUpdate": "agent_message", "messageId": "n", "content": [text("and more")]}
        fed.feed(more, into=child_of(fed, "tester"))
        await hands.press("escape")
        await hands.until("and more")
        assert hands.child is not None


async def test_from_the_detail_of_the_call_it_leads_to_the_conversation() -> None:
    async with reader(call_with(family("tester"), "tester")) as hands:
        await hands.press("home", "o")
        await hands.until("↳ session")
        await hands.press("enter")
        await hands.until("I am the tester")


async def test_escape_ends_a_search_first() -> None:
    async with reader(family("tester")) as hands:
        await hands.press("enter")
        await hands.until("I am the tester")
        await hands.press("slash", "a", "m")
        await hands.until("1/1")
        await hands.press("escape", "y")
        assert hands.child is not None
        await hands.press("escape")
        assert hands.child is None


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_hostile_names_stay_words(size: tuple[int, int]) -> None:
    fed = Fed()
    for number, words in enumerate(HOSTILE):
        fed("subagent_update", sessionId=f"kid{number}", title=words, description=words)
    async with reader(fed, size) as hands:
        for _ in range(3):
            await hands.press("enter")
            await hands.until(lambda: hands.child is not None)
            assert clean(hands.text()) == hands.text()
            await hands.press("tab")
            assert clean(hands.text()) == hands.text()
            await hands.press("escape", "up")


async def test_a_subagent_is_cancelled_where_its_agent_allows_that() -> None:
    """SA-03, SA-07; nothing else can be asked of it."""
    fed = Fed()
    for name, capabilities in (("free", {"cancel": {}}), ("fixed", {})):
        fed("subagent_update", sessionId=name, capabilities=capabilities)
    free, fixed = (Key(fed.session.ref, Kind.SUBAGENT, name) for name in ("free", "fixed"))
    entity = fed.store.entity(free)
    assert isinstance(entity, Subagent)
    child = fed.store.sessions[entity.child]
    child.state = "idle"
    assert stoppable(fed.store, free) is None
    child.state = "running"
    assert stoppable(fed.store, free) == Cancel(entity.child)
    assert stoppable(fed.store, fixed) is None
    assert why_not(fed.store, fixed) == ALONE
