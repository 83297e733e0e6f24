"""Options of the settings, by id or by name; what fits nothing, or several things, is explained."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.services.options import Choice, Setting, Value, settings
from acp_tui.services.preferred import preferred
from tests.services.test_options import ALL, session

OPTIONS = settings(session(ALL))


@pytest.mark.parametrize(
    ("name", "value", "chosen"),
    [
        ("mode", "auto", ("mode", "auto")),
        ("Mode", "Automatic", ("mode", "auto")),
        ("MODEL", "large", ("model", "l")),
        ("web search", False, ("web", False)),
        ("web", "off", ("web", False)),
        ("mode", "ask first", None),
        ("web", True, None),
    ],
)
def test_by_id_or_name_in_any_case(name: str, value: Value, chosen: tuple[str, Value] | None) -> None:
    assert preferred(OPTIONS, {name: value}) == ([chosen] if chosen else [], [])


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("speed", "x", "there is no option “speed”; there are mode, model, web, x"),
        ("mode", "fast", "Mode: there is no value “fast”; there are ask (Ask first), auto (Automatic)"),
        ("mode", True, "Mode: there is no value “true”; there are ask (Ask first), auto (Automatic)"),
        ("web", "maybe", "Web search: there is no value “maybe”; there are true (on), false (off)"),
        ("heat", "hot", "Heat is of a kind that acp-tui cannot set"),
    ],
)
def test_what_fits_nothing_is_told_with_what_there_is(name: str, value: Value, said: str) -> None:
    assert preferred(OPTIONS, {name: value}) == ([], [said])


def test_what_fits_several_is_not_guessed_and_an_id_goes_first() -> None:
    twice = [Setting(id, "Level", "select", "1", (Choice("1", "One"), Choice("2", "one"))) for id in "ab"]
    said = preferred(twice, {"level": "2"})[1]
    assert said == ["option “level” may be any of a, b: take its id"]
    assert preferred(twice, {"a": "ONE"})[1] == [
        "Level: value “ONE” may be any of 1 (One), 2 (one): take its id"
    ]
    assert preferred(twice, {"a": "2"}) == ([("a", "2")], [])


def test_an_agent_without_options_and_one_with_very_many() -> None:
    assert preferred((), {"a": "b"})[1] == ["there is no option “a”; there is none"]
    many = [Setting(f"o{n}", f"O{n}", "boolean", True) for n in range(50)]
    assert preferred(many, {"a": "b"})[1][0].endswith("o11 and 38 more")


@given(st.dictionaries(st.text(max_size=8), st.text(max_size=8) | st.booleans(), max_size=4))
def test_each_is_set_or_holds_or_is_told(wanted: dict[str, Value]) -> None:
    chosen, told = preferred(OPTIONS, wanted)
    assert len(chosen) + len(told) <= len(wanted)
    for id, value in chosen:
        assert value in {choice.value for one in OPTIONS if one.id == id for choice in one.choices}
