"""Values made from the official schema: a full one and a bare one for each definition."""

from __future__ import annotations

import json
from typing import Any

from tests.schema_check import STABLE as STABLE_FILE
from tests.schema_check import UNSTABLE

STABLE: dict[str, Any] = json.loads(STABLE_FILE.read_text())["$defs"]
DEFINITIONS: dict[str, Any] = json.loads(UNSTABLE.read_text())["$defs"]

Json = dict[str, Any]


def resolve(schema: Json) -> Json:
    """Follow references and the single-member `allOf` that carries a description."""
    while True:
        if "$ref" in schema:
            schema = DEFINITIONS[schema["$ref"].rpartition("/")[2]]
        elif len(schema.get("allOf", [])) == 1 and "properties" not in schema:
            schema = schema["allOf"][0]
        else:
            return schema


def properties(name: str) -> dict[str, Json]:
    """All properties of an object definition but `_meta`, which is not always there."""
    found = DEFINITIONS[name].get("properties", {})
    return {key: value for key, value in found.items() if key != "_meta"}


def required(name: str) -> list[str]:
    """Names of the properties that must be there."""
    found: list[str] = DEFINITIONS[name].get("required", [])
    return found


def sample(schema: Json) -> Any:
    """A valid value with everything in it."""
    schema = resolve(schema)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return {**_members(schema), **part} if isinstance(part := sample(schema[key][0]), dict) else part
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    match kind:
        case "object":
            inherited = sample(schema["allOf"][0]) if "allOf" in schema else {}
            return {**inherited, **_members(schema)}
        case "array":
            return [sample(schema["items"])]
        case "string":
            return "text"
        case "integer" | "number":
            return schema.get("maximum", 1)
        case "boolean":
            return True
    return {"any": [1, None]}


def _members(schema: Json) -> Json:
    found = {key: sample(value) for key, value in schema.get("properties", {}).items() if key != "_meta"}
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict):
        found["extra"] = sample(extra)
    return found


def _types(schema: Json) -> set[str | None]:
    """All JSON types that are legal; None stands for any of them."""
    schema = resolve(schema)
    parts = [*schema.get("anyOf", []), *schema.get("oneOf", [])]
    own = schema.get("type", [] if parts else None)
    types = set(own) if isinstance(own, list) else {own}
    return types.union(*(_types(part) for part in parts))


def is_any(schema: Json) -> bool:
    """Whether any JSON is legal."""
    return None in _types(schema)


def malformed(schema: Json) -> Any:
    """A value of the wrong type."""
    return 5 if "boolean" in _types(schema) else True


def nullable(schema: Json) -> bool:
    """Whether null is a legal value."""
    return "null" in _types(schema)
