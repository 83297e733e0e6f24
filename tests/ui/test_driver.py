"""Keys as terminals send them."""

from __future__ import annotations

import pytest
from textual.events import Key

from acp_tui.ui.driver import Parser


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
