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
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
    scratch = tempfile.mkdtemp(prefix="acp-tui-draw-")
    os.environ.update(
        HOME=HOME,
        TZ="UTC",
        TERM="xterm-256color",
        COLORTERM="truecolor",
        ACP_TUI_STATE_DIR=f"{scratch}/state",
        ACP_TUI_CONFIG_DIR=f"{scratch}/config",
        TEXTUAL_ANIMATIONS="none",
        ACP_TUI_STEADY="0",
    )
    os.environ.pop("NO_COLOR", None)
    time.tzset()


class StillAgent:
    """The front of an agent whose messages come when the picture wants them, not when they are there."""

    def __init__(self, command: tuple[str, ...]) -> None:
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
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "ACP_DEMO_SPEED": "0"},
        )
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
                assert self.process.stdin is not None
                self.process.stdin.write(encode(effect.message))
                self.process.stdin.flush()
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
        assert self.process.stdout is not None
        while not self.waiting:
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise RuntimeError("the demo agent ended")
            self.waiting = list(self.reader.feed(data))
        return self.waiting.pop(0)

    async def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.wait()


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
    (nothing was said), `launcher` (no agent)."""
    messages: int = 0
    keys: tuple[str, ...] = ()
    typed: str = ""


UP = ("shift+tab", "k")
"""To the entry before the last."""
SIZES = ((80, 24), (120, 40))
THEMES = ("dark", "light")
PICTURES = (
    Picture("launcher", until="launcher"),
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
    Picture("plan", "/plan", "working", messages=15, keys=("ctrl+t",)),
    Picture("permission", "/permission", "two asked"),
    Picture("form", "/form", "asked", keys=("tab", *"Lexer", "tab")),
    Picture("address", "/url", "asked"),
    Picture("options", until="ready", keys=("ctrl+o",)),
    Picture("option-values", until="ready", keys=("ctrl+o", "down", "enter")),
