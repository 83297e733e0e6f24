"""A diff of any size as parts: a title for each file, a part for each hunk, long hunks in pieces.

Invariant: nothing folds and nothing is cut; pieces are small enough for one frame, and numbered as the whole
hunk would be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from acp_tui.render.clean import clean
from acp_tui.render.diff import Layout, diff_lines, side_by_side
from acp_tui.render.diff_reading import FileChange, Reading
from acp_tui.render.look import Look
from acp_tui.render.patch import Hunk, Section
from acp_tui.render.wrap import Lines
from acp_tui.ui.detail.parts import Blank, Part, Words, code
from acp_tui.ui.detail.pieces import Piece, file_name

PIECE = 120
"""Lines of a hunk laid out together."""


@dataclass(slots=True)
class DiffLayout:
    """How all diffs of a sheet are laid out; the user switches it."""

    layout: Layout = "auto"
    width: int = 0
    """Cells they are drawn on."""


class FileTitle(Part):
    """What happened to a path."""

    stop: ClassVar[bool] = True

    def __init__(self, one: FileChange, cwd: str, piece: Piece | None) -> None:
        super().__init__(piece)
        bare = replace(one.section, hunks=[], binary=[]) if one.section is not None else None
        self._reading = Reading((replace(one, section=bare),))
        self._cwd = cwd

    def draw(self, width: int, look: Look) -> Lines:
        return diff_lines(self._reading, width, look, cwd=self._cwd, left=[(" ", look.base)])


class Change(Part):
    """A hunk, or a piece of one; `[` and `]` stop at its changes."""

    stop: ClassVar[bool] = True

    def __init__(self, one: FileChange, hunk: Hunk, how: DiffLayout) -> None:
        super().__init__()
        section = replace(one.section or Section(), hunks=[hunk], binary=[])
        self._reading = Reading((replace(one, section=section),))
        self._how, self._hunk = how, hunk
        self._changes: tuple[int, ...] = ()

    @property
    def version(self) -> Layout:
        return self._how.layout

    def estimate(self, width: int) -> int:
        return len(self._hunk.lines)

    def draw(self, width: int, look: Look) -> Lines:
        self._how.width = width
        made = diff_lines(
            self._reading, width, look, left=[(" ", look.base)], layout=self._how.layout, head=False
        )
        self._changes = tuple(made.changes)
        return made

    def stops(self) -> tuple[int, ...]:
        return self._changes

    def text(self) -> str:
        """Side by side, the old side counts as decoration."""
        beside = side_by_side(self._how.layout, self._how.width) and not self._reading.files[0].one_sided
        hidden = "-\\" if beside else "\\"
        return "\n".join(clean(line[1:]) for line in self._hunk.lines if line[:1] not in hidden or not line)


def diff_parts(reading: Reading, cwd: str, how: DiffLayout, piece: Piece | None) -> Iterator[Part]:
    """The whole diff."""
    for index, one in enumerate(reading.files):
        if index and reading.files[index - 1].hunks:
            yield Blank()
        yield FileTitle(one, cwd, _of_file(one, piece))
        for number, hunk in enumerate(one.hunks):
            if number:
                yield Words(f"⋯ {hunk.title}".rstrip(), "diff_hunk", left=6)
            for part in _pieces(hunk):
                yield Change(one, part, how)
        if one.section is not None and one.section.binary:
            yield from code("\n".join(one.section.binary))
    if reading.raw:
        yield from code(reading.raw, "diff")


def _of_file(one: FileChange, piece: Piece | None) -> Piece | None:
    """The patch is saved, and the file itself is edited."""
    if piece is None:
        return None
    return replace(piece, place=(one.path, one.first_line), name=file_name(one.path, "diff", ".patch"))


def _pieces(hunk: Hunk) -> Iterator[Hunk]:
    """The hunk in pieces that begin between changes, as far as there is such a place in time."""
    lines, old, new, start = hunk.lines, hunk.old, hunk.new, 0
    while len(lines) - start > PIECE:
        end = start + PIECE
        while end > start + PIECE // 2 and lines[end][:1] != " ":
            end -= 1
        if lines[end][:1] != " ":
            end = start + PIECE
        yield Hunk(old, new, hunk.title, lines[start:end], hunk.raw)
        old += sum(line[:1] not in "+\\" for line in lines[start:end])
        new += sum(line[:1] not in "-\\" for line in lines[start:end])
        start = end
    yield Hunk(old, new, hunk.title, lines[start:], hunk.raw)
