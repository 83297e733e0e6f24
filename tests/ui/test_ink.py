"""What stands out in markdown that is being written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.ui.widgets.ink import LONGEST, fenced, inked


def shown(line: str, **how: bool) -> list[tuple[str, str]]:
    return [(line[start:end], kind) for start, end, kind in inked(line, **how)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("plain words", []),
        ("## Head", [("## Head", "head")]),
        ("#no", []),
        ("- item", [("-", "sign")]),
        ("12. item", [("12.", "sign")]),
        ("> said", [("> ", "sign")]),
        ("a `b` c ``d`e``", [("`b`", "code"), ("``d`e``", "code")]),
        ("**bold** and *thin* and 2 * 3 * 4", [("**bold**", "strong"), ("*thin*", "emphasis")]),
        ("snake_case_name _so_", [("_so_", "emphasis")]),
        ("[a](http://b) http://c/d", [("[a](http://b)", "link"), ("http://c/d", "link")]),
        (
            'see @src/a.py:10-40 and @"x y" a@b',
            [("@src/a.py:10-40", "mention"), ('@"x y"', "mention")],
        ),
        ("/web", []),
    ],
)
def test_inline(line: str, found: list[tuple[str, str]]) -> None:
    assert shown(line) == found


def test_a_command_stands_at_the_very_start() -> None:
    assert shown("/web acp", first=True) == [("/web", "command")]
    assert shown("/usr/bin", first=True) == []


def test_blocks_of_code() -> None:
    assert fenced(["a", "```py", "# x", "```", "b", "~~~", "open"]) == {1, 2, 3, 5, 6}
    assert fenced(["``` a`b", "c"]) == frozenset()
    assert shown("# x", code=True) == [("# x", "code")]


def test_a_monstrous_line_is_plain() -> None:
    assert shown("`a` " * LONGEST) == []


@given(st.text(alphabet='ab`*_[]()@"/#-> ~1.:h', max_size=60))
def test_spans_lie_in_the_line(line: str) -> None:
    assert all(0 <= start < end <= len(line) for start, end, _ in inked(line, first=True) if end)
