"""What is made of the gateway's words without asking it: statuses, facts, parts, forms, lanes. Pure."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acp_tui.aip.bridge import drafts, facts, forms, lanes, parts, typed
from acp_tui.aip.core.lifecycle import Action, Cancel, Presence
from acp_tui.aip.core.vocabulary import Ack, ActionResult, ActionStatus, StreamChunk
from acp_tui.aip.core.words import AckStatus, ChunkKind, ResultStatus, State
from tests.protocol.values import json_values
from tests.schema_check import unstable

OURS = {"pending", "in_progress", "paused", "completed", "failed", "cancelled"}
AT = 1_795_000_000.0


def made(ack: str = "", state: str = "", result: str = "", cancel: Cancel | None = None) -> Action:
    """An action of which that much is known."""
    action = Action("act_1", "cap:x")
    if ack:
        action.acked(Ack.model_validate({"status": ack}), AT)
    if state:
        action.read(ActionStatus.model_validate({"state": state}), AT)
    if result:
        action.resulted(ActionResult.model_validate({"status": result}), AT)
    if cancel is not None:
        action.cancelling(cancel, AT)
    return action


@pytest.mark.parametrize(
    ("state", "over", "wanted"),
    [
        ("unknown", False, "in_progress"),
        ("accepted", False, "pending"),
        ("queued", False, "pending"),
        ("running", False, "in_progress"),
        ("streaming", False, "in_progress"),
        ("pending_approval", False, "paused"),
        ("cancelling", False, "in_progress"),
        ("of its own", False, "in_progress"),
        *((end, False, "in_progress") for end in ("cancelled", "completed", "failed", "expired")),
        ("cancelled", True, "cancelled"),
        ("completed", True, "completed"),
        ("failed", True, "failed"),
        ("expired", True, "failed"),
        ("dead_lettered", True, "failed"),
    ],
)
def test_each_state_has_its_status(state: str, over: bool, wanted: str) -> None:
    action = made("queued", state)
    assert facts.status(action, "in_progress", began=True, over=over) == wanted
    if state == "pending_approval":
        assert facts.status(action, "pending", began=False, over=over) == "pending"


@given(
    st.sampled_from(["", *AckStatus, "odd"]),
    st.sampled_from(["", *State, "odd"]),
    st.sampled_from(["", *ResultStatus, "odd"]),
    st.sampled_from([None, *Cancel]),
    st.sampled_from(Presence),
    st.booleans(),
)
def test_no_status_is_made_up_and_nothing_is_claimed(
    ack: str, state: str, result: str, cancel: Cancel | None, presence: Presence, over: bool
) -> None:
    action = made(ack, state, result, cancel)
    if not (ack or state or result):
        action.presence = presence
    action.garbled = 2
    status = facts.status(action, "pending", began=False, over=over)
    assert status in OURS
    proven = result == "completed" or (over and state == "completed")
    assert (status == "completed") <= proven, "only a result or a terminal state completes"
    line, told = facts.words(action), "\n".join(facts.told(action))
    assert action.presence is Presence.UNCERTAIN or all(one in line for one in (ack, result) if one)
    assert "exist" not in line + told and len(told.splitlines()) >= 3 and "could not be read: 2" in told
    exact = facts.exact(action)
    assert json.loads(json.dumps(facts.meta(action, line)))["acp-tui/status"]["words"] == line
    given = [exact.get(name, {}).get(key) for name, key in (("acknowledged", "status"), ("state", "state"))]
    assert given == [ack or None, state or None]


@settings(max_examples=60)
@given(
    st.dictionaries(
        st.sampled_from(["type", "text", "data", "uri", "mime_type", "image", "json"]), json_values
    )
)
def test_any_part_is_content(part: dict[str, Any]) -> None:
    assert unstable().problem("ToolCallContent", parts.of_part(part)) is None
    assert parts.in_words(part) is not None


@pytest.mark.parametrize(
    ("part", "wanted"),
    [
        ({"type": "text", "text": "hi"}, {"type": "text", "text": "hi"}),
        ({"text": "hi"}, {"type": "text", "text": "hi"}),
        ({"text": {"text": "hi"}}, {"type": "text", "text": "hi"}),
        ({"json": {"a": 1}}, {"type": "text", "text": '```json\n{\n  "a": 1\n}\n```'}),
        (
            {"type": "image", "data": "AA==", "mime_type": "image/png"},
            {"type": "image", "data": "AA==", "mimeType": "image/png"},
        ),
        (
            {"type": "file", "uri": "https://x.example/a.pdf"},
            {"type": "resource_link", "uri": "https://x.example/a.pdf", "name": "a.pdf"},
        ),
        (
            {"type": "file", "data": "AA==", "name": "a"},
            {"type": "resource", "resource": {"uri": "aip:a", "blob": "AA=="}},
        ),
    ],
)
def test_parts_that_acp_has_a_form_for(part: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert parts.of_part(part)["content"] == wanted


def test_the_lines_of_a_stream_stay_lines_wherever_it_is_cut() -> None:
    pieces = ("one\n", "two", "\n", "three\n\nfour  \n")
    chunks = (StreamChunk(sequence=1, kind=ChunkKind.DATA, data={"text": piece}) for piece in pieces)
    text = "".join(parts.of_chunk(chunk)["content"]["text"] for chunk in chunks)
    assert text == "one  \ntwo  \nthree  \n\nfour  \n"


@settings(max_examples=60)
@given(
    st.dictionaries(
        st.text(min_size=1, max_size=5),
        st.dictionaries(
            st.sampled_from(
                ["type", "title", "description", "minimum", "default", "enum", "items", "format"]
            ),
            st.one_of(
                st.sampled_from(["string", "integer", "number", "boolean", "array", "object"]), json_values
            ),
        ),
        max_size=4,
    )
)
def test_any_schema_makes_a_form(properties: dict[str, Any]) -> None:
    schema = {"type": "object", "properties": properties, "required": [*properties, "nobody"]}
    assert unstable().problem("ElicitationSchema", forms.form(schema)) is None
    assert forms.hint(schema) and isinstance(drafts.about(schema), str)
    made = drafts.draft(schema)
    assert made is None or (isinstance(json.loads(made.text), dict) and made.cursor <= len(made.text))


@pytest.mark.parametrize("schema", [None, {}, {"properties": 7}, {"type": "object"}])
def test_without_properties_the_form_takes_json(schema: dict[str, Any] | None) -> None:
    assert list(forms.form(schema)["properties"]) == [forms.WHOLE]
    assert forms.filled(schema, {forms.WHOLE: '{"a": 1}'}) == {"a": 1}
    assert forms.filled(schema, {}) == {}
    with pytest.raises(ValueError):
        forms.filled(schema, {forms.WHOLE: "{oops"})


def test_simple_properties_are_fields_and_others_take_json_and_say_why() -> None:
    properties = {
        "n": {"type": ["integer", "null"]},
        "o": {"type": "object", "default": {"a": 1}, "description": "What else"},
        "s": {"type": "string", "minLength": -1},
        "c": {"enum": ["red", "blue"], "default": "blue"},
        "t": {"oneOf": [{"const": "x", "title": "The X"}, {"const": "y"}]},
        "r": {"$ref": "#/$defs/Size"},
        "m": {"anyOf": [{"type": "null"}, {"type": "boolean"}]},
        "k": {"type": "integer", "enum": [1, 2]},
        "l": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1, "default": ["a"]},
    }
    schema = {"properties": properties, "$defs": {"Size": {"type": "number", "minimum": 0.5}}}
    fields = forms.form(schema)["properties"]
    kinds = {name: field["type"] for name, field in fields.items()}
    assert " ".join(f"{name}:{kind}" for name, kind in kinds.items()) == (
        "n:integer o:string s:string c:string t:string r:number m:boolean k:string l:array"
    )
    assert fields["o"] == {
        "type": "string",
        "title": "o",
        "description": "What else (an object, as JSON)",
        "default": '{"a": 1}',
    }
    assert fields["c"] == {"type": "string", "enum": ["red", "blue"], "default": "blue"}
    assert [one["title"] for one in fields["t"]["oneOf"]] == ["The X", "y"]
    assert (fields["r"]["minimum"], fields["l"]["minItems"], fields["l"]["default"]) == (0.5, 1, ["a"])
    assert fields["k"]["description"] == "one of 1, 2, as JSON" and "minLength" not in fields["s"]
    filled = {"n": 1, "o": '{"a": []}', "s": "{as it is", "c": "red", "k": "2", "nobody": 1}
    assert forms.filled(schema, filled) == {"n": 1, "o": {"a": []}, "s": "{as it is", "c": "red", "k": 2}
    assert forms.filled(schema, {"o": " "}) == {}
    assert forms.filled({"type": "string"}, {forms.WHOLE: '{"a'}) == '{"a'
    for wrong, why in (("[1]", "o must be an object, as JSON"), ("{", "o is no JSON")):
        with pytest.raises(forms.NotJson, match=why):
            forms.filled(schema, {"o": wrong})
    again = forms.form(schema, {"n": 3, "o": "{"})["properties"]
    assert (again["n"]["default"], again["o"]["default"]) == (3, "{")


@pytest.mark.parametrize(
    ("properties", "text"),
    [
        ({"s": {"type": "string"}, "t": {"type": "string"}}, '{"s": "|", "t": ""}'),
        ({"c": {"enum": ["red", "blue"]}, "s": {"type": "string"}}, '{"c": "red", "s": "|"}'),
        ({"n": {"type": "integer", "minimum": 2}, "b": {"type": "boolean"}}, '{"n": 2, "b": false|}'),
        ({"o": {"required": ["a"], "properties": {"a": {"type": "array"}}}}, '{"o": {"a": [|]}}'),
        ({"a": {"type": "boolean"}, "o": {"type": "object"}}, '{"a": false, "o": {|}}'),
        ({"o": {"$ref": "#/properties/o"}}, '{"o": null|}'),
        ({"d": {"type": "string", "default": "\u202e"}}, '{"d": "\\u202e"|}'),
    ],
)
def test_a_draft_has_what_must_be_there_and_the_cursor_at_the_first_gap(
    properties: dict[str, Any], text: str
) -> None:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    made = drafts.draft(schema)
    assert made is not None and f"{made.text[: made.cursor]}|{made.text[made.cursor :]}" == text


def test_what_may_be_left_out_is_in_a_draft_only_with_its_default() -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "integer", "default": 5}}}
    assert (drafts.draft(schema), drafts.about(schema)) == (('{"b": 5}', 7), "a?: string, b?: integer")
    assert drafts.draft({"type": "object", "properties": {}}) is drafts.draft(None) is None
    assert drafts.draft({"properties": {"s": {"default": "x" * drafts.LONGEST}}}) is None


def test_a_replay_says_each_tool_call_once() -> None:
    kept: list[dict[str, Any]] = [
        {
            "sessionUpdate": "tool_call_update",
            "toolCallId": "a",
            "status": "pending",
            "_meta": {"x": 1, "y": 1},
        },
        {"sessionUpdate": "tool_call_content_chunk", "toolCallId": "a", "content": {"n": 1}},
        {"sessionUpdate": "agent_message_chunk", "messageId": "m"},
        {"sessionUpdate": "tool_call_update", "toolCallId": "a", "status": "completed", "_meta": {"y": 2}},
        {"sessionUpdate": "tool_call_update", "toolCallId": "b", "title": "t"},
    ]
    call, message, other = lanes.folded(kept)
    assert (call["status"], call["content"], call["_meta"]) == ("completed", [{"n": 1}], {"x": 1, "y": 2})
    assert message["messageId"] == "m" and lanes.open_calls([call, other]) == [other]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("hello /call", ("", "hello /call")),
        ("/", ("", "/")),
        ("/call  cap:x\n{}", ("call", "cap:x\n{}")),
        ("/help", ("help", "")),
    ],
)
def test_a_command_is_the_first_word(words: str, wanted: tuple[str, str]) -> None:
    assert typed.typed([{"type": "text", "text": words}])[:2] == wanted
