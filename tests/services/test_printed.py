"""What a command printed, as an agent is told (V1-55)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.services.printed import LONGEST, Printed

SEQUENCES = ["\x1b[31m", "\x1b[0", "\x1b]0;t\x07", "\x1b]8;;x\x1b\\", "\x1b", "\x1bM", "m", "]", "\x08"]
PIECES = st.lists(st.sampled_from(["a", "é", "😀", "bc ", "\n", "\r\n", "\r", "\t", *SEQUENCES]), max_size=30)


def fed(pieces: list[bytes], limit: int) -> tuple[str, bool]:
    printed = Printed(limit)
    for piece in pieces:
        printed.feed(piece)
    return printed.text, printed.truncated


@given(PIECES.map("".join), st.data())
def test_any_split_tells_the_same(text: str, data: st.DataObject) -> None:
    raw = text.encode()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=6)))
    limit = data.draw(st.integers(0, 60))
    pieces = [raw[start:end] for start, end in zip([0, *cuts], [*cuts, len(raw)], strict=True)]
    whole = fed([raw], 10_000)[0]
    assert fed(pieces, limit) == fed([raw], limit)
    assert not set(whole) & {"\x1b", "\x08", "\r"}
    told, truncated = fed(pieces, limit)
    assert whole.endswith(told)
    assert len(told.encode()) <= limit
    assert truncated is (told != whole)
    if truncated:  # not even one character more would have had room
        longer = whole[len(whole) - len(told) - 1 :]
        assert len(longer.encode()) > limit


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"10%\r20%\r30%\ndone", "30%\ndone"),
        (b"one\r\ntwo\r", "one\ntwo"),
        (b"\x1b[1;31mred\x1b[0m\ttab", "red\ttab"),
        (b"\xff\xfe ok \xe2\x82", "\ufffd\ufffd ok "),
        (b"", ""),
    ],
)
def test_it_is_plain(raw: bytes, text: str) -> None:
    assert fed([raw], 1000) == (text, False)


def test_a_line_without_an_end_is_bounded() -> None:
    printed = Printed(1000)
    for _ in range(40):
        printed.feed(b"x" * 10_000)
    assert printed.text == "x" * 1000
    assert printed.truncated
    assert len(printed._line) <= LONGEST + 10_000
