"""What is typed into a search, and what is marked in a text: the same as what the index finds."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from acp_tui.journal.searching import Found, found
from acp_tui.journal.wanted import SNIPPET, Phrase, Wanted, parted, plain, snippet, wanted


@pytest.mark.parametrize(
    ("typed", "phrases"),
    [
        ("", []),
        (" -- !? ", []),
        ("pars", [Phrase(("pars",), True)]),
        ("pars ", [Phrase(("pars",))]),
        ("is", [Phrase(("is",))]),
        ("the pars", [Phrase(("the",)), Phrase(("pars",), True)]),
        ('"The parser" fix', [Phrase(("the", "parser")), Phrase(("fix",), True)]),
        ('fix "the pars', [Phrase(("fix",)), Phrase(("the", "pars"))]),
        ("src/lex_er.py", [Phrase(("src", "lex", "er", "py"))]),
        ("needle-42", [Phrase(("needle", "42"))]),
        ("CAFÉ crème", [Phrase(("cafe",)), Phrase(("creme",), True)]),
        ('a AND "', [Phrase(("a",)), Phrase(("and",))]),
        ("NEAR(x y)", [Phrase(("near", "x")), Phrase(("y",))]),
    ],
)
def test_words_phrases_and_a_last_word_that_goes_on(typed: str, phrases: list[Phrase]) -> None:
    assert wanted(typed).phrases == tuple(phrases)


def marked(text: str, typed: str) -> str:
    shown = snippet(text, wanted(typed))
    out, last = "", 0
    for start, end in shown.matches:
        out += f"{shown.text[last:start]}[{shown.text[start:end]}]"
        last = end
    return out + shown.text[last:]


def test_all_words_are_marked_in_the_text() -> None:
    assert marked("Fix the Parser, the lexer", "the pars") == "Fix [the] [Parser], [the] lexer"
    assert marked("un café, des cafés", "cafe") == "un [café], des [cafés]"
    assert marked("in src/lex_er.py: 1", "lex_er.py") == "in src/[lex_er.py]: 1"
    assert marked("breath the other", "the ") == "breath [the] other"


def test_it_shows_where_most_of_the_words_are_near() -> None:
    text = "alpha " + "x " * 500 + "beta " + "y " * 500 + "alpha beta"
    shown = snippet(text, wanted("alpha beta"))
    assert "alpha beta" in shown.text
    assert len(shown.text) <= SNIPPET


def index_of(text: str) -> sqlite3.Connection:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE session (number INTEGER PRIMARY KEY, id, agent)")
    db.execute("CREATE TABLE entity (number INTEGER PRIMARY KEY, session, child, kind, id, at)")
    db.execute("INSERT INTO session VALUES (1, 's', 'agent')")
    db.execute("INSERT INTO entity VALUES (1, 1, '', 'agent_message', 'm', 0)")
    db.execute(
        "CREATE VIRTUAL TABLE words USING fts5"
        " (text, place, content = '', tokenize = 'unicode61 remove_diacritics 2')"
    )
    db.execute("INSERT INTO words (rowid, text, place) VALUES (1, ?, '')", (parted(text),))
    return db


def hits(text: str, sought: Wanted) -> list[Found]:
    """What the index finds in it."""
    with closing(index_of(text)) as db:
        return list(found(db, sought, None, None))


WORDS = st.text(st.sampled_from("abAB é Üñ_-.\"'(*)19\n\tßΣσжйё中文がミ한ά"), max_size=12)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("測試", "我們的[測試]失敗了"),
        ('"試失"', "我們的測[試失]敗了"),
        ("がき", "え[がき]で"),
        ("한국", "[한국어] 문장"),
        ("мой ", "[мой] код"),
        ("ёлк", "[ёлка]"),
        ("καφέ", "ένας [καφές]"),
        ("parser測試 失", "the [parser測試][失]敗"),
    ],
)
def test_other_scripts_are_found_and_marked(typed: str, expected: str) -> None:
    text = expected.replace("[", "").replace("]", "")
    assert hits(text, wanted(typed))
    assert marked(text, typed) == expected


@given(text=st.text(st.characters(codec="utf-8"), max_size=60) | WORDS, typed=st.text(max_size=30) | WORDS)
@example(text="a", typed='" * AND (')
@example(text="x", typed="\0")
def test_nothing_that_is_typed_is_wrong(text: str, typed: str) -> None:
    sought = wanted(typed)
    if sought:
        hits(text, sought)
    snippet(text, sought)


@given(text=WORDS, typed=WORDS)
def test_what_the_index_finds_is_marked_and_nothing_else(text: str, typed: str) -> None:
    sought = wanted(typed)
    if sought:
        there = hits(text, sought)
        shown = snippet(text, sought)
        if there:
            assert shown.matches
        if shown.matches and len(sought.phrases) == 1:
            assert there


@given(text=st.text())
def test_every_place_stays_where_it_is(text: str) -> None:
    assert len(plain(text)) == len(text)
