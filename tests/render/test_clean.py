from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from acp_tui.render.clean import clean, one_line, pasteable, visible
from tests.render.hostile import HOSTILE
from tests.render.stage import FORBIDDEN


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_dangerous_is_left(text: str) -> None:
    assert not FORBIDDEN.search(clean(text).replace("\n", ""))
    assert not FORBIDDEN.search(one_line(text))
    assert not FORBIDDEN.search(visible(text).replace("\n", ""))


@given(st.text())
def test_nothing_dangerous_is_left_of_anything(text: str) -> None:
    assert not FORBIDDEN.search(clean(text).replace("\n", ""))
    assert not FORBIDDEN.search(visible(text).replace("\n", ""))
    assert clean(clean(text)) == clean(text)


@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n"))))
def test_cleaning_lines_is_cleaning_the_whole(lines: list[str]) -> None:
    assert clean("\n".join(lines)) == "\n".join(map(clean, lines))


def test_whole_sequences_go_and_the_words_stay() -> None:
    assert clean("\x1b]0;title\x07a\x1b[31mb\x1b[0m \x1b]8;;u\x1b\\link\x1b]8;;\x1b\\") == "ab link"
    assert clean("1%\r2%\r\nend\r") == "1% 2%\nend"
    assert clean("a\tb") == "a   b"
    assert clean("\ud800") == "\ufffd"
    assert clean("👩\u200d👧 न\u200c") == "👩\u200d👧 न\u200c"


def test_one_line_is_cut_by_cells() -> None:
    assert one_line(" a \n  b ") == "a b"
    assert one_line("日本語", 5) == "日本…"
    assert one_line("abc", 3) == "abc"
    assert one_line("x" * 2_000_000, 10) == "xxxxxxxxx…"
    assert one_line("abc", 0) == ""


@given(st.text(), st.integers(1, 20))
def test_one_line_fits(text: str, width: int) -> None:
    assert cell_len(one_line(text, width)) <= width
    assert "\n" not in one_line(text)


def test_what_is_approved_is_written_out() -> None:
    assert visible("rm\x1b[2K\rls\u202e\u200b\x7f\u00a0") == "rm␛[2K␍ls<U+202E><U+200B>␡<U+00A0>"
    assert visible("a\nb\r\nc") == "a\nb\nc"
    assert visible("👩\u200d👧") == "👩\u200d👧"
    assert visible("ls\u200d") == "ls<U+200D>"
    assert visible("ab\U000e0041") == "ab<U+E0041>"


@pytest.mark.parametrize("text", HOSTILE)
def test_what_is_copied_is_clean_but_for_tabs(text: str) -> None:
    copied = pasteable(text + "\tx\n\ty")
    assert copied.endswith("\tx\n\ty")
    assert not FORBIDDEN.search(copied.replace("\n", "").replace("\t", ""))
