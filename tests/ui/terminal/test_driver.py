"""Keys as terminals send them."""

from __future__ import annotations

import pytest
from textual.events import Key

from acp_tui.ui.terminal.driver import Escape, Parser


def keys(sent: str) -> list[tuple[str, str | None]]:
    """What the app gets when this has come and nothing follows."""
    parser = Parser()
    events = [*parser.feed(sent), *parser.feed("")]
    return [(event.key, event.character) for event in events if isinstance(event, Key)]


@pytest.mark.parametrize("sent", ["\x1b\r", "\x1b\n", "\x1b[13;3u"])
def test_alt_enter_is_no_enter(sent: str) -> None:
    assert keys(sent + "x") == [("alt+enter", None), ("x", "x")]


@pytest.mark.parametrize("sent", ["\x1bs", "\x1b[115;3u"])
def test_alt_and_a_letter_type_nothing(sent: str) -> None:
    assert keys(sent) == [("alt+s", None)]


def test_other_keys_are_left_alone() -> None:
    assert keys("a\r\n") == [("a", "a"), ("enter", "\r"), ("ctrl+j", "\n")]


def pieces(*sent: str) -> list[str]:
    """Keys as the app gets them when the terminal writes in these pieces."""
    escape, parser = Escape(), Parser()
    found: list[str] = []
    for piece in sent:
        pressed, text = escape.feed(piece)
        found += ["escape"] * pressed
        found += [event.key for event in parser.feed(text) if isinstance(event, Key)] if text else []
    found += ["escape"] * escape.rest()
    return found + [event.key for event in parser.feed("") if isinstance(event, Key)]


@pytest.mark.parametrize(
    ("sent", "got"),
    [
        (["\x1b", "a"], ["escape", "a"]),
        (["\x1b", "\r"], ["escape", "enter"]),
        (["\x1b", "\x1b", "\x1b[A"], ["escape", "escape", "up"]),
        (["\x1b"], ["escape"]),
        (["ab\x1b", "c"], ["a", "b", "escape", "c"]),
        (["\x1ba"], ["alt+a"]),
        (["\x1b\r"], ["alt+enter"]),
        (["\x1b", "[A"], ["up"]),
        (["\x1b", "OP"], ["f1"]),
        (["a\x1b", "[5~", "b"], ["a", "pageup", "b"]),
    ],
)
def test_escape_and_the_next_key_at_once_are_two_keys(sent: list[str], got: list[str]) -> None:
    assert pieces(*sent) == got


def test_a_paste_that_is_cut_is_no_escape() -> None:
    escape = Escape()
    assert escape.feed("x" * 100 + "\x1b") == (False, "x" * 100 + "\x1b")
    assert escape.feed("b") == (False, "b")
