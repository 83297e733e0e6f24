"""Vi's keys, as vi does them: what stands before `|` is left of the cursor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.ui.writing.vi import Act, Vi


def typed(vi: Vi, keys: list[str], text: str, at: int) -> tuple[str, int, list[Act]]:
    """Normal mode, then these keys, those behind a change of mode as text."""
    acts = []
    for key in keys:
        if not vi.normal:
            text, at = text[:at] + key + text[at:], at + 1
            continue
        act = vi.press(key, text, at)
        if act.text is not None:
            text = text[: act.start] + act.text + text[act.end :]
        at = act.cursor
        acts.append(act)
    return text, at, acts


def after(keys: str, before: str) -> str:
    at = before.index("|")
    vi = Vi()
    vi.normal = True
    text, at, _ = typed(vi, [*keys], before.replace("|", ""), at)
    return text[:at] + "|" + text[at:]


@pytest.mark.parametrize(
    ("keys", "before", "then"),
    [
        ("h", "ab|c", "a|bc"),
        ("h", "a\n|b", "a\n|b"),
        ("l", "|ab", "a|b"),
        ("ll", "a|b", "a|b"),
        ("3l", "|abcdef", "abc|def"),
        ("w", "|one two", "one |two"),
        ("w", "|one, two", "one|, two"),
        ("2w", "|one\ntwo three", "one\ntwo |three"),
        ("e", "|one two", "on|e two"),
        ("ee", "|one two", "one tw|o"),
        ("b", "one t|wo", "one |two"),
        ("bb", "one t|wo", "|one two"),
        ("0", "  on|e", "|  one"),
        ("^", "  on|e", "  |one"),
        ("$", "|one\ntwo", "on|e\ntwo"),
        ("j", "ab|c\nx\n", "abc\n|x\n"),
        ("k", "abc\nxy|z", "ab|c\nxyz"),
        ("G", "|a\n  b", "a\n  |b"),
        ("gg", "a\nb|c", "|a\nbc"),
        ("2G", "|a\nb\nc", "a\n|b\nc"),
        ("x", "a|bc", "a|c"),
        ("5x", "a|bc\nd", "|a\nd"),
        ("dd", "a\n|b\nc", "a\n|c"),
        ("2dd", "|a\nb\nc", "|c"),
        ("dd", "a\n  |b", "|a"),
        ("dd", "|a", "|"),
        ("dw", "|one two", "|two"),
        ("dw", "one |two\nthree", "one| \nthree"),
        ("d2w", "|one two three", "|three"),
        ("2dw", "|one two three", "|three"),
        ("de", "|one two", "| two"),
        ("db", "one t|wo", "one |wo"),
        ("d$", "o|ne", "|o"),
        ("d0", "on|e", "|e"),
        ("dj", "|a\nb\nc", "|c"),
        ("dG", "a\n|b\nc", "|a"),
        ("dgg", "a\n|b\nc", "|c"),
        ("D", "o|ne\ntwo", "|o\ntwo"),
        ("ccx", "a\n|b\nc", "a\nx|\nc"),
        ("cwx", "|one two", "x| two"),
        ("Cx", "o|ne", "ox|"),
        ("yyp", "|a\nb", "a\n|a\nb"),
        ("yy2p", "|a", "a\n|a\na"),
        ("ywp", "|ab cd", "aab| b cd"),
        ("xp", "|ab", "b|a"),
        ("ddp", "|a\nb", "b\n|a"),
        ("ix", "a|b", "ax|b"),
        ("ax", "|ab", "ax|b"),
        ("Ix", "  a|b", "  x|ab"),
        ("Ax", "|ab\nc", "abx|\nc"),
        ("ox", "|a\nb", "a\nx|\nb"),
        ("Ox", "a\n|b", "a\nx|\nb"),
        ("q", "a|b", "a|b"),
        ("dq", "a|b", "a|b"),
        ("gx", "a|b", "a|b"),
        ("p", "a|b", "a|b"),
        ("x", "|", "|"),
        ("w", "|", "|"),
        ("999999x", "|abc", "|"),
    ],
)
def test_keys(keys: str, before: str, then: str) -> None:
    assert after(keys, before) == then


def test_undo_redo_and_the_edges_are_for_who_asks() -> None:
    vi = Vi()
    vi.normal = True
    assert [vi.press(key, "ab", 0).command for key in ("u", "ctrl+r", "j", "k")] == [
        "undo",
        "redo",
        "newer",
        "older",
    ]
    vi.press("3", "ab", 0)
    assert vi.press("u", "ab", 0).times == 3


def test_escape_leaves_insert_and_then_forgets_half_a_command() -> None:
    vi = Vi()
    assert vi.leave_insert("ab", 2) == 1 and vi.normal
    vi.press("d", "ab", 1)
    assert vi.leave_insert("ab", 1) == 1
    assert vi.press("d", "ab", 1).text is None
    vi.enter_insert()
    assert vi.leave_insert("a\n", 2) == 2


KEYS = st.lists(st.sampled_from([*"hjklwbe0$^gGxdDcCyupiaIAoO1239q", "ctrl+r"]), max_size=30)


@given(KEYS, st.text(alphabet="ab ,\n", max_size=20), st.integers(0, 20))
def test_whatever_is_pressed_the_cursor_is_in_the_text(keys: list[str], text: str, at: int) -> None:
    vi = Vi()
    vi.normal = True
    at = min(at, len(text))
    for key in keys:
        text, at, acts = typed(vi, [key], text, at)
        assert 0 <= at <= len(text) <= 50_000
        assert all(0 <= act.start <= act.end for act in acts)
        if len(text) > 1000:
            return
