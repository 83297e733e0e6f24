"""Draw the pictures of this folder: the real app, the demo agent's messages, a clock that only these move.

    python screenshots/draw.py             draw them all anew
    python screenshots/draw.py tour plan   only these
    python screenshots/draw.py --check     draw the texts again and name the pictures that are stale

Each picture is NAME-SIZE.txt and, dark and light, NAME-SIZE-THEME.svg; a test checks the texts.
"""

from __future__ import annotations

import asyncio
import difflib
import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parent))

import calls
import shelf

HERE = Path(__file__).parent
HOME = "/home/ada"
FOLDER = f"{HOME}/src/parser"
START = 1_795_000_000.0
STEP = 0.35
"""Seconds that pass with each message of the agent."""
LIMIT = 3000
"""Messages a scene may take until it shows what it is drawn for."""


def fix_the_world() -> None:
    """One home, one time zone, no state from earlier runs; must come before the app is imported."""
    os.environ.update(
        HOME=HOME,
        TZ="UTC",
        TERM="xterm-256color",
        COLORTERM="truecolor",
        TEXTUAL_ANIMATIONS="none",
        ACP_TUI_STEADY="0",
    )
    os.environ.pop("NO_COLOR", None)
    time.tzset()
    forget()


def forget() -> None:
    """Nothing of an earlier run or picture is kept: no draft, no history, no settings."""
    scratch = tempfile.mkdtemp(prefix="acp-tui-draw-")
    folders = {f"ACP_TUI_{name.upper()}_DIR": f"{scratch}/{name}" for name in ("state", "config", "cache")}
    os.environ.update(folders)


class StillAgent:
    """The front of the demo agent, whose messages come when the picture wants them, not when they are there.

    The agent has a thread of this process: another process for each picture would cost more than the picture.
    """

    def __init__(self, command: tuple[str, ...], serve: Callable[[int, int], None]) -> None:
        from acp_tui.client.machine import Client
        from acp_tui.protocol.jsonrpc import Reader
        from acp_tui.store.store import Store
        from acp_tui.ui.host import CAPABILITIES, INFO

        self.command = command
        self.env: dict[str, str] = {}
        self.journals = ()
        self.at = START
        self.store = Store()
        self.client = Client(self.store, info=INFO, capabilities=CAPABILITIES, new_id=_counter("submission"))
        self.on_effect: Callable[[Any], None] | None = None
        self.store.connection.command, self.store.connection.cwd = command, FOLDER
        self.reader = Reader()
        self.waiting: list[Any] = []
        heard, self.to_agent = os.pipe()
        self.from_agent, said = os.pipe()
        # Where drawing fails nobody stops it: that is told at once, not after waiting for the agent for ever.
        self.thread = threading.Thread(target=_served, args=(serve, heard, said), daemon=True)
        self.thread.start()
        self.carry_out(self.client.start(self.at))

    def now(self) -> float:
        """The time of the picture."""
        return self.at

    def do(self, intent: Any) -> None:
        """What the user wants."""
        self.carry_out(self.client.intent(intent, self.at))

    def carry_out(self, effects: list[Any]) -> None:
        """Send what is to be sent; the rest is for the app."""
        from acp_tui.client.effects import Send
        from acp_tui.protocol.jsonrpc import encode

        for effect in effects:
            if isinstance(effect, Send):
                os.write(self.to_agent, encode(effect.message))
            elif self.on_effect is not None:
                self.on_effect(effect)

    def play(self, shown: Callable[[], object]) -> None:
        """Take the agent's messages one by one until the store holds what is wanted."""
        for _ in range(LIMIT):
            if shown():
                return
            self.at += STEP
            self.carry_out(self.client.receive(self._next(), self.at))
        raise RuntimeError("the scene never came to what the picture is of")

    def _next(self) -> Any:
        while not self.waiting:
            data = os.read(self.from_agent, 65536)
            if not data:
                raise RuntimeError("the demo agent ended")
            self.waiting = list(self.reader.feed(data))
        return self.waiting.pop(0)

    async def stop(self) -> None:
        """End the agent."""
        os.close(self.to_agent)
        os.close(self.from_agent)
        await asyncio.to_thread(self.thread.join)


def _served(serve: Callable[[int, int], None], heard: int, said: int) -> None:
    try:
        serve(heard, said)
    finally:
        os.close(heard)
        os.close(said)


def _demo(heard: int, said: int) -> None:
    from acp_tui import __version__
    from acp_tui.agent_side.runtime import Runtime
    from acp_tui.agent_side.turn import Pace
    from acp_tui.demo.behaviour import Demo

    asyncio.run(Runtime(Demo(__version__), Pace(0), stdin=heard, stdout=said).run())


