"""What an entity holds beside its facts: as little as will do, big content behind a handle.

Invariants: whatever is held gives back what was received, equal in every field; what says more than `BIG`,
wherever in it, is kept once, as bytes on a shelf, and loaded only when somebody looks at it or searches it
(`weight` decides, for all of them); what cannot be had back says so in its place and breaks nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
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
from acp_tui.protocol.model import Base
from acp_tui.protocol.slim import slim
from acp_tui.protocol.tool_call import (
    Content,
    Diff,
    SessionLink,
    Terminal,
    ToolCallContent,
    ToolCallLocation,
)
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.shortened import LONG, SHORT, shortened

Block = ContentBlock | Unknown
"""One content block; variants we do not know are kept raw (CB-05)."""

BIG: Final = 256 * 1024
"""What says more than this many characters is held behind a `Handle` (CB-10)."""


_NUMBERS: Final = frozenset({type(None), bool, int, float})


class Handle:
    """Content that is loaded only when it is viewed or searched, any number of times.

    `kind` is the type of the block it stands for (`text`, `image`, `audio`, `resource` or one we do not
    know), that of a tool call's item, or `value` for anything else.
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
            return self.without(lost(self.kind, gone))

    def without(self, said: str) -> Any:
        """What stands in its place while it cannot be had: much the same, but with these words."""
        return self._instead(said)


class Plain:
    """An item of a tool call's content that is a text and nothing more: most are."""

    __slots__ = ("text",)

    type: ClassVar = "content"

    def __init__(self, text: str) -> None:
        self.text = text

    def loaded(self) -> Content:
        """As it was received."""
        return Content(type="content", content=TextContent(type="text", text=self.text))


@dataclass(slots=True, frozen=True)
class Place:
    """A location that is a path, perhaps a line, and nothing more."""

    path: str
    line: int | None

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


def is_text(block: object) -> bool:
    """It is a text, or stands for one."""
    return isinstance(block, TextContent) or (isinstance(block, Handle) and block.kind == "text")


def reference(item: Item) -> Terminal | SessionLink | None:
    """The terminal or session that the item only names; None: it is something else."""
    if isinstance(item, Handle) and item.kind in ("terminal", "session"):
        item = item.loaded()
    return item if isinstance(item, Terminal | SessionLink) else None


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
        return held.text == _bare_text(value)
    try:
        return same(held.load() if isinstance(held, Handle) else held, value)
    except Gone:
        return False


def hold(value: Any, shelf: Shelf) -> Any:
    """The value itself, or a handle for it if it says much; gone, it is there with words for what is long."""
    size = len(value) if type(value) is str else weight(value)  # most are words
    if size <= BIG:
        return value
    rest = shortened(value, LONG)
    return _handle("value", size, value, "", shelf, partial(shortened, rest))


def hold_block(block: Block, shelf: Shelf) -> Block | Handle:
    """The same for a content block; gone, words stand in its place."""
    whole = weight(block)
    if whole <= BIG:
        return slim(block)
    size, mime_type = _payload(block)
    return _handle(block.type, size or whole, block, mime_type, shelf, _text_block)


def hold_item(item: ToolCallContent | Unknown, shelf: Shelf) -> Item:
    """The same for one item of a tool call's content."""
    text = _bare_text(item)
    if text is not None and len(text) <= BIG:
        return Plain(text)
    whole = weight(item)
    if whole <= BIG:
        return slim(item)
    size, mime_type = _payload(item.content if isinstance(item, Content) else item)
    kind = item.content.type if isinstance(item, Content) else item.type
    return _handle(kind, size or whole, item, mime_type, shelf, _text_item)


def hold_value(value: Any, shelf: Shelf) -> Any:
    """The same for a raw JSON value (TC-08); gone, it is words."""
    size = weight(value)
    return _handle("value", size, value, "", shelf, str) if size > BIG else value


def hold_place(place: ToolCallLocation) -> ToolCallLocation | Place:
    """A location, in short if that says it all."""
    if place.meta is not None or place.__pydantic_extra__:
        return slim(place)
    return Place(place.path, place.line)


def weight(value: Any) -> int:
    """Characters of all strings in a value, and one for each item; however deep it is nested."""
    total, stack = 0, [value]
    while stack:
        item = stack.pop()
        kind = type(item)
        total += 1
        if kind is str or kind is bytes:
            total += len(item)
        elif kind in _NUMBERS:
            pass
        elif kind is dict:
            total += sum(map(len, item))
            stack.extend(item.values())
        elif kind is list or kind is tuple:
            stack.extend(item)
        elif isinstance(item, Base):
            stack.extend(item.__dict__.values())
            if item.__pydantic_extra__:
                stack.append(item.__pydantic_extra__)
        elif kind is Unknown:
            stack.append(item.raw)
        elif is_dataclass(kind):
            stack.extend(getattr(item, name) for name in item.__dataclass_fields__)
    return total


def _payload(value: Any) -> tuple[int, str]:
    """Size and type of what a block or item carries beside its own few fields; 0: there is no such thing."""
    if isinstance(value, TextContent):
        return len(value.text), ""
    if isinstance(value, ImageContent | AudioContent):
        return len(value.data), value.mime_type
    if isinstance(value, EmbeddedResource):
        held = value.resource
        return len(held.blob if isinstance(held, BlobResourceContents) else held.text), held.mime_type or ""
    return (len(value.patch.text), "") if isinstance(value, Diff) and value.patch is not None else (0, "")


def _handle(
    kind: str, size: int, value: Any, mime_type: str, shelf: Shelf, instead: Callable[[str], Any]
) -> Handle:
    import pickle

    try:
        data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except RecursionError:  # nested beyond measure: it stays as it is
        return Handle(kind[:SHORT], size, lambda: value, mime_type[:SHORT], instead)
    load = partial(_restored, shelf.put(data).load)
    return Handle(kind[:SHORT], size, load, mime_type[:SHORT], instead)


def _restored(load: Callable[[], bytes]) -> Any:
    """Only what `_handle` wrote is read: a shelf is nobody's but ours."""
    import pickle

    return pickle.loads(load())


def _bare_text(item: Any) -> str | None:
    """Its text, where it is nothing but a text: the shortest form says it all."""
    if type(item) is not Content or item.meta is not None or item.__pydantic_extra__:
        return None
    block = item.content
    return block.text if is_plain_text(block) else None


def _text_block(said: str) -> TextContent:
    return TextContent(type="text", text=said)


def _text_item(said: str) -> Content:
    return Content(type="content", content=_text_block(said))
