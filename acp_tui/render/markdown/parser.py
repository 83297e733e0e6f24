"""Cut markdown into leaves, one source line at a time (CommonMark's block structure, with GitHub's tables
and tasks).

Invariants: what a line does depends on the lines before it only, so any split of the text gives the same
leaves; a closed leaf is never touched again; the open leaf is bounded (`PIECE`, `PARAGRAPH`, `ROWS`), so
the cost of a line is. Lines are clean and hold no tabs: a column is a character.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from acp_tui.render.markdown.leaf import Item, Leaf, LeafKind, Nest, Quote

PIECE = 40
"""Lines of an open fence that are one piece."""
CODE = 16_384
"""Characters of an open fence that are one piece."""
TABLE = 8192
"""Characters of an open table after which it is cut: each cell is laid out for itself."""
PARAGRAPH = 4096
"""Characters after which an open paragraph is cut at a space …"""
DENSE = 600
"""… and marks of emphasis, code and links among these with which it is cut into quarters: each costs as much
as 50 characters."""
ROWS = 200
"""Rows after which an open table is cut."""
DEPTH = 10
"""Boxes in boxes; deeper ones are text."""
REFERENCES = 500

_HEADING = re.compile(r"(#{1,6})(?: +|$)(.*?)(?: +#+)? *$")
_RULE = re.compile(r"(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$")
_FENCE = re.compile(r"(`{3,})([^`]*)$|(~{3,})(.*)$")
_MATH = re.compile(r"(\$\$|\\\[) *$")
_SETEXT = re.compile(r"(=+|-+) *$")
_BULLET = re.compile(r"([-*+])( +|$)")
_NUMBER = re.compile(r"(\d{1,9})([.)])( +|$)")
_TASK = re.compile(r"\[([ xX])\] +(?=\S)")
_DELIMITER = re.compile(r"\|? *:?-+:? *(?:\| *:?-+:? *)*\|? *$")
_DEFINITION = re.compile(r"\[([^\]^][^\]]*)\]: *<?([^\s>]+)>?(?: +(?:\"[^\"]*\"|'[^']*'|\([^)]*\)))? *$")
_HTML = re.compile(
    r"<(?:!--|/?(?:details|summary|div|p|table|thead|tbody|tr|td|th|ul|ol|li|section|article|aside|center|figure|h[1-6]"
    r"|header|footer|nav|main|form|pre|script|style|iframe|blockquote|dl|dt|dd|hr)(?:[\s/>]|$))",
    re.IGNORECASE,
)
_PIPE = re.compile(r"(?<!\\)\|")
_MARKUP = "*_~`[]<&$\\"
_BULLETS = "•◦▪"


@dataclass(slots=True)
class _Open:
    kind: LeafKind
    nest: Nest
    fresh: int
    spaced: int
    lines: list[str] = field(default_factory=list)
    level: int = 0
    info: str = ""
    fence: str = ""
    """What closes the fence; empty for indented code."""
    indent: int = 0
    part: int = 0
    number: int = 0
    """Of a fence: how many there were up to it."""
    size: int = 0
    head: tuple[str, ...] = ()


class Parser:
    """`feed` lines, take what they closed; `open` is what may still change."""

    __slots__ = ("_blank", "_closed", "_fences", "_fresh", "_last", "_leaf", "_lists", "_nest", "references")

    def __init__(self) -> None:
        self.references: Mapping[str, Any] = {}
        self._nest: Nest = ()
        self._fresh = 0
        self._leaf: _Open | None = None
        self._blank = False
        self._last: Nest | None = None  # of the leaf before; None at the very start
        self._lists: tuple[tuple[str, int], ...] = ()  # at each depth the last list's delimiter and number
        self._closed: list[Leaf] = []
        self._fences = 0

    def copy(self) -> Parser:
        """A parser in the same state, to see what an unfinished line would do."""
        other = Parser()
        for name in ("references", "_nest", "_fresh", "_blank", "_last", "_lists", "_fences"):
            setattr(other, name, getattr(self, name))
        if self._leaf is not None:
            other._leaf = replace(self._leaf, lines=list(self._leaf.lines))
        return other

    def open(self) -> Leaf | None:
        """The open leaf as it is now."""
        return self._made(self._leaf) if self._leaf is not None else None

    def feed(self, line: str) -> list[Leaf]:
        """Take one line, without its newline; return the leaves it closed."""
        self._closed = []
        depth, at = self._match(line)
        leaf = self._leaf
        if leaf is not None and leaf.fence and depth == len(self._nest):
            self._code_line(leaf, line[at:])
        else:
            self._block_line(line, depth, at)
        return self._closed

    @property
    def room(self) -> int:
        """Lines that the piece of the open fence may still take."""
        leaf = self._leaf
        plain = leaf is not None and leaf.fence and not leaf.indent and not self._nest
        return PIECE - len(leaf.lines) if plain and leaf is not None and leaf.fence[0] in "`~" else 0

    def code(self, lines: Sequence[str], text: str) -> list[Leaf] | None:
        """Take these lines, at most `room`, all at once; None: they must be fed one by one. `text` is all
        that stands in them."""
        leaf = self._leaf
        if leaf is None or leaf.fence in text or leaf.size + len(text) + len(lines) >= CODE:
            return None
        self._closed = []
        leaf.lines += lines
        self._grown(leaf, len(text) + len(lines))
        return self._closed

    def more(self, text: str) -> list[Leaf]:
        """Take a further piece of the same, very long line."""
        self._closed = []
        leaf = self._leaf
        if leaf is None or leaf.kind not in ("text", "code", "html"):
            leaf = self._start("text")
        if leaf.kind == "text" and leaf.lines:
            leaf.lines[-1] += text
        else:
            leaf.lines.append(text)
        self._grown(leaf, len(text))
        return self._closed

    def _match(self, line: str) -> tuple[int, int]:
        """How many of the open boxes this line stands in, and where its content begins."""
        at = 0
        for depth, box in enumerate(self._nest):
            indent = _indent(line, at)
            blank = at + indent == len(line)
            if isinstance(box, Quote):
                if blank or indent > 3 or line[at + indent] != ">":
                    return depth, at
                at += indent + 1
                at += line[at : at + 1] == " "
            elif not blank:
                if indent < box.indent:
                    return depth, at
                at += box.indent
        return len(self._nest), at

    def _code_line(self, leaf: _Open, text: str) -> None:
        stripped = text.strip(" ")
        if leaf.info == "math" and leaf.fence[0] in "$\\":
            closes = stripped == leaf.fence
        else:
            closes = (
                stripped.startswith(leaf.fence) and not stripped.strip(leaf.fence[0]) and _indent(text, 0) < 4
            )
        if closes:
            self._close()
            return
        leaf.lines.append(text[min(_indent(text, 0), leaf.indent) :])
        self._grown(leaf, len(text) + 1)

    def _block_line(self, line: str, depth: int, at: int) -> None:
        depth, at, opened = self._open_boxes(line, depth, at)
        indent = _indent(line, at)
        rest = line[at + indent :].rstrip(" ") if at + indent < len(line) else ""
        if not rest:
            self._blank_line(depth, opened)
            return
        leaf = self._leaf
        inside = not opened and depth == len(self._nest)
        if not opened and leaf is not None and leaf.kind == "text" and not self._starts(rest, indent, inside):
            leaf.lines.append(line[at + indent :])  # also a lazy line of a quote or an item
            self._grown(leaf, len(rest) + 1)
            return
        if not opened and depth < len(self._nest):
            self._leave(depth)
        self._leaf_line(line[at:], rest, indent, inside)

    def _starts(self, rest: str, indent: int, inside: bool) -> bool:
        """Whether this line ends an open paragraph."""
        if indent > 3:
            return False
        if inside and (_SETEXT.match(rest) or self._heads_table(rest)):
            return True
        return bool(
            (rest[0] == "#" and _HEADING.match(rest))
            or (rest[0] in "`~" and _FENCE.match(rest))
            or (rest[0] in "*-_" and _RULE.match(rest))
            or (rest[0] in "$\\" and _MATH.match(rest))
            or (rest[0] == "<" and _HTML.match(rest))
        )

    def _open_boxes(self, line: str, depth: int, at: int) -> tuple[int, int, bool]:
        """Open the quotes and items that begin on this line."""
        opened = False
        while True:
            indent = _indent(line, at)
            rest = line[at + indent :]
            deep = (depth if not opened else len(self._nest)) >= DEPTH
            if not rest or indent > 3 or deep:
                return depth, at, opened
            if rest[0] == ">":
                self._enter(depth if not opened else len(self._nest), Quote())
                at += indent + 1
                at += line[at : at + 1] == " "
            else:
                found = self._item(rest, indent, not opened and depth == len(self._nest))
                if found is None:
                    return depth, at, opened
                kind, number, length = found
                level = depth if not opened else len(self._nest)
                at = self._enter_item(line, at, level, kind, number, indent, length)
            opened = True

    def _item(self, rest: str, indent: int, inside: bool) -> tuple[str, int, int] | None:
        """Delimiter, number and length of the list marker that `rest` begins with."""
        paragraph = inside and self._leaf is not None and self._leaf.kind == "text"
        if rest[0] in "-*+":
            if _RULE.match(rest) or (paragraph and _SETEXT.match(rest)):
                return None
            found = _BULLET.match(rest)
            number = 0
        else:
            found = _NUMBER.match(rest)
            number = int(found[1]) if found else 0
        if found is None or (paragraph and (number > 1 or found.end() == len(rest))):
            return None
        return (
            rest[found.end(1)] if number or rest[0].isdigit() else rest[0],
            number,
            len(found[0].rstrip(" ")),
        )

    def _enter_item(
        self, line: str, at: int, depth: int, kind: str, number: int, indent: int, length: int
    ) -> int:
        begin = at + indent + length
        gap = _indent(line, begin)
        blank = begin + gap == len(line)
        gap = 1 if blank or gap > 4 else gap
        last = self._lists[depth] if depth < len(self._lists) else None
        if kind in ".)":
            number = last[1] + 1 if last is not None and last[0] == kind else number
            marker = f"{number}{kind} "
        else:
            bullets = sum(isinstance(box, Item) and not box.marker[0].isdigit() for box in self._nest[:depth])
            marker = _BULLETS[min(bullets, 2)] + " "
        at = min(begin + gap, len(line))
        task = _TASK.match(line, at)
        if task:
            marker = "☐ " if task[1] == " " else "✓ "
            at = task.end()
        self._enter(depth, Item(marker, indent + length + gap))
        self._lists = (*self._lists[:depth], *(("", 0),) * (depth - len(self._lists)), (kind, number))
        return at

    def _enter(self, depth: int, box: Quote | Item) -> None:
        self._close()
        if depth < len(self._nest):
            self._fresh = 0
        self._nest = (*self._nest[:depth], box)
        self._fresh += 1
        if isinstance(box, Quote):
            self._lists = self._lists[:depth]

    def _leave(self, depth: int) -> None:
        self._close()
        self._nest = self._nest[:depth]
        self._fresh = 0

    def _blank_line(self, depth: int, opened: bool) -> None:
        leaf = self._leaf
        if leaf is not None and leaf.kind == "code" and not leaf.fence and depth == len(self._nest):
            leaf.lines.append("")
            return
        if not opened:
            self._close()
            quotes = [i for i, box in enumerate(self._nest) if i >= depth and isinstance(box, Quote)]
            if quotes:
                self._leave(quotes[0])
            self._blank = True

    def _leaf_line(self, line: str, rest: str, indent: int, inside: bool) -> None:
        """The line belongs to no box any more: it continues a leaf or starts one."""
        leaf = self._leaf
        if leaf is not None and inside and self._continues(leaf, line, rest, indent):
            return
        if indent > 3:
            self._start("code").lines.append(line[4:])
        elif heading := _HEADING.match(rest):
            self._single("heading", heading[2], len(heading[1]))
        elif fence := _FENCE.match(rest):
            self._open_fence(fence[1] or fence[3], (fence[2] or fence[4] or "").strip(), indent)
        elif math := _MATH.match(rest):
            self._open_fence("$$" if math[1] == "$$" else "\\]", "math", 0)
        elif _RULE.match(rest):
            self._single("rule", rest, 0)
        elif definition := _DEFINITION.match(rest):
            self._define(definition[1], definition[2])
            self._single("definition", rest, 0)
        else:
            started = self._start("html" if _HTML.match(rest) else "text")
            started.lines.append(line[indent:] if started.kind == "text" else rest)
            self._grown(started, len(rest) + 1)

    def _continues(self, leaf: _Open, line: str, rest: str, indent: int) -> bool:
        """Whether the line, inside all boxes of the open leaf, was made part of it."""
        if leaf.kind == "code" and not leaf.fence and indent > 3:
            leaf.lines.append(line[4:])
        elif leaf.kind == "html":
            leaf.lines.append(line)
        elif leaf.kind == "table" and not self._starts(rest, indent, False):
            leaf.lines.append(rest)
        elif leaf.kind == "text" and self._heads_table(rest):
            self._make_table(leaf, rest)
        elif leaf.kind == "text" and indent < 4 and (underline := _SETEXT.match(rest)):
            leaf.kind, leaf.level = "heading", 1 if underline[1][0] == "=" else 2
            leaf.lines = [" ".join(text.strip() for text in leaf.lines)]
            self._close()
            return True
        else:
            return False
        self._grown(leaf, len(line) + 1)
        return True

    def _heads_table(self, rest: str) -> bool:
        leaf = self._leaf
        if leaf is None or leaf.kind != "text" or not leaf.lines or not _DELIMITER.match(rest):
            return False
        return "|" in leaf.lines[-1] and len(cells(leaf.lines[-1])) == len(cells(rest))

    def _make_table(self, leaf: _Open, rest: str) -> None:
        header = leaf.lines.pop()
        if leaf.lines or leaf.part:
            self._close()
            leaf = self._start("table")
        leaf.kind = "table"
        leaf.lines, leaf.size = [header, rest], 0

    def _define(self, label: str, target: str) -> None:
        if len(self.references) < REFERENCES:
            name = " ".join(label.split()).lower().upper()  # as markdown-it folds them
            self.references = {name: {"href": target, "title": ""}, **self.references}

    def _start(self, kind: LeafKind) -> _Open:
        self._close()
        spaced = -1
        if self._last is not None and (self._blank or kind == "heading"):
            spaced = _shared(self._last, self._nest[: len(self._nest) - self._fresh])
        self._leaf = _Open(kind, self._nest, self._fresh, spaced)
        self._lists = self._lists[: len(self._nest)]
        self._last, self._fresh, self._blank = self._nest, 0, False
        return self._leaf

    def _open_fence(self, fence: str, info: str, indent: int) -> None:
        leaf = self._start("code")
        leaf.fence, leaf.info, leaf.indent = fence, info, indent
        self._fences += 1
        leaf.number = self._fences

    def _single(self, kind: LeafKind, text: str, level: int) -> None:
        leaf = self._start(kind)
        leaf.lines.append(text)
        leaf.level = level
        self._close()

    def _grown(self, leaf: _Open, size: int) -> None:
        """Keep the open leaf bounded: cut off what need not be laid out again."""
        leaf.size += size
        if leaf.kind == "text":
            while leaf.size > PARAGRAPH:
                self._cut_text(leaf)
        elif leaf.kind == "table":
            if len(leaf.lines) >= ROWS + 2 or (leaf.size >= TABLE and len(leaf.lines) > 2):
                head = leaf.head or tuple(leaf.lines)
                self._next_part(leaf, head)
        elif len(leaf.lines) >= PIECE or leaf.size >= CODE:
            self._next_part(leaf, ())

    def _cut_text(self, leaf: _Open) -> None:
        text = "\n".join(leaf.lines)
        dense = sum(text.count(mark, 0, PARAGRAPH) for mark in _MARKUP) > DENSE
        room = PARAGRAPH // 4 if dense else PARAGRAPH
        stop = max(text.rfind(" ", 1, room), text.rfind("\n", 1, room))
        stop = room if stop < 1 else stop + 1
        seam = text[stop - 1] if text[stop - 1] in " \n" else ""
        hard = seam == "\n" and text[:stop].endswith(("  \n", "\\\n"))
        leaf.lines = text[:stop].rstrip("\n").split("\n")
        rest = text[stop:]
        self._next_part(leaf, (), None if hard else seam)
        leaf.lines, leaf.size = rest.split("\n") if rest else [], len(rest)

    def _next_part(self, leaf: _Open, head: tuple[str, ...], seam: str | None = None) -> None:
        self._closed.append(self._made(leaf, seam))
        leaf.lines, leaf.size = [], 0
        leaf.head = head
        if head:
            leaf.lines = list(head[:2])
        leaf.part += 1
        leaf.fresh, leaf.spaced = 0, -1

    def _close(self) -> None:
        leaf, self._leaf = self._leaf, None
        if leaf is None:
            return
        if leaf.kind == "code" and not leaf.fence:
            self._blank = self._blank or (bool(leaf.lines) and not leaf.lines[-1])
        empty = not leaf.lines or (leaf.head and len(leaf.lines) == 2)
        if not (empty and leaf.part) or leaf.kind == "text":  # a row may wait for it
            self._closed.append(self._made(leaf))

    def _made(self, leaf: _Open, seam: str | None = None) -> Leaf:
        lines = leaf.lines[2:] if leaf.head else leaf.lines
        if leaf.kind == "code" and not leaf.fence:
            lines = "\n".join(lines).rstrip("\n").split("\n")
        return Leaf(
            leaf.kind,
            tuple(lines),
            leaf.nest,
            leaf.fresh,
            leaf.level,
            leaf.info,
            leaf.spaced,
            leaf.part,
            leaf.number,
            leaf.head,
            seam,
            references=self.references,
        )


def cells(line: str) -> list[str]:
    """The cells of a table row."""
    text = line.strip(" ")
    parts = _PIPE.split(text)
    if text.startswith("|"):
        parts = parts[1:]
    if len(parts) > 1 and not parts[-1].strip(" "):
        parts = parts[:-1]
    return [part.strip(" ").replace("\\|", "|") for part in parts]


def _indent(line: str, at: int) -> int:
    end = at
    while line[end : end + 1] == " ":
        end += 1
    return end - at


def _shared(a: Nest, b: Nest) -> int:
    count = 0
    for one, other in zip(a, b, strict=False):
        if one != other:
            break
        count += 1
    return count
