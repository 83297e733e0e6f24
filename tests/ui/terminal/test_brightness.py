"""Dark or light is asked with OSC 11: no hang without an answer, no key eaten, a late answer is not
typing.
"""

from __future__ import annotations

import os
import termios
from collections.abc import Iterator
from itertools import pairwise
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.ui.terminal.brightness import QUERY, Late, Question, is_dark

ANSWER = b"\x1b]11;rgb:ffff/ffff/f0f0\x1b\\"


@pytest.fixture
def pty() -> Iterator[tuple[int, int]]:
    master, slave = os.openpty()
    yield master, slave
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize(
    ("answer", "dark"),
    [
        ("rgb:0000/0000/0000", True),
        ("rgb:ff/ff/ff", False),
        ("rgba:1e1e/1e1e/2e2e/ffff", True),
        ("rgb:f/f/e", False),
        ("#ffffff", None),
        ("", None),
    ],
)
def test_answers(answer: str, dark: bool | None) -> None:
    assert is_dark(answer) is dark


def test_an_answer_is_read_and_what_was_typed_is_kept(pty: tuple[int, int]) -> None:
    master, slave = pty
    question = Question(slave, {"TERM": "xterm"})
    assert os.read(master, 100) == QUERY
    os.write(master, b"he" + ANSWER + b"llo")
    assert question.answer(5.0) is False
    assert question.close() == b"hello"


def test_no_answer_costs_only_the_patience(pty: tuple[int, int]) -> None:
    master, slave = pty
    question = Question(slave, {"TERM": "xterm"})
    os.write(master, b"hi")
    before = monotonic()
    assert question.answer(0.02) is None
    assert monotonic() - before < 2
    assert question.close() == b"hi"


def test_nothing_is_echoed_and_the_terminal_is_given_back(pty: tuple[int, int]) -> None:
    _, slave = pty
    before = termios.tcgetattr(slave)
    question = Question(slave, {"TERM": "xterm"})
    assert not termios.tcgetattr(slave)[3] & termios.ECHO
    question.close()
    assert termios.tcgetattr(slave) == before


def test_some_terminals_are_not_asked(pty: tuple[int, int]) -> None:
    question = Question(pty[1], {"TERM": "dumb"})
    assert not question.asked
    assert question.answer(5.0) is None
    assert question.close() == b""


@given(st.lists(st.integers(2, 60), max_size=5), st.sampled_from(["\x1b\\", "\x07"]))
def test_a_late_answer_is_not_typed_however_it_is_cut(cuts: list[int], end: str) -> None:
    """Not before its second byte: an ESC alone is the Escape key and must not wait."""
    text = f"ab\x1b]11;rgb:1234/5678/9abc{end}cd"
    places = sorted({0, len(text), *(2 + cut for cut in cuts if 4 <= 2 + cut < len(text))})
    late = Late()
    got = "".join(late.feed(text[a:b]) for a, b in pairwise(places)) + late.rest()
    assert got == "abcd"


@given(st.text(alphabet="\x1b]1;rgb:ab\x07\\[A ", max_size=30), st.integers(0, 30))
def test_nothing_else_is_lost(text: str, cut: int) -> None:
    if "\x1b]11;" not in text:
        late = Late()
        assert late.feed(text[:cut]) + late.feed(text[cut:]) + late.rest() == text
