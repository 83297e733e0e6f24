"""A leaf of a markdown document: one paragraph, heading, piece of code, table or rule, and what it stands in.

Invariant: leaves are values. A closed leaf never changes, so its lines may be kept for ever.

A long paragraph is cut into leaves. Where it is shown the words of the last row of each, which is not full
yet, are `carried` over to the next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from acp_tui.render.wrap import Run

LeafKind = Literal["text", "heading", "code", "table", "rule", "html", "definition"]


@dataclass(frozen=True, slots=True)
class Quote:
    """A block quote."""


@dataclass(frozen=True, slots=True)
class Item:
    """A list item: its marker as shown and the columns its content is indented by in the source."""

    marker: str
    indent: int


Box = Quote | Item
Nest = tuple[Box, ...]


@dataclass(frozen=True, slots=True)
class Leaf:
    """What is laid out as one."""

    kind: LeafKind
    lines: tuple[str, ...]
    nest: Nest = ()
    fresh: int = 0
    """How many of the innermost boxes begin here and show their marker."""
    level: int = 0
    info: str = ""
    """Language of code; `math` for a block of mathematics."""
    spaced: int = -1
    """A blank line stands before it, inside this many boxes; -1: none."""
    part: int = 0
    """Number of the piece, where a long block was cut."""
    fence: int = 0
    """Of fenced code: which one of the document, counted from 1."""
    head: tuple[str, ...] = ()
    """Of a piece of a table: the lines of its first piece, which set the columns."""
    seam: str | None = None
    """Of a piece of a paragraph that goes on in the next: the space or newline between them, or nothing."""
    carried: tuple[Run, ...] = ()
    """What the piece before left for the first row of this one."""
    references: Mapping[str, Any] = field(default_factory=dict, compare=False, hash=False)
    """Link definitions that stood before it."""
