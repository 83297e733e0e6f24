"""Lines of a diff that are laid out when they are looked at: as many, with the same marks, as if at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.render.diff import diff_lines
from acp_tui.render.diff_files import PIECE
from acp_tui.render.diff_later import Piece
from acp_tui.render.diff_rows import Sheet
from acp_tui.render.look import FALLBACK
from acp_tui.render.patch import Hunk
from tests.render.test_diff import diff

WORDS = st.text(st.sampled_from("ab \t\r漢e\u0301\u202e\x1b"), max_size=40)
LINE = st.builds(str.__add__, st.sampled_from(["+", "-", " ", "+", "-", "\\"]), WORDS)
PLAIN = st.builds(str.__add__, st.sampled_from("+- "), st.text("ab ", max_size=60))


@given(
    lines=st.lists(LINE, min_size=1, max_size=12) | st.lists(PLAIN, min_size=1, max_size=12),
    width=st.integers(20, 90),
    split=st.booleans(),
    left=st.integers(0, 3),
)
def test_a_piece_knows_its_rows_before_they_are_made(
    lines: list[str], width: int, split: bool, left: int
) -> None:
    sheet = Sheet(width, FALLBACK, ((" " * left, FALLBACK.base),), exact=True)
    piece = Piece(Hunk(7, 9, "", lines), 4, sheet, split=split)
    made = piece.lay_out()
    assert piece.marks == made.marks
    assert piece.changes == made.changes
    assert list(piece.texts()) == [strip.text for strip in made.strips]


@pytest.mark.parametrize("layout", ["unified", "split"])
def test_of_a_very_long_diff_only_what_is_looked_at_is_made(layout: str) -> None:
    count = 40 * PIECE
    body = "".join(f"-old line number {n}\n+new line number {n}\n" for n in range(count))
    patch = f"diff --git /w/x /w/x\n--- /w/x\n+++ /w/x\n@@ -1,{count} +1,{count} @@\n{body}"
    change = diff({"operation": "modify", "path": "/w/x"}, patch=patch)
    made = diff_lines(change, 80, FALLBACK, cwd="/w", layout=layout, exact=True)  # type: ignore[arg-type]
    assert len(made) == 1 + (2 * count if layout == "unified" else count)
    assert len(made.strips.known(0, len(made))) < len(made) / 4
    assert f"new line number {count - 1}" in made.strips[len(made) - 1].text
    assert len(made.changes) >= 1 and made.strips[made.changes[-1]].text.strip()