def _gateway(heard: int, said: int) -> None:
    import gateway

    gateway.serve(heard, said)


def _counter(word: str) -> Callable[[], str]:
    numbers = iter(range(1, 1_000_000))
    return lambda: f"{word}-{next(numbers)}"


@dataclass(frozen=True)
class Picture:
    """One scene: what is typed, what must have come, which keys are pressed before it is drawn."""

    name: str
    prompt: str = ""
    until: str = "idle"
    """`idle`, `asked` (a permission waits), `two asked`, `working` after `messages` messages, `ready`
    (nothing was said), `launcher` (no agent), `shelf` (no agent, but sessions from before), `equipped` (the
    same, on a machine where agents are installed)."""
    messages: int = 0
    before: tuple[str, ...] = ()
    """Said before; the agent is then the bridge to a gateway."""
    keys: tuple[str, ...] = ()
    typed: str = ""


UP = ("shift+tab", "k")
"""To the entry before the last."""
SIZES = ((80, 24), (120, 40))
THEMES = ("dark", "light")
PICTURES = (
    Picture("launcher", until="equipped"),
    Picture("launcher-first", until="launcher"),
    Picture("launcher-typed", until="equipped", keys=tuple("cl")),
    Picture("library", until="shelf", keys=("f11", "tab", "down")),
    Picture("saved", until="shelf", keys=("f11", "tab", "down", "enter")),
    Picture("library-search", until="shelf", keys=("f11", "tab", "slash", *"lex", "enter", "down")),
    Picture("ready", until="ready", typed="/"),
    Picture("help", until="ready", keys=("f1",)),
    Picture("tour", "/tour", "asked", typed="and add a test for a...b too"),
    Picture("work", "/tour", "working", messages=60),
    Picture("markdown", "/markdown"),
    Picture("markdown-top", "/markdown", keys=("shift+tab", "home")),
    Picture("content", "/content"),
    Picture("thoughts", "/think", keys=("shift+tab", "z")),
    Picture("tools", "/tools"),
    Picture("tool-open", "/tools", keys=(*UP, "k", "k", "enter")),
    Picture("diff", "/diff", keys=(*UP, "d")),
    Picture("diff-split", "/diff", keys=(*UP, "d", "d")),
    Picture("terminal", "/terminal"),
    Picture("plan", "/plan", "working", messages=15, keys=("alt+p",)),
    Picture("permission", "/permission", "two asked"),
    Picture("permission-diff", "/permission", "two asked", keys=("tab", "d")),
    Picture("permission-why", "/permission", "two asked", keys=("w", *"no", "space", *"sudo")),
    Picture("inbox", "/permission", "two asked", keys=("f9",)),
    Picture("form", "/form", "asked", keys=("tab", *"Lexer", "tab")),
    Picture("address", "/url", "asked"),
    Picture("options", until="ready", keys=("ctrl+o",)),
    Picture("option-values", until="ready", keys=("ctrl+o", "down", "enter")),
    Picture(
        "queue",
        "/slow",
        "working",
        messages=20,
        typed="and add a test for a...b too",
        keys=("enter", *"then", "space", *"commit", "enter", "tab"),
    ),
    Picture("background", "/background", keys=("f10",)),
    Picture("login", "/login"),
    Picture("subagent", "/subagent"),
    Picture("compact", "/compact", keys=(*UP, "k", "enter")),
    Picture("error", "/error", keys=("shift+tab", "enter")),
    Picture("toasts", "/notices"),
    Picture("notices", "/notices", keys=("f2",)),
    Picture("search", "/tools", keys=("shift+tab", "slash", *"lex")),
    Picture("detail", "/diff", keys=(*UP, "o")),
    Picture("detail-facts", "/terminal", keys=(*UP, "o", "tab")),
    Picture("gateway", calls.LAST, "asked", before=calls.CALLS),
)


def title(picture: Picture, size: tuple[int, int]) -> str:
    """File name without theme and ending."""
    return f"{picture.name}-{size[0]}x{size[1]}"


