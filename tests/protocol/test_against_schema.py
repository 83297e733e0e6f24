"""Each model against the official definition of its name: fields, requirements, and every leniency mark."""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

import pytest

from acp_tui.protocol import (
    content,
    elicitation,
    initialize,
    permission,
    plan,
    session,
    terminal,
    tool_call,
    updates,
)
from acp_tui.protocol import errors as errors_module
from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.model import Base
from acp_tui.protocol.unknown import Invalid
from acp_tui.protocol.v2 import AGENT_METHODS, CLIENT_METHODS, CancelRequestNotification, decode, encode
from tests.protocol.samples import (
    DEFINITIONS,
    STABLE,
    is_any,
    malformed,
    nullable,
    properties,
    required,
    sample,
)
from tests.schema_check import unstable

MODULES = (
    content,
    elicitation,
    errors_module,
    initialize,
    permission,
    plan,
    session,
    terminal,
    tool_call,
    updates,
)
MODELS: dict[str, type[Base]] = {
    name: value
    for module in MODULES
    for name, value in vars(module).items()
    if isinstance(value, type) and issubclass(value, Base) and value.__module__ == module.__name__
}
MODELS["CancelRequestNotification"] = CancelRequestNotification

NEWER = {"SessionLink", "ReplayComplete"}
"""Known only from later text than the schema (NW-02, SA-06)."""

OTHERWISE = {
    ("CompactionUpdate", "status"): "a patch field in the newer schema (NW-04)",
    ("IdleStateUpdate", "usage"): "not read: nothing is made of it (NW-08)",
    ("SessionInfo", "archived"): "not read (NW-08)",
}
CLEARING = {
    ("ToolCallUpdate", "capabilities"),
    ("TerminalUpdate", "capabilities"),
    ("SubagentUpdate", "capabilities"),
}
"""Malformed controls are none, so that nothing is offered that was not (TC-21)."""

UNIONS = {
    "CreateElicitationResponse",
    "SetSessionConfigOptionRequest",
    "ElicitationFormMode",
    "ElicitationUrlMode",
}
"""Definitions that are more than their properties; tested by hand."""

OPEN = {"UnknownStateUpdate"}
"""Stands for every state we do not know, not only for the one the definition is for (ST-02, ST-03)."""

CHECKED = sorted(name for name in MODELS if name in DEFINITIONS and name not in UNIONS | OPEN)
FIELDS = [
    (name, field)
    for name in CHECKED
    for field in properties(name)
    if (name, field) not in OTHERWISE and field in {info.alias for info in MODELS[name].model_fields.values()}
]


def attribute(model: Any, field: str) -> Any:
    names = {info.alias: name for name, info in type(model).model_fields.items()}
    return getattr(model, names[field])


def full(name: str) -> dict[str, Any]:
    """A value with everything in it, also what the definition leaves to the union around it."""
    value: dict[str, Any] = sample({"$ref": f"#/$defs/{name}"})
    for info in MODELS[name].model_fields.values():
        if get_origin(info.annotation) is Literal:
            value.setdefault(str(info.alias), get_args(info.annotation)[0])
    if name.startswith("SessionConfig") and "currentValue" in value:
        value |= {"configId": "c", "name": "n"}
    return value


def test_every_model_is_a_definition_of_the_schema() -> None:
    ours = {name for name in MODELS if not name.startswith("_")}
    assert ours - set(DEFINITIONS) == NEWER


ELSEWHERE = {
    "ElicitationAcceptAction": "part of CreateElicitationResponse",
    "ElicitationRequestScope": "part of the modes",
    "ElicitationSessionScope": "part of the modes",
    "ErrorStopReason": "part of IdleStateUpdate",
    "SessionNotFoundErrorData": "made by errors.session_not_found",
    "UnsupportedProtocolVersionErrorData": "read leniently in the handshake, as the data of any error",
}


def test_every_stable_object_has_a_model() -> None:
    objects = {
        name for name, each in STABLE.items() if "properties" in each and "jsonrpc" not in each["properties"]
    }
    envelopes = {name for name in objects if name.endswith(("AgentRequest", "ClientRequest", "Notification"))}
    unions = {"SessionConfigOption", "DiffChange", "CreateElicitationRequest"}
    assert objects - envelopes - unions - set(ELSEWHERE) - set(MODELS) == set()


