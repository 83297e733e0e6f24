"""The inside of a paragraph as styled runs.

Invariants: every run is clean (character references may have brought anything in); the target of a link is
shown where its words do not say it (SF-03); HTML and mathematics stand as they were written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from rich.style import Style

from acp_tui.render.clean import clean, one_line
from acp_tui.render.links import linked
from acp_tui.render.look import Look
from acp_tui.render.wrap import Run, merged

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_SPECIAL = re.compile(r"[\\`*_~\[<&!$]|https?://|  \n")
_URL = re.compile(r"https?://[^\s<>\"'`|]*[^\s<>\"'`|.,;:!?)\]}*_]")
_MATH = re.compile(r"\$\$[^\n]+?\$\$|\$(?![\s$])[^$\n]*?[^\s$\\]\$(?!\d)|\\\([^\n]+?\\\)|\\\[[^\n]+?\\\]")
_UNSAFE = re.compile(r"(?:javascript|vbscript|data):(?!image/[a-z+]+;)", re.IGNORECASE)
_INLINE = re.compile(r"data:(image/[a-z+]+);", re.IGNORECASE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+-]+:(?!\d)")
_PLACE = re.compile(r"(?::|#L)[\d:,L-]{1,20}$")
"""The line at the end of a path."""


@cache
def inline_parser() -> MarkdownIt:
    """What reads the markup, loaded when it is first needed; any thread may ask for it before."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark").enable("strikethrough")
    made.inline.ruler.before("escape", "math", _math)
    made.add_render_rule("math", lambda *_: "")
    made.validateLink = lambda url: not _UNSAFE.match(url.strip())  # type: ignore[method-assign]
    made.normalizeLinkText = lambda link: link  # type: ignore[method-assign]
    return made


def _math(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "$\\":
        return False
    found = _MATH.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push("math", "", 0)
        token.content = found[0]
    state.pos = found.end()
    return True


def inline(source: str, look: Look, text: Style, breaks: bool, references: Mapping[str, Any]) -> list[Run]:
    """Runs of one paragraph's source; a line break is a newline in a run where `breaks` or a hard break
    wants it."""
    if not _SPECIAL.search(source):
        return [(source if breaks else source.replace("\n", " "), text)]
    return _last(source, look, text, breaks, references)


class _Last:
    """The runs of the paragraph that was asked for last: it is asked for again at once."""

    def __init__(self) -> None:
        self._asked: tuple[str, Look, Style, bool] | None = None
        self._references: Mapping[str, Any] = {}
        self._made: list[Run] = []

    def __call__(
        self, source: str, look: Look, text: Style, breaks: bool, references: Mapping[str, Any]
    ) -> list[Run]:
        asked = (source, look, text, breaks)
        if asked != self._asked or references is not self._references:
            self._made = _runs(_parse(source, references), look, text, breaks)
            self._asked, self._references = asked, references
        return self._made


_last = _Last()


@lru_cache(maxsize=4096)
def cell_runs(source: str, look: Look, text: Style) -> tuple[Run, ...]:
    """Runs of a table cell; a growing table asks for the same cells again and again."""
    return tuple(inline(source.replace("\n", " "), look, text, False, {}))


def _parse(source: str, references: Mapping[str, Any]) -> list[Token]:
    (token,) = inline_parser().parseInline(source, {"references": references})
    return token.children or []


def _runs(tokens: list[Token], look: Look, base: Style, breaks: bool) -> list[Run]:
    runs: list[Run] = []
    styles = {"strong": look.strong, "em": look.emphasis, "s": look.strike}
    stack = [base]
    links: list[tuple[str, str, int]] = []
    for token in tokens:
        kind = token.type
        style = stack[-1]
        if kind == "link_open":
            target, shown = _addresses(str(token.attrs.get("href", "")))
            links.append((target, shown, len(runs)))
            stack.append(linked(style + look.link, target))
        elif kind == "link_close":
            stack.pop()
            target, shown, start = links.pop()
            runs += _target("".join(text for text, _ in runs[start:]), target, shown, look)
        elif kind.endswith("_open"):
            stack.append(style + styles.get(kind[:-5], Style.null()))
        elif kind.endswith("_close"):
            stack.pop()
        elif kind == "text" and not links:
            runs += with_links(clean(token.content), style, look)
        else:
            runs += _single(token, style, look, breaks)
    return merged(runs)


def _single(token: Token, style: Style, look: Look, breaks: bool) -> list[Run]:
    """A token that holds no others."""
    if token.type == "softbreak":
        return [("\n" if breaks else " ", style)]
    if token.type == "hardbreak":
        return [("\n", style)]
    if token.type == "image":
        return _image(token, style, look)
    own = {"code_inline": look.code_inline, "math": look.math}.get(token.type, Style.null())
    return [(clean(token.content), style + own)]


def with_links(text: str, style: Style, look: Look) -> list[Run]:
    """Plain text whose bare addresses are links."""
    if "http" not in text:
        return [(text, style)]
    runs: list[Run] = []
    end = 0
    for found in _URL.finditer(text):
        runs.append((text[end : found.start()], style))
        runs.append((found[0], linked(style + look.link, found[0])))
        end = found.end()
    runs.append((text[end:], style))
    return runs


def _addresses(href: str) -> tuple[str, str]:
    """Where a link leads, and how that is shown: an address stays as it was written, a path loses its
    escapes."""
    shown = clean(unquote(href))
    return (clean(href) if _SCHEME.match(href) else shown), shown


def _target(words: str, target: str, shown: str, look: Look) -> list[Run]:
    words, bare = words.strip(), shown.removeprefix("mailto:")
    if words in (shown, bare) or shown.split("://", 1)[-1].rstrip("/") == words.rstrip("/"):
        return []
    if not _SCHEME.match(target) and words and _PLACE.sub("", target).endswith(_PLACE.sub("", words)):
        return []  # words that are the end of a path do not hide it
    return [(f" ({one_line(shown)})", linked(look.dim, target))] if shown else []


def _image(token: Token, style: Style, look: Look) -> list[Run]:
    target, shown = _addresses(str(token.attrs.get("src", "")))
    words = one_line(token.content)
    if within := _INLINE.match(target):
        return [(f"▣ image: {words}" if words else "▣ image", style), (f" ({within[1]}, inline)", look.dim)]
    runs = [(f"▣ image: {words}" if words else "▣ image", linked(style + look.link, target))]
    return [*runs, (f" ({one_line(shown)})", look.dim)] if shown else runs
