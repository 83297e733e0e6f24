"""What of a line of markdown stands out while it is written. Pure, and cheap: a few expressions a line.

It is a help to the eye, no parser: the text stays as it is, and what it does not understand stays plain.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

Ink = Literal["head", "strong", "emphasis", "code", "sign", "link", "mention", "command"]
Span = tuple[int, int, Ink]

LONGEST = 1000
"""Characters of a line beyond which it is plain."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)$")
_COMMAND = re.compile(r"/[^\s/]+(?=\s|$)")
_LEADING = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])(?= )|\s{0,3}>[ >]*")
_HEAD = re.compile(r" {0,3}#{1,6}(?= |$)")
_INLINE = re.compile(
    r"""(?P<code>(?P<ticks>`+)(?!`)(?:.+?)(?<!`)(?P=ticks)(?!`))"""
    r"""|(?P<strong>\*\*(?=\S)[^*]+?(?<=\S)\*\*|(?<!\w)__(?=\S)[^_]+?(?<=\S)__(?!\w))"""
    r"""|(?P<emphasis>(?<![*\w])\*(?=[^\s*])[^*]*?(?<=[^\s*])\*(?![*\w])|(?<![\w_])_(?=[^\s_])[^_]*?(?<=[^\s_])_(?![\w_]))"""
    r"""|(?P<link>\[[^\]\n]+\]\([^)\s]+\)|https?://[^\s<>]+)"""
    r"""|(?P<mention>(?<![^\s(\[{<,;"'])@(?:"[^"]+"(?::\d+(?:-\d+)?)?|[^\s"']+))"""
)
_KINDS: Mapping[str | None, Ink] = {
    "code": "code",
    "strong": "strong",
    "emphasis": "emphasis",
    "link": "link",
    "mention": "mention",
}
"""What the groups of it are."""


def fenced(lines: Iterable[str]) -> frozenset[int]:
    """The lines that belong to blocks of code, fences and all."""
    found: set[int] = set()
    open_with = ""
    for number, line in enumerate(lines):
        fence = _FENCE.match(line) if "``" in line or "~~" in line else None
        if open_with:
            found.add(number)
            if fence and fence[1].startswith(open_with) and not fence[2].strip():
                open_with = ""
        elif fence and ("`" not in fence[2] or fence[1][0] == "~"):
            open_with = fence[1]
            found.add(number)
    return frozenset(found)


def inked(line: str, *, first: bool = False, code: bool = False) -> Iterator[Span]:
    """Start, end and kind of what stands out; `first`: of all lines, `code`: in a block of it."""
    if len(line) > LONGEST:
        return
    if code:
        yield 0, len(line), "code"
        return
    if first and (command := _COMMAND.match(line)):
        yield 0, command.end(), "command"
    if _HEAD.match(line):
        yield 0, len(line), "head"
    elif sign := _LEADING.match(line):
        yield sign.start(), sign.end(), "sign"
    for match in _INLINE.finditer(line):
        if kind := _KINDS.get(match.lastgroup):
            yield match.start(), match.end(), kind
