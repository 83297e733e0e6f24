"""What is sent to which terminal, and that no word of an agent can be more than text in it."""

from __future__ import annotations

from base64 import b64decode

import pytest

from acp_tui.ui.attention import notification

EVIL = "done\x1b]0;owned\x07\x9c\u202e;rm"


@pytest.mark.parametrize(
    ("environ", "start"),
    [
        ({"TERM": "xterm-kitty"}, "\x1b]99;"),
        ({"TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"}, "\x1b]99;"),
        ({"TERM": "foot"}, "\x1b]777;notify;"),
        ({"TERM": "xterm-ghostty"}, "\x1b]777;notify;"),
        ({"TERM": "rxvt-unicode-256color"}, "\x1b]777;notify;"),
        ({"TERM": "xterm-256color", "VTE_VERSION": "7600"}, "\x1b]777;notify;"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "\x1b]777;notify;"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"}, "\x1b]9;acp-tui: "),
        ({"TERM": "xterm"}, "\x1b]9;acp-tui: "),
    ],
)
def test_each_terminal_is_told_in_its_own_way(environ: dict[str, str], start: str) -> None:
    said = notification(environ, "Words is done", "Fix it")
    assert said.startswith(start)
    assert said.endswith("\x1b\\")


@pytest.mark.parametrize(
    "environ", [{"TERM": "linux"}, {"TERM": "dumb"}, {}, {"TERM": "screen", "STY": "1.x"}]
)
def test_terminals_that_would_print_it_are_told_nothing(environ: dict[str, str]) -> None:
    assert notification(environ, "Words is done", "") == ""


def test_tmux_passes_it_through() -> None:
    environ = {"TERM": "tmux-256color", "TMUX": "/tmp/tmux", "VTE_VERSION": "7600"}
    said = notification(environ, "Words is done", "Fix it")
    assert said == "\x1bPtmux;\x1b\x1b]777;notify;Words is done;Fix it\x1b\x1b\\\x1b\\"


@pytest.mark.parametrize("term", ["foot", "xterm"])
def test_words_of_an_agent_cannot_end_the_sequence_or_begin_another(term: str) -> None:
    said = notification({"TERM": term}, EVIL, EVIL)
    inside = said[2:-2]
    assert inside.isprintable()
    assert "\u202e" not in said
    if term == "foot":
        assert inside.count(";") == 3


def test_kitty_gets_clean_words_in_base64() -> None:
    title, body = notification({"TERM": "xterm-kitty"}, EVIL, "body").split("\x1b\\")[:2]
    assert b64decode(title.rpartition(";")[2]).decode().isprintable()
    assert b64decode(body.rpartition(";")[2]) == b"body"
