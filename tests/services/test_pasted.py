"""Long pastes as pieces of a text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from acp_tui.services.pasted import LETTERS, Chip, Pasted, long

TEN = "\n".join(map(str, range(10)))


def test_what_is_long() -> None:
    assert not long(TEN) and not long(TEN + "\n\n")
    assert long(TEN + "\nmore")
    assert not long("x" * LETTERS) and long("x" * (LETTERS + 1))


def test_a_piece_stands_for_its_paste() -> None:
    pasted = Pasted()
    first, second = pasted.add(TEN + "\nlast\n"), pasted.add("x" * 6000)
    assert (first, second) == ("[pasted 11 lines #1]", "[pasted 6000 characters #2]")
    text = f"a {first} b {second}"
    assert [chip.number for chip in pasted.chips(text)] == [1, 2]
    assert pasted.whole(text) == f"a {TEN}\nlast\n b {'x' * 6000}"
    assert pasted.used(f"only {second}") == {2: "x" * 6000}
    assert pasted.add("x" * 6000) == second


def test_what_was_only_typed_is_no_piece() -> None:
    pasted = Pasted({1: TEN})
    text = "[pasted 9 lines #1] [pasted 10 lines #2] [pasted 10 lines #1"
    assert list(pasted.chips(text)) == [] and pasted.whole(text) == text
    assert list(pasted.chips("[pasted 10 lines #1]")) == [Chip(0, 20, 1)]


def test_a_paste_that_holds_a_piece_is_sent_as_it_is() -> None:
    pasted = Pasted({1: TEN})
    piece = pasted.add("[pasted 10 lines #1]\n" + TEN)
    assert pasted.whole(piece) == "[pasted 10 lines #1]\n" + TEN


@given(st.lists(st.tuples(st.text(), st.text(min_size=1)), max_size=4))
def test_folding_and_unfolding_is_the_same_text(parts: list[tuple[str, str]]) -> None:
    pasted = Pasted()
    text = "".join(before + pasted.add(paste) for before, paste in parts)
    whole, spans = pasted.unfolded(text)
    assert Pasted().folded(whole, ()) == whole
    again = Pasted()
    assert again.whole(again.folded(whole, spans)) == whole


def test_spans_that_cannot_be_are_passed_over() -> None:
    pasted = Pasted()
    assert pasted.whole(pasted.folded("abcdef", [(4, 9), (-3, 2), (3, 3), (1, 3), (2, 4)])) == "abcdef"
