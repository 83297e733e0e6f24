"""Tables that fit the width: columns as wide as their words while there is room, then with wrapped cells.

Invariant: the columns of a table that was cut follow from its first piece, so its pieces stand under one
another.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import zip_longest

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from acp_tui.render.markdown.inline import cell_runs
from acp_tui.render.markdown.page import Page
from acp_tui.render.markdown.parser import cells
from acp_tui.render.wrap import Lines, Run, Runs, size_of, strip, wrap

GAP = 3
NARROWEST = 6
"""Below this many cells a column is not worth wrapping into: rows are shown one under the other."""


def table(lines: tuple[str, ...], head: tuple[str, ...], page: Page, left: Runs) -> Lines:
    """Rows of a table; `head` are the lines of its first piece if this is a later one."""
    first = head or lines
    titles, aligns = cells(first[0]), [_align(cell) for cell in cells(first[1])]
    room = page.width - 1 - size_of(left)
    body = lines if head else lines[2:]
    columns = tuple(_columns(first, len(titles), page, room))
    if not columns:
        return _records(titles, body, page, left)
    made = Lines()
    frame = tuple(left)
    if not head:
        _add(made, _row(first[0], columns, tuple(aligns), page, frame, page.look.table_head), left)
        rule = "─┼─".join("─" * column for column in columns)
        made.add(
            strip(
                [Segment(*run) for run in [*left, (rule, page.look.table_rule)]], page.width, page.look.base
            ),
            size_of(left),
        )
    for line in body:
        _add(made, _row(line, columns, tuple(aligns), page, frame, page.text), left)
    return made


def _add(made: Lines, strips: tuple[Strip, ...], left: Runs) -> None:
    for one in strips:
        made.add(one, size_of(left))


def _align(cell: str) -> str:
    return ("c" if cell.startswith(":") else "r") if cell.endswith(":") else "l"


def _columns(lines: tuple[str, ...], count: int, page: Page, room: int) -> list[int]:
    """Widths of the columns; none if they cannot stand side by side."""
    room -= GAP * (count - 1)
    if room < count:
        return []
    natural = [1] * count
    for index, line in enumerate(lines):
        if index == 1:
            continue
        for column, cell in enumerate(cells(line)[:count]):
            natural[column] = max(natural[column], _cell_size(cell, page))
    if sum(natural) <= room:
        return natural
    if room < NARROWEST * count:
        return []
    return _shrunk(natural, room)


def _cell_size(cell: str, page: Page) -> int:
    return sum(cell_len(text) for text, _ in cell_runs(cell, page.look, page.text))


def _shrunk(natural: list[int], room: int) -> list[int]:
    """Narrow columns keep their width; the wide ones share what is left evenly."""
    widths = [0] * len(natural)
    for done, column in enumerate(sorted(range(len(natural)), key=natural.__getitem__)):
        widths[column] = min(natural[column], room // (len(natural) - done))
        room -= widths[column]
    return widths


@lru_cache(maxsize=2048)
def _row(
    line: str,
    columns: tuple[int, ...],
    aligns: tuple[str, ...],
    page: Page,
    left: tuple[Run, ...],
    text: Style,
) -> tuple[Strip, ...]:
    """One row; cached, because a growing table is laid out again with the rows it had."""
    sources = cells(line)[: len(columns)]
    sources += [""] * (len(columns) - len(sources))
    style = page.text + text
    blocks = [
        wrap(cell_runs(source, page.look, style), width, page.look.base).strips
        for source, width in zip(sources, columns, strict=True)
    ]
    between = Segment(" │ ", page.look.table_rule)
    made = []
    for parts in zip_longest(*blocks):
        segments = [Segment(*run) for run in left]
        for column, part in enumerate(parts):
            if column:
                segments.append(between)
            segments += _aligned(part, columns[column], aligns[column], page.look.base)
        made.append(strip(segments, page.width, page.look.base))
    return tuple(made)


def _aligned(part: Strip | None, width: int, align: str, fill: Style) -> list[Segment]:
    if part is None:
        return [Segment(" " * width, fill)]
    segments = list(part)
    if align == "l" or segments[-1].text.strip():
        return segments
    free = len(segments.pop().text)
    before = free if align == "r" else free // 2
    return [Segment(" " * before, fill), *segments, Segment(" " * (free - before), fill)]


def _records(titles: list[str], body: tuple[str, ...], page: Page, left: Runs) -> Lines:
    """A table too wide for the screen: each row as a list of its cells."""
    made = Lines()
    for line in body or ("",):
        made.extend(_record(tuple(titles), line, page, tuple(left)))
    return made


@lru_cache(maxsize=256)
def _record(titles: tuple[str, ...], line: str, page: Page, left: tuple[Run, ...]) -> Lines:
    look = page.look
    rule = wrap([("─" * 8, look.table_rule)], page.width, look.base, first=left)
    for title, cell in zip_longest(titles, cells(line)[: len(titles)], fillvalue=""):
        runs = [
            *cell_runs(title, look, look.table_head),
            (": ", look.table_rule),
            *cell_runs(cell, look, page.text),
        ]
        rule.extend(wrap(runs, page.width, look.base, first=left, rest=[*left, ("  ", look.base)]))
    return rule
