"""Strips of a long text are made when they are looked at, and nothing shows it."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from textual.strip import Strip

from acp_tui.render.look import FALLBACK as LOOK
from acp_tui.render.markdown import MANY, Document, Page, later, layout
from acp_tui.render.markdown.later import Piece
from acp_tui.render.markdown.layout import lay_out, own_words
from acp_tui.render.markdown.leaf import Item, Leaf, LeafKind, Nest, Quote
from acp_tui.render.strips import Strips
from acp_tui.render.wrap import Lines, Runs, blank

LINES = st.lists(st.text(st.sampled_from("ab =(漢é\u0301'\""), max_size=60), min_size=1, max_size=12)


def page(width: int) -> Page:
    return Page(width, LOOK, ((" ", LOOK.base),), LOOK.base)


def document(count: int, width: int = 40) -> Lines:
    lines = Lines()
    Document("```py\n" + "".join(f"value = {n}\n" for n in range(count)) + "```\n").grow(lines, page(width))
    return lines


KINDS = st.sampled_from(["text", "heading", "code", "table", "rule", "html", "definition"])
NESTS = st.sampled_from([(), (Quote(),), (Item("• ", 2),), (Item("10. ", 4), Quote())])
INFOS = st.sampled_from(["", "python"])
SEAMS = st.sampled_from([None, "", " ", "\n"])
WIDTHS = st.integers(1, 40)
WORDS = st.text(st.sampled_from("ab *`_|<漢é\u0301[]()\n"), max_size=120)


@settings(deadline=None, max_examples=300)
@given(
    KINDS, WORDS, LINES, NESTS, st.integers(0, 2), st.integers(-1, 1), st.integers(0, 3), WIDTHS, INFOS, SEAMS
)
def test_a_piece_says_what_it_will_be(
    kind: LeafKind,
    words: str,
    code: list[str],
    nest: Nest,
    fresh: int,
    spaced: int,
    part: int,
    width: int,
    info: str,
    seam: str | None,
) -> None:
    lines = words.split("\n")
    seam = seam if kind == "text" else None
    if kind in ("code", "table"):
        lines = ["| a | b |", "| --- | --: |", *code] if kind == "table" else code
    fresh = 0 if part else fresh
    leaf = Leaf(kind, tuple(lines), nest, fresh, info=info, spaced=spaced, part=part, fence=1, seam=seam)
    if kind == "text" and part:
        leaf = replace(leaf, carried=(("carried ", LOOK.base),))
    for on in (page(width), replace(page(width), part=0, breaks=True)):
        whole = lay_out(leaf, on)
        piece = Piece(leaf, on)
        assert piece.marks == whole.marks
        assert [*piece.strips()] == [*whole.strips]
        assert [*piece.texts()] == [strip.text for strip in whole.strips]


@given(st.integers(0, 220), st.integers(0, 220))
def test_a_slice_is_what_stands_there(start: int, size: int) -> None:
    lines = document(200)
    whole = list(lines.strips)
    assert lines.strips[start : start + size] == whole[start : start + size]
    assert [lines.strips[at] for at in range(len(lines))] == whole
    assert lines.strips[-1] == whole[-1]
    assert [*lines.strips.texts()] == [strip.text for strip in whole]
    lines.cut(start)
    assert [*lines.strips] == whole[:start]


def test_a_line_may_come_before_and_others_behind() -> None:
    lines = document(100)
    whole = list(lines.strips)
    empty = blank(40, LOOK.base)
    lines.strips.insert(0, empty)
    lines.strips.append(empty)
    assert [*lines.strips] == [empty, *whole, empty]
    both = Strips([empty])
    both.extend(lines.strips)
    assert [*both] == [empty, *lines.strips]


def test_the_same_strips_come_again_while_they_are_looked_at() -> None:
    lines = document(2000)
    assert all(a is b for a, b in zip(lines.strips[900:1000], lines.strips[900:1000], strict=True))


def test_what_nobody_looks_at_is_not_made() -> None:
    before = sum(isinstance(one, Strip) for one in gc.get_objects())
    lines = document(4000)
    assert len(lines) > 4000
    assert lines.strips[2000].text.strip()
    assert sum(isinstance(one, Strip) for one in gc.get_objects()) - before < 200


CODE = st.sampled_from(
    [
        "x = 1\n",
        "\n",
        "```\n",
        "````\n",
        "~~~\n",
        "`` ` ``\n",
        "\tx\n",
        "a\x1b[1mb\r\n",
        "  ```\n",
        "漢 = '''\n",
    ]
)


@settings(deadline=None, max_examples=50)
@given(
    st.sampled_from(["```py\n", "~~~\n", "- ```\n", " ```\n", "$$\n", ""]),
    st.lists(CODE, max_size=120),
    st.booleans(),
)
def test_code_taken_at_once_is_code_taken_line_by_line(opening: str, code: list[str], long: bool) -> None:
    parts = [opening, *code, "y" * 9000 if long else "", "\n", *code]
    whole, split = Lines(), Lines()
    Document("".join(parts)).grow(whole, page(30))
    one = Document()
    for part in parts:
        one.append(part)
        one.grow(split, page(30))
    assert split.marks == whole.marks
    assert split.strips == whole.strips


def test_of_long_prose_only_what_is_looked_at_is_made() -> None:
    before = sum(isinstance(one, Strip) for one in gc.get_objects())
    lines = Lines()
    Document("\n\n".join(f"some **words** {n}" for n in range(3000))).grow(lines, page(40))
    assert len(lines) == 5999
    assert lines.strips[3000].text.strip() == "some words 1500"
    assert sum(isinstance(one, Strip) for one in gc.get_objects()) - before < 200


def test_another_width_reads_no_markup_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n\n".join(f"some **words** {n} that go on" for n in range(500))
    anew = Lines()
    Document(text).grow(anew, page(20))
    document, lines = Document(text), Lines()
    document.grow(lines, page(40))
    asked: list[str] = []

    def counted(leaf: Leaf, on: Page) -> Runs:
        asked.append(leaf.lines[0])
        return own_words(leaf, on)

    monkeypatch.setattr(layout, "own_words", counted)
    monkeypatch.setattr(later, "own_words", counted)
    narrow = Lines()
    document.grow(narrow, page(20))
    assert len(asked) <= MANY + 1
    assert narrow.marks == anew.marks
    assert [*narrow.strips] == [*anew.strips]
