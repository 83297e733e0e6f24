"""The schema's leniency marks as annotated types, written once; the models only name them.

Everything here becomes pydantic-core schema, so a forgiven mistake costs no Python call and no exception.

* `Lenient[T]`      malformed = absent, absent = None (`x-deserialize-default-on-error`, UP-02)
* `Patch[T]`        the same for patch fields: absent and malformed are ABSENT, null is None (UP-01)
* `StrictPatch[T]`  a patch field whose malformed value makes the object invalid
* `Controls[T]`     a patch field whose malformed value clears instead (TC-21)
* `Items[T]`        a list that loses its malformed items only (`x-deserialize-skip-invalid-items`, UP-03)
* `ItemsOrEmpty[T]` the same; anything but a list is an empty one
* `NullAsEmpty[T]`  a list for which null means empty (`x-deserialize-default-on-null`, UP-16)
* `FirstOf[A | B]`  the first member that fits
* `Tagged(…)`       a union told apart by a discriminator, other values kept as `Unknown` (UP-06, UP-07)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

from pydantic import AfterValidator, BaseModel, BeforeValidator, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from acp_tui.protocol.absent import ABSENT, Absent
from acp_tui.protocol.unknown import Unknown

T = TypeVar("T")


class _OnError:
    """A malformed value reads as `value`; so does `value` itself, whatever the type says."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_default_schema(
            _inner(source, handler), default=self.value, on_error="default"
        )


class _OnErrorEmpty:
    """A malformed value reads as a fresh, empty one of the type; a missing one is still missing."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        factory = get_origin(source) or source
        schema = core_schema.with_default_schema(handler(source), default_factory=factory, on_error="default")
        # wrapped, or pydantic would take the default for that of the field
        return core_schema.json_or_python_schema(schema, schema)


class _Strict:
    """Null, ABSENT or the value; nothing is forgiven."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        absent = core_schema.is_instance_schema(Absent)
        return core_schema.union_schema([_inner(source, handler), absent], mode="left_to_right")


class _LeftToRight:
    """The first member that fits, instead of the one that fits best."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return _union(get_args(source), handler)


class _SkipInvalid:
    """Malformed items are left out, the others keep their order."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        (item,) = get_args(source)
        item_schema = core_schema.with_default_schema(handler.generate_schema(item), on_error="omit")
        return core_schema.list_schema(item_schema, strict=True)


def _inner(source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    """Schema of `T | None | Absent` with only T and null looked at: ABSENT never comes over the wire."""
    parts = [part for part in get_args(source) if part is not type(None) and part is not Absent]
    return core_schema.nullable_schema(_union(parts, handler))


def _union(parts: Iterable[Any], handler: GetCoreSchemaHandler) -> CoreSchema:
    schemas = [handler.generate_schema(part) for part in parts]
    return schemas[0] if len(schemas) == 1 else core_schema.union_schema(list(schemas), mode="left_to_right")


def _null_as_empty(value: Any) -> Any:
    return [] if value is None else value


def _whole(value: Any) -> Any:
    """JSON knows no integer type: 3.0 is a whole number on the wire, 3.5 and true are not."""
    return int(value) if type(value) is float and value.is_integer() else value


def _not_empty(value: str) -> str:
    # not by `Field(min_length=1)`, which refuses lone surrogates: a title cut in an emoji is a title
    if not value:
        raise ValueError("is empty")
    return value


NonEmpty = Annotated[str, AfterValidator(_not_empty)]
Lenient = Annotated[T | None, _OnError(None)]
Patch = Annotated[T | Absent | None, _OnError(ABSENT)]
Controls = Annotated[T | Absent | None, _OnError(None)]
StrictPatch = Annotated[T | Absent | None, _Strict()]
Items = Annotated[list[T], _SkipInvalid()]
ItemsOrEmpty = Annotated[Items[T], _OnErrorEmpty()]
FirstOf = Annotated[T, _LeftToRight()]
OrEmpty = Annotated[T, _OnErrorEmpty()]
NullAsEmpty = Annotated[list[T], BeforeValidator(_null_as_empty)]

Int = Annotated[int, BeforeValidator(_whole)]
Natural = Annotated[int, BeforeValidator(_whole), Field(ge=0)]
Positive = Annotated[int, BeforeValidator(_whole), Field(ge=1)]
Number = Annotated[int | float, _LeftToRight()]
"""Whole numbers stay exact, whatever their size (TR-11)."""


class Tagged:
    """Marks a union of models, each with a `Literal` field that says which it is.

    A member without such a literal takes all values that no other member claims; where there is none they
    become `Unknown`, if the fields in `needs` are strings. A known value with a malformed body is invalid and
    never unknown (UP-06).
    """

    def __init__(self, key: str, needs: tuple[str, ...] = ()) -> None:
        self.key = key
        self.needs = needs

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        models = [model for model in get_args(source) if model is not Unknown]
        known: dict[str, CoreSchema] = {}
        rest: CoreSchema | None = None
        for model in models:
            schema = handler.generate_schema(model)
            values = _literals(model, self.key)
            known.update(dict.fromkeys(values, schema))
            rest = rest if values else schema
        tagged = core_schema.tagged_union_schema(dict(known), discriminator=self.key)
        other: CoreSchema = core_schema.no_info_plain_validator_function(
            self._reader(frozenset(known), rest is None)
        )
        if rest is not None:
            other = core_schema.chain_schema([other, rest])
        return core_schema.union_schema([tagged, other], mode="left_to_right")

    def _reader(self, known: frozenset[str], wrap: bool) -> Callable[[Any], Any]:
        """Reads what no known variant claims: as `Unknown`, or as it is for the member that takes it."""

        def read(value: Any) -> Any:
            if isinstance(value, Unknown | BaseModel):
                return value
            tag = value.get(self.key) if isinstance(value, dict) else None
            if not isinstance(tag, str) or tag in known:
                raise PydanticCustomError("not_unknown", "no unknown variant")
            for name in self.needs:
                if not isinstance(value.get(name), str):
                    raise PydanticCustomError("unknown_needs", "{name} is no string", {"name": name})
            return Unknown(tag, value) if wrap else value

        return read


def _literals(model: type[BaseModel], key: str) -> tuple[str, ...]:
    annotation = model.model_fields[key].annotation
    return get_args(annotation) if get_origin(annotation) is Literal else ()
