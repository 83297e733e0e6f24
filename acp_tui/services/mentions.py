"""`@path` in a prompt: finding it, writing it, and turning the prompt into blocks for the agent.

Invariants: the text goes as it was written, in the first block (CM-07), what it mentions comes behind it,
each once; a block is only used if the agent takes it (PR-03), and what goes another way than one would think
says so; a file outside the session's folders is never read because it was mentioned, not even behind a link,
only because it was attached by hand.
"""

from __future__ import annotations

import os
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from acp_tui.protocol.content import (
    AudioContent,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)
from acp_tui.protocol.initialize import PromptCapabilities
from acp_tui.services.attachments import File, look

EMBED = 256 * 1024
"""Bytes of text that are embedded at most; more goes as a link."""
MEDIA = 10 * 1024 * 1024
"""Bytes of a picture or a sound that are sent at most."""

_MENTION = re.compile(
    r"""(?<![^\s(\[{<,;"'])@(?:"((?:[^"\\\n]|\\.)+)"(?::(\d+)(?:-(\d+))?)?|((?:[^\s"'\\]|\\.)+))"""
)
_RANGE = re.compile(r":(\d+)(?:-(\d+))?$")
_ESCAPED = re.compile(r"\\(.)")
_BEHIND = ".,;:!?)]}>"


@dataclass(frozen=True, slots=True)
class Mention:
    """One `@path` of a text: where it stands, and the lines it names, counted from 1, both included."""

    start: int
    end: int
    path: str
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Composed:
    """A prompt as it will be sent, and what the user should know of it."""

    blocks: tuple[ContentBlock, ...]
    told: tuple[str, ...]


def mentions(text: str) -> Iterator[Mention]:
    """Every mention, whether there is such a file or not."""
    for match in _MENTION.finditer(text):
        path, first, last, bare = match.groups()
        end = match.end()
        if bare is not None:
            path = bare.rstrip(_BEHIND)
            end -= len(bare) - len(path)
            if found := _RANGE.search(path):
                path, (first, last) = path[: found.start()], found.groups()
        path = _ESCAPED.sub(r"\1", path)
        if path:
            yield Mention(match.start(), end, path, _lines(first, last))


def _lines(first: str | None, last: str | None) -> tuple[int, int] | None:
    """None too for lines there cannot be."""
    if first is None or len(first) > 9 or len(last or "") > 9:
        return None
    begin, end = int(first), int(last or first)
    return (max(1, min(begin, end)), max(1, begin, end))


def written(path: str, lines: tuple[int, int] | None = None) -> str:
    """A mention as it is typed: quoted where blanks or quotes would end it."""
    if re.search(r"[\s\"'\\]", path) or path[-1:] in _BEHIND or _RANGE.search(path):
        path = '"' + re.sub(r'(["\\])', r"\\\1", path) + '"'
    where = "" if lines is None else f":{lines[0]}" if lines[0] == lines[1] else f":{lines[0]}-{lines[1]}"
    return f"@{path}{where}"


def typed(text: str, cursor: int) -> tuple[int, str] | None:
    """The mention that is being typed before the cursor: where it begins, and its letters. Else None."""
    found = re.search(r"""(?<![^\s(\[{<,;"'])@("[^"\n]*|[^\s"]*)$""", text[:cursor])
    return (found.start(), found[1].removeprefix('"')) if found else None


def compose(
    text: str,
    roots: tuple[str, ...],
    takes: PromptCapabilities | None,
    attached: Iterable[str] = (),
    pasted: Sequence[tuple[int, int]] = (),
) -> Composed:
    """Blocks for a text and the files attached by hand (absolute paths). The first of `roots` is the folder
    that paths are relative to; in what was `pasted` (start, end) nobody mentions anything. Reads files.
    """
    maker = _Maker(roots, takes or PromptCapabilities())
    for path in attached:
        maker.add(path, path, None, by_hand=True)
    for mention in mentions(text):
        if any(start <= mention.start < end for start, end in pasted):
            continue
        maker.add(os.path.join(roots[0], os.path.expanduser(mention.path)), mention.path, mention.lines)
    first = (TextContent(text=text),) if text.strip() else ()
    return Composed((*first, *maker.blocks), tuple(maker.told))


