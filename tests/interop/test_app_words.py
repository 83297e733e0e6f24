"""The words of the reference agent that matter most, seen on the screen of the real app."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.clock import Clock
from tests.interop import client_rules
from tests.interop.node import Launch
from tests.interop.stage import TEE
from tests.trace import load
from tests.ui.driving import Driven, driving
from tests.ui.test_conversations import another

pytestmark = [pytest.mark.slow, pytest.mark.anyio]


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
    "THOUGHTS": ("▸ thought\n ▸ thought",),
    "CONTENT": (
        "text, then:",
        "▣ image · PNG · 1×1 · 70 B",
        "♪ audio · WAV · 4 B",
        "@ A file · text/plain · 12 B · file:///tmp/project/a.txt",
        "▤ b.txt · text/plain · 1 line",
        "▤ c.bin · 2 B",
        "? unknown content: _lab_widget",
    ),
    "TOOL": (
        "✓ ⌕ Searched for TODO",
        "✗ ↧ Fetch a page",
        "404 not found",
        "⊘ · A kind and a status of our own",
        "○ · tool call",
    ),
    "DIFF": ("✓ ✎ Edit files  /tmp/project/src/a.py:2", "+4 −1"),
    "TERMINAL": (
        "✗ $ make test",
        "exit 1",
        "orange truecolor",
        "progress 100%",
        "split: 漢",
        "cleared line",
        "✓ $ sleep 9",
        "SIGTERM",
    ),
    "PLAN": ("plan 2/4 · Write code", "1 of 3 plans"),
    "COMPACT": ("the conversation was compacted · ▸ summary", "compacting failed", "the model refused"),
    "STATES": ("ended without any output",),
    "BIG": ("big answer of a big answer",),
    "HUGE": ("x" * 90,),
    "FAST": ("w2998 w2999",),
    "STOP:max_tokens": ("token limit",),
    "STOP:error": ("provider is not reachable",),
    "REFUSE": ("I refuse this prompt",),
    "CUSTOM": ("error -32601", "2 unknown updates"),
    "NOTICES": (
        "✗ An error of two lines",
        "A severity of our own",
        "A severity from the future",
        "more · F2",
    ),
}
"""What a word shows; notices stand in front of what comes after them."""

OPENED = {
    "THOUGHTS": (("z",), ("▾ thought", "The first thought, rewritten.")),
    "DIFF": (
        ("enter",),
        (
            "▾ /tmp/project/src/a.py  +2 −1",
            "2 -     return 1",
            "3 +     return x",
            "1 + hello 漢字",
            "No newline at end of file",
            "− /tmp/project/old.txt  deleted",
            "/tmp/project/x → /tmp/project/y  moved",
            "/tmp/project/y → /tmp/project/z  copied",
            "/tmp/project/logo.png  binary",
            "_lab_touch",
            "~~ not git ~~",
        ),
    ),
    "PLAN": (("alt+p",), ("✓", "◐ Write code", "○")),
    "COMPACT": (("enter",), ("▾ summary", "A summary in one piece.")),
    "NOTICES": (("f2",), ("Notices", "An error of two lines", "A severity from the future")),
    "CUSTOM": (("f2",), ("Unknown updates 2", "_lab")),
    "FAST": (("home",), ("w0 w1 w2 w3",)),
}
"""Keys pressed afterwards in the transcript, and what they show."""


async def test_each_word_is_seen(reference_agent: Launch, tmp_path: Path, clock: Clock) -> None:
    """Each in a conversation of its own, with one agent."""
    async with seen(reference_agent, tmp_path, clock) as driven:
        for word, shown in SHOWN.items():
            await another(driven)
            await driven.say(word)
            for text in shown:
                await driven.until(lambda text=text: text.lower() in driven.text().lower())


@pytest.mark.parametrize("word", OPENED)
async def test_more_of_it_is_seen_on_a_key(
    reference_agent: Launch, tmp_path: Path, clock: Clock, word: str
) -> None:
    keys, shown = OPENED[word]
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say(word)
        await driven.until(lambda: driven.session.completions and not driven.session.busy)
        await driven.until("○ ready")
        await driven.press("shift+tab", *keys)
        for text in shown:
            await driven.until(text)


async def test_all_words_are_one_conversation(reference_agent: Launch, tmp_path: Path, clock: Clock) -> None:
    """Up to its first question."""
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("ALL")
        await driven.until("Approve the file edit?")
        for text in (
            "Reference v2 agent asks",
            "1 a Allow once",
            "‖ ✎ Edit src/main.rs",
            "waits for you",
            "2 unknown updates",
            "plan 2/4 · Write code",
            "A new title 漢字",
            "95%",
            "$0.045",
        ):
            await driven.until(text)


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


ASKED = {
    "PERM": ("Approve the file edit?", "Edit src/main.rs", "1 a Allow once   2 Always allow   3 r Reject"),
    "PERMCMD": ("$ cargo test -- --nocapture", "in this session's folder", "1 a Allow once"),
    "PERMUNKNOWN": ("Allow something odd?", '"type": "_lab_subject"', '"a": 1'),
    "PERMNONE": ("A bare question with no subject", "1 Allow always   2 Reject always   3 Maybe"),
    "PERMTWO": ("Approve the file edit?", "1 of 2"),
}
"""What the panel shows."""


@pytest.mark.parametrize("word", ASKED)
async def test_what_is_asked_is_seen_and_rejected_with_words(
    reference_agent: Launch, tmp_path: Path, clock: Clock, word: str
) -> None:
    """PERMNONE has no way to reject once: it asks which."""
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say(word)
        for text in ASKED[word]:
            await driven.until(text)
        for number in range(2 if word == "PERMTWO" else 1):
            await driven.until(lambda: driven.panel.has_focus)
            await driven.pilot.pause()
            clock.at += 5
            await driven.press("w")
            await driven.until("reject, because")
            await driven.type(f"reason {number}")
            clock.at += 5
            await driven.press("enter")
            if word == "PERMNONE":
                await driven.until("none of these")
                clock.at += 5
                await driven.press("1")
            await driven.until(f"reason {number}")
        chosen = "2" if word == "PERMNONE" else "reject-once"
        await driven.until(f'"optionId":"{chosen}"')
        await driven.until(lambda: not driven.store.requests)
        assert all(request.answered_why for request in driven.link.agent.client.requests)


async def test_a_request_that_is_taken_back_says_so(
    reference_agent: Launch, tmp_path: Path, clock: Clock
) -> None:
    async with seen(reference_agent, tmp_path, clock) as driven:
        await driven.say("CANCELREQ")
        await driven.until("This request is withdrawn after 2 s")
        await driven.until("took its request back")
        await driven.until("The withdrawn request was answered with")
        assert driven.panel.request is None
        await driven.press("f9", "tab")
        await driven.until("taken back by the agent")


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
