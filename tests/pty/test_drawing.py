"""What reaches the terminal: nothing that the agent could harm it with, nothing at rest, no leftovers."""

from __future__ import annotations

import itertools
import signal

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Start
from tests.pty.terminal import Terminal

pytestmark = pytest.mark.slow

SIZES = ((120, 40), (60, 15), (80, 24), (31, 9), (200, 50), (80, 12))


def test_hostile_text_does_nothing_to_the_terminal(start: Start) -> None:
    terminal = start("demo", ACP_DEMO_SPEED="0")
    terminal.until("○ ready")
    terminal.say("/hostile")
    terminal.until(" asks ")
    terminal.until_lasted("waits for you", 1)
    terminal.press("o")
    terminal.until("Esc back")
    terminal.press("escape")
    terminal.until(" asks ")
    terminal.quiet(0.5)
    terminal.press("2")
    terminal.until("your terminal is unharmed")
    terminal.press("tab")
    terminal.until("↑ ↓ move")
    terminal.press("pageup", "pageup", "pageup", "o")
    terminal.until("Esc back")
    terminal.press("escape")
    terminal.until("○ ready")
    assert "[bold]markup[/bold]" in terminal.text()
    terminal.quit()


def test_resizing_while_text_streams_leaves_a_right_picture(start: Start) -> None:
    terminal = start("demo", ACP_DEMO_SPEED="0")
    terminal.until("○ ready")
    terminal.say("/flood")
    for size in itertools.islice(itertools.cycle(SIZES), 30):
        terminal.resize(*size)
        terminal.read(0.05)
    terminal.resize(80, 24)
    terminal.until("○ ready")
    terminal.until("`3000`".strip("`"))
    terminal.check_picture()
    assert "○ ready" in terminal.rows()[-1]
    terminal.quit()


SCENES = (
    "tools",
    "diff",
    "terminal",
    "unknown",
    "markdown",
    "think",
    "plan",
    "subagent",
    "compact",
    "stop refusal",
)


def test_scene_after_scene_leaves_a_right_picture(start: Start) -> None:
    terminal = start("demo", ACP_DEMO_SPEED="0")
    terminal.until("○ ready")
    for scene in SCENES:
        before = ended(terminal)
        terminal.say(f"/{scene}")
        terminal.until(lambda before=before: ended(terminal) > before)
        terminal.until("○ ready")
    terminal.press("f2")  # with the notices read, no toast is left that could go away while we compare
    terminal.until("Esc back")
    terminal.press("escape")
    terminal.until("○ ready")
    terminal.check_picture()
    terminal.press("tab")
    terminal.until("↑ ↓ move")
    for keys in (
        ("pageup", "up", "up", "enter"),
        ("pageup", "pageup", "enter"),
        ("up", "up", "enter", "down"),
    ):
        terminal.press(*keys)
        terminal.check_picture()
    terminal.quit()


def ended(terminal: Terminal) -> int:
    """How many turns have ended, by the journal."""
    (journal,) = (terminal.folder / "state" / "journal").glob("*/*.ndjson")
    return journal.read_bytes().count(b'"stopReason"')


def test_at_rest_nothing_is_written(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.say("hello plan")
    terminal.until("you said hello")
    terminal.until("○ ready")
    terminal.quiet(0.5)
    assert terminal.read(2.0) == 0, bytes(terminal.raw[-200:])
    terminal.quit()


def test_a_terminal_that_takes_nothing_stops_nobody_and_is_right_again_later(start: Start) -> None:
    terminal = start("demo", size=(120, 40), ACP_DEMO_SPEED="0")
    terminal.until("○ ready")
    terminal.say("/flood")
    terminal.until("word")
    terminal.until_unread(lambda: ended(terminal) == 1)
    terminal.until("○ ready")
    terminal.until("`3000`".strip("`"))
    terminal.check_picture()
    terminal.say("/flood")
    terminal.until_unread(lambda: ended(terminal) == 2)
    terminal.signal(signal.SIGTERM)
    terminal.until_unread(lambda: terminal.process.poll() is not None)
    assert terminal.process.returncode == 128 + signal.SIGTERM
    assert terminal.living() == {}
