"""A form from the input schema of a capability, and the input from the form.

Simple properties become fields; any other becomes a text field for JSON, and says why. The gateway judges the
input, not we: the schema only makes the form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from acp_tui.aip.bridge import schemas
from acp_tui.aip.bridge.schemas import Json

WHOLE: Final = "input"
"""The one field of a capability without a schema that has properties."""
_SIMPLE: Final = {
    "string": ("title", "description", "minLength", "maxLength", "pattern", "format", "default", "enum"),
    "number": ("title", "description", "minimum", "maximum", "default"),
    "integer": ("title", "description", "minimum", "maximum", "default"),
    "boolean": ("title", "description", "default"),
}
_FORMATS: Final = frozenset({"email", "uri", "date", "date-time"})
_WHY: Final = {"object": "an object, as JSON", "array": "a list, as JSON"}
_PYTHON: Final[Mapping[str, type | tuple[type, ...]]] = {"object": dict, "array": list}


class NotJson(ValueError):
    """A text that must be JSON is not, or not such as it must be; the text is for the user."""


def form(schema: Json | None, typed: Json | None = None) -> Json:
    """`requestedSchema` of an elicitation; with what was `typed` before in it."""
    known = _fields(schema)
    fields = {name: _again(field, (typed or {}).get(name)) for name, field in known.items()}
    return {"type": "object", "properties": fields, "required": _required(schema, known)}


def _fields(schema: Json | None) -> Json:
    found = schemas.properties(schema)
    if found:
        return {name: _field(name, prop) for name, prop in found.items()}
    whole = schemas.plain(schema, schema)
    if schemas.kind(whole) in _SIMPLE:
        return {WHOLE: {"title": "Input", **_field(WHOLE, whole)}}
    return {WHOLE: {"type": "string", "title": "Input", "description": "JSON; empty: {}"}}


def _required(schema: Json | None, known: Json) -> list[str]:
    return schemas.required(schema) if list(known) != [WHOLE] or schemas.properties(schema) else []


def _again(field: Json, typed: Any) -> Json:
    return field if typed is None else {**field, "default": typed}


def _field(name: str, prop: Json) -> Json:
    kind = schemas.kind(prop)
    words: Json = {n: prop[n] for n in ("title", "description") if isinstance(prop.get(n), str)}
    if kind == "array" and _choices(prop.get("items")):
        return {**_several(prop), **words}
    if not _is_field(kind, prop):
        return _as_json(name, kind, prop, words)
    if kind == "string" and (titled := _titled(prop)):
        return {"type": "string", "oneOf": titled, **words, **_default("string", prop)}
    return {"type": kind, **{n: prop[n] for n in _SIMPLE[kind] if _fits(kind, n, prop.get(n))}}


def _is_field(kind: str, prop: Json) -> bool:
    """A choice of what is no text is none that a form has."""
    return kind in _SIMPLE and not (kind != "string" and "enum" in prop)


def _several(prop: Json) -> Json:
    made: Json = {"type": "array", "items": {"type": "string", "enum": _choices(prop["items"])}}
    made |= {n: prop[n] for n in ("minItems", "maxItems") if _natural(prop.get(n))}
    usual = prop.get("default")
    known = set(made["items"]["enum"])
    strings = isinstance(usual, list) and all(isinstance(one, str) and one in known for one in usual)
    return {**made, "default": usual} if strings else made


def _as_json(name: str, kind: str, prop: Json, words: Json) -> Json:
    """A text field, and why."""
    values = prop.get("enum")
    if isinstance(values, list) and values:
        why = f"one of {', '.join(map(_json, values[:8]))}{', …' if len(values) > 8 else ''}, as JSON"
    else:
        why = _WHY.get(kind, "JSON: its schema says more than a field can")
    about = words.get("description")
    made = {"type": "string", "title": words.get("title", name)}
    made["description"] = f"{about} ({why})" if about else why
    return {**made, **({"default": _json(prop["default"])} if "default" in prop else {})}


def _titled(prop: Json) -> list[Json]:
    """Choices with titles of their own."""
    found = prop.get("oneOf")
    if not isinstance(found, list) or not found:
        return []
    sound = (isinstance(o, dict) and isinstance(o.get("const"), str) for o in found)
    return (
        [{"const": o["const"], "title": str(o.get("title") or o["const"])} for o in found]
        if all(sound)
        else []
    )


def _default(kind: str, prop: Json) -> Json:
    return {"default": prop["default"]} if _fits(kind, "default", prop.get("default")) else {}


def _choices(items: Any) -> list[str]:
    found = items.get("enum") if isinstance(items, dict) else None
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _natural(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _fits(kind: str, name: str, value: Any) -> bool:
    """Whether a keyword of the schema has a value that a form may have."""
    if name == "enum":
        return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)
    if name in ("title", "description", "pattern", "format"):
        return isinstance(value, str) and (name != "format" or value in _FORMATS)
    if name in ("minLength", "maxLength"):
        return _natural(value)
    if kind == "boolean" or (kind == "string" and name == "default"):
        return isinstance(value, bool if kind == "boolean" else str)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, int | float) and not isinstance(value, bool)


# Back


def filled(schema: Json | None, content: Json) -> Any:
    """The input that a filled form means. Raises `NotJson`."""
    known = schemas.properties(schema)
    if known:
        found = {name: _value(name, prop, content[name]) for name, prop in known.items() if name in content}
        return {name: value for name, value in found.items() if value is not _NOTHING}
    whole = schemas.plain(schema, schema)
    value = _value("input", whole, content.get(WHOLE, ""))
    return {} if value is _NOTHING else value


_NOTHING: Final = object()


def _value(name: str, prop: Json, given: Any) -> Any:
    """What was put into one field."""
    kind = schemas.kind(prop)
    if not isinstance(given, str) or (_is_field(kind, prop) and kind == "string"):
        return given
    if not given.strip():
        return _NOTHING
    try:
        value = json.loads(given)
    except ValueError as error:
        raise NotJson(f"{name} is no JSON: {error}") from None
    if not isinstance(value, _PYTHON.get(kind, object)):
        raise NotJson(f"{name} must be {_WHY[kind]}")
    return value


def hint(schema: Json | None) -> str:
    """What may stand after the command."""
    known = schemas.properties(schema)
    if not known:
        return "JSON or @file"
    must = set(schemas.required(schema))
    names = ", ".join(name if name in must else f"{name}?" for name in list(known)[:6])
    return f"JSON with {names}{', …' if len(known) > 6 else ''}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
