"""A form of the agent: its fields, what is wrong with what was typed, and the answer (EL-03 to EL-10).

Pure. Invariants: an answer holds only what is valid, and nothing the user neither touched nor was offered as
a default; a field of a kind nobody knows is never shown as one that is known (EL-07). Titles are the agent's
words as they came: who shows them cleans them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from acp_tui.protocol.elicitation import (
    BooleanPropertySchema,
    ElicitationPropertySchema,
    ElicitationSchema,
    IntegerPropertySchema,
    MultiSelectPropertySchema,
    NumberPropertySchema,
    StringMultiSelectItems,
    StringPropertySchema,
    TitledMultiSelectItems,
)
from acp_tui.protocol.unknown import Unknown
from acp_tui.services.checks import expected, wrong

Kind = Literal["text", "number", "integer", "boolean", "choice", "choices", "unknown"]
Typed = str | bool | tuple[str, ...] | None
"""What stands in a field: text as it was typed, also of numbers; None: nothing was put there."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    value: str
    title: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """One property of the form."""

    name: str
    title: str
    kind: Kind
    schema: ElicitationPropertySchema | Unknown
    required: bool = False
    description: str = ""
    choices: tuple[Choice, ...] = ()
    default: Typed = None

    @property
    def expects(self) -> str:
        """What may stand there, in words; empty if anything may."""
        return expected(self.schema)

    def problem(self, typed: Typed) -> str:
        """What is wrong with this, in words; empty: nothing."""
        if _empty(self, typed):
            return self._missing() if self.required else ""
        if isinstance(typed, tuple):
            return wrong(self.schema, typed)
        if self.kind == "choice":
            return "" if typed in {one.value for one in self.choices} else "choose one of these"
        return wrong(self.schema, typed)

    def _missing(self) -> str:
        if self.kind == "unknown":
            return "acp-tui cannot show this kind of field"
        return "choose one" if self.kind in ("choice", "choices") else "this is needed"

    def value(self, typed: Typed) -> Any:
        """What goes into the answer; only for what has no problem."""
        if isinstance(typed, tuple):
            return list(typed)
        if isinstance(typed, str) and self.kind == "integer":
            return int(typed)
        if isinstance(typed, str) and self.kind == "number":
            return _number(typed)
        return typed


def _empty(one: Field, typed: Typed) -> bool:
    """It counts as not answered. Nothing chosen is an answer where that may be one."""
    if one.kind == "choices" and typed == () and isinstance(one.schema, MultiSelectPropertySchema):
        return bool(one.schema.min_items)
    if one.kind in ("number", "integer") and isinstance(typed, str):
        return not typed.strip()
    return typed is None or typed in ("", ())


@dataclass(frozen=True, slots=True)
class Form:
    """What the agent wants to know."""

    fields: tuple[Field, ...]
    title: str = ""
    description: str = ""

    @property
    def unknown(self) -> tuple[Field, ...]:
        """Fields that cannot be shown."""
        return tuple(one for one in self.fields if one.kind == "unknown")

    @property
    def impossible(self) -> bool:
        """A field that is needed cannot be shown: the form can only be declined or cancelled (EL-07)."""
        return any(one.required for one in self.unknown)


@dataclass(slots=True)
class Filling:
    """What the user has put into a form so far. It lives as long as the request waits, and is kept nowhere
    else (EL-18).
    """

    form: Form
    typed: dict[str, Typed] = field(default_factory=dict)
    """By name; what has no default and was not touched is not here."""
    tried: bool = False
    """The user wanted to send it: from now on what is missing is told too."""
    revision: int = 0

    def __post_init__(self) -> None:
        self.typed = {one.name: one.default for one in self.form.fields if one.default is not None}

    def put(self, name: str, value: Typed) -> None:
        """The user wrote or chose this."""
        if self.typed.get(name) != value or name not in self.typed:
            self.typed[name] = value
            self.revision += 1

    def told(self, one: Field) -> str:
        """The problem of a field as far as it is to be told now: nobody is scolded for what he has not come
        to yet.
        """
        if one.name not in self.typed and not self.tried:
            return ""
        return one.problem(self.typed.get(one.name))

    @property
    def problems(self) -> dict[str, str]:
        """All of them, by name."""
        found = {one.name: one.problem(self.typed.get(one.name)) for one in self.form.fields}
        return {name: problem for name, problem in found.items() if problem}

    def content(self) -> dict[str, Any] | None:
        """The answer; None while something is wrong or missing."""
        if self.problems:
            return None
        return {
            one.name: one.value(self.typed[one.name])
            for one in self.form.fields
            if one.name in self.typed and not _empty(one, self.typed[one.name])
        }


def form_of(schema: ElicitationSchema) -> Form:
    """The form of a schema; names in `required` that are no property mean nothing (EL-16)."""
    needed = frozenset(schema.required or ())
    fields = tuple(_field(name, one, name in needed) for name, one in schema.properties.items())
    return Form(fields, schema.title or "", schema.description or "")


def _field(name: str, schema: ElicitationPropertySchema | Unknown, required: bool) -> Field:
    if isinstance(schema, Unknown):
        raw: Mapping[str, Any] = schema.raw
        said = raw.get("title"), raw.get("description")
        title, description = (text if isinstance(text, str) else "" for text in said)
        return Field(name, title or name, "unknown", schema, required, description)
    choices = _choices(schema)
    kind = _kind(schema)
    default = _default(kind, schema, choices)
    return Field(
        name, schema.title or name, kind, schema, required, schema.description or "", choices, default
    )


def _kind(schema: ElicitationPropertySchema) -> Kind:
    match schema:
        case StringPropertySchema():
            return "choice" if schema.enum or schema.one_of else "text"
        case NumberPropertySchema():
            return "number"
        case IntegerPropertySchema():
            return "integer"
        case BooleanPropertySchema():
            return "boolean"
        case MultiSelectPropertySchema(items=Unknown()):
            return "unknown"
    return "choices"


def _choices(schema: ElicitationPropertySchema) -> tuple[Choice, ...]:
    titled: Sequence[Any] = ()
    bare: Sequence[str] = ()
    if isinstance(schema, StringPropertySchema):
        titled, bare = schema.one_of or (), schema.enum or ()
    elif isinstance(schema, MultiSelectPropertySchema):
        titled = schema.items.any_of if isinstance(schema.items, TitledMultiSelectItems) else ()
        bare = schema.items.enum if isinstance(schema.items, StringMultiSelectItems) else ()
    made = [Choice(one.const, one.title, one.description or "") for one in titled]
    made = made or [Choice(value, value) for value in bare]
    return tuple({one.value: one for one in reversed(made)}.values())[::-1]


def _default(kind: Kind, schema: ElicitationPropertySchema, choices: tuple[Choice, ...]) -> Typed:
    """What stands there at first; a default that cannot be chosen is none (EL-06)."""
    given = schema.default
    values = {one.value for one in choices}
    if given is None or kind == "unknown":
        return None
    if isinstance(given, list):
        return tuple(value for value in dict.fromkeys(given) if value in values) or None
    if kind == "choice":
        return given if given in values else None
    if isinstance(given, int | float) and not isinstance(given, bool):
        return str(given) if math.isfinite(given) else None
    return given


_WHOLE = re.compile(r"[+-]?[0-9]+")


def _number(typed: str) -> int | float:
    typed = typed.strip()
    return int(typed) if _WHOLE.fullmatch(typed) else float(typed)
