"""What is forgiven and what is not in the agent's requests, and in its answers to ours."""

from __future__ import annotations

from typing import Any

import pytest

from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.unknown import Invalid, Unknown
from acp_tui.protocol.v2 import decode_params, decode_result, encode

OPTION = {"optionId": "y", "name": "Yes", "kind": "allow_once"}
ASK = {"sessionId": "s", "title": "t", "options": [OPTION]}
FORM = {
    "mode": "form",
    "sessionId": "s",
    "message": "m",
    "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
}


def form(**schema: Any) -> Any:
    asked = {**FORM, "requestedSchema": {"type": "object", "properties": {"a": schema}}}
    return decode_params("elicitation/create", asked).requested_schema.properties["a"]


# what is not lenient at all (UP-19)


@pytest.mark.parametrize(
    "wrong",
    [
        {"options": []},
        {"options": [OPTION, {"optionId": "n"}]},
        {"options": None},
        {"title": None},
        {"subject": {"type": "command", "command": "ls"}},
        {"subject": {"type": "tool_call", "toolCall": {}}},
        {"subject": "rm"},
    ],
)
def test_permission_requests_are_strict(wrong: dict[str, Any]) -> None:  # PM-17, PM-23
    with pytest.raises(Invalid):
        decode_params("session/request_permission", {**ASK, **wrong})


def test_permission_subjects() -> None:  # PM-03, PM-05, PM-06
    subject = {"type": "tool_call", "toolCall": {"toolCallId": "c", "title": 5, "status": None}}
    request = decode_params("session/request_permission", {**ASK, "subject": subject})
    assert (request.subject.tool_call.title, request.subject.tool_call.status) == (ABSENT, None)
    assert encode(request)["subject"] == {
        "type": "tool_call",
        "toolCall": {"toolCallId": "c", "status": None},
    }
    odd = {"type": "spend", "amount": 5}
    assert decode_params("session/request_permission", {**ASK, "subject": odd}).subject == Unknown(
        "spend", odd
    )
    assert decode_params("session/request_permission", {**ASK, "subject": None}).subject is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"sessionId": None},
        {"requestId": 4},
        {"sessionId": None, "requestId": True},
        {"requestedSchema": {"type": "array", "properties": {}}},
        {"requestedSchema": {"type": "object", "properties": {}, "required": "a"}},
        {"mode": None},
        {"message": None},
    ],
)
def test_elicitations_have_one_scope_and_a_form(wrong: dict[str, Any]) -> None:  # EL-02, EL-05
    with pytest.raises(Invalid):
        decode_params("elicitation/create", {**FORM, **wrong})


def test_an_unknown_mode_is_kept() -> None:  # EL-15
    raw = {"mode": "voice", "sessionId": "s", "message": "m"}
    assert decode_params("elicitation/create", raw) == Unknown("voice", raw)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": -1},
        {"type": "string", "enum": []},
        {"type": "string", "pattern": 5},
        {"type": "string", "oneOf": [{"const": "a"}]},
        {"type": "integer", "minimum": 1.5},
        {"type": "number", "maximum": "9"},
        {"type": "array", "items": {"type": "string", "enum": []}},
        {"type": "array", "items": {"anyOf": [{"const": "a"}]}},
        {"type": "array"},
    ],
)
def test_constraints_are_strict(schema: dict[str, Any]) -> None:  # EL-05
    with pytest.raises(Invalid):
        form(**schema)


def test_form_fields() -> None:  # EL-04, EL-06, EL-07
    assert form(type="string", default=5).default is None
    assert form(type="integer", minimum=2.0).minimum == 2
    assert form(type="array", items={"anyOf": [{"const": "a", "title": "A"}]}).items.any_of[0].const == "a"
    assert form(type="array", items={"type": "string", "enum": ["a"]}, default=["a", 5]).default == ["a"]
    assert form(type="array", items={"type": "colour"}).items.type == "colour"
    assert form(type="colour").raw == {"type": "colour"}


@pytest.mark.parametrize("value", [("id", True), ("id", 5), ("boolean", "yes"), ("boolean", None)])
def test_config_values_fit_their_type(value: tuple[str, object]) -> None:  # CF-05
    params = {"sessionId": "s", "configId": "c", "type": value[0], "value": value[1]}
    with pytest.raises(Invalid):
        decode_params("session/set_config_option", params)


# results


def test_capabilities_are_objects() -> None:  # IN-08, IN-09
    result = {
        "protocolVersion": 2,
        "info": {"name": "a", "version": "1", "title": 5},
        "capabilities": {"session": {"prompt": {"image": True, "audio": {}}, "delete": None}},
        "authMethods": [{"type": "agent", "methodId": "m"}, {"type": "sso", "methodId": "s", "name": "S"}],
    }
    made = decode_result("initialize", result)
    prompt = made.capabilities.session.prompt
    assert (prompt.image, prompt.audio is None, prompt.embedded_context) == (None, False, None)
    assert [method.type for method in made.auth_methods] == ["sso"]
    assert made.info.title is None
    made = decode_result("initialize", {**result, "capabilities": True, "authMethods": {}})
    assert (made.capabilities.session, made.auth_methods) == (None, [])


def test_null_results_are_empty_objects() -> None:  # RP-14
    assert decode_result("auth/logout", None).meta is None
    with pytest.raises(Invalid):
        decode_result("session/prompt", None)


def test_session_lists() -> None:  # SS-20, UP-16, UP-19
    entries = [
        {"sessionId": "a", "cwd": "/", "additionalDirectories": None, "title": 5},
        {"sessionId": "b"},
        {"sessionId": "c", "cwd": "/", "additionalDirectories": "x"},
    ]
    (found,) = decode_result("session/list", {"sessions": entries}).sessions
    assert (found.session_id, found.additional_directories, found.title) == ("a", [], None)
    assert decode_result("session/list", {"sessions": "none", "nextCursor": ""}).next_cursor == ""
    with pytest.raises(Invalid):
        decode_result("session/list", {"sessions": [], "nextCursor": 5})


def test_lists_of_a_new_session() -> None:  # SS-02
    made = decode_result("session/new", {"sessionId": "s", "configOptions": None, "availableCommands": [5]})
    assert (made.config_options, made.available_commands) == (None, [])


def test_unknown_methods_have_no_types() -> None:
    with pytest.raises(Invalid):
        decode_params("fs/read_text_file", {})
    with pytest.raises(Invalid):
        decode_result("session/cancel", {})


def test_reasons_name_the_place_and_not_the_value() -> None:  # RP-20
    with pytest.raises(Invalid) as caught:
        decode_params(
            "session/new", {"cwd": "/", "mcpServers": [{"type": "http", "name": "n", "url": ["s3cr3t"]}]}
        )
    assert "mcpServers.0" in caught.value.reason
    assert "s3cr3t" not in str(caught.value)
