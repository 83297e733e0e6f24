"""What stands in messages and tool calls as HTML: markdown, code, diffs, pictures, sounds, resources.

Invariant: what is returned is whole elements, in which everything that was given is escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import fields
from functools import cache
from html import escape
from typing import TYPE_CHECKING, Any

from rich.style import Style

from acp_tui.protocol.content import (
    AudioContent,
    BlobResourceContents,
    EmbeddedResource,
    ImageContent,
    TextContent,
)
from acp_tui.protocol.tool_call import Diff
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import clean, one_line, pasteable
from acp_tui.render.code import highlight, language_of
from acp_tui.render.look import Look
from acp_tui.render.told import change_words
from acp_tui.render.views.content import summary, words_of
from acp_tui.render.views.tool_items import language_in
from acp_tui.store.holding import Block, Handle, loaded

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token

LONGEST = 65_536
"""Characters of one paragraph beyond which nothing is read as markdown: it may cost their square."""
_MEDIA = re.compile(r"image/(?:png|jpeg|gif|webp|avif|bmp)|audio/[a-z0-9][a-z0-9.+-]{0,40}")
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_SIGNS = {"+": "add", "-": "delete", "@": "hunk"}


def prose(items: Iterable[str | Block | Handle]) -> str:
    """The blocks of a message: neighbouring texts are one markdown document."""
    made, said = "", ""
    for one in items:
        text = words_of(one)
        if text is not None:
            said += text
            continue
        made += _markdown(said) + block(loaded(one))
        said = ""
    return made + _markdown(said)


def item(content: Block, path: str | None) -> str:
    """A block that a tool gave; `path`: the file it is the text of."""
    text = words_of(content)
    if text is None:
        return block(content)
    language = language_in(text, path)
    return code(text, language) if language is not None else _markdown(text)


def block(content: Any) -> str:
    """A block that is no running text."""
    if isinstance(content, ImageContent | AudioContent) and (made := _media(content)):
        return made
    if isinstance(content, Unknown):
        return _folded(f"unknown content: {content.type}", code(_json(content.raw), "json"))
    if not hasattr(content, "type"):
        return ""
    facts = summary(content)
    said = " · ".join(one_line(part) for part in (facts.name, *facts.facts) if part)
    if isinstance(content, TextContent):
        return _folded(said, code(content.text, ""))
    if isinstance(content, EmbeddedResource) and not isinstance(content.resource, BlobResourceContents):
        resource = content.resource
        return _folded(said, code(resource.text, language_of(resource.uri, resource.mime_type or "")))
    where = f" <code>{escape(one_line(facts.uri))}</code>" if facts.uri else ""
    return f'<p class="block">{escape(facts.glyph)} {escape(said)}{where}</p>\n'


def code(text: str, language: str) -> str:
    """A piece of code, coloured if its language is known."""
    lines = clean(text.strip("\n")).split("\n")
    body = "\n".join("".join(map(_run, runs)) for runs in highlight(lines, language, _classes()))
    return f"<pre><code>{body}</code></pre>\n"


def diff(change: Diff) -> str:
    """The patch, its lines marked; without one the paths."""
    if change.patch is None:
        return code("\n".join(map(change_words, change.changes)), "")
    lines = clean(change.patch.text.rstrip("\n")).split("\n")
    return f'<pre class="diff">{"".join(map(_changed, lines))}</pre>\n'


def _changed(line: str) -> str:
    sort = _SIGNS.get(line[:1], "") if not line.startswith(("+++", "---")) else "hunk"
    return f'<span class="{sort}">{escape(line)}</span>\n' if sort else f"{escape(line)}\n"


def _media(content: ImageContent | AudioContent) -> str:
    """In the file itself; empty: it is no picture or sound that is nothing else."""
    kind, data = content.mime_type.lower(), re.sub(r"\s", "", content.data)
    if not _MEDIA.fullmatch(kind) or not _BASE64.fullmatch(data) or len(data) % 4:
        return ""
    source = f"data:{kind};base64,{data}"
    said = escape(" · ".join(part for part in (summary(content).name, *summary(content).facts) if part))
    if kind.startswith("image/"):
        return f'<p class="block"><img alt="{said}" src="{source}"></p>\n'
    return f'<p class="block">♪ {said}<br><audio controls src="{source}"></audio></p>\n'


def _folded(said: str, body: str) -> str:
    return f'<details class="block"><summary>{escape(one_line(said))}</summary>\n{body}</details>\n'


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False, default=str)


# Markdown


def _markdown(text: str) -> str:
    if not text.strip():
        return ""
    if max(map(len, text.split("\n\n"))) > LONGEST:
        return f'<pre class="text">{escape(text)}</pre>\n'
    return f'<div class="text">\n{pasteable(_reader().render(text))}</div>\n'


@cache
def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark", {"html": False, "breaks": True, "xhtmlOut": False}).enable(
        ["table", "strikethrough"]
    )
    reader.add_render_rule("fence", _fence)
    reader.add_render_rule("code_block", _fence)
    reader.add_render_rule("image", _image)
    reader.add_render_rule("link_open", _link)
    return reader


def _fence(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    words = tokens[at].info.split()
    return code(tokens[at].content, words[0].lower() if words else "")


def _image(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    """Named, not fetched."""
    token = tokens[at]
    source = escape(str(token.attrGet("src") or ""))
    return f"▣ {escape(token.content)} <code>{source}</code>"


def _link(self: RendererHTML, tokens: Sequence[Token], at: int, options: Any, env: Any) -> str:
    tokens[at].attrSet("rel", "noopener noreferrer")
    return self.renderToken(tokens, at, options, env)


# Colours


@cache
def _classes() -> Look:
    """A look whose styles are names of classes."""
    return Look(**{one.name: Style(meta={"class": one.name.replace("_", "-")}) for one in fields(Look)})


def _run(run: tuple[str, Style]) -> str:
    text, style = run
    name = style.meta.get("class", "code")
    return escape(text) if name in ("code", "code-name") else f'<span class="{name}">{escape(text)}</span>'
