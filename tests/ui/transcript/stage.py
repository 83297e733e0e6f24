"""A transcript on a stage: a store fed by hand, an app with a composer, and a way to wait for a frame."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import TextArea

from acp_tui.store.keys import Key
from acp_tui.ui.transcript.widget import Transcript
from acp_tui.ui.widgets.search_bar import SearchBar
from tests.store.seen import Fed
from tests.ui.screen_text import widget_text

WORDS = ("the", "loop", "never", "ends", "on", "an", "empty", "match", "so", "lexer", "hangs", "and", "waits")


def prose(seed: int, count: int = 40) -> str:
    """So many words, the same for a seed; every one of them can be found again."""
    rng = random.Random(seed)
    return " ".join(f"{rng.choice(WORDS)}{seed}" for _ in range(count))


def text(words: str) -> dict[str, str]:
    """A text block."""
    return {"type": "text", "text": words}


class Chat(App[None]):
    """What the transcript needs of an app."""

    AUTO_FOCUS = "TextArea"
    CSS = "TextArea { height: 4; border: none; }"

    def __init__(self, fed: Fed, *, steady: bool | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.fed = fed
        self.steady = steady
        self.got: list[Any] = []

    def compose(self) -> ComposeResult:
        yield Transcript(self.fed.store, self.fed.session.ref, lambda: self.fed.at, steady=self.steady)
        composer = TextArea()
        composer.cursor_blink = False  # nothing may move by itself here
        yield composer
        yield SearchBar()

    def on_transcript_opened(self, event: Transcript.Opened) -> None:
        self.got.append(event.key)

    def on_transcript_link(self, event: Transcript.Link) -> None:
        self.got.append(event.url)

    def on_transcript_editor_wanted(self, event: Transcript.EditorWanted) -> None:
        self.got.append((event.path, event.line))


class Stage:
    """Acts and looks; each act ends when the transcript has settled."""

    def __init__(self, fed: Fed, app: Chat, pilot: Pilot[None]) -> None:
        self.fed, self.app, self.pilot = fed, app, pilot
        self.transcript = app.query_one(Transcript)

    async def settled(self) -> Stage:
        """Wait until nothing is left to settle, and do not let it wait for the next frame."""
        await self.pilot.pause(0)
        while self.transcript.pending:
            self.transcript.settle_soon(0)
            await self.pilot.pause(0)
        await self.pilot.pause(0)
        return self

    async def say(self, kind: str, id_: str, words: str) -> Stage:
        """A chunk of a message."""
        self.fed(kind + "_chunk", messageId=id_, content=text(words))
        return await self.settled()

    async def press(self, *keys: str) -> Stage:
        await self.pilot.press(*keys)
        return await self.settled()

    async def wheel(self, lines: int) -> Stage:
        """Scroll by so many lines, as the wheel does."""
        self.transcript.scroll_relative(y=lines, animate=False, immediate=True)
        return await self.settled()

    def rows(self) -> list[str]:
        """What the transcript shows."""
        return widget_text(self.transcript)

    def key_at_cursor(self) -> Key | None:
        assert self.transcript.column is not None
        return self.transcript.column.cursor


@asynccontextmanager
async def stage(
    fed: Fed, size: tuple[int, int] = (80, 24), *, headless: bool = True, **options: Any
) -> AsyncIterator[Stage]:
    """Run an app around a transcript."""
    app = Chat(fed, **options)
    async with app.run_test(size=size, headless=headless, notifications=True) as pilot:
        made = await Stage(fed, app, pilot).settled()
        yield made
        assert made.transcript.broken == {}


def talk(count: int, seed: int = 1) -> Fed:
    """A session of so many entities: messages, thoughts and tool calls of all lengths."""
    fed = Fed()
    rng = random.Random(seed)
    for number in range(count):
        pick = rng.random()
        words = prose(number, rng.choice((5, 30, 90)))
        if number % 10 == 0:
            fed("user_message", messageId=f"m{number}", content=[text(words)])
        elif pick < 0.4:
            body = f"## Part {number}\n\n{words}\n\n- {words}\n- two\n\n```python\nx = {number}\n```\n"
            fed("agent_message", messageId=f"m{number}", content=[text(body)])
        elif pick < 0.6:
            fed("agent_thought", messageId=f"m{number}", content=[text(words)])
        else:
            fed(
                "tool_call_update",
                toolCallId=f"m{number}",
                title=f"tool {number}",
                kind="read",
                status="failed" if pick > 0.9 else "completed",
                content=[{"type": "content", "content": text(words)}],
                locations=[{"path": f"/w/file{number}.py", "line": number}],
            )
    return fed
