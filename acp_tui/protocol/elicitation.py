"""Elicitation: forms and URLs the agent puts before the user (EL). Constraints forgive nothing (EL-05)."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from acp_tui.protocol.lenient import FirstOf, Int, Items, Lenient, Natural, Number, Tagged
from acp_tui.protocol.model import Model
from acp_tui.protocol.unknown import Unknown


class EnumOption(Model):
    """One choice with a title."""

    const: str
    title: str
    description: Lenient[str] = None


class StringPropertySchema(Model):
    """A text field, or a single choice where `enum` or `one_of` is given (EL-04)."""

    type: Literal["string"] = "string"
    title: Lenient[str] = None
    description: Lenient[str] = None
    min_length: Natural | None = None
    max_length: Natural | None = None
    pattern: str | None = None
    format: str | None = None
    default: Lenient[str] = None
    enum: Annotated[list[str], Field(min_length=1)] | None = None
    one_of: Annotated[list[EnumOption], Field(min_length=1)] | None = None


class NumberPropertySchema(Model):
    """A number; bounds are inclusive."""

    type: Literal["number"] = "number"
    title: Lenient[str] = None
    description: Lenient[str] = None
    minimum: Number | None = None
    maximum: Number | None = None
    default: Lenient[Number] = None


class IntegerPropertySchema(Model):
    """A whole number; bounds are inclusive."""

    type: Literal["integer"] = "integer"
    title: Lenient[str] = None
    description: Lenient[str] = None
    minimum: Int | None = None
    maximum: Int | None = None
    default: Lenient[Int] = None


class BooleanPropertySchema(Model):
    """Yes or no."""

    type: Literal["boolean"] = "boolean"
    title: Lenient[str] = None
    description: Lenient[str] = None
    default: Lenient[bool] = None


class StringMultiSelectItems(Model):
    """Bare choices."""

    type: Literal["string"] = "string"
    enum: Annotated[list[str], Field(min_length=1)]


class TitledMultiSelectItems(Model):
    """Choices with titles; has no type."""

    any_of: Annotated[list[EnumOption], Field(min_length=1)]


class MultiSelectPropertySchema(Model):
    """Several out of several."""

    type: Literal["array"] = "array"
    title: Lenient[str] = None
    description: Lenient[str] = None
    min_items: Natural | None = None
    max_items: Natural | None = None
    items: FirstOf[Annotated[StringMultiSelectItems | Unknown, Tagged("type")] | TitledMultiSelectItems]
    default: Lenient[Items[str]] = None


ElicitationPropertySchema = (
    StringPropertySchema
    | NumberPropertySchema
    | IntegerPropertySchema
    | BooleanPropertySchema
    | MultiSelectPropertySchema
)
AnyElicitationPropertySchema = Annotated[ElicitationPropertySchema | Unknown, Tagged("type")]


class ElicitationSchema(Model):
    """A flat form, one field per property, in the given order (EL-03)."""

    type: Literal["object"]
    title: Lenient[str] = None
    description: Lenient[str] = None
    properties: dict[str, AnyElicitationPropertySchema]
    required: list[str] | None = None


class _Scoped(Model):
    """Exactly one scope: a session, or a request of ours that is pending (EL-02)."""

    message: str
    session_id: str | None = None
    tool_call_id: Lenient[str] = None
    request_id: Int | str | None = None

    @model_validator(mode="after")
    def _one_scope(self) -> Self:
        if (self.session_id is None) == (self.request_id is None):
            raise ValueError("exactly one of sessionId and requestId is needed")
        return self


class ElicitationFormMode(_Scoped):
    """A form (EL-03)."""

    mode: Literal["form"] = "form"
    requested_schema: ElicitationSchema


class ElicitationUrlMode(_Scoped):
    """A URL to open after consent (EL-12)."""

    mode: Literal["url"] = "url"
    elicitation_id: str
    url: str


CreateElicitationRequest = ElicitationFormMode | ElicitationUrlMode
AnyCreateElicitationRequest = Annotated[
    CreateElicitationRequest | Unknown, Tagged("mode", needs=("message",))
]


class CreateElicitationResponse(Model):
    """Our answer: `accept` with content, `decline` or `cancel` (EL-10)."""

    action: str
    content: dict[str, Any] | None = None


class CompleteElicitationNotification(Model):
    """What a URL asked for is done (EL-13)."""

    elicitation_id: str
