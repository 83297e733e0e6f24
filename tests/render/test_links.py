from __future__ import annotations

import re

import pytest
from rich.style import Style

from acp_tui.render.links import LONGEST, address, file_address, linked, place, placed
from tests.render.hostile import HOSTILE

PLAIN = Style.parse("red")


@pytest.mark.parametrize(
    ("url", "opened"),
    [
        ("https://e.com/a?b=c#d", "https://e.com/a?b=c#d"),
        ("HTTP://e.com/ä b", "HTTP://e.com/%C3%A4%20b"),
        ("https://e.com/%2Fa%20b", "https://e.com/%2Fa%20b"),
        ("https://e.com/a/../b", "https://e.com/a/../b"),
        ("file:///w/a.py", "file:///w/a.py"),
        ("file:///w/../etc/shadow", ""),
        ("file:///w/%2e%2e/etc/shadow", ""),
        ("file://host/share", ""),
        ("javascript:alert(1)", ""),
        ("mailto:a@e.com", ""),
        ("ftp://e.com", ""),
        ("https://", ""),
        ("https://e.com/" + "x" * LONGEST, ""),
    ],
)
def test_the_terminal_is_given_few_kinds_of_addresses(url: str, opened: str) -> None:
    assert address(url) == opened


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_gets_out_of_a_link(text: str) -> None:
    for made in (address("http://e.com/" + text), file_address("/" + text), linked(PLAIN, text).link or ""):
        assert re.fullmatch("[!-~]*", made)


@pytest.mark.parametrize(
    ("target", "path", "line"),
    [
        ("src/lex.py:40", "src/lex.py", 40),
        ("lex.py:40:2", "lex.py", 40),
        ("/a/b.c#L7-L9", "/a/b.c", 7),
        ("a b/c.py:0", "a b/c.py", None),
        ("docs/x.md#head", "docs/x.md", None),
        ("#head", "", None),
    ],
)
def test_a_place_in_a_file(target: str, path: str, line: int | None) -> None:
    assert place(target) == (path, line)


def test_a_link_to_a_file_opens_the_editor_there() -> None:
    style = linked(PLAIN, "/w/a.py:12")
    assert style.meta["act"] == ("open", "/w/a.py", 12)
    assert style.link == "file:///w/a.py"
    assert linked(PLAIN, "lex.py:3").meta["act"] == ("open", "lex.py", 3)
    assert linked(PLAIN, "mailto:a@e.com").meta["act"] == ("link", "mailto:a@e.com")


def test_a_path_that_climbs_is_text_only() -> None:
    assert placed(PLAIN, "/a/../../etc/shadow", 1) == PLAIN
    assert placed(PLAIN, "..\\x", None) == PLAIN
    assert placed(PLAIN, "", None) == PLAIN


def test_one_link_is_one_style() -> None:
    assert linked(PLAIN, "https://e.com") is linked(PLAIN, "https://e.com")
