"""Text on its way to a terminal that reads when it likes, or not at all."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from threading import Event

import pytest

from acp_tui.ui.terminal.output import Output

LIMIT = 30.0


class Screen:
    """The reading end of a pipe, and an output that writes to it."""

    def __init__(self, room: int) -> None:
        self.reader, self.writer = os.pipe()
        self.stale = Event()
        self.output = Output(self.writer, self.stale.set, room)
        self.read = b""

    def until(self, end: bytes) -> bytes:
        """Read until this was read."""
        while not self.read.endswith(end):
            data = os.read(self.reader, 1 << 16)
            assert data
            self.read += data
        return self.read

    def fill(self) -> bytes:
        """Write what is more than the pipe holds; its beginning has arrived when this returns."""
        big = "x" * (1 << 20)
        self.output.write(big + "|")
        first = os.read(self.reader, 1)
        self.read += first
        return big.encode() + b"|"


@pytest.fixture
def screen() -> Iterator[Screen]:
    found = Screen(room=100)
    yield found
    for fd in (found.reader, found.writer):
        os.close(fd)


def test_texts_arrive_whole_and_in_order_and_before_the_end(screen: Screen) -> None:
    for number in range(30):
        screen.output.write(f"{number},")
    screen.output.write("\ud800")
    screen.output.close()
    assert screen.until(b"\\ud800") == "".join(f"{n}," for n in range(30)).encode() + b"\\ud800"
    assert not screen.stale.is_set()


def test_a_single_text_may_be_larger_than_the_room(screen: Screen) -> None:
    whole = screen.fill()
    assert screen.until(b"|") == whole
    assert not screen.stale.is_set()
    screen.output.close()


def test_what_nobody_reads_is_given_up_whole_and_told_when_somebody_reads_again(screen: Screen) -> None:
    whole = screen.fill()
    for _ in range(20):
        screen.output.write("an old picture")
    assert not screen.stale.is_set()
    screen.until(b"|")
    assert screen.stale.wait(LIMIT)
    screen.output.write("a fresh one")
    assert screen.until(b"one") == whole + b"a fresh one"
    screen.output.close()


def test_what_is_insisted_on_arrives_whatever_was_given_up(screen: Screen) -> None:
    whole = screen.fill()
    for _ in range(20):
        screen.output.write("an old picture")
    screen.output.insist()
    screen.output.write("the end")
    assert screen.until(b"|the end") == whole + b"the end"
    screen.output.close()


def test_a_terminal_that_is_gone_stops_nobody() -> None:
    reader, writer = os.pipe()
    output = Output(writer, Event().set)
    os.close(reader)
    for _ in range(1000):
        output.write("nobody reads this")
    output.close()
    os.close(writer)


def test_a_terminal_that_was_made_not_to_wait_is_waited_for(screen: Screen) -> None:
    os.set_blocking(screen.writer, False)
    whole = screen.fill()
    assert screen.until(b"|") == whole
    screen.output.close()


@pytest.fixture
def terminal() -> Iterator[tuple[int, Output]]:
    """A terminal's other end, and an output to it."""
    ours, theirs = os.openpty()
    tty.setraw(theirs)
    output = Output(theirs, Event().set)
    yield ours, output
    output.close()
    for fd in (ours, theirs):
        os.close(fd)


def test_what_a_terminal_takes_is_there_when_it_was_written(terminal: tuple[int, Output]) -> None:
    ours, output = terminal
    os.set_blocking(ours, False)
    output.write("a frame")
    assert os.read(ours, 100) == b"a frame"


def test_what_it_does_not_take_at_once_comes_in_order(terminal: tuple[int, Output]) -> None:
    ours, output = terminal
    big = "x" * (1 << 18)
    output.write(big)
    for number in range(10):
        output.write(f"{number},")
    whole = big.encode() + b"0,1,2,3,4,5,6,7,8,9,"
    read = b""
    while len(read) < len(whole):
        read += os.read(ours, 1 << 16)
    assert read == whole
