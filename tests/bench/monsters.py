"""The app with one monstrous thing in its session, and somebody who opens it, moves in it and resizes it; run
as a child by `turns`.

`python -m tests.bench.monsters NAME`. A turn of the loop is what happens between two waits for events; the
CPU of the longest one in each act goes to the file named by BENCH_LOG.
"""

from __future__ import annotations

import asyncio
import json
import os
import selectors
import sys
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import anyio
from textual import events
from textual.geometry import Size

from acp_tui.render.markdown import prepare
from acp_tui.ui.app import AcpApp
from acp_tui.ui.chats import Chats as Chats  # what the first chat loads is measured with the start
from acp_tui.ui.conversation import Conversation
from acp_tui.ui.detail.around import around
from acp_tui.ui.screens.detail import DetailScreen
from acp_tui.ui.transcript.search import Sought
from acp_tui.ui.transcript.widget import Transcript
from tests.bench import updates
from tests.bench.around import run_around
from tests.bench.connection import connected, tell
from tests.bench.corpus import log, markdown

DONE = "⟦done⟧"
QUIET = 0.4
"""Seconds without a turn of more than a few milliseconds after which an act is over."""
BUSY = 0.004


class Watch(selectors.DefaultSelector):
    """Waits for events, and knows how long each turn between two waits took."""

    def __init__(self) -> None:
        super().__init__()
        self.longest = 0.0
        self.busy_at = time.monotonic()
        self._since = time.thread_time()

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        took = time.thread_time() - self._since
        self.longest = max(self.longest, took)
        if took > BUSY:
            self.busy_at = time.monotonic()
        found = super().select(timeout)
        self._since = time.thread_time()
        return found


def _message(words: str) -> list[dict[str, Any]]:
    return [updates.message_chunk("big", words)]


