"""Text and bytes that grow by O(1) appends, and big content behind a handle.

Invariant: `generation` changes exactly when something already handed out is void (replaced, cleared, cut); while it
stays, a reader may keep what it made of the first n items and look at the rest only.
"""

from __future__ import annotations

from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from acp_tui.protocol.content import ContentBlock, TextContent
from acp_tui.protocol.unknown import Unknown

Block = ContentBlock | Unknown
"""One content block; variants we do not know are kept raw (CB-05)."""


class Handle:
    """Content that is loaded only when it is viewed or searched; `load` may be called any number of times."""

    __slots__ = ("kind", "load", "mime_type", "size")

    def __init__(self, kind: str, size: int, load: Callable[[], Any], mime_type: str = "") -> None:
        self.kind = kind
        self.size = size
        """Bytes or characters of the payload, known without loading it."""
        self.load = load
        self.mime_type = mime_type


class Blocks:
    """Content blocks as received, in order (CB-11). Plain text blocks are kept as bare `str`, 10,000 are cheap."""

    __slots__ = ("chars", "generation", "items", "newlines")

    def __init__(self) -> None:
        self.items: list[str | Block] = []
        self.generation = 0
        self.chars = 0
        self.newlines = 0

    def append(self, block: Block) -> None:
        """Add one block; a text block with nothing but its text becomes a bare string."""
        raise NotImplementedError

    def replace(self, blocks: Iterable[Block]) -> bool:
        """Discard what chunks built up (UP-13). False if the new blocks equal the old ones: nothing changed."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Block]:
        """The blocks as models, as received."""
        return (TextContent(type="text", text=i) if isinstance(i, str) else i for i in self.items)

    def text(self) -> str:
        """All text blocks joined: what a reader sees as one markdown document."""
        raise NotImplementedError


class Output:
    """Bytes of a terminal, exact, with incremental UTF-8 decoding (TM-04 to TM-06, TM-19)."""

    __slots__ = ("chunks", "cut", "decoder", "generation", "newlines", "pieces", "size")

    KEEP = 4 * 1024 * 1024
    """Bytes kept at least; beyond twice that the front is cut at a line start, and `cut` says how much."""

    def __init__(self) -> None:
        self.chunks: list[bytes] = []
        self.pieces: list[str] = []
        """The same text decoded piece by piece; a reader takes `pieces[n:]` while `generation` stays."""
        self.generation = 0
        self.size = 0
        self.newlines = 0
        self.cut = 0
        self.decoder = getincrementaldecoder("utf-8")("replace")