async def draw(picture: Picture, size: tuple[int, int], themes: Sequence[str]) -> tuple[str, dict[str, str]]:
    """The picture as text, and as SVG in each of these themes."""
    import anyio

    from acp_tui.render.svg import whole
    from acp_tui.ui import toasts
    from acp_tui.ui.app import AcpApp
    from acp_tui.ui.conversation import Link
    from acp_tui.ui.host import Host

    forget()
    toasts.PACE, toasts.SECONDS = 0.05, 600.0  # so that `settled` sees all of them, on any machine
    drawn = {}
    async with anyio.create_task_group() as group:
        shown = None
        host = Host(group, {}, lambda: START)
        if picture.until in ("shelf", "equipped"):
            shelf.fill(START)
            host.environment |= shelf.equip(START) if picture.until == "equipped" else {}
        elif picture.until != "launcher":
            command, serve = (
                (("acp-tui", "aip"), _gateway) if picture.before else (("acp-tui", "demo"), _demo)
            )
            agent: Any = StillAgent(command, serve)
            host.links.append(Link(agent.store, agent, command))
            shown = host.links[0].converse(FOLDER)
            shown.open()
            agent.play(lambda: agent.store.sessions[shown.ref].commands)
        app = AcpApp(host, shown, FOLDER, theme="acp-dark")
        async with app.run_test(size=size, notifications=True) as pilot:
            await settled(app, pilot)
            while not all(worker.is_finished for worker in app.workers):
                await pilot.pause(0.02)
            if shown is not None:
                await act(picture, shown, app, pilot)
            await press(picture.keys, app, pilot)
            text = "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())
            for theme in themes:
                app.theme = app.found.found[f"acp-{theme}"].name
                await settled(app, pilot)
                drawn[theme] = whole(app.export_screenshot(title="acp-tui"))
        await host.stop()
        group.cancel_scope.cancel()  # as at the end of the program: nobody needs what is still done beside it
    return f"{text}\n", drawn


async def act(picture: Picture, shown: Any, app: Any, pilot: Any) -> None:
    """Say it, let the agent answer as far as wanted, press the keys."""
    from acp_tui.client.intents import Submit
    from acp_tui.protocol.content import TextContent

    agent, session = shown.agent, shown.session
    for number, words in enumerate(picture.before, 1):
        shown.do(Submit(shown.ref, (TextContent(type="text", text=words),)))
        agent.play(lambda number=number: session.completions == number)
    if picture.prompt:
        shown.do(Submit(shown.ref, (TextContent(type="text", text=picture.prompt),)))
        seen = iter(range(picture.messages))
        agent.play(
            {
                "idle": lambda: session.completions and not session.busy,
                "asked": lambda: shown.store.requests,
                "two asked": lambda: len(shown.store.requests) > 1,
                "working": lambda: next(seen, None) is None,
            }[picture.until]
        )
        await settled(app, pilot)
    if picture.typed:
        app.screen.composer.focus()
        await pilot.press(*("space" if c == " " else c for c in picture.typed))
        await settled(app, pilot)


async def press(keys: Sequence[str], app: Any, pilot: Any) -> None:
    """One after the other, each with what it does."""
    for key in keys:
        await pilot.press(key)
        await settled(app, pilot)


async def settled(app: Any, pilot: Any) -> None:
    """Until two looks in a row, some frames apart, show the same."""
    before = ""
    for _ in range(100):
        await pilot.pause()
        await asyncio.sleep(0.12)
        now = "\n".join(strip.text for strip in app.screen._compositor.render_strips())
        if now == before:
            return
        before = now


def main(arguments: list[str]) -> int:
    """Draw and write, or draw and compare. Exit status 1 if a picture is stale."""
    fix_the_world()
    import tests.ui  # noqa: F401  # so that each style sheet is parsed once, not once a picture

    check = "--check" in arguments
    wanted = [name for name in arguments if name != "--check"]
    stale = 0
    for picture in PICTURES:
        if wanted and picture.name not in wanted:
            continue
        for size in SIZES:
            name = title(picture, size)
            text, images = asyncio.run(draw(picture, size, () if check else THEMES))
            if check:
                stale += differs(name, text)
                continue
            (HERE / f"{name}.txt").write_text(text, "utf-8")
            for theme, image in images.items():
                (HERE / f"{name}-{theme}.svg").write_text(image, "utf-8")
            print(name)
    return 1 if stale else 0


_THUMB = re.compile(r" *[▁-█]$", re.MULTILINE)
"""The end of a scrollbar: how far down it is rests on estimates of what was not laid out so far."""


def differs(name: str, text: str) -> bool:
    """Whether the picture on disk says something else; says what."""
    path = HERE / f"{name}.txt"
    before = path.read_text("utf-8") if path.exists() else ""
    if _THUMB.sub(" ", before) == _THUMB.sub(" ", text):
        return False
    print(f"{name} is stale; draw it anew:  python screenshots/draw.py", file=sys.stderr)
    sys.stderr.writelines(
        difflib.unified_diff(before.splitlines(True), text.splitlines(True), "on disk", "now", n=1)
    )
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
