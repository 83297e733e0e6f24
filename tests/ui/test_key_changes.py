"""What the user may change of the key table, and what is said of the rest."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.ui import keys
from acp_tui.ui.keys import BOUND
from acp_tui.ui.keys.changes import NoKey, changes, key_named


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Ctrl+T", "ctrl+t"),
        ("esc", "escape"),
        ("PgUp", "pageup"),
        ("/", "slash"),
        ("ctrl+,", "ctrl+comma"),
        ("alt++", "alt+plus"),
        ("+", "plus"),
        ("Shift+a", "A"),
        ("G", "G"),
        ("shift+alt+Enter", "alt+shift+enter"),
        ("ctrl+i", "tab"),
        ("F12", "f12"),
        (" f6 ", "f6"),
        ("é", "é"),
    ],
)
def test_keys_as_people_write_them(text: str, key: str) -> None:
    assert key_named(text) == key


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "such as f6"),
        ("entr", "did you mean enter"),
        ("foo+a", "before the +"),
        ("ctrl+", "such as f6"),
        ("f99", "f9"),
    ],
)
def test_what_is_no_key(text: str, said: str) -> None:
    with pytest.raises(NoKey, match=re.escape(said)):
        key_named(text)


def refused(wanted: dict[str, list[str]]) -> dict[str, str]:
    return {one.id: one.reason for one in changes(wanted)[1]}


def test_a_change_and_a_swap() -> None:
    made, wrong = changes({"composer.send": ["ctrl+j"], "composer.newline": ["enter", "F20"]})
    assert (made, wrong) == ({"composer.send": "ctrl+j", "composer.newline": "enter,f20"}, [])


@pytest.mark.parametrize(
    ("wanted", "id", "said"),
    [
        ({"chat.pln": ["f20"]}, "chat.pln", "did you mean chat.plan?"),
        ({"chat.plan": ["f5"]}, "chat.plan", "F5 is taken by chat.restart"),
        ({"chat.plan": ["ctrl+q"]}, "chat.plan", "Ctrl+Q is taken by everywhere.quit"),
        ({"everywhere.quit": ["y"]}, "everywhere.quit", "needed for writing"),
        ({"everywhere.help": ["delete"]}, "everywhere.help", "composer.delete_right"),
        ({"composer.send": ["x"]}, "composer.send", "x is needed for writing"),
        ({"composer.send": ["f2"]}, "composer.send", "chat.notices"),
        ({"chat.plan": ["f20"], "chat.notices": ["f20"]}, "chat.notices", "F20 is taken by chat.plan"),
        ({"panel.choose.1": ["a"]}, "panel.choose.1", "panel.allow"),
        ({"transcript.up": ["upp"]}, "transcript.up", "did you mean up?"),
        ({"composer.undo": ["ctrl+m"]}, "composer.undo", "Enter is taken by composer.send"),
        ({"everywhere.palette": []}, "everywhere.palette", "it leads to all that has none"),
        ({"conversations.new": ["enter"]}, "conversations.new", "Enter is taken by list.choose"),
    ],
)
def test_what_cannot_be_is_told_by_name(wanted: dict[str, list[str]], id: str, said: str) -> None:
    assert list(refused(wanted)) == [id]
    assert said in refused(wanted)[id]


def test_an_action_may_do_without_a_key_and_another_take_it() -> None:
    made, wrong = changes({"chat.restart": [], "chat.plan": ["f5"]})
    assert (made, wrong) == ({"chat.restart": "", "chat.plan": "f5"}, [])


def test_the_same_key_in_two_places_is_no_conflict() -> None:
    assert refused({"transcript.fold": ["f20"], "panel.open": ["f20"], "launcher.next": ["f20"]}) == {}


def test_what_the_table_has_may_be_said_again() -> None:
    made, wrong = changes({id: own for id, (_, own) in BOUND.items()})
    assert wrong == []
    assert len(made) == len(BOUND)


SOME = st.sampled_from(
    ["enter", "tab", "f1", "f5", "f6", "ctrl+q", "ctrl+j", "x", "1", "a", "escape", "up", "bad"]
)


@given(st.dictionaries(st.sampled_from([*BOUND]), st.lists(SOME, max_size=2), max_size=6))
def test_whatever_is_wanted_no_place_has_a_key_twice(wanted: dict[str, list[str]]) -> None:
    made, wrong = changes(wanted)
    assert {*made} | {one.id for one in wrong} == {*wanted}
    for place in keys.TITLES:
        here = [
            key
            for id, (deed, own) in BOUND.items()
            if deed.where in (place, "everywhere")
            for key in (keys.listed(made[id]) if id in made else own)
        ]
        assert len(here) == len(set(here)), place
    again, wrong = changes({id: keys.listed(text) for id, text in made.items()})
    assert (again, wrong) == (made, [])