class _Maker:
    def __init__(self, roots: tuple[str, ...], takes: PromptCapabilities) -> None:
        self._roots = tuple(os.path.realpath(root) for root in roots)
        self._takes = takes
        self._seen: set[tuple[str, tuple[int, int] | None]] = set()
        self.blocks: list[ContentBlock] = []
        self.told: list[str] = []

    def add(self, path: str, name: str, lines: tuple[int, int] | None, *, by_hand: bool = False) -> None:
        path = os.path.normpath(path)
        if (path, lines) in self._seen:
            return
        self._seen.add((path, lines))
        try:
            if not os.path.lexists(path):
                if "/" in name or "." in name:
                    self.told.append(f"{name}: there is no such file; sent as text")
            elif not by_hand and not within(path, self._roots):
                self.told.append(f"{name}: outside the folders of this session; sent as text, not read")
            else:
                self.blocks.append(self._block(look(path), name, lines))
        except (OSError, ValueError) as error:
            self.told.append(f"{name}: {getattr(error, 'strerror', None) or error}; sent as text")

    def _block(self, file: File, name: str, lines: tuple[int, int] | None) -> ContentBlock:
        if file.sort == "image" or file.sort == "audio":
            return self._media(file, name)
        if file.sort != "text" or self._takes.embedded_context is None:
            return _link(file, name, lines)
        if lines is None and file.size > EMBED:
            self.told.append(f"{name}: {_size(file.size)}, too long to embed; sent as a link")
            return _link(file, name, lines)
        content = _read(file.path, lines)
        if content is None:
            self.told.append(f"{name}: too long to embed, or no text; sent as a link")
            return _link(file, name, lines)
        if lines is not None and not content:
            self.told.append(f"{name}: it has no line {lines[0]}")
        uri = _uri(file.path, lines)
        return EmbeddedResource(resource=TextResourceContents(text=content, uri=uri, mime_type=file.mime))

    def _media(self, file: File, name: str) -> ContentBlock:
        taken = self._takes.image if file.sort == "image" else self._takes.audio
        what = "images" if file.sort == "image" else "sounds"
        if taken is None:
            self.told.append(f"{name}: this agent takes no {what}; sent as a link")
        elif file.size > MEDIA:
            self.told.append(f"{name}: {_size(file.size)}, too big to send; sent as a link")
        else:
            with open(file.path, "rb") as stream:
                data = b64encode(stream.read(MEDIA)).decode("ascii")
            if file.sort == "image":
                return ImageContent(data=data, mime_type=file.mime or "", uri=_uri(file.path))
            return AudioContent(data=data, mime_type=file.mime or "")
        return _link(file, name, None)


def within(path: str, roots: tuple[str, ...]) -> bool:
    """Whether it really lies in one of the folders, links followed. `roots` are real paths."""
    real = os.path.realpath(path)
    return any(real == root or real.startswith(os.path.join(root, "")) for root in roots)


def _read(path: str, lines: tuple[int, int] | None) -> str | None:
    """The text, or those lines of it; None if it is too long after all, or no text."""
    found: list[bytes] = []
    size = 0
    with open(path, "rb") as stream:
        for number, line in enumerate(iter(lambda: stream.readline(EMBED + 1), b""), 1):
            if lines is not None and number > lines[1]:
                break
            if lines is None or number >= lines[0]:
                found.append(line)
                size += len(line)
            if size > EMBED:
                return None
    try:
        return b"".join(found).decode("utf-8")
    except UnicodeDecodeError:
        return None


def _link(file: File, name: str, lines: tuple[int, int] | None) -> ResourceLink:
    where = "" if lines is None else f":{lines[0]}-{lines[1]}"
    size = file.size if file.sort != "folder" else None
    return ResourceLink(name=name + where, uri=_uri(file.path, lines), mime_type=file.mime, size=size)


def _uri(path: str, lines: tuple[int, int] | None = None) -> str:
    """`file:///…`, with the lines as its fragment."""
    return PurePath(path).as_uri() + ("" if lines is None else f"#L{lines[0]}-L{lines[1]}")


def _size(size: int) -> str:
    return f"{size / 1024 / 1024:.1f} MB" if size >= 1024 * 1024 else f"{size / 1024:.0f} kB"
