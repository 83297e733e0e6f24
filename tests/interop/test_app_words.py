"""The words of the reference agent that matter most, seen on the screen of the real app."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.interop import client_rules
from tests.interop.node import Launch
from tests.interop.stage import TEE
from tests.trace import load
from tests.ui.driving import Driven, driving

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


class Clock:
    """Time that moves when a test says so."""

    def __init__(self) -> None:
        self.at = 1_000_000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def clock() -> Clock:
    return Clock()


@asynccontextmanager
async def seen(launch: Launch, folder: Path, clock: Clock) -> AsyncIterator[Driven]:
    """The app with the reference agent; afterwards everything that was sent must have been right."""
    wire = folder / "wire.ndjson"
    command = (sys.executable, TEE, str(wire), *launch.command)
    async with driving(command, cwd=str(folder), size=(120, 40), clock=clock) as driven:
        await driven.ready()
        yield driven
    assert client_rules.breaches(load(wire)) == []


SHOWN = {
    "HELLO": ("Hello from the reference agent", "• one", "const a = 1;"),
    "MESSAGES": ("A replaced, then appended: A3", "B1 B2 (stays)", "text after the clearing"),
    "TOOL": ("Searched for TODO", "Fetch a page", "404 not found"),
    "DIFF": ("Edit files", "+4 −1"),
    "TERMINAL": ("make test", "exit 1"),
    "COMPACT": ("compact",),
    "STOP:max_tokens": ("token limit",),
    "STOP:error": ("provider is not reachable",),
    "REFUSE": ("I refuse this prompt",),
    "CUSTOM": ("error -32601",),
}
"""What a word shows."""


@pytest.mark.parametrize("word", SHOWN)
async def test_a_word_is_seen(reference_agent: Launch, tmp_path: Path, clock: Clock, word: str) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say(word)
        for text in SHOWN[word]:
            await driven.until(lambda text=text: text.lower() in driven.text().lower())


async def test_a_permission_is_answered_by_its_number(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("PERMCMD")
        await driven.until("cargo test -- --nocapture")
        await driven.pilot.pause()
        clock.at += 5
        driven.panel.focus()
        await driven.press("1")
        await driven.until("Permission answer")
        await driven.until('"optionId":"allow-once"')


async def test_escape_cancels(reference_agent: Launch, tmp_path: Path, clock: Clock) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("SLOW")
        await driven.until("slow 1,")
        await driven.press("escape")
        await driven.until(lambda: driven.session.stop_reason == "cancelled")
        await driven.until("cancelled by you")


async def test_a_death_is_seen(reference_agent: Launch, tmp_path: Path, clock: Clock) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("HELLO EXIT")
        await driven.until("status 3")
        assert "Hello from the reference agent" in driven.text()
