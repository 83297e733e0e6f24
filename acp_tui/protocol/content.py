"""Content blocks: what messages, prompts, tool calls and summaries are made of (CB)."""

from typing import Annotated, Any, Literal, TypeGuard

from pydantic import Field

from acp_tui.protocol.lenient import FirstOf, Items, Lenient, Natural, Number, Tagged
from acp_tui.protocol.model import Model
from acp_tui.protocol.unknown import Unknown


class Annotations(Model):
    """Hints only; malformed ones are dropped one by one (CB-07)."""

    audience: Lenient[Items[str]] = None
    last_modified: Lenient[str] = None
    priority: Lenient[Annotated[Number, Field(ge=0, le=1)]] = None


class TextContent(Model):
    """CommonMark text (CB-01)."""

    type: Literal["text"] = "text"
    text: str
    annotations: Lenient[Annotations] = None


class ImageContent(Model):
    """An image; whether `data` is base64 is for the consumer to see (UP-18, CB-02)."""

    type: Literal["image"] = "image"
    data: str
    mime_type: str
    uri: Lenient[str] = None
    annotations: Lenient[Annotations] = None


class AudioContent(Model):
    """A sound (CB-02)."""

    type: Literal["audio"] = "audio"
    data: str
    mime_type: str
    annotations: Lenient[Annotations] = None


class Icon(Model):
    """An icon of a resource link (CB-03)."""

    src: str
    mime_type: Lenient[str] = None
    sizes: Lenient[Items[str]] = None
    theme: Lenient[str] = None


class ResourceLink(Model):
    """A reference to something; size and uri are claims of the agent (CB-09)."""

    type: Literal["resource_link"] = "resource_link"
    name: str
    uri: str
    title: Lenient[str] = None
    description: Lenient[str] = None
    icons: Lenient[Items[Icon]] = None
    mime_type: Lenient[str] = None
    size: Lenient[Natural] = None
    annotations: Lenient[Annotations] = None


class TextResourceContents(Model):
    """Text of an embedded resource."""

    text: str
    uri: str
    mime_type: Lenient[str] = None


class BlobResourceContents(Model):
    """Bytes of an embedded resource, in base64."""

    blob: str
    uri: str
    mime_type: Lenient[str] = None


EmbeddedResourceResource = TextResourceContents | BlobResourceContents


class EmbeddedResource(Model):
    """A resource with its content; text and blob are told apart by their fields."""

    type: Literal["resource"] = "resource"
    resource: FirstOf[EmbeddedResourceResource]
    annotations: Lenient[Annotations] = None


ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource
"""The blocks we know."""

AnyContentBlock = Annotated[ContentBlock | Unknown, Tagged("type")]
"""A block as received: unknown types are kept raw (CB-05)."""


def is_plain_text(block: Any) -> TypeGuard[TextContent]:
    """A text block with nothing but its text: it may be kept as a bare string."""
    return (
        type(block) is TextContent
        and block.annotations is None
        and block.meta is None
        and not block.__pydantic_extra__
    )
