"""What an entity holds beside its facts: as little as will do, big content behind a handle.

Invariants: whatever is held gives back what was received, equal in every field; a payload over `BIG` is kept
once, as bytes on a shelf, and loaded only when somebody looks at it or searches it; what cannot be had back
says so in its place and breaks nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, Final

from acp_tui.base.shelf import Gone, Shelf
from acp_tui.protocol.content import (
    AudioContent,
    BlobResourceContents,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    TextContent,
    is_plain_text,
)
from acp_tui.protocol.model import encode
from acp_tui.protocol.slim import slim
from acp_tui.protocol.tool_call import Content, Diff, ToolCallContent, ToolCallLocation
from acp_tui.protocol.unknown import Unknown

Block = ContentBlock | Unknown
"""One content block; variants we do not know are kept raw (CB-05)."""

BIG: Final = 256 * 1024
"""Payloads above this many characters are held behind a `Handle` (CB-10)."""


class Handle:
    """Content that is loaded only when it is viewed or searched, any number of times.

    `kind` is the type of the block it stands for (`text`, `image`, `audio`, `resource` or one we do not
    know), `diff`, or `value` for a raw JSON value.
    """

    __slots__ = ("__weakref__", "_instead", "_load", "kind", "mime_type", "size")

    def __init__(
        self,
        kind: str,
        size: int,
        load: Callable[[], Any],
        mime_type: str = "",
        instead: Callable[[str], Any] = str,
    ) -> None:
        self.kind = kind
        self.size = size
        """Bytes or characters of the payload, known without loading it."""
        self.mime_type = mime_type
        self._load = load
        self._instead = instead

    def load(self) -> Any:
        """The block, tool call content item or value, as it was received. Raises `Gone`."""
        return self._load()

    def loaded(self) -> Any:
        """The same; words of its kind in its place if it is gone."""
        try:
            return self.load()
        except Gone as gone:
            return self._instead(lost(self.kind, gone))


class Plain:
    """An item of a tool call's content that is a text and nothing more: most are."""

    __slots__ = ("text",)

    type: ClassVar = "content"

    def __init__(self, text: str) -> None:
        self.text = text

    def loaded(self) -> Content:
        """As it was received."""
        return Content(type="content", content=TextContent(type="text", text=self.text))


class Place:
    """A location that is a path, perhaps a line, and nothing more."""

    __slots__ = ("line", "path")

    def __init__(self, path: str, line: int | None) -> None:
        self.path = path
        self.line = line

    def loaded(self) -> ToolCallLocation:
        """As it was received."""
        if self.line is None:
            return ToolCallLocation(path=self.path)
        return ToolCallLocation(path=self.path, line=self.line)


Item = ToolCallContent | Unknown | Plain | Handle
"""One item of a tool call's content, as it is held."""


def lost(kind: str, gone: Gone) -> str:
    """What to say in the place of content that is gone."""
    what = {"value": "data", "diff": "a diff"}.get(kind, kind)
    return f"[{what} that was put aside cannot be read any more: {gone.why}]"


def loaded(value: Any) -> Any:
    """What is held by a handle or in short; anything else is itself."""
    return value.loaded() if isinstance(value, Handle | Plain | Place) else value


def is_diff(item: Item) -> bool:
    """It is a diff, or stands for one."""
    return isinstance(item, Diff) or (isinstance(item, Handle) and item.kind == "diff")


def same(old: Any, new: Any) -> bool:
    """Equal as JSON: `True`, `1` and `1.0` are three values, which `==` alone cannot tell apart."""
    if old is new:
        return True
    if type(old) is not type(new) or old != new:
        return False
    return isinstance(old, str) or repr(old) == repr(new)


def holds(held: Any, value: Any) -> bool:
    """What is held is just this."""
    if isinstance(held, Plain):
        return _plain(value) and bool(held.text == value.content.text)
    try:
        return same(held.load() if isinstance(held, Handle) else held, value)
    except Gone:
        return False


def hold_block(block: Block, shelf: Shelf) -> Block | Handle:
    """The block itself, or a handle if its payload is big and no text: of that, `Blocks` takes care."""
    size, mime_type = _payload(block)
    if size <= BIG:
        return slim(block)  # type: ignore[no-any-return]
    return _handle(block.type, size, block, mime_type, shelf, _text_block)


def hold_item(item: ToolCallContent | Unknown, shelf: Shelf) -> Item:
    """The same for one item of a tool call's content; there a long text counts as big, too."""
    if isinstance(item, Content):
        block = item.content
        text = isinstance(block, TextContent)
        size, mime_type = (len(block.text), "") if isinstance(block, TextContent) else _payload(block)
        if size > BIG:
            return _handle("text" if text else block.type, size, item, mime_type, shelf, _text_item)
        return Plain(block.text) if isinstance(block, TextContent) and _plain(item) else slim(item)
    size = len(item.patch.text) if isinstance(item, Diff) and item.patch is not None else 0
    if isinstance(item, Unknown):
        size = weight(item.raw)
    if size > BIG:
        return _handle("diff" if isinstance(item, Diff) else item.type, size, item, "", shelf, _text_item)
    return slim(item)  # type: ignore[no-any-return]


def hold_value(value: Any, shelf: Shelf) -> Any:
    """The same for a raw JSON value (TC-08)."""
    size = weight(value)
    return _handle("value", size, value, "", shelf, str) if size > BIG else value


def hold_place(place: ToolCallLocation) -> ToolCallLocation | Place:
    """A location, in short if that says it all."""
    if place.meta is not None or place.__pydantic_extra__:
        return slim(place)  # type: ignore[no-any-return]
    return Place(place.path, place.line)


def weight(value: Any) -> int:
    """Characters of all strings in a JSON value, and one for each item; however deep it is nested."""
    total, stack = 0, [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            total += len(item)
        elif isinstance(item, dict):
            total += sum(map(len, item))
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
        total += 1
    return total


def _payload(block: Block) -> tuple[int, str]:
    """Size and type of what a block carries beside its own few fields."""
    if isinstance(block, ImageContent | AudioContent):
        return len(block.data), block.mime_type
    if isinstance(block, EmbeddedResource):
        held = block.resource
        return len(held.blob if isinstance(held, BlobResourceContents) else held.text), held.mime_type or ""
    return (weight(block.raw), "") if isinstance(block, Unknown) else (0, "")


def _handle(
    kind: str, size: int, value: Any, mime_type: str, shelf: Shelf, instead: Callable[[str], Any]
) -> Handle:
    try:
        data = json.dumps(encode(value), ensure_ascii=False, separators=(",", ":"))
    except RecursionError:  # nested beyond measure: it stays as it is
        return Handle(kind, size, lambda: value, mime_type, instead)
    slip = shelf.put(data.encode("utf-8", "surrogatepass"))
    return Handle(kind, size, partial(_restored, type(value), slip.load), mime_type, instead)


def _restored(model: type[Any], load: Callable[[], bytes]) -> Any:
    value = json.loads(load().decode("utf-8", "surrogatepass"))
    if model is Unknown:
        return Unknown(value["type"], value)
    return model.model_validate(value) if hasattr(model, "model_validate") else value


def _plain(item: Any) -> bool:
    """Nothing but a text: the shortest form says it all."""
    return (
        type(item) is Content
        and item.meta is None
        and not item.__pydantic_extra__
        and is_plain_text(item.content)
    )


def _text_block(said: str) -> TextContent:
    return TextContent(type="text", text=said)


def _text_item(said: str) -> Content:
    return Content(type="content", content=_text_block(said))
