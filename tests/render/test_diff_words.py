from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from rich.style import Style

from acp_tui.render.diff_paint import paint
from acp_tui.render.diff_words import blocks, likeness, pairs
from acp_tui.render.look import FALLBACK, Look
from tests.render.test_diff_rows import TEXT

MARKING = Look.from_styles(
    {
        "transcript--base": Style.parse("white on black"),
        "transcript--diff-add": Style.parse("on #001100"),
        "transcript--diff-add-word": Style.parse("bold on #003300"),
        "transcript--diff-delete": Style.parse("on #110000"),
        "transcript--diff-delete-word": Style.parse("bold on #330000"),
        "transcript--code-keyword": Style.parse("magenta"),
    }
)


def marked(old: str, new: str) -> tuple[list[str], list[str]]:
    found = likeness(old, new)
    return [old[a:b] for a, b in found.old], [new[a:b] for a, b in found.new]


def test_words_that_changed_are_found() -> None:
    assert marked("i = m.end()", "i = m.start()") == (["end"], ["start"])
    assert marked("def f(a, b):", "def f(a, b, c):") == ([], [", c"])
    assert marked("the quick brown fox jumps", "the slow red fox jumps") == (["quick brown"], ["slow red"])
    assert marked("same", "same") == ([], [])
    assert marked("日本語の文章です", "日本人の文章です") == (["語"], ["人"])
    assert marked("cafe\u0301 au lait and tea", "cafe au lait and tea") == (["cafe\u0301"], ["cafe"])
    assert marked("done 👩‍👩‍👧 here and there", "done 👩‍👩‍👦 here and there") == (["👩‍👩‍👧"], ["👩‍👩‍👦"])


def test_lines_with_little_in_common_are_no_versions_of_each_other() -> None:
    assert likeness("import os", "return value + 1").ratio == 0
    assert likeness("", "").ratio == 0
    texts = ["old one", "totally different", "old two"]
    assert [found[:2] for found in pairs([0], [1, 2], texts)] == [(0, 2)]


def test_long_lines_and_large_blocks_are_not_searched() -> None:
    long = "word " * 1000
    assert likeness(long, long + "x").ratio == 0
    many = 500
    texts = ["x = 1"] * many + ["x = 2"] * many
    found = list(pairs(range(many), range(many, 2 * many), texts))
    assert len(found) == many
    assert all(alike is None for _, _, alike in found)


def test_blocks_are_what_is_removed_and_then_added() -> None:
    assert list(blocks([" ", "-", "-", "\\", "+", " ", "+", "-", "+"])) == [
        ([1, 2], [4]),
        ([], [6]),
        ([7], [8]),
    ]


@given(TEXT, TEXT, TEXT, TEXT)
def test_what_is_not_marked_is_the_same_on_both_sides(head: str, old: str, new: str, tail: str) -> None:
    a, b = head + old + tail, head + new + tail
    found = likeness(a, b)
    if not found.ratio:
        return
    for spans in (found.old, found.new):
        assert all(start < end for start, end in spans)
        assert all(one[1] <= two[0] for one, two in pairwise(spans))

    def rest(text: str, spans: list[tuple[int, int]]) -> str:
        for start, end in reversed(spans):
            text = text[:start] + text[end:]
        return "".join(text.split())

    assert rest(a, found.old) == rest(b, found.new)


def test_marks_and_colours_of_the_language_lie_under_each_other() -> None:
    painted = paint(("-return one", "+return two", " return"), "python", MARKING, False)
    old, new, same = painted.runs
    keyword, blank, word = old
    assert keyword == ("return", Style.parse("magenta on #110000"))
    assert (blank[0] + word[0], word[1].bold) == (" one", True)
    assert [(text, style.bgcolor) for text, style in new][-1] == ("two", Style.parse("on #003300").bgcolor)
    assert same[0] == ("return", Style.parse("magenta on black"))
    assert painted.partners == {0: 1}


def test_without_backgrounds_signs_and_the_colour_of_the_change_say_it() -> None:
    painted = paint(("-return one", "+return two"), "python", FALLBACK, False)
    assert {style.color for _, style in painted.runs[0]} == {FALLBACK.diff_delete.color}
    assert {style.color for _, style in painted.runs[1]} == {FALLBACK.diff_add.color}
    assert [style.reverse for _, style in painted.runs[1]] == [None, True]
