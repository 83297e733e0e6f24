"""Pages of text: wrapped at words, later rows set in, scrolled to the last line."""

from __future__ import annotations

import pytest

from acp_tui.ui.screens.help import HelpScreen
from acp_tui.ui.screens.page import PageText, _wrapped
from tests.ui.driving import driving, words

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("line", "rows"),
    [
        (("", "one two three"), ["one two", "  three"]),
        (("", "  one two three"), ["  one two", "    three"]),
        (("", "a    one two three", 5), ["a    one", "     two", "     three"]),
        (("", "abcdefghijklmnop"), ["abcdefghij", "  klmnop"]),
        (("", ""), [""]),
    ],
)
def test_long_lines_wrap_at_words_and_hang(line: tuple[str, str], rows: list[str]) -> None:
    assert [text for _, text in _wrapped(line, 10)] == rows


@pytest.mark.parametrize("width", [60, 80, 120])
async def test_no_word_of_the_help_is_cut(width: int) -> None:
    async with driving(words(), size=(width, 24)) as driven:
        await driven.ready()
        await driven.press("f1")
        await driven.until("Everywhere")
        page = driven.app.screen.query_one(PageText)
        source = " ".join(text for _, text, *_ in page.source).split()
        shown = " ".join(text for _, text in page.rows).split()
        assert shown == source


async def test_the_column_of_keys_is_as_wide_as_needed() -> None:
    screen = HelpScreen({})
    lines = [text for _, text, *_ in screen.lines()]
    column = next(text for text in lines if text.startswith("  F1 ")).index("this help")
    rows = [text for text in lines if text[column - 2 : column] == "  " and text[column : column + 1].strip()]
    assert len(rows) > 20
    assert any(text[column - 3] != " " for text in rows), "no wider than the longest keys"
    long = next(i for i, text in enumerate(lines) if text == "  Alt+Enter, Shift+Enter, Ctrl+J")
    assert lines[long + 1].strip().startswith("new line")
