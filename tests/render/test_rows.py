from __future__ import annotations

import tracemalloc

from hypothesis import given
from hypothesis import strategies as st

from acp_tui.render.pen import PLAIN, Pen
from acp_tui.render.rows import BLOCK, Row, Rows

PIECES = st.tuples(
    st.sampled_from(["", "a", "wide 漢字", "b" * 300]), st.sampled_from([PLAIN, Pen(1), Pen(2, 3, 1)])
)
ROWS = st.one_of(st.sampled_from(["", "plain", "é"]), st.lists(PIECES, max_size=3).map(tuple))


@given(
    st.lists(st.one_of(ROWS, st.integers(0, 300)), max_size=20),
    st.integers(-400, 400),
    st.integers(-400, 400),
)
def test_rows_come_back_as_they_were_put(steps: list[Row | int], start: int, stop: int) -> None:
    rows, plain = Rows(), list[Row]()
    for step in steps:
        if isinstance(step, int):
            rows.drop(step)
            del plain[: len(plain) - len(rows)]
        else:
            for _ in range(50):
                rows.append(step)
                plain.append(step)
        assert rows[:] == plain
    assert len(rows) == len(plain)
    assert rows[start:stop] == plain[start:stop]


def test_dropping_lets_go_of_what_was_asked_once_it_is_packed() -> None:
    rows = Rows()
    for number in range(BLOCK * 3):
        rows.append(str(number))
    rows.drop(BLOCK + 7)
    assert rows[:3] == [str(BLOCK + 7), str(BLOCK + 8), str(BLOCK + 9)]
    assert len(rows) == BLOCK * 2 - 7


def test_a_row_costs_its_text_and_a_few_bytes_for_each_run() -> None:
    red = Pen(1)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        rows = Rows()
        for number in range(BLOCK * 20):
            text = f"{number:08} plain text of a line, some more"
            rows.append(text if number % 4 else ((text[:20], red), (text[20:], PLAIN)))
        each = (tracemalloc.get_traced_memory()[0] - before) / (BLOCK * 20)
        assert each < len("00000000 plain text of a line, some more") + 60
    finally:
        tracemalloc.stop()
