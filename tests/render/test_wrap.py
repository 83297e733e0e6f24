from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.style import Style

from acp_tui.render.clean import clean
from acp_tui.render.wrap import JOINTS, Lines, cut, size_of, spread, strip, wrap
from tests.render.stage import texts

PLAIN = Style()
BOLD = Style(bold=True)


def lines_of(text: str, width: int, words: bool = True) -> list[str]:
    return texts(wrap([(text, PLAIN)], width, PLAIN, words=words), width)


def rejoined(lines: Lines) -> str:
    """The source again, from strips and joints."""
    out = ""
    for index, line in enumerate(lines.strips):
        joint = JOINTS[lines.marks[index] & 3] if index + 1 < len(lines) else ""
        text = line.text[lines.marks[index] >> 2 :]
        out += text.rstrip(" ") + joint
    return out


def test_breaks_between_words_and_hangs() -> None:
    made = wrap([("one two ", PLAIN), ("three", BOLD)], 9, PLAIN, first=[("• ", PLAIN)], rest=[("  ", PLAIN)])
    assert texts(made, 9) == ["• one two", "  three"]
    assert made.marks == [2 << 2 | 1, 2 << 2]
    assert made.strips[1]._segments[1].style is BOLD


def test_a_word_of_two_styles_is_not_torn() -> None:
    made = wrap([("aa bb", PLAIN), ("cc", BOLD)], 6, PLAIN)
    assert texts(made, 6) == ["aa", "bbcc"]


def test_long_words_are_split_and_say_so() -> None:
    made = wrap([("a " + "x" * 12, PLAIN)], 5, PLAIN)
    assert texts(made, 5) == ["a", "xxxxx", "xxxxx", "xx"]
    assert [mark & 3 for mark in made.marks] == [1, 2, 2, 0]


@pytest.mark.parametrize("words", [True, False])
def test_widths_are_exact_for_wide_and_joined_characters(words: bool) -> None:
    for width in range(2, 30):
        lines_of("日本語のテキスト 👩‍👩‍👧 ok ❤️ e\u0301e\u0301 한국어 x" * 3, width, words)


def test_wide_text_breaks_anywhere_but_not_before_a_closing_mark() -> None:
    assert lines_of("漢字漢字。漢字", 8) == ["漢字漢", "字。漢字"]


@given(st.text(alphabet="ab 日é👩\u200d\n\u0301", max_size=60), st.integers(1, 20), st.booleans())
@example("\u200d\u200d日a", 2, False)
def test_nothing_is_lost_and_every_line_is_exact(text: str, width: int, words: bool) -> None:
    source = clean(text)
    made = wrap([(source, PLAIN)], width, PLAIN, words=words)
    assert all(line.cell_length == width for line in made.strips)
    if width > 1:
        kept = "".join(line.text for line in made.strips)
        assert kept.replace(" ", "") == source.replace(" ", "").replace("\n", "")


@given(st.lists(st.text(alphabet="ab", min_size=1, max_size=9), min_size=1), st.integers(3, 30))
def test_joints_give_the_source_again(parts: list[str], width: int) -> None:
    source = " ".join(parts)
    assert rejoined(wrap([(source, PLAIN)], width, PLAIN)) == source


def test_a_megabyte_in_one_line_is_linear() -> None:
    assert len(lines_of("word " * 200_000, 100)) == 10_000
    assert len(wrap([("x" * 1_000_000, PLAIN)], 100, PLAIN)) == 10_000
    assert len(wrap([("漢" * 100_000, PLAIN)], 100, PLAIN)) == 2_000
    assert len(wrap([("é" * 100_000, PLAIN)], 100, PLAIN)) == 1_000


def test_equal_lines_stay_the_same_objects() -> None:
    old = wrap([("a b c", PLAIN)], 1, PLAIN)
    new = wrap([("b c d", PLAIN)], 1, PLAIN)
    new.reuse(old.strips)
    assert new.strips[0] is old.strips[1]
    assert new.strips[1] is old.strips[2]


def test_a_line_with_two_ends() -> None:
    assert spread([("a long title", PLAIN)], [("end", BOLD)], 10, PLAIN).text == "a long…end"
    assert spread([("a", PLAIN)], [("end", BOLD)], 10, PLAIN).text == "a      end"
    assert spread([("日本語", PLAIN)], [("end", BOLD)], 7, PLAIN).cell_length == 7
    assert cut([("abc", PLAIN), ("def", BOLD)], 3) == [("ab…", PLAIN)]
    assert size_of(cut([("日本", PLAIN), ("語", BOLD)], 3)) <= 3
    assert strip([], 3, PLAIN).text == "   "
