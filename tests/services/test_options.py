"""Config options as the user chooses them (CF-01 to CF-14)."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.protocol import v2
from acp_tui.services.options import Setting, Value, common, settings
from acp_tui.store.session import Session

MODE = {"configId": "mode", "name": "Mode", "category": "mode", "type": "select", "currentValue": "ask"}
ASK = [
    {"value": "ask", "name": "Ask first", "description": "every time"},
    {"value": "auto", "name": "Automatic"},
]
GROUPS = [
    {"groupId": "f", "name": "Fast", "options": [{"value": "s", "name": "Small"}, {"no": "value"}]},
    {"groupId": "g", "name": "Good", "options": [{"value": "l", "name": "Large"}]},
]
MODEL = {"configId": "model", "name": "Model", "category": "model", "type": "select", "currentValue": "s"}
SWITCH = {"configId": "web", "name": "Web search", "type": "boolean", "currentValue": True}
SLIDER = {"configId": "x", "name": "Heat", "type": "_slider", "min": 0, "description": "warm"}
ALL: list[dict[str, Any]] = [{**MODE, "options": ASK}, {**MODEL, "options": GROUPS}, SWITCH, SLIDER]


def session(options: list[dict[str, Any]], **asked: Value) -> Session:
    found = v2.decode_result("session/new", {"sessionId": "s", "configOptions": options})
    return Session(ref="s1", cwd="/", config_options=found.config_options, options_asked=asked)


def test_every_kind_is_there_in_the_agents_order() -> None:
    found = settings(session(ALL))
    assert [(one.id, one.kind) for one in found] == [
        ("mode", "select"),
        ("model", "select"),
        ("web", "boolean"),
        ("x", "unknown"),
    ]
    assert [(c.value, c.group) for c in found[1].choices] == [("s", "Fast"), ("l", "Good")]
    assert [one.named(one.value) for one in found] == ["Ask first", "Small", "on", "kind “_slider”"]
    assert found[3].choices == () and found[3].description == "warm"


def test_the_value_is_the_confirmed_one_and_what_was_asked_is_pending() -> None:
    one = settings(session(ALL, mode="auto"))[0]
    assert (one.value, one.asked, one.pending) == ("ask", "auto", True)
    assert not settings(session(ALL, mode="ask"))[0].pending


def test_a_value_that_is_not_among_the_choices_is_shown_as_it_is() -> None:
    one = settings(session([{**MODE, "currentValue": "z", "options": ASK}]))[0]
    assert one.named(one.value) == "z" and one.after("z") == "ask"


def test_malformed_options_are_not_there() -> None:
    wrong: list[dict[str, Any]] = [{**MODE, "options": []}, {**SWITCH, "currentValue": "yes"}, SWITCH]
    assert [one.id for one in settings(session(wrong))] == ["web"]


def test_the_common_ones_are_the_first_of_their_category() -> None:
    more = {**MODEL, "configId": "model2", "options": ASK}
    thought = {**MODE, "configId": "t", "category": "thought_level", "options": ASK}
    found = common(settings(session([thought, *ALL, more])))
    assert [one.id for one in found] == ["model", "mode", "t"]
    assert common(settings(session([]))) == ()


@pytest.mark.parametrize(("value", "after"), [("ask", "auto"), ("auto", "ask"), (None, "ask")])
def test_the_one_behind_goes_round(value: str | None, after: str) -> None:
    assert settings(session(ALL))[0].after(value) == after


def test_there_is_none_behind_the_only_one() -> None:
    assert settings(session([{**MODE, "options": ASK[:1]}]))[0].after("ask") is None
    assert Setting("x", "X", "unknown", None).after(None) is None
