"""Content blocks that are no text: one line each, and what they hold where that is text (CB).

Invariant: base64 is measured and peeked at, never laid out; nothing is opened or fetched (CB-09).
"""

from __future__ import annotations

import json
import re
from binascii import Error as BadBase64
from binascii import a2b_base64
from dataclasses import dataclass, replace
from typing import Any, Literal
from weakref import WeakKeyDictionary

from acp_tui.base.shelf import Gone
from acp_tui.protocol.content import (
    Annotations,
    AudioContent,
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
)
from acp_tui.protocol.unknown import Unknown
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line
from acp_tui.render.code import highlight, language_of
from acp_tui.render.look import act
from acp_tui.render.markdown import Page
from acp_tui.render.picture import picture_lines
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.holding import Block, Handle, is_text, loaded

_BASE64 = re.compile(r"[A-Za-z0-9+/\s]*={0,2}\s*", re.ASCII)
PEEK = 65_536
"""Bytes of a picture looked at for its dimensions."""
BASE64 = 400
"""Characters of a string beyond which it may be binary data in disguise."""
LONGEST = 4000
"""Characters of one such line; the detail screen has all of it."""
MOST = 400
"""Lines of a resource or of JSON that are shown in the timeline; the rest is counted."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A block in one line: glyph, name and facts, and the address it claims to have."""

    glyph: str
    name: str
    facts: tuple[str, ...] = ()
    uri: str = ""
    folds: bool = False


FOR_AGENTS = "for the agent, not for you"
_KNOWN: WeakKeyDictionary[Handle, Summary] = WeakKeyDictionary()


def for_agents(block: Block) -> bool:
    """It says that it is meant for the model alone; it is kept, but folded (CB-08)."""
    annotations = getattr(block, "annotations", None)
    audience = annotations.audience if isinstance(annotations, Annotations) else None
    return bool(audience) and set(audience or ()) == {"assistant"}


class Asides:
    """Neighbouring texts for the model alone: one line, however many there are."""

    def __init__(self, first: str | Block | Handle) -> None:
        self._items = [first]

    def add(self, item: str | Block | Handle) -> None:
        """One more."""
        self._items.append(item)

    @property
    def count(self) -> int:
        return len(self._items)

    def text(self) -> str:
        """All of them, one below the other."""
        held = map(loaded, self._items)
        return "\n".join(one.text.rstrip("\n") if isinstance(one, TextContent) else str(one) for one in held)


def sort_of(item: str | Block | Handle) -> Literal["words", "aside", ""]:
    """Neighbours of one sort are shown as one: running words, texts for the model; empty: it stands alone."""
    if isinstance(item, str):
        return "words"
    held = loaded(item) if is_text(item) else None
    if not isinstance(held, TextContent):
        return ""
    return "aside" if for_agents(held) else "words"


def words_of(item: str | Block | Handle) -> str | None:
    """The text of what is read as running words; None: it stands as a block of its own."""
    if isinstance(item, str):
        return item
    held = loaded(item) if is_text(item) else None
    return held.text if isinstance(held, TextContent) and not for_agents(held) else None


def summary(block: Asides | Block | Handle) -> Summary:
    """What to say of a block without laying out what it holds; a big one is looked at once."""
    if isinstance(block, Asides):
        text = TextContent(text=block.text())
        several = (words.count(block.count, "text"),) if block.count > 1 else ()
        facts = (*several, *_summary(text).facts, FOR_AGENTS)
        return Summary("≡", "text", facts, folds=True)
    if not isinstance(block, Handle):
        return _said(block)
    known = _KNOWN.get(block)
    if known is None:
        known = _KNOWN[block] = _looked_at(block)
    return known


def _looked_at(handle: Handle) -> Summary:
    try:
        return _said(handle.load())
    except Gone as gone:
        said = f"not here any more: {gone.why}"
        return Summary("▣", handle.kind, (_type(handle.mime_type), words.size(handle.size), said))


def _said(block: Block) -> Summary:
    said = _summary(block)
    return replace(said, facts=(*said.facts, FOR_AGENTS)) if for_agents(block) else said


def _summary(block: Block) -> Summary:
    if isinstance(block, ImageContent):
        return Summary("▣", "image", _picture(block), block.uri or "", folds=True)
    if isinstance(block, AudioContent):
        kind = _type(block.mime_type).removeprefix("audio/").upper()
        return Summary("♪", "audio", (kind, _bytes(block.data)))
    if isinstance(block, ResourceLink):
        facts = (_type(block.mime_type or ""), words.size(block.size) if block.size is not None else "")
        return Summary("@", block.title or block.name, facts, block.uri)
    if isinstance(block, EmbeddedResource):
        return _resource(block)
    if isinstance(block, TextContent):
        return Summary("≡", "text", (words.lines(block.text),), folds=True)
    return Summary("?", f"unknown content: {block.type}", folds=True)