@pytest.mark.parametrize("name", CHECKED)
def test_all_stable_fields_are_read(name: str) -> None:
    aliases = {info.alias for info in MODELS[name].model_fields.values()}
    known = STABLE.get(name, DEFINITIONS[name]).get("properties", {})
    assert set(known) - aliases - {field for model, field in OTHERWISE if model == name} == set()


@pytest.mark.parametrize("name", CHECKED)
def test_full_value_survives_a_round_trip(name: str) -> None:
    value = full(name)
    assert unstable().problem(name, value) is None
    value["future"] = {"deep": [1, None, "x"]}
    assert encode(decode(MODELS[name], value)) == value


@pytest.mark.parametrize(("name", "field"), [pair for pair in FIELDS if pair[1] in required(pair[0])])
def test_missing_required_field_is_invalid(name: str, field: str) -> None:
    value = full(name)
    del value[field]
    with pytest.raises(Invalid):
        decode(MODELS[name], value)


@pytest.mark.parametrize(("name", "field"), [pair for pair in FIELDS if pair[1] not in required(pair[0])])
def test_optional_field_may_be_absent(name: str, field: str) -> None:
    value = full(name)
    del value[field]
    assert encode(decode(MODELS[name], value)) == value


@pytest.mark.parametrize(
    ("name", "field"), [pair for pair in FIELDS if not is_any(properties(pair[0])[pair[1]])]
)
def test_malformed_field(name: str, field: str) -> None:
    schema = properties(name)[field]
    value = {**full(name), field: malformed(schema)}
    if not schema.get("x-deserialize-default-on-error"):
        with pytest.raises(Invalid):
            decode(MODELS[name], value)
        return
    without = {key: item for key, item in value.items() if key != field}
    got = attribute(decode(MODELS[name], value), field)
    if (name, field) in CLEARING:
        assert got is None
    elif field in required(name):
        assert got == []
    else:
        assert got == attribute(decode(MODELS[name], without), field)


@pytest.mark.parametrize(("name", "field"), FIELDS)
def test_null(name: str, field: str) -> None:
    schema = properties(name)[field]
    value = {**full(name), field: None}
    if schema.get("x-deserialize-default-on-null"):
        assert attribute(decode(MODELS[name], value), field) == []
    elif nullable(schema) or is_any(schema):
        assert attribute(decode(MODELS[name], value), field) is None
    elif schema.get("x-deserialize-default-on-error"):
        assert attribute(decode(MODELS[name], value), field) is not ABSENT
    else:
        with pytest.raises(Invalid):
            decode(MODELS[name], value)


LISTS = [pair for pair in FIELDS if "items" in properties(pair[0])[pair[1]]]


@pytest.mark.parametrize(("name", "field"), LISTS)
def test_malformed_items(name: str, field: str) -> None:
    schema = properties(name)[field]
    good = sample(schema["items"])
    value = {**full(name), field: [None, good, True, good]}
    if schema.get("x-deserialize-skip-invalid-items"):
        assert encode(decode(MODELS[name], value))[field] == [good, good]
    elif schema.get("x-deserialize-default-on-error"):
        assert attribute(decode(MODELS[name], value), field) is None
    else:
        with pytest.raises(Invalid):
            decode(MODELS[name], value)


@pytest.mark.parametrize(
    ("name", "field"), [pair for pair in LISTS if "minItems" in properties(pair[0])[pair[1]]]
)
def test_least_number_of_items(name: str, field: str) -> None:
    value = {**full(name), field: []}
    if properties(name)[field].get("x-deserialize-default-on-error"):
        assert attribute(decode(MODELS[name], value), field) == []
    else:
        with pytest.raises(Invalid):
            decode(MODELS[name], value)


def test_methods_are_those_of_the_schema() -> None:
    for side, methods in (("agent", CLIENT_METHODS), ("client", AGENT_METHODS)):
        named = {each["x-method"] for each in STABLE.values() if each.get("x-side") in (side, "protocol")}
        assert set(methods) == named
