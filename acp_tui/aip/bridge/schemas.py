"""What the input schema of a capability says, as far as a form or a draft can use it; pure.

It comes from the gateway and may be anything: what has another shape says nothing. References are followed
within the schema, a few steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

STEPS: Final = 8
"""References and alternatives that are followed, one behind the other."""
_TYPES: Final[Mapping[type, str]] = {str: "string", bool: "boolean", int: "integer", float: "number"}


def plain(prop: Any, root: Json | None) -> Json:
    """A property without references, and without the alternative that it is null."""
    found: Json = prop if isinstance(prop, dict) else {}
    for _ in range(STEPS):
        inner = _referred(found, root) if isinstance(found.get("$ref"), str) else _alternative(found)
        if inner is None:
            return found
        outer = {name: value for name, value in found.items() if name not in ("$ref", "anyOf", "oneOf")}
        found = {**inner, **outer}
    return {}


def _referred(prop: Json, root: Json | None) -> Json:
    found: Any = root
    for step in str(prop["$ref"]).removeprefix("#").strip("/").split("/"):
        found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
    return found if isinstance(found, dict) else {}


def _alternative(prop: Json) -> Json | None:
    """The only one that is not null."""
    for name in ("anyOf", "oneOf"):
        options = prop.get(name)
        if isinstance(options, list) and "type" not in prop:
            real = [one for one in options if isinstance(one, dict) and one.get("type") != "null"]
            if len(real) == 1:
                return real[0]
    return None


def kind(prop: Json) -> str:
    """Its type; of one that may be null too, the other; of one that names none, that of its values."""
    said = prop.get("type")
    if said is None:
        kinds = {_TYPES.get(type(value), "") for value in _values(prop)}
    else:
        kinds = {one if isinstance(one, str) else "" for one in (said if isinstance(said, list) else [said])}
        kinds -= {"null"} if isinstance(said, list) else set()
    return kinds.pop() if len(kinds) == 1 else ""


def _values(prop: Json) -> list[Any]:
    """Those that are named."""
    if isinstance(prop.get("enum"), list):
        return list(prop["enum"])
    if isinstance(prop.get("oneOf"), list):
        return [one.get("const") if isinstance(one, dict) else None for one in prop["oneOf"]]
    return [prop.get("const", prop.get("default"))]


def properties(schema: Json | None, root: Json | None = None) -> Json:
    """The properties of a schema, as far as it has any; each is `plain`. `root`: it is a part of that."""
    root = root or schema
    found = plain(schema, root).get("properties")
    if not isinstance(found, dict):
        return {}
    return {name: plain(prop, root) for name, prop in found.items() if isinstance(prop, dict)}


def required(schema: Json | None, root: Json | None = None) -> list[str]:
    """The names that must be there."""
    found = plain(schema, root or schema).get("required")
    known = properties(schema, root)
    return (
        [name for name in found if isinstance(name, str) and name in known] if isinstance(found, list) else []
    )


def empty(schema: Json | None) -> bool:
    """It says that there is nothing to give."""
    found = plain(schema, schema)
    return kind(found) in ("", "object") and found.get("properties") == {}


def named(prop: Json) -> str:
    """What may stand there, in a word."""
    values = prop.get("enum")
    if isinstance(values, list) and 0 < len(values) <= 4 and all(isinstance(v, str | int) for v in values):
        return "|".join(map(str, values))
    return kind(prop) or "JSON"
