"""The base of all wire models, and their way back to JSON.

Invariants: fields we do not know are kept and written again (RP-18, EX-07); a field that was neither received
nor set is never written; `Model(...)` in Python takes attribute names, the wire only the protocol's own.

The modules with models do without `from __future__ import annotations`: pydantic would compile every single
annotation from its text again, which is half the cost of importing them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from acp_tui.protocol.absent import ABSENT
from acp_tui.protocol.lenient import Lenient, Patch
from acp_tui.protocol.unknown import Invalid, Unknown

Meta = dict[str, Any]


def _alias(name: str) -> str:
    if name == "meta":
        return "_meta"
    first, *others = name.split("_")
    return first + "".join(word.title() for word in others)


class Base(BaseModel):
    """Configuration shared by all models."""

    model_config = ConfigDict(
        alias_generator=_alias,
        populate_by_name=True,
        extra="allow",
        strict=True,
        allow_inf_nan=False,
        defer_build=True,
        protected_namespaces=(),
    )


class Model(Base):
    """An object of the protocol whose `_meta` is its own (UP-10, UP-11)."""

    meta: Lenient[Meta] = None


class Upsert(Base):
    """An entity upsert: its `_meta` is patched one level deep (UP-09)."""

    meta: Patch[Meta] = ABSENT


class Untagged:
    """Marks a field whose schema type has no `sessionUpdate`, though its model is a session update too."""


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    alias: str
    discriminator: bool
    nullable: bool
    untagged: bool


@cache
def _fields(model: type[Base]) -> tuple[_Field, ...]:
    return tuple(
        _Field(
            name=name,
            alias=field.alias or name,
            discriminator=isinstance(field.default, str),
            nullable=field.default is ABSENT or field.annotation is Any,
            untagged=any(isinstance(mark, Untagged) for mark in field.metadata),
        )
        for name, field in model.model_fields.items()
    )


def encode(value: Any) -> Any:
    """JSON value of a model, or of anything that holds models.

    What is absent is left out, null is written only where it means something (RP-13): in patch fields and in
    fields that take any JSON.
    """
    if isinstance(value, Base):
        return dict(_members(value, untagged=False))
    if isinstance(value, Unknown):
        return value.raw
    if isinstance(value, list | tuple):
        return [encode(item) for item in value]
    if isinstance(value, dict):
        return {key: encode(item) for key, item in value.items()}
    return value


def _members(model: Base, untagged: bool) -> Iterator[tuple[str, Any]]:
    given = model.model_fields_set
    for field in _fields(type(model)):
        value = getattr(model, field.name)
        if field.name not in given and (
            not field.discriminator or (untagged and field.name == "session_update")
        ):
            continue
        if value is ABSENT or (value is None and not field.nullable):
            continue
        if field.untagged and isinstance(value, Base):
            yield field.alias, dict(_members(value, untagged=True))
        else:
            yield field.alias, encode(value)
    for key, value in (model.model_extra or {}).items():
        yield key, encode(value)


def reason(error: ValidationError) -> str:
    """Where and what, without the value (RP-20)."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    # pydantic names the parts of a union in the path as "tagged-union[…]" and the like: noise for a reader
    place = ".".join(
        str(part) for part in first["loc"] if not str(part).startswith(("tagged-union[", "function-"))
    )
    return f"{place}: {first['msg']}" if place else str(first["msg"])


def invalid(error: ValidationError) -> Invalid:
    """The one error that decoding raises."""
    return Invalid(reason(error))
