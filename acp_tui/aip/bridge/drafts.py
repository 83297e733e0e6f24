"""The beginning of an input, as the schema of a capability has it: what must be there, what is usual; pure.

Invariant: a draft is JSON that could be sent as it is; whether it is right is for the gateway to say.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final, NamedTuple

from acp_tui.aip.bridge import schemas
from acp_tui.aip.bridge.schemas import Json

LONGEST: Final = 1_000
"""Characters; a longer one is of no help."""
DEEPEST: Final = 4
TOLD: Final = 6
"""Properties that are named."""
_OPEN: Final = re.compile(r'""(?!:)|\[\]|\{\}')
_EMPTY: Final[Json] = {"string": "", "boolean": False, "array": []}


class Draft(NamedTuple):
    """Text to go on with."""

    text: str
    cursor: int
    """Where the first value is to be written."""


def draft(schema: Json | None) -> Draft | None:
    """None: nothing is known of the input, or there is none to give."""
    if not isinstance(schema, dict) or schemas.empty(schema) or not schemas.plain(schema, schema):
        return None
    text = _json(_value(schema, schema, DEEPEST))
    if len(text) > LONGEST:
        return None
    place = _OPEN.search(text)
    return Draft(text, place.start() + 1 if place else max(0, len(text) - 1))


def about(schema: Json | None) -> str:
    """The properties and what each may be; those with `?` may be left out."""
    known, must = schemas.properties(schema), set(schemas.required(schema))
    told = [f"{n}{'' if n in must else '?'}: {schemas.named(known[n])}" for n in list(known)[:TOLD]]
    return ", ".join([*told, *(["…"] if len(known) > TOLD else [])])


def _value(prop: Any, root: Json, depth: int) -> Any:
    found = schemas.plain(prop, root)
    for name in ("default", "const"):
        if name in found:
            return found[name]
    values = found.get("enum")
    if isinstance(values, list) and values:
        return values[0]
    kind = schemas.kind(found)
    if kind == "object" or isinstance(found.get("properties"), dict):
        return _object(found, root, depth - 1) if depth else {}
    if kind in ("integer", "number"):
        least = found.get("minimum")
        return least if isinstance(least, int | float) and least > 0 else 0
    return _EMPTY.get(kind)


def _object(found: Json, root: Json, depth: int) -> Json:
    known, must = schemas.properties(found, root), schemas.required(found, root)
    wanted = [name for name, prop in known.items() if name in must or "default" in prop]
    return {name: _value(known[name], root, depth) for name in wanted}


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)
