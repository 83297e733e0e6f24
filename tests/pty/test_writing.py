"""Writing: new lines, pastes, Ctrl+C, and a draft that survives whatever comes."""

from __future__ import annotations

import base64

import pytest

from tests.pty.agents import WORDS
from tests.pty.conftest import Start

pytestmark = pytest.mark.slow

SHIFT_LEFT = "\x1b[1;2D"


def test_keys_that_make_a_new_line_and_a_paste_that_sends_nothing(start: Start) -> None:
    terminal = start(*WORDS, size=(80, 40))
    terminal.until("○ ready")
    terminal.type("one\\")
    terminal.press("enter")
    terminal.type("two")
    terminal.press("ctrl+j")
    terminal.type("three")
    terminal.press("alt+enter")
    terminal.type("four")
    terminal.press("shift+enter")
    terminal.paste("five\nsix\r\nseven\n")
    terminal.type("eight")
    terminal.until("eight")
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    assert [row.removeprefix(" ❯").strip() for row in terminal.rows()[-9:-1]] == words
    assert "▌" not in terminal.text()
    terminal.press("enter")
    terminal.until("you said eight")
    terminal.until("○ ready")
    assert terminal.text().count("▌ ") == 8
    terminal.quit()


def test_control_c_copies_then_clears_then_cancels_then_tells_how_to_quit(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.type("abc" + 2 * SHIFT_LEFT)
    terminal.until("❯ abc")
    terminal.press("ctrl+c")
    copied = b"\x1b]52;c;" + base64.b64encode(b"bc") + b"\x07"
    terminal.until(lambda: copied in terminal.raw)
    assert "❯ abc" in terminal.text()
    terminal.type("\x1b[C")
    terminal.quiet(0.2)
    terminal.press("ctrl+c")
    terminal.until_gone("❯ abc")
    terminal.press("ctrl+underscore")
    terminal.until("❯ abc")
    terminal.press("ctrl+c")
    terminal.until_gone("❯ abc")
    terminal.press("ctrl+c")
    terminal.until("Ctrl+Q quits")
    terminal.say("wait")
    terminal.until("◐ working")
    terminal.press("ctrl+c")
    terminal.until("cancelled by you")
    terminal.press("ctrl+q")
    terminal.check_ended(copied=copied)


def test_the_draft_survives_a_request_and_the_end_of_the_program(start: Start) -> None:
    terminal = start(*WORDS)
    terminal.until("○ ready")
    terminal.say("later perm=1")
    terminal.until("◐ working")
    terminal.type("go")
    terminal.press("alt+s")
    terminal.type("half a thou")
    terminal.until("Tab answer")
    terminal.type("ght 1")
    terminal.until("❯ half a thought 1")
    assert "Allow once" in terminal.text(), "the digit was writing, not an answer"
    terminal.press("tab")
    terminal.until_lasted("waits for you", 1)
    terminal.press("1")
    terminal.until("answers: yes")
    assert "❯ half a thought 1" in terminal.text()
    terminal.quit()

    again = start(*WORDS)
    again.until("○ ready")
    assert "❯ half a thought 1" in again.text()
    again.quit()
