"""Text and bytes that grow by O(1) appends, and big content behind a handle.

Invariant: `generation` changes exactly when something already handed out is void (replaced, cleared, cut);
while it stays, a reader may keep what it made of the first n items and look at the rest only. A replacement
that begins with all there was before (agents that resend the whole text as it grows) is an append and voids
nothing.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from acp_tui.protocol.content import (
    AudioContent,
    BlobResourceContents,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    TextContent,
    is_plain_text,
)
from acp_tui.protocol.tool_call import Content, ToolCallContent
from acp_tui.protocol.unknown import Unknown

Block = ContentBlock | Unknown
"""One content block; variants we do not know are kept raw (CB-05)."""

BIG = 256 * 1024
"""Payloads above this many characters are held behind a `Handle` (CB-10)."""


class Handle:
    """Content that is loaded only when it is viewed or searched; `load` may be called any number of times.

    `kind` is the type of the block it stands for (`text`, `image`, `audio`, `resource`) or `value` for a raw
    JSON value; `load` gives the block, tool call content item or value exactly as it was received.
    """

    __slots__ = ("kind", "load", "mime_type", "size")

    def __init__(self, kind: str, size: int, load: Callable[[], Any], mime_type: str = "") -> None:
        self.kind = kind
        self.size = size
        """Bytes or characters of the payload, known without loading it."""
        self.load = load
        self.mime_type = mime_type


def loaded(value: Any) -> Any:
    """What a handle stands for; anything else is itself."""
    return value.load() if isinstance(value, Handle) else value


def same(old: Any, new: Any) -> bool:
    """Equal as JSON: `True`, `1` and `1.0` are three values, which `==` alone cannot tell apart."""
    if old is new:
        return True
    if type(old) is not type(new) or old != new:
        return False
    return isinstance(old, str) or repr(old) == repr(new)


def hold_block(block: Block) -> Block | Handle:
    """The block itself, or a handle if it is an image, audio or resource with a big payload."""
    if isinstance(block, ImageContent | AudioContent):
        size, mime_type = len(block.data), block.mime_type
    elif isinstance(block, EmbeddedResource):
        resource = block.resource
        size = len(resource.blob if isinstance(resource, BlobResourceContents) else resource.text)
        mime_type = resource.mime_type or ""
    else:
        return block
    return Handle(block.type, size, lambda: block, mime_type) if size > BIG else block


def hold_item(item: ToolCallContent | Unknown) -> ToolCallContent | Unknown | Handle:
    """The same for one item of a tool call's content; there a long text counts as big, too."""
    if not isinstance(item, Content):
        return item
    block = item.content
    if isinstance(block, TextContent):
        size = len(block.text)
        return Handle("text", size, lambda: item) if size > BIG else item
    held = hold_block(block)
    return Handle(held.kind, held.size, lambda: item, held.mime_type) if isinstance(held, Handle) else item


def hold_value(value: Any) -> Any:
    """The same for a raw JSON value (TC-08)."""
    size = _weight(value)
    return Handle("value", size, lambda: value) if size > BIG else value


def _weight(value: Any) -> int:
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


class Blocks:
    """Content blocks as received, in order (CB-11). Plain text is kept as bare `str`: 10,000 are cheap."""

    __slots__ = ("chars", "generation", "items", "newlines")

    def __init__(self) -> None:
        self.items: list[str | Block | Handle] = []
        self.generation = 0
        self.chars = 0
        """Characters in all text blocks; a text block never is behind a handle."""
        self.newlines = 0

    @property
    def blank(self) -> bool:
        """Nothing in it can be seen (MS-06)."""
        return not self.chars and all(isinstance(item, str | TextContent) for item in self.items)

    def append(self, block: Block) -> None:
        """Add one block; a text block with nothing but its text becomes a bare string."""
        self._add(_item(block))

    def replace(self, blocks: Iterable[Block]) -> bool:
        """Discard what chunks built up (UP-13). False if the new blocks are the old ones."""
        new = [_item(block) for block in blocks]
        kept = len(self.items)
        if len(new) < kept or not all(map(_same_item, self.items, new)):
            self.items, self.chars, self.newlines, kept = [], 0, 0, 0
            self.generation += 1
        elif len(new) == kept:
            return False
        for item in new[kept:]:
            self._add(item)
        return True

    def _add(self, item: str | Block | Handle) -> None:
        self.items.append(item)
        text = _text(item)
        self.chars += len(text)
        self.newlines += text.count("\n")

    def __iter__(self) -> Iterator[Block]:
        """The blocks as models, as received."""
        for item in self.items:
            yield TextContent(type="text", text=item) if isinstance(item, str) else loaded(item)

    def text(self) -> str:
        """All text blocks joined: what a reader sees as one markdown document."""
        return "".join(map(_text, self.items))


def _item(block: Block) -> str | Block | Handle:
    if isinstance(block, TextContent):
        return block.text if is_plain_text(block) else block
    return hold_block(block)


def _text(item: str | Block | Handle) -> str:
    if isinstance(item, str):
        return item
    return item.text if isinstance(item, TextContent) else ""


def _same_item(old: str | Block | Handle, new: str | Block | Handle) -> bool:
    return same(loaded(old), loaded(new))


class Output:
    """Bytes of a terminal, exact, with incremental UTF-8 decoding (TM-04 to TM-06, TM-19).

    An incomplete sequence at the end stays in the decoder: `pieces` holds only what is decoded for good.
    """

    __slots__ = ("chunks", "cut", "decoder", "generation", "newlines", "pieces", "size")

    KEEP = 4 * 1024 * 1024
    """Bytes kept at least; beyond twice that the front is cut at a line start, and `cut` says how much."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.pieces: list[str] = []
        """The same text decoded piece by piece; a reader takes `pieces[n:]` while `generation` stays."""
        self.generation = 0
        self.size = 0
        """Bytes held now, those that were cut not included."""
        self.newlines = 0
        self.cut = 0
        self.decoder = getincrementaldecoder("utf-8")("replace")

    def append(self, data: bytes) -> bool:
        """Add the bytes of one chunk, decoded with the state earlier ones left (TM-06). False if none."""
        if not data:
            return False
        self._take(data)
        if self.size > 2 * self.KEEP:
            self._cut_front()
        return True

    def replace(self, data: bytes) -> bool:
        """These are all the bytes from now on; decoding begins anew (TM-04). False if nothing changed."""
        old, rest = self.data(), data[self.cut :]
        if rest.startswith(old):
            return self.append(rest[len(old) :])
        self._void()
        self.cut = 0
        self.append(data)
        return True

    def data(self) -> bytes:
        """All bytes held, exactly as received."""
        return b"".join(self.chunks)

    def text(self) -> str:
        """What the bytes say, without an incomplete sequence at the end."""
        return "".join(self.pieces)

    def _take(self, data: bytes) -> None:
        self.chunks.append(data)
        self.size += len(data)
        self.newlines += data.count(b"\n")
        if text := self.decoder.decode(data):
            self.pieces.append(text)

    def _void(self) -> None:
        self.chunks, self.pieces, self.size, self.newlines = [], [], 0, 0
        self.decoder.reset()
        self.generation += 1

    def _cut_front(self) -> None:
        """Amortised O(1): about `KEEP` bytes came since the last cut. A longer line is cut inside."""
        data = self.data()
        limit = len(data) - self.KEEP
        at = data.rfind(b"\n", 0, limit) + 1
        if not at:
            starts = (i for i in range(limit, limit - 4, -1) if data[i] & 0xC0 != 0x80)
            at = next(starts, limit)
        self._void()
        self.cut += at
        self._take(data[at:])
