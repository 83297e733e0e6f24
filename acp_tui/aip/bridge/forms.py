"""A form from the input schema of a capability, and the input from the form.

Simple properties become fields; any other becomes a text field for JSON. The gateway judges the input, not
we: the schema only makes the form.
"""

from __future__ import annotations

import json
from typing import Any, Final, TypeAlias

Json: TypeAlias = dict[str, Any]

WHOLE: Final = "input"
"""The one field of a capability without a schema that has properties."""
_SIMPLE: Final = {
    "string": ("title", "description", "minLength", "maxLength", "pattern", "format", "default", "enum"),
    "number": ("title", "description", "minimum", "maximum", "default"),
    "integer": ("title", "description", "minimum", "maximum", "default"),
    "boolean": ("title", "description", "default"),
}
_FORMATS: Final = frozenset({"email", "uri", "date", "date-time"})


def properties_of(schema: Json | None) -> Json:
    """The properties of a schema, as far as it has any."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    return {n: v for n, v in found.items() if isinstance(v, dict)} if isinstance(found, dict) else {}


def required_of(schema: Json | None) -> list[str]:
    """The names that must be there."""
    found = schema.get("required") if isinstance(schema, dict) else None
    known = properties_of(schema)
    return [name for name in found if name in known] if isinstance(found, list) else []


def form(schema: Json | None) -> Json:
    """`requestedSchema` of an elicitation."""
    known = properties_of(schema)
    if not known:
        field = {"type": "string", "title": "Input", "description": "JSON; empty: {}"}
        return {"type": "object", "properties": {WHOLE: field}}
    fields = {name: _field(name, prop) for name, prop in known.items()}
    return {"type": "object", "properties": fields, "required": required_of(schema)}


def _field(name: str, prop: Json) -> Json:
    kind = _kind(prop)
    if kind == "array" and _choices(prop.get("items")):
        words: Json = {n: prop[n] for n in ("title", "description") if isinstance(prop.get(n), str)}
        return {"type": "array", "items": {"type": "string", "enum": _choices(prop["items"])}, **words}
    if kind not in _SIMPLE:
        about = prop.get("description")
        said = f"{about} (JSON)" if isinstance(about, str) else "JSON"
        return {"type": "string", "title": str(prop.get("title") or name), "description": said}
    made: Json = {"type": kind, **{n: prop[n] for n in _SIMPLE[kind] if _fits(kind, n, prop.get(n))}}
    return made


def _kind(prop: Json) -> str:
    """Its type; of one that may be null too, the other."""
    kind = prop.get("type")
    kinds = [one for one in kind if one != "null"] if isinstance(kind, list) else [kind]
    return kinds[0] if len(kinds) == 1 and isinstance(kinds[0], str) else ""


def _choices(items: Any) -> list[str]:
    found = items.get("enum") if isinstance(items, dict) else None
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def _fits(kind: str, name: str, value: Any) -> bool:
    """Whether a keyword of the schema has a value that a form may have."""
    if name == "enum":
        return isinstance(value, list) and bool(value) and all(isinstance(one, str) for one in value)
    if name in ("title", "description", "pattern", "format"):
        return isinstance(value, str) and (name != "format" or value in _FORMATS)
    if kind == "boolean" or (kind == "string" and name == "default"):
        return isinstance(value, bool if kind == "boolean" else str)
    if kind == "integer" or name in ("minLength", "maxLength"):
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, int | float) and not isinstance(value, bool)


def filled(schema: Json | None, content: Json) -> Any:
    """The input that a filled form means. Raises `ValueError` where a text is no JSON that must be."""
    known = properties_of(schema)
    if not known:
        text = str(content.get(WHOLE) or "").strip()
        return json.loads(text) if text else {}
    made: Json = {}
    for name, value in content.items():
        raw = _field(name, known.get(name, {}))["type"] == "string" and _kind(known.get(name, {})) != "string"
        if not raw:
            made[name] = value
        elif str(value).strip():
            made[name] = json.loads(str(value))
    return made


def hint(schema: Json | None) -> str:
    """What may stand after the command."""
    known = properties_of(schema)
    if not known:
        return "JSON or @file"
    must = set(required_of(schema))
    names = ", ".join(name if name in must else f"{name}?" for name in list(known)[:6])
    return f"JSON with {names}{', …' if len(known) > 6 else ''}"
