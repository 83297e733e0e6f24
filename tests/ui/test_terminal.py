"""The main job in a real terminal, and every way out of it: no process is left, the terminal is given
back (CL-02, CL-05).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from acp_tui.base import processes
from acp_tui.base.processes import Process
from tests.ui.driving import words
from tests.ui.terminal import Terminal, terminal

pytestmark = pytest.mark.slow


def family(pid: int) -> list[Process]:
    """Everything the program has started."""
    return processes.descendants([pid], processes.snapshot())


def left(before: list[Process]) -> list[Process]:
    """Those that are still there."""
    return [p for p in before if processes.alive(p.pid, p.birth)]


@pytest.fixture
def chat() -> Iterator[Terminal]:
    with terminal(*words("child")) as running:
        running.until("○ ready")
        yield running


def test_start_prompt_permission_cancel_quit(chat: Terminal) -> None:
    chat.type("hello command=make wait\r")
    chat.until("$ make")
    chat.until("1 s ─")  # longer than the panel is deaf
    chat.type("1")
    chat.until("answer: yes")
    chat.until("working")
    chat.type("\x1b")
    chat.until("○ ready")
    started = family(chat.pid)
    assert len(started) >= 2
    chat.type("\x11")
    assert chat.end() == 0
    assert left(started) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_signals_end_it_cleanly(chat: Terminal, number: signal.Signals) -> None:
    started = family(chat.pid)
    chat.type("a draft")
    chat.until("a draft")
    os.kill(chat.pid, number)
    assert chat.end() == 128 + number
    assert left(started) == []
    assert "Traceback" not in chat.text()
    with terminal(*words()) as again:
        again.until("a draft")


def test_a_signal_while_it_starts(own_folders: object) -> None:
    with terminal(*words("mute")) as running:
        running.until(lambda: any(running.pid == p.parent for p in family(running.pid)))
        started = family(running.pid)
        os.kill(running.pid, signal.SIGTERM)
        assert running.end() == 128 + signal.SIGTERM
        assert left(started) == []
        assert "Traceback" not in running.text()


def test_the_terminal_goes_away(chat: Terminal) -> None:
    started = family(chat.pid)
    os.close(chat.master)
    chat.master = os.open(os.devnull, os.O_RDWR)
    chat.until(chat.ended)
    assert chat.status in (128 + signal.SIGHUP, 129)
    assert left(started) == []


def test_nothing_is_written_at_rest(chat: Terminal) -> None:
    chat.type("hello\r")
    chat.until("you said hello")
    chat.until("○ ready")
    while chat.read(0.5):
        pass
    before = chat.written
    assert not chat.read(3.0)
    assert chat.written == before


def test_what_is_typed_while_it_loads_is_not_lost() -> None:
    with terminal(*words()) as running:
        running.type("early bird")
        running.until("early bird")


def test_a_light_terminal_gets_the_light_theme() -> None:
    with terminal(*words()) as running:
        running.type("\x1b]11;rgb:ffff/ffff/ffff\x1b\\")
        running.until("○ ready")
        assert running.screen.buffer[0][1].bg == "fafaf8"
        assert "rgb" not in running.text()


def test_a_demo_of_everything_starts() -> None:
    with terminal("demo") as running:
        running.until("○ ready")
        running.type("\x11")
        assert running.end() == 0


def test_no_agent_ever_answered() -> None:
    with terminal("/no/such/agent") as running:
        running.until("could not be started")
        running.type("q")
        assert running.end() == 1
