"""Content blocks that grow by O(1) appends.

Invariants: `generation` changes exactly when something already handed out is void (replaced or cleared);
while it stays, a reader may keep what it made of the first n blocks and ask for the rest by `since`. A
replacement that begins with all there was before (agents that resend the whole text as it grows) is an append
and voids nothing. `pack` changes nothing that can be seen: text that came in many chunks is one string then,
with a byte or two for the length of each, and a long one is put aside. More than `BIG` never waits for it:
of a message that grows without end, too, only what came last is in memory.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate, groupby, pairwise

from acp_tui.base.shelf import MEMORY, Gone, Shelf, Slip
from acp_tui.protocol.content import TextContent, is_plain_text
from acp_tui.store.holding import BIG, Block, Handle, hold_block, holds, is_text, loaded, lost

LOOSE = 256
"""Chunks that may stand each for itself where a message grows though it was over."""


class Run:
    """Neighbouring chunks of plain text as one text; on the shelf, if there is one."""

    __slots__ = ("_text", "lengths")

    def __init__(self, texts: list[str], shelf: Shelf | None) -> None:
        longest = max(map(len, texts))
        self.lengths = array("B" if longest < 256 else "H" if longest < 65536 else "I", map(len, texts))
        joined = "".join(texts)
        self._text: str | Slip = joined
        if shelf is not None:
            self._text = shelf.put(joined.encode("utf-8", "surrogatepass"))

    def text(self) -> str:
        """All of it; words in its place if it is gone."""
        if isinstance(self._text, str):
            return self._text
        try:
            return self._text.load().decode("utf-8", "surrogatepass")
        except Gone as gone:
            return lost("text", gone)

    def chunks(self) -> list[str]:
        """As they came."""
        text, ends = self.text(), [0, *accumulate(self.lengths)]
        if ends[-1] != len(text):
            return [text]
        return [text[start:end] for start, end in pairwise(ends)]

    def behind(self, count: int) -> str:
        """The text without its first so many chunks."""
        return self.text()[sum(self.lengths[:count]) :]


Item = str | Block | Handle
"""Plain text is kept as bare `str`: 10,000 are cheap."""


class Blocks:
    """Content blocks as received, in order (CB-11)."""

    __slots__ = ("_held", "_shelf", "_waiting", "chars", "count", "generation", "loose", "newlines")

    def __init__(self, shelf: Shelf = MEMORY) -> None:
        self._shelf = shelf
        self._held: list[Item | Run] = []
        self.loose = 0
        """How many at the end were not packed yet."""
        self._waiting = 0
        """Characters in these."""
        self.count = 0
        """Blocks as received."""
        self.generation = 0
        self.chars = 0
        """Characters in all text blocks."""
        self.newlines = 0

    @property
    def blank(self) -> bool:
        """Nothing in it can be seen (MS-06)."""
        return not self.chars and all(isinstance(item, str | TextContent | Run) for item in self._held)

    @property
    def items(self) -> list[Item]:
        """The blocks, each as it came, plain text as `str` and big payloads as handles."""
        made: list[Item] = []
        for item in self._held:
            made += item.chunks() if isinstance(item, Run) else [item]
        return made

    def since(self, count: int) -> Iterator[Item]:
        """What came after so many blocks; chunks of text may come as one."""
        new = self.count - count
        if new <= self.loose:  # asked once a frame while text grows: what came long ago must cost nothing
            tail = self._held[len(self._held) - max(0, new) :]
            yield from (item for item in tail if not isinstance(item, Run))  # none there is packed
            return
        for item in self._held:
            size = len(item.lengths) if isinstance(item, Run) else 1
            if count < size:
                yield item.behind(count) if isinstance(item, Run) else item
            count = max(0, count - size)

    def append(self, block: Block) -> None:
        """Add one block; a text block with nothing but its text becomes a bare string."""
        self._add(block)

    def replace(self, blocks: Iterable[Block]) -> bool:
        """Discard what chunks built up (UP-13). False if the new blocks are the old ones."""
        new = list(blocks)
        kept = self.count
        if len(new) < kept or not all(map(_holds, self.items, new)):
            self._held, self.loose, self._waiting = [], 0, 0
            self.count, self.chars, self.newlines = 0, 0, 0
            self.generation, kept = self.generation + 1, 0
        elif len(new) == kept:
            return False
        for block in new[kept:]:
            self._add(block)
        return True

    def pack(self) -> None:
        """It is not presumed to grow: hold it in as little as will do."""
        if self.loose:
            begun = len(self._held) - self.loose
            shelf = self._shelf if self.chars > BIG else None
            self._held = [*self._held[:begun], *_packed(self._held[begun:], shelf)]
            self.loose = self._waiting = 0

    def _item(self, block: Block) -> Item:
        if isinstance(block, TextContent) and is_plain_text(block):
            return block.text
        return hold_block(block, self._shelf)

    def _add(self, block: Block) -> None:
        self._held.append(self._item(block))
        self.loose += 1
        self.count += 1
        if isinstance(block, TextContent):
            size = len(block.text)
            self.chars += size
            self.newlines += block.text.count("\n")
            self._waiting += size
            if self._waiting > BIG:
                self.pack()

    def __iter__(self) -> Iterator[Block]:
        """The blocks as models, as received."""
        for item in self.items:
            yield TextContent(type="text", text=item) if isinstance(item, str) else loaded(item)

    def text(self) -> str:
        """All text blocks joined: what a reader sees as one markdown document."""
        return "".join(map(_text, self.since(0)))


def _packed(items: Iterable[Item | Run], shelf: Shelf | None) -> Iterator[Item | Run]:
    for plain, group in groupby(items, lambda item: isinstance(item, str)):
        found = list(group)
        texts = [item for item in found if isinstance(item, str)]
        if plain and (len(texts) > 1 or len(texts[0]) > BIG):
            yield Run(texts, shelf)
        else:
            yield from found


def _text(item: Item) -> str:
    if isinstance(item, str):
        return item
    held = loaded(item) if is_text(item) else None
    return held.text if isinstance(held, TextContent) else ""


def _holds(item: Item, block: Block) -> bool:
    if isinstance(item, str):
        return isinstance(block, TextContent) and is_plain_text(block) and block.text == item
    return holds(item, block)
