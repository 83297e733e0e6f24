"""One huge string anywhere in any update: the store keeps it on its shelf alone, and tells it whole."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from acp_tui.base.spill import Spill
from acp_tui.protocol.unknown import Unknown
from acp_tui.protocol.updates import UPDATE_TYPES
from acp_tui.store import connection, entities, session
from acp_tui.store.held import ITEMWISE
from acp_tui.store.holding import BIG, Place
from tests.protocol.samples import DEFINITIONS, resolve
from tests.store.reach import oversized
from tests.store.seen import Fed, plain

MARK = "QUJD"
"""Base64, so that it may stand for bytes, too."""
HUGE = MARK * (BIG // 2)
Path_ = tuple[str | int, ...]
Json = dict[str, Any]


def variants() -> dict[str, Json]:
    """The schema of each kind of update, and one of none."""
    found: dict[str, Json] = {"mood_update": {"type": "object", "properties": {"mood": {"type": "string"}}}}
    for variant in DEFINITIONS["SessionUpdate"]["anyOf"]:
        kind = variant["properties"]["sessionUpdate"].get("const")
        if kind is not None:
            found[kind] = variant
    return found


VARIANTS = variants()


def sample(schema: Json, choose: Any) -> Any:
    """A value with everything in it; `choose` takes one of several forms."""
    schema = resolve(schema)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            part = sample(choose([one for one in schema[key] if resolve(one).get("type") != "null"]), choose)
            return {**members(schema, choose), **part} if isinstance(part, dict) else part
    if "const" in schema:
        return schema["const"]
    kind = schema.get("type")
    match kind[0] if isinstance(kind, list) else kind:
        case "object":
            inherited = [sample(one, choose) for one in schema.get("allOf", ())]
            merged = {name: value for one in inherited for name, value in one.items()}
            return {**merged, **members(schema, choose)}
        case "array":
            return [sample(schema["items"], choose)]
        case "string":
            return "words"
        case "integer" | "number":
            return schema.get("maximum", 1)
        case "boolean":
            return True
    return {"any": ["words", None]}


def members(schema: Json, choose: Any) -> Json:
    return {
        name: sample(one, choose) for name, one in schema.get("properties", {}).items() if name != "_meta"
    }


def places(value: Any, at: Path_ = ()) -> Iterator[Path_]:
    """Where a string stands or could: in fields, in metadata, in fields of the future."""
    if isinstance(value, dict):
        yield from ((*at, "_meta", "note"), (*at, "future"))
        for name, item in value.items():
            yield from places(item, (*at, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*at, index))
    elif isinstance(value, str):
        yield at


def put(value: Json, at: Path_, said: str) -> Json:
    whole: Any = deepcopy(value)
    inner = whole
    for step in at[:-1]:
        inner = inner.setdefault(step, {}) if isinstance(inner, dict) else inner[step]
    inner[at[-1]] = said
    return whole  # type: ignore[no-any-return]


def told(value: Any) -> Any:
    """All that can be read of the store, as JSON-like values."""
    if isinstance(value, dict):
        return {str(told(key)): told(item) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, Unknown | Place | type):
        return {one.name: told(getattr(value, one.name)) for one in fields(value) if one.repr}
    if isinstance(value, list | tuple):
        return [told(item) for item in value]
    return plain(value)


def grown(value: Any) -> Any:
    """The same with the mark grown to what is huge."""
    if isinstance(value, str):
        return value.replace(MARK, HUGE).replace("ABC", "ABC" * (BIG // 2))
    if isinstance(value, bytes):
        return value.replace(b64decode(MARK), b64decode(HUGE))
    if isinstance(value, dict):
        return {grown(key): grown(item) for key, item in value.items()}
    return [grown(item) for item in value] if isinstance(value, list) else value


def test_the_schema_has_them_all() -> None:
    assert VARIANTS.keys() - {"mood_update"} <= UPDATE_TYPES.keys()
    assert len(VARIANTS) > 20


@pytest.mark.parametrize("kind", VARIANTS)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draw=st.data())
def test_anything_huge_is_on_the_shelf_and_read_back_whole(
    kind: str, draw: st.DataObject, tmp_path: Path
) -> None:
    update = {
        **sample(VARIANTS[kind], lambda forms: draw.draw(st.sampled_from(forms))),
        "sessionUpdate": kind,
    }
    at = draw.draw(st.sampled_from(list(places(update))))
    small, big = Fed(), Fed(shelf=Spill(tmp_path))
    for _ in range(2):  # the second time it is compared with what is held
        small.feed(put(update, at, MARK))
        big.feed(put(update, at, HUGE))
        assert oversized(big.store) == []
        assert big.dirty == small.dirty or str(at[-1]).endswith("Id")
    if not str(at[-1]).endswith("Id"):  # a name without end is no name, and names nothing
        assert told(big.store.sessions) == grown(told(small.store.sessions))


def test_no_kind_of_entity_is_without_it() -> None:
    every = [*_below(entities.Entity), entities.NoticeRecord, entities.UnknownUpdate]
    for one in [*every, session.Session, connection.Connection]:
        for field in fields(one):
            says = any(name in str(field.type) for name in ("str", "Any", "dict", "list"))
            kept = type(getattr(one, field.name)).__name__ == "_Held"
            assert kept or not says or field.metadata == ITEMWISE, (one, field.name)


def _below(one: type) -> Iterator[type]:
    for each in one.__subclasses__():
        yield each
        yield from _below(each)
