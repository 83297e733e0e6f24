"""Command lines taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.services.shell import parse


def apart(text: str) -> list[list[str]]:
    return [[word.text for word in one.words] for one in parse(text).commands]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("a b && c || d; e & f\ng", [["a", "b"], ["c"], ["d"], ["e"], ["f"], ["g"]]),
        ("a | b |& c", [["a"], ["b"], ["c"]]),
        ('a \'b c\' "d \\"e" f\\ g \\\n h', [["a", "b c", 'd "e', "f g", "h"]]),
        ("a $(b $(c)) `d` <(e)", [["c"], ["b", ""], ["d"], ["e"], ["a", "", "", ""]]),
        ("(a; b) # c", [["a"], ["b"]]),
        ("if a; then b; else c; fi", [["a"], ["b"], ["c"]]),
        ("while a; do b; done", [["a"], ["b"]]),
        ("a 2>&1 >x <y 2>>z", [["a"]]),
        ("echo ')' $(echo ')')", [["echo", ")"], ["echo", ")", ""]]),
        ("", []),
    ],
)
def test_what_is_understood(text: str, commands: list[list[str]]) -> None:
    assert apart(text) == commands
    assert parse(text).unsure == []


def test_what_is_written_and_what_is_piped() -> None:
    first, second = parse("a 2>&1 >x 2>/dev/null | b &>> y").commands
    assert [word.text for word in first.writes] == ["x", "/dev/null"]
    assert [word.text for word in second.writes] == ["y"]
    assert second.fed_by is first


@pytest.mark.parametrize(
    "text",
    [
        *(
            "a 'b",
            'a "b',
            "a `b",
            "a $(b",
            "cat <<E\nE",
            "f() { g; }",
            "for x in y; do z; done",
            "case a in b) c;; esac",
        ),
        *("a >", "${x:-$(y)}", "[[ a ]]", "$(" * 50),
    ],
)
def test_what_is_not_understood_says_so(text: str) -> None:
    assert parse(text).unsure


@given(st.text("ab $()`'\"\\;|&<>{}\n#=-", max_size=60))
def test_it_ends_and_words_stand_where_they_say(text: str) -> None:
    for command in parse(text).commands:
        for word in [*command.words, *command.writes]:
            assert 0 <= word.start <= word.end <= len(text)
