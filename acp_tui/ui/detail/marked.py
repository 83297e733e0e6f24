"""Words of the agent or the user as parts: markdown that may still grow, and blocks that are no text.

Invariants: a growing text costs what arrived and its open block; base64 is never laid out; what a block holds
as text is shown whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from time import monotonic
from typing import Any, ClassVar

from acp_tui.protocol.content import (
    AudioContent,
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import clean, one_line
from acp_tui.render.code import language_of
from acp_tui.render.look import Look, act
from acp_tui.render.markdown import Document, Page
from acp_tui.render.markdown.fence import fence_source
from acp_tui.render.picture import available, picture_lines
from acp_tui.render.views.content import summary, words_of
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.growing import Blocks
from acp_tui.store.holding import Block, Handle, loaded
from acp_tui.ui import keys
from acp_tui.ui.detail.parts import SLICE, Blank, Part, Words, as_json, code, json_parts
from acp_tui.ui.detail.pieces import Piece, decoded, file_name

_ENDINGS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/bmp": ".bmp",
    "image/svg+xml": ".svg",
    "audio/wav": ".wav",
    "audio/x-wav": ".wav",
    "audio/mpeg": ".mp3",
    "audio/ogg": ".ogg",
    "audio/flac": ".flac",
    "audio/mp4": ".m4a",
    "application/pdf": ".pdf",
    "application/zip": ".zip",
}
"""Of names that say nothing of what they hold."""


def encoded(text: str) -> bytes:
    """Text as it goes to a file; halves of characters, which JSON can carry, become question marks."""
    return text.encode("utf-8", "replace")


class Marked(Part):
    """One text as markdown."""

    def __init__(self, style: str = "base", breaks: bool = False, piece: Piece | None = None) -> None:
        super().__init__(piece)
        self._style, self._breaks = style, breaks
        self._document = Document()
        self._known = ""
        self._growing = False
        self._made = Lines()
        self._page: Page | None = None
        self._begun = 0

    def put(self, text: str, growing: bool) -> None:
        """The whole text as it is now; most often that is more at its end."""
        if text.startswith(self._known):
            self._document.append(text[len(self._known) :])
        else:
            self._document = Document(text)
            self._begun += 1
        self._known, self._growing = text, growing

    @property
    def version(self) -> tuple[int, int, bool]:
        return self._begun, len(self._known), self._growing

    @property
    def behind(self) -> bool:
        return self._document.behind

    def estimate(self, width: int) -> int:
        return self._known.count("\n") + len(self._known) // max(8, min(width, 100)) + 1

    def lines(self, width: int, look: Look) -> Lines:
        if self.behind:
            self._key = None
        return super().lines(width, look)

    def draw(self, width: int, look: Look) -> Lines:
        left = ((" ", look.base),)
        page = Page(width, look, left, getattr(look, self._style), breaks=self._breaks, part=0)
        if page != self._page:
            self._page, self._made = page, Lines()
        end = monotonic() + SLICE
        self._document.grow(self._made, page, self._growing, self._growing, lambda: monotonic() > end)
        return self._made

    def excerpt(self, fence: int) -> str:
        return fence_source(self._known, fence)

    def forget(self) -> None:
        super().forget()
        self._page, self._made = None, Lines()


class BlockHead(Part):
    """A block that is no text, in a line."""

    stop: ClassVar[bool] = True

    def __init__(self, block: Block | Handle, piece: Piece | None) -> None:
        super().__init__(piece)
        self._summary = summary(block)

    def text(self) -> str:
        return " · ".join([one_line(self._summary.name), *filter(None, self._summary.facts)])

    def draw(self, width: int, look: Look) -> Lines:
        said = self._summary
        runs: list[Run] = [(f"{said.glyph} ", look.kind), (one_line(said.name), look.subheading)]
        runs += [(f" · {fact}", look.dim) for fact in said.facts if fact]
        if said.uri and said.uri != said.name:
            runs += [(" · ", look.dim), (clean(said.uri), look.path + act("link", clean(said.uri)))]
        return wrap(runs, width, look.base, first=[(" ", look.base)], rest=[("   ", look.base)])


class Picture(Part):
    """A picture in half blocks; only where the extra for that is there."""

    def __init__(self, data: str) -> None:
        super().__init__()
        self._data = data

    def draw(self, width: int, look: Look) -> Lines:
        return picture_lines(self._data, Page(width, look, (("   ", look.base),), look.base))


class Content:
    """Blocks as parts, those that did not change the same ones as before."""

    def __init__(
        self, blocks: Blocks, style: str = "base", breaks: bool = False, name: str = "message"
    ) -> None:
        self._blocks = blocks
        self._style, self._breaks = style, breaks
        self._whole = Piece(f"the {name}", file_name(name, "message", ".md"), lambda: encoded(blocks.text()))
        self._generation = blocks.generation
        self._texts: dict[int, Marked] = {}
        self._others: dict[int, list[Part]] = {}

    def parts(self, growing: bool) -> list[Part]:
        """All of it as it is now."""
        if self._generation != self._blocks.generation:
            self._generation = self._blocks.generation
            self._others = {}
        made: list[Part] = []
        texts: list[str] = []
        others = 0
        for item in self._blocks.since(0):
            said = words_of(item)
            if said is not None or isinstance(item, str):
                texts.append(said or "")
                continue
            made += self._text(others, texts, False)
            texts = []
            if others not in self._others:
                gap = [Blank()] if made else []
                self._others[others] = [*gap, *block_parts(item, others)]
            made += self._others[others]
            others += 1
        return [*made, *self._text(others, texts, growing)]

    def _text(self, behind: int, texts: list[str], growing: bool) -> list[Part]:
        """The text behind so many blocks that are none."""
        if not texts:
            return []
        part = self._texts.get(behind)
        if part is None:
            part = self._texts[behind] = Marked(self._style, self._breaks, self._whole)
        part.put("".join(texts), growing)
        return [part]


def block_parts(block: Block | Handle, number: int = 0) -> Iterator[Part]:
    """A block with all it holds; of a big one only what is shown stays in memory."""
    held = loaded(block)
    piece = piece_of(held, number)
    if isinstance(block, Handle):
        piece = on_demand(piece, lambda: piece_of(block.load(), number))
    yield BlockHead(block, piece)
    if isinstance(held, EmbeddedResource) and isinstance(held.resource, TextResourceContents):
        language = language_of(held.resource.uri, held.resource.mime_type or "")
        yield from code(held.resource.text, language)
    elif isinstance(held, ImageContent | AudioContent | EmbeddedResource):
        yield Words(_keys(held), "dim", left=3)
        if isinstance(held, ImageContent) and available():
            yield Picture(held.data)
    elif isinstance(held, ResourceLink):
        if held.description:
            yield Words(held.description, left=3)
        yield Words("a reference; nothing of it is fetched", "dim", left=3)
    elif isinstance(held, Unknown):
        yield from json_parts(held.raw)
    elif isinstance(held, TextContent):
        yield from code(held.text)


def _keys(held: Any) -> str:
    saves = f"{keys.hint('detail.save')} saves it"
    if not isinstance(held, ImageContent | AudioContent):
        return saves
    return f"{saves} · {keys.hint('detail.view')} opens it in the system's viewer"


def piece_of(held: Any, number: int = 0) -> Piece | None:
    """What can be taken of a block."""
    match held:
        case ImageContent() | AudioContent():
            kind = "picture" if isinstance(held, ImageContent) else "sound"
            return _binary(f"the {kind}", kind, held.data, held.mime_type)
        case EmbeddedResource(resource=BlobResourceContents() as blob):
            return _binary("the resource", blob.uri, blob.blob, blob.mime_type or "")
        case EmbeddedResource(resource=TextResourceContents() as text):
            return _text("the resource", file_name(text.uri, "resource"), lambda: text.text)
        case TextContent():
            return _text("the text", "text.md", lambda: held.text)
        case Unknown():
            return _text("the content", f"content-{number + 1}.json", lambda: as_json(held.raw))
        case ResourceLink():
            return _text("the address", "address.txt", lambda: held.uri)
    return None


def on_demand(piece: Piece | None, again: Callable[[], Piece | None]) -> Piece | None:
    """The same piece, but what it is made of is read when it is taken; that may raise `Gone`."""

    def load() -> bytes:
        found = again()
        return found.load() if found is not None else b""

    return replace(piece, load=load) if piece is not None else None


def _binary(what: str, name: str, data: str, mime_type: str) -> Piece:
    return Piece(
        what, file_name(name, "data", _ENDINGS.get(mime_type, "")), lambda: decoded(data), text=False
    )


def _text(what: str, name: str, text: Callable[[], str]) -> Piece:
    return Piece(what, name, lambda: encoded(text()))
