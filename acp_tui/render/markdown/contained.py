"""Markdown of somebody else, made fit to stand between other markdown.

Invariants: what comes after it is read as if it stood alone, whatever is left open in it; none of it is HTML;
none of its headings is one of the first `DEEPER` levels, which are ours. What cannot be tamed stands in a
fence, as it is.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

DEEPER: Final = 3
"""Levels of headings that are ours."""
LONGEST: Final = 200_000
"""Characters beyond which it is not read: it stands in a fence."""
ROUNDS: Final = 4
_TAG = re.compile(r"(?<!\\)<(?=[A-Za-z/!?])")
_END: Final = "\n\nend"
_MARKS = re.compile(r"([\\`*_{}\[\]<>#|!~&$])")
_BEGINS = re.compile(r"^(\s*\d*)([-+=]|(?<=\d)[.)](?=\s|$))")
_RUN = re.compile(r"`+")


def contained(text: str) -> str:
    """The text, or as much like it as may be."""
    made = text.strip("\n")
    if len(made) > LONGEST:
        return fenced(text)
    for _ in range(ROUNDS):
        tokens = _parser().parse(made)
        changed = _changed(made, tokens)
        if changed is None:
            return made if _closed(made) else fenced(text)
        made = changed
    return fenced(text)


def fenced(text: str, language: str = "") -> str:
    """Between fences that are longer than any in it."""
    longest = max((len(run) for run in _RUN.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.strip(chr(10)).rstrip()}\n{fence}"


def code_span(line: str) -> str:
    """One line as code inside of a paragraph."""
    longest = max((len(run) for run in _RUN.findall(line)), default=0)
    marks = "`" * (longest + 1)
    space = " " if longest else ""
    return f"{marks}{space}{line}{space}{marks}" if line else ""


def escaped(line: str) -> str:
    """One line as words and nothing else."""
    return _BEGINS.sub(r"\1\\\2", _MARKS.sub(r"\\\1", line))


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    reader = MarkdownIt("commonmark").enable("table")
    return reader.disable(["link", "image", "emphasis"])  # they hide no tag, and cost the square of a text


def _closed(text: str) -> bool:
    """What follows is a paragraph of its own."""
    last = _parser().parse(text + _END)[-3:]
    return [token.type for token in last] == ["paragraph_open", "inline", "paragraph_close"] and (
        last[0].level == 0 and last[1].content == _END.strip()
    )


def _changed(text: str, tokens: list[Token]) -> str | None:
    """One step nearer; None: nothing is to be done."""
    lines = text.split("\n")
    done = False
    for token in reversed(tokens):  # what is further up keeps its place
        if token.map is None:
            continue
        start, end = token.map
        if token.type == "html_block":
            lines[start:end] = [_TAG.sub(r"\\<", line) for line in lines[start:end]]
            done = True
        elif token.type == "inline":
            done |= _without_tags(lines, start, end, token)
        elif token.type == "heading_open" and not token.level and int(token.tag[1]) <= DEEPER:
            lines[start:end] = [_lower(lines[start:end], token)]
            done = True
    last = tokens[-1] if tokens else None
    if last is not None and last.type == "fence" and not last.level and last.map and _open(lines, last):
        lines.append(last.markup)
        done = True
    return "\n".join(lines) if done else None


def _without_tags(lines: list[str], start: int, end: int, token: Token) -> bool:
    tags = {child.content.split("\n")[0] for child in token.children or () if child.type == "html_inline"}
    for tag in tags:
        lines[start:end] = [
            re.sub(r"(?<!\\)" + re.escape(tag), lambda m: "\\" + m[0], line) for line in lines[start:end]
        ]
    return bool(tags)


def _lower(lines: list[str], token: Token) -> str:
    level = min(6, int(token.tag[1]) + DEEPER)
    if token.markup.startswith("#"):
        return "#" * (level - int(token.tag[1])) + lines[0].lstrip(" ")
    return "#" * level + " " + " ".join(line.strip() for line in lines[:-1])


def _open(lines: list[str], fence: Token) -> bool:
    """Nothing closes it."""
    assert fence.map is not None
    last = lines[-1].strip()
    whole = len(lines) > fence.map[0] + 1 and last.startswith(fence.markup)
    return not (whole and set(last) == {fence.markup[0]})
