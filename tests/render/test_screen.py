from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.render.pen import PLAIN, Pen
from acp_tui.render.rows import Row
from acp_tui.render.screen import KEEP, Screen
from tests.render.hostile import HOSTILE
from tests.render.stage import FORBIDDEN


def shown(text: str, columns: int | None = None, rows: int | None = None) -> list[str]:
    screen = Screen(columns, rows)
    screen.feed(text)
    return [plain(row) for row in screen.last(1000)]


def plain(row: Row) -> str:
    return row if isinstance(row, str) else "".join(text for text, _ in row).rstrip(" ")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb\r\nc", ["a", "b", "c"]),
        ("10%\r20%\rdone", ["done"]),
        ("[=>  ]\r\x1b[K[====]\n", ["[====]"]),
        ("abcdef\r\x1b[3CXY", ["abcXYf"]),
        ("abc\b\bX", ["aXc"]),
        ("a\tb", ["a       b"]),
        ("one\ntwo\x1b[1A\x1b[2K\rnew", ["new", "two"]),
        ("one\ntwo\x1b[H!", ["!ne", "two"]),
        ("abc\x1b[1K", []),
        ("abcdef\x1b[3D\x1b[1Kx", ["   xef"]),
        ("one\ntwo\x1b[2Jx", ["", "   x"]),
        ("one\ntwo\x1b[1;2H\x1b[Jz", ["oz"]),
        ("abcdef\r\x1b[2P", ["cdef"]),
        ("abc\r\x1b[2@", ["  abc"]),
        ("abc\r\x1b[2X", ["  c"]),
        ("a\nb\nc\x1b[1;1H\x1b[M", ["b", "c"]),
        ("a\nb\x1b[1;1H\x1b[L", ["", "a", "b"]),
        ("ab\x1b7cd\x1b8X", ["abXd"]),
        ("\x1b]0;title\x07ok\x1b]8;;u\x1b\\l", ["okl"]),
        ("\x1b]never\nok", ["", "ok"]),
        ("\x1bPq#0;2\x1b\\ok", ["ok"]),
        ("a\x1b[?1049hsecret\n\x1b[2J\x1b[?1049lb", ["ab"]),
        ("\x1b[?25l\x1b[6n\x1b[c\x1b(Bok", ["ok"]),
        ("日本語\r\x1b[1Cx", [" x本語"]),
        ("日本語\x1b[1;2Hx\x1b[1;6Hy", [" x本 y"]),
    ],
)
def test_what_a_program_draws(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


def test_lines_wrap_at_the_reported_width_only() -> None:
    assert shown("abcdefgh", 3) == ["abc", "def", "gh"]
    assert shown("abc\ndef", 3) == ["abc", "def"]
    assert shown("日本語", 3) == ["日", "本", "語"]
    assert shown("日", 1) == ["日"]
    assert shown("x" * 300) == ["x" * 300]


def test_colours_and_attributes() -> None:
    screen = Screen()
    screen.feed("\x1b[1;31mA\x1b[38;5;208mB\x1b[48;2;1;2;3mC\x1b[22;39;49mD\x1b[95mE\x1b[0mF")
    assert screen.live == [
        (
            ("A", Pen(1, None, 1)),
            ("B", Pen(208, None, 1)),
            ("C", Pen(208, (1, 2, 3), 1)),
            ("D", PLAIN),
            ("E", Pen(13)),
            ("F", PLAIN),
        )
    ]


def test_finished_lines_are_kept_small_and_bounded() -> None:
    screen = Screen(rows=5)
    screen.feed("".join(f"line {n}\r\n" for n in range(KEEP * 2 + 10)))
    assert all(isinstance(row, str) for row in screen.finished[:])
    assert len(screen.finished) < KEEP * 2
    assert screen.count == KEEP * 2 + 10
    assert screen.last(1) == [f"line {KEEP * 2 + 9}"]


PIECES = st.sampled_from(
    [
        "word ", "\n", "\r", "\b", "\t", "\x1b[31m", "\x1b[0m", "\x1b[K", "\x1b[2A", "\x1b[3C", "\x1b[2J",
        "\x1b]0;t\x07", "\x1b]8;;u\x1b\\", "\x1bPq\x1b\\", "\x1b[?1049h", "\x1b[?1049l", "日本", "é",
        "\x1b", "[", "\x1b[38;5;9m", "\x9b1m", "\x90", "\x1bM", "\x1b[5;5H", "\x07", "\x1b[2P",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30), st.data(), st.sampled_from([None, 4, 10]))
def test_any_split_gives_the_same_screen(pieces: list[str], data: st.DataObject, columns: int | None) -> None:
    text = "".join(pieces)
    whole, split = Screen(columns, 4), Screen(columns, 4)
    whole.feed(text)
    at = 0
    while at < len(text):
        size = data.draw(st.integers(1, 7))
        split.feed(text[at : at + size])
        at += size
    assert split.finished[:] == whole.finished[:]
    assert split.live == whole.live


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_dangerous_is_left(text: str) -> None:
    for columns in (None, 7):
        assert not any(FORBIDDEN.search(line) for line in shown(text * 2, columns))


@given(st.text(max_size=80))
def test_nothing_dangerous_is_left_of_anything(text: str) -> None:
    assert not any(FORBIDDEN.search(line) for line in shown("\x1b[" + text, 7, 3))


def test_endless_strings_and_lines_cost_no_more_than_their_length() -> None:
    screen = Screen()
    for _ in range(2000):
        screen.feed("\x1b]" + "x" * 1000)
    assert screen.count == 0
    screen = Screen()
    screen.feed("漢" * 300_000)
    assert screen.count == 300_000 * 2 // 4096 + 1


def test_a_row_written_over_again_and_again_stays_one_piece() -> None:
    screen = Screen()
    screen.feed("\x1b[1m" + "".join(f"\r{'#' * n}" for n in range(50)) + "\rab\rc")
    screen.feed("d")
    ((text, _),) = screen.live[0]
    assert text == "cd" + "#" * 47