def block_lines(block: Asides | Block | Handle, page: Page, part: int, opened: bool) -> Lines:
    """The block's line, and under it what it holds if it is `opened`; a click on it is the act `("part",
    part)`."""
    facts = summary(block)
    look = page.look
    action = act("part", part) if facts.folds else act("content", part)
    mark = ("▾ " if opened else "▸ ") if facts.folds else "  "
    runs: list[Run] = [
        (f"{mark}{facts.glyph} ", look.kind + action),
        (one_line(facts.name, 200), look.title + action),
    ]
    said = [fact for fact in facts.facts if fact]
    if said:
        runs.append((" · " + " · ".join(said), look.dim + action))
    if facts.uri and facts.uri != facts.name:
        runs += [(" · ", look.dim), (one_line(facts.uri, 400), look.path + act("link", clean(facts.uri)))]
    lines = wrap(runs, page.width, look.base, first=page.left, rest=[*page.left, ("    ", look.base)])
    if opened and facts.folds:
        lines.extend(_inside(loaded(block), page))
    return lines


def json_lines(value: Any, page: Page, limit: int = MOST) -> Lines:
    """Any JSON value, indented and highlighted (TC-08)."""
    text = json.dumps(_brief(value), indent=2, ensure_ascii=False, default=str)
    return code_lines(text, "json", page, limit)


def _brief(value: Any) -> Any:
    """The value with its base64 measured, not shown."""
    if isinstance(value, str):
        binary = len(value) > BASE64 and " " not in value[:BASE64] and _BASE64.fullmatch(value[:PEEK])
        return f"{value[:16]}… ({words.size(len(value) * 3 // 4)} of base64)" if binary else value
    if isinstance(value, dict):
        return {key: _brief(item) for key, item in value.items()}
    return [_brief(item) for item in value] if isinstance(value, list) else value


def code_lines(text: str, language: str, page: Page, limit: int = MOST) -> Lines:
    """Text as a piece of code; at most `limit` lines, with a count of what is left out."""
    look = page.look
    lines = Lines()
    source = [line[:LONGEST] for line in text.split("\n", limit)]
    rest = text.split("\n", limit)[limit] if len(source) > limit else ""
    source = source[:limit]
    first = [*page.left, (" ", look.code)]
    for runs in highlight([clean(line) for line in source], language, look):
        lines.extend(wrap(runs, page.width, look.code, first=first, words=False))
    if rest:
        more = words.count(rest.count("\n") + 1, "more line")
        lines.extend(wrap([(f"… {more}", look.code_label)], page.width, look.code, first=first))
    return lines


def _inside(block: Asides | Block, page: Page) -> Lines:
    inner = Page(page.width, page.look, (*page.left, ("  ", page.look.base)), page.text)
    if isinstance(block, ImageContent):
        return picture_lines(block.data, inner)
    if isinstance(block, EmbeddedResource) and not isinstance(block.resource, BlobResourceContents):
        language = language_of(block.resource.uri, block.resource.mime_type or "")
        return code_lines(block.resource.text, language, inner)
    if isinstance(block, Asides):
        return code_lines(block.text(), "", inner)
    if isinstance(block, TextContent):
        return code_lines(block.text, "", inner)
    return json_lines(block.raw if isinstance(block, Unknown) else {}, inner)


def _resource(block: EmbeddedResource) -> Summary:
    resource = block.resource
    name = resource.uri.rstrip("/").rsplit("/", 1)[-1] or resource.uri
    kind = _type(resource.mime_type or "")
    if isinstance(resource, BlobResourceContents):
        return Summary("▤", name, (kind, _bytes(resource.blob)), resource.uri)
    return Summary("▤", name, (kind, words.lines(resource.text)), resource.uri, folds=True)


def _type(mime_type: str) -> str:
    return one_line(mime_type, 40).removeprefix("application/")


def _decoded(data: str) -> bytes | None:
    """The first bytes of base64; None if it is none (CB-02)."""
    head = data[: PEEK // 3 * 4]
    if not _BASE64.fullmatch(head):
        return None
    try:
        return a2b_base64(head)
    except BadBase64:
        return None


def _bytes(data: str) -> str:
    if _decoded(data) is None:
        return "unreadable"
    return words.size(max(0, len(data) * 3 // 4 - data[-2:].count("=")))


def _picture(block: ImageContent) -> tuple[str, ...]:
    kind = _type(block.mime_type).removeprefix("image/").upper()
    found = dimensions(_decoded(block.data) or b"")
    return kind, f"{found[0]}×{found[1]}" if found else "", _bytes(block.data)


def dimensions(head: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG, GIF or JPEG, from its first bytes."""
    if head[:8] == b"\x89PNG\r\n\x1a\n" and len(head) >= 24:
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")
    if head[:6] in (b"GIF87a", b"GIF89a") and len(head) >= 10:
        return int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    if head[:2] == b"\xff\xd8":
        return _jpeg(head)
    return None


def _jpeg(head: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker, length = head[at + 1], int.from_bytes(head[at + 2 : at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(head[at + 7 : at + 9], "big"), int.from_bytes(head[at + 5 : at + 7], "big")
        at += 2 + length
    return None
