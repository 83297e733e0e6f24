"""Readline's exchanging and changing of case, as `bash` does it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.ui.writing.rewriting import (
    CASES,
    Rewritten,
    closed_up,
    recased,
    transposed_letters,
    transposed_words,
)
from tests.ui.driving import driving, words

pytestmark = pytest.mark.anyio
RULES = [
    transposed_letters,
    transposed_words,
    closed_up,
    *(lambda a, b, c=case: recased(a, b, c) for case in CASES),
]


def after(line: str, made: Rewritten | None) -> str:
    """The line with | where the cursor is then."""
    return f"{line[: made.start]}{made.text}|{line[made.end :]}" if made is not None else line


@pytest.mark.parametrize(
    ("line", "at", "result"),
    [("ab", 2, "ba|"), ("abc", 1, "ba|c"), ("abc", 0, "abc"), ("a", 1, "a"), ("", 0, ""), ("äß", 2, "ßä|")],
)
def test_letters(line: str, at: int, result: str) -> None:
    assert after(line, transposed_letters(line, at)) == result


@pytest.mark.parametrize(
    ("line", "at", "result"),
    [
        ("one two", 7, "two one|"),
        ("one two three", 3, "two one| three"),
        ("one two three", 5, "two one| three"),
        ("one two three", 8, "one three two|"),
        ("one, two!", 9, "two, one|!"),
        ("one", 3, "one"),
        ("one two", 0, "one two"),
        ("", 0, ""),
    ],
)
def test_words(line: str, at: int, result: str) -> None:
    assert after(line, transposed_words(line, at)) == result


@pytest.mark.parametrize(
    ("line", "at", "case", "result"),
    [
        ("one two", 0, "upper", "ONE| two"),
        ("one two", 3, "capital", "one Two|"),
        ("oNE", 1, "lower", "one|"),
        ("one", 3, "upper", "one"),
        ("straße", 0, "upper", "STRASSE|"),
    ],
)
def test_case(line: str, at: int, case: str, result: str) -> None:
    assert after(line, recased(line, at, case)) == result


def test_blanks() -> None:
    assert after("a  \t b", closed_up("a  \t b", 3)) == "a|b"
    assert closed_up("ab", 1) is None


@given(st.text(max_size=20), st.integers(0, 20))
def test_nothing_but_what_is_replaced_changes(line: str, at: int) -> None:
    for rule in RULES:
        made = rule(line, min(at, len(line)))
        assert made is None or 0 <= made.start < made.end <= len(line)


@pytest.mark.parametrize(
    ("key", "result"),
    [
        ("ctrl+t", "one wto"),
        ("alt+t", "two one"),
        ("alt+u", "one tWO"),
        ("alt+l", "one two"),
        ("alt+c", "one tWo"),
    ],
)
async def test_the_keys(key: str, result: str) -> None:
    async with driving(words()) as driven:
        await driven.type("one two")
        await driven.press("left", "left", key)
        assert driven.composer.text == result
        await driven.press("ctrl+underscore")
        assert driven.composer.text == "one two"


async def test_a_long_paste_is_not_torn() -> None:
    async with driving(words()) as driven:
        composer = driven.composer
        piece = composer.pasted.add("\n".join("x" * 20))
        composer.put(f"{piece} b")
        for key in ("alt+t", "ctrl+t", "alt+u"):
            composer.move_cursor((0, 0))
            await driven.press(key)
            assert composer.text == f"{piece} b"
