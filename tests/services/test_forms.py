"""Forms: from a schema to fields, from what was typed to an answer (EL-03 to EL-10, EL-16)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acp_tui.protocol import v2
from acp_tui.protocol.elicitation import ElicitationFormMode
from acp_tui.services.forms import Filling, Form, Typed, form_of


def form(properties: dict[str, Any], required: list[str] | None = None, **more: Any) -> Form:
    schema = {"type": "object", "properties": properties, **more}
    if required is not None:
        schema["required"] = required
    raw = {"sessionId": "s", "mode": "form", "message": "m", "requestedSchema": schema}
    params = v2.decode_params("elicitation/create", raw)
    assert isinstance(params, ElicitationFormMode)
    return form_of(params.requested_schema)


def problem(schema: dict[str, Any], typed: Typed, *, required: bool = True) -> str:
    return form({"x": schema}, ["x"] if required else None).fields[0].problem(typed)


REFERENCE = {
    "strategy": {"type": "string", "enum": ["conservative", "balanced"], "default": "balanced"},
    "named": {"type": "string", "title": "Named", "oneOf": [{"const": "a", "title": "First"}]},
    "many": {
        "type": "array",
        "items": {"type": "string", "enum": ["x", "y"]},
        "minItems": 1,
        "default": ["x"],
    },
    "titled": {"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}},
    "name": {"type": "string", "minLength": 2, "maxLength": 20},
    "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
    "ratio": {"type": "number"},
    "sure": {"type": "boolean", "default": True},
}


def test_every_kind_of_property_becomes_a_field_in_the_given_order() -> None:
    made = form(REFERENCE, ["name", "nope"], title="T", description="D")
    assert [one.name for one in made.fields] == list(REFERENCE)
    assert [one.kind for one in made.fields] == [
        *("choice", "choice", "choices", "choices", "text", "integer", "number", "boolean"),
    ]
    assert [one.name for one in made.fields if one.required] == ["name"]
    assert (made.title, made.description) == ("T", "D")
    titled = made.fields[3].choices[0]
    assert (titled.value, titled.title) == ("a", "A")
    assert made.fields[1].title == "Named" and made.fields[4].title == "name"


def test_the_answer_has_defaults_and_what_was_touched_and_nothing_else() -> None:
    filling = Filling(form(REFERENCE, ["name"]))
    assert filling.content() is None
    filling.put("name", "Ada")
    assert filling.content() == {
        "strategy": "balanced",
        "many": ["x"],
        "name": "Ada",
        "count": 3,
        "sure": True,
    }
    filling.put("ratio", " 0.5 ")
    filling.put("count", "7")
    filling.put("sure", False)
    filling.put("titled", ())
    filling.put("many", ("y", "x"))
    assert filling.content() == {
        "strategy": "balanced",
        "many": ["y", "x"],
        "titled": [],
        "name": "Ada",
        "count": 7,
        "ratio": 0.5,
        "sure": False,
    }


def test_an_optional_field_that_was_emptied_again_is_left_out() -> None:
    filling = Filling(form(REFERENCE))
    for name, empty in (("name", ""), ("count", " "), ("strategy", None), ("many", ())):
        filling.put(name, empty)
    assert filling.content() == {"sure": True}


def test_a_malformed_default_is_none() -> None:
    made = form(
        {
            "a": {"type": "integer", "default": "x"},
            "b": {"type": "string", "enum": ["p"], "default": "q"},
            "c": {"type": "array", "items": {"type": "string", "enum": ["p"]}, "default": ["q", "p", "p"]},
            "d": {"type": "boolean", "default": "yes"},
        }
    )
    assert [one.default for one in made.fields] == [None, None, ("p",), None]


def test_a_field_of_unknown_kind_is_left_out_or_makes_the_form_impossible() -> None:
    colour = {"type": "color", "title": "Colour"}
    optional = form({"c": colour, "n": {"type": "string"}})
    assert [one.title for one in optional.unknown] == ["Colour"] and not optional.impossible
    assert Filling(optional).content() == {}
    needed = form({"c": colour}, ["c"])
    assert needed.impossible and Filling(needed).content() is None
    inner = form({"c": {"type": "array", "items": {"type": "number"}}}, ["c"])
    assert inner.impossible


TEXT = {"type": "string"}


@pytest.mark.parametrize(
    ("schema", "typed", "told"),
    [
        (TEXT, "", "this is needed"),
        (TEXT, "x", ""),
        ({**TEXT, "maxLength": 3}, "abcd", "too long: 4 characters, 3 at most"),
        ({**TEXT, "minLength": 2}, "é", "too short: 1 character, 2 at least"),
        ({**TEXT, "format": "email"}, "ada", "this is not an e-mail address"),
        ({**TEXT, "format": "email"}, "ada@lab", ""),
        ({**TEXT, "format": "uri"}, "example.org", "this is not an address such as https://example.org"),
        ({**TEXT, "format": "uri"}, "urn:x:1", ""),
        ({**TEXT, "format": "date"}, "2026-02-30", "this is not a date such as 2026-11-30"),
        ({**TEXT, "format": "date"}, "2026-02-28", ""),
        ({**TEXT, "format": "date"}, "20260228", "this is not a date such as 2026-11-30"),
        ({**TEXT, "format": "date-time"}, "2026-02-28T10:00:60.25z", ""),
        (
            {**TEXT, "format": "date-time"},
            "2026-02-28 10:00",
            "this is not a date and time such as 2026-11-30T14:30:00Z",
        ),
        ({**TEXT, "format": "iban"}, "anything", ""),
        ({**TEXT, "pattern": "^[a-z]+$"}, "A1", "not of the form ^[a-z]+$"),
        ({**TEXT, "pattern": "b"}, "abc", ""),
        ({**TEXT, "enum": ["a"]}, None, "choose one"),
        ({**TEXT, "enum": ["a"]}, "b", "choose one of these"),
        ({"type": "integer"}, "1.5", "a whole number, please"),
        ({"type": "integer"}, "x", "this is not a number"),
        ({"type": "integer"}, "9" * 5000, "too many digits"),
        ({"type": "integer", "minimum": 1}, "0", "1 at least"),
        ({"type": "number", "maximum": 1.5}, "2", "1.5 at most"),
        ({"type": "number"}, "0,5", "this is not a number: write 0.5, with a point"),
        ({"type": "number"}, "1e999", "too large"),
        ({"type": "number"}, "nan", "this is not a number"),
        ({"type": "boolean"}, None, "this is needed"),
        ({"type": "boolean"}, False, ""),
        ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "maxItems": 1}, ("a", "b"),
         "choose at most 1, not 2"),
        ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "minItems": 1}, (), "choose one"),
        ({"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}, (), ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_words(schema: dict[str, Any], typed: Typed, told: str) -> None:
    assert problem(schema, typed) == told


@pytest.mark.parametrize(
    "pattern", ["[", "(a+", "[^]", "a{99999999}", "(a{1000}){1000}", "x" * 5000, r"^(a|aa)+$"]
)
def test_a_pattern_that_cannot_be_understood_or_takes_too_long_is_not_enforced(pattern: str) -> None:
    assert problem({**TEXT, "pattern": pattern}, "a" * 60 + "!") == ""


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({**TEXT, "minLength": 2, "maxLength": 20}, "2 to 20 characters"),
        ({**TEXT, "maxLength": 1, "format": "date"}, "a date such as 2026-11-30, at most 1 character"),
        ({"type": "integer", "minimum": 1, "maximum": 9}, "a whole number from 1 to 9"),
        ({"type": "number", "minimum": 0}, "a number, at least 0"),
        (
            {"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 1, "maxItems": 3},
            "choose 1 to 3",
        ),
        ({"type": "boolean"}, ""),
    ],
)
def test_what_is_expected_is_said_before(schema: dict[str, Any], words: str) -> None:
    assert form({"x": schema}).fields[0].expects == words


def test_nobody_is_scolded_for_what_he_has_not_come_to() -> None:
    filling = Filling(form({"x": {**TEXT, "minLength": 2}}, ["x"]))
    one = filling.form.fields[0]
    assert filling.told(one) == ""
    filling.put("x", "a")
    assert filling.told(one).startswith("too short")
    other = Filling(filling.form, tried=True)
    assert other.told(one) == "this is needed"


KINDS = st.sampled_from(list(REFERENCE))
VALUES = st.one_of(
    st.none(), st.booleans(), st.text(max_size=30), st.sampled_from(["3", "0.5", "a", "balanced"])
)


@given(st.lists(st.tuples(KINDS, VALUES), max_size=12))
def test_whatever_is_typed_an_answer_is_valid_json_of_the_right_types(typed: list[tuple[str, Typed]]) -> None:
    types: dict[str, type | tuple[type, ...]] = {"count": int, "ratio": (int, float), "sure": bool}
    types |= {"many": list, "titled": list}
    fits = {"sure": bool, "many": tuple, "titled": tuple}
    filling = Filling(form(REFERENCE))
    for name, value in typed:
        if value is None or isinstance(value, fits.get(name, str)):
            filling.put(name, value)
    content = filling.content()
    if content is not None:
        json.dumps(content, allow_nan=False)
        assert all(isinstance(value, types.get(name, str)) for name, value in content.items())