def _diff(lines: int) -> list[dict[str, Any]]:
    body = "".join(f"-    value_{n} = read({n})\n+    value_{n} = write({n})\n" for n in range(lines // 2))
    head = "diff --git a/w/a.py b/w/a.py\n--- a/w/a.py\n+++ b/w/a.py\n"
    patch = f"{head}@@ -1,{lines // 2} +1,{lines // 2} @@\n{body}"
    change = {"operation": "modify", "path": "/w/a.py", "fileType": "text"}
    diff = {"type": "diff", "changes": [change], "patch": {"format": "git_patch", "text": patch}}
    return [updates.tool_call("big", kind="edit", status="completed", content=[diff])]


def _terminal(size: int) -> list[dict[str, Any]]:
    return [
        updates.terminal_chunk("t", log(size)),
        updates.terminal_end("t"),
        updates.terminal_call("big", "t"),
    ]


def _raw(size: int) -> list[dict[str, Any]]:
    value = {"rows": [{"id": n, "name": f"row {n}", "tags": ["a", "b"]} for n in range(size // 90)]}
    return [updates.tool_call("big", kind="other", status="completed", rawOutput=value)]


def _table() -> str:
    head = "|".join(f"c{n}" for n in range(500))
    return f"|{head}|\n|{'---|' * 500}\n" + f"|{'|'.join('v' * 3 for _ in range(500))}|\n" * 200


MONSTERS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "prose": lambda: _message(
        "\n\n".join("every cache entry is a stream of rows " * 6 for _ in range(20_000))
    ),
    "marked": lambda: _message(markdown(2_000_000)),
    "fence": lambda: _message(
        "```python\n" + "".join(f"value_{n} = {n}\n" for n in range(100_000)) + "```\n"
    ),
    "line": lambda: _message("**a** `b` [c](d) " * 30_000),
    "wide": lambda: _message("漢字かな、" * 200_000),
    "word": lambda: _message("x" * 1_000_000),
    "table": lambda: _message(_table()),
    "diff": lambda: _diff(50_000),
    "terminal": lambda: _terminal(10_000_000),
    "raw": lambda: _raw(5_000_000),
}


class Person:
    """Acts, and waits until nothing moves any more."""

    def __init__(self, app: AcpApp, watch: Watch, name: str) -> None:
        self.app, self.watch, self.name = app, watch, name
        self.longest: dict[str, float] = {}

    async def act(self, what: str, *do: Callable[[], object]) -> None:
        """Do something and note the longest turn until everything has come to rest."""
        await self._rest()
        self.watch.longest = 0.0
        for one in do:
            self.app.call_later(one)
            await self._rest()
        self.longest[what] = round(self.watch.longest * 1e3, 1)

    async def _rest(self) -> None:
        self.watch.busy_at = time.monotonic()
        for _ in count():
            await asyncio.sleep(QUIET / 8)
            if time.monotonic() - self.watch.busy_at > QUIET:
                return

    def _resize(self, width: int) -> Callable[[], object]:
        size = Size(width, 40)
        return lambda: self.app.post_message(events.Resize(size, size))

    async def in_transcript(self) -> None:
        """Look around in it, and come back when it was forgotten."""
        shown = self.app.screen.query_one(Transcript)

        def middle() -> None:
            shown.scroll_to(y=shown.max_scroll_y // 2)

        def forgotten() -> None:
            column = shown.column
            assert column is not None
            for view in column.views:
                view.forget()
            column.jump(column.heights.total // 2)
            column.following = False
            shown.show_anew()

        await self.act("resize at the end", self._resize(97), self._resize(120))
        await self.act("to the middle", middle)
        await self.act("on from there", lambda: shown.move(-300), lambda: shown.move(100))
        await self.act("resize in the middle", self._resize(97), self._resize(120))
        await self.act("coming back", forgotten)
        await self.act("to the end", shown.follow_end)
        await self.act(
            "search",
            shown.begin_search,
            lambda: shown.find(Sought("e")),
            lambda: shown.next_hit(1),
            lambda: shown.next_hit(-1),
            lambda: shown.end_search(back=True),
        )

    def note(self) -> None:
        """Write down what was found."""
        Path(os.environ["BENCH_LOG"]).write_text(json.dumps(self.longest), encoding="utf-8")

    async def in_detail(self) -> None:
        """Open it whole, and do the same there."""
        chat = self.app.chats.shown
        assert chat is not None and chat.conversation.session is not None
        key = next(key for key in chat.conversation.session.timeline if key.id == "big")
        screen = DetailScreen(key, around(chat.conversation))
        await self.act("detail: open", lambda: self.app.push_screen(screen))
        if self.name == "raw":
            await self.act("detail: output", lambda: screen.show(screen.known["Output"]))
        sheet = screen.sheet
        await self.act("detail: end", sheet.end)
        await self.act("detail: middle", lambda: sheet.scroll_to(y=sheet.max_scroll_y // 2))
        await self.act("detail: resize", self._resize(97), self._resize(120))
        if self.name == "diff":
            await self.act("detail: layout", screen.action_layout, screen.action_layout)
        await self.act("detail: search", lambda: sheet.find("v"), lambda: sheet.go(1), lambda: sheet.go(-1))
        await self.act("detail: home", sheet.home)


async def script(app: AcpApp, watch: Watch, conversation: Conversation, name: str) -> None:
    """Everything that is done with it."""
    person = Person(app, watch, name)
    await person.act("none")
    await person.act("open", lambda: app.show(conversation))
    await person.in_transcript()
    await person.in_detail()
    person.note()
    app.exit(message=DONE)


def main(name: str) -> None:
    """Make the session, then run the app."""
    watch = Watch()
    anyio.run(_main, name, watch, backend_options={"loop_factory": lambda: asyncio.SelectorEventLoop(watch)})


async def _main(name: str, watch: Watch) -> None:
    prepare()  # as while an agent thinks
    client, session = connected()
    for update in [*updates.conversation(50), *MONSTERS[name]()]:
        tell(client, update)
    await run_around(client, session.ref, lambda app, shown: script(app, watch, shown, name))


if __name__ == "__main__":
    main(sys.argv[1])
