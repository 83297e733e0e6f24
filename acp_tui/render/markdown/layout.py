"""One leaf as lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from acp_tui.render.clean import one_line
from acp_tui.render.code import highlight
from acp_tui.render.look import Look, act
from acp_tui.render.markdown.inline import inline, with_links
from acp_tui.render.markdown.leaf import Leaf, Quote
from acp_tui.render.markdown.page import Page
from acp_tui.render.markdown.table import table
from acp_tui.render.wrap import Lines, Run, Runs, all_rows, piece, size_of, spread, strip, wrap

COLOURED = 50
"""Pieces of one fence that are highlighted: what comes after 2,000 lines is no code that somebody reads."""


Colours = Callable[[Sequence[str], str, Look], list[list[Run]]]
"""Highlights lines of code in a language."""


def lay_out(leaf: Leaf, page: Page, colours: Colours = highlight) -> Lines:
    """The lines of a leaf, its blank line above included."""
    made = Lines()
    if leaf.spaced >= 0:
        left = _left(leaf, page, leaf.spaced)
        made.add(strip([Segment(*run) for run in left], page.width, page.look.base), size_of(left))
    if leaf.kind == "code":
        made.extend(_code(leaf, page, colours))
    elif leaf.kind == "table":
        made.extend(_table(leaf, page))
    elif leaf.kind == "rule":
        made.extend(_rule(leaf, page))
    elif leaf.lines or leaf.carried:
        made.extend(_prose(leaf, page))
    return made


def _left(leaf: Leaf, page: Page, depth: int | None = None, first: bool = False) -> list[Run]:
    """What stands left of the words: bars of quotes, markers of items on the first line, spaces for them
    after."""
    runs = list(page.left)
    room = page.width // 2
    fresh = len(leaf.nest) - leaf.fresh
    for index, box in enumerate(leaf.nest[:depth]):
        if isinstance(box, Quote):
            run = ("│ ", page.look.quote_bar)
        elif first and index >= fresh:
            run = (box.marker, page.look.bullet)
        else:
            run = (" " * len(box.marker), page.look.base)
        room -= len(run[0])
        if room >= 0:
            runs.append(run)
    return runs


def _words(leaf: Leaf, page: Page) -> Style:
    look = page.look
    if leaf.kind == "heading":
        return look.heading if leaf.level < 3 else look.subheading
    if leaf.kind in ("html", "definition"):
        return look.dim
    quoted = any(isinstance(box, Quote) for box in leaf.nest)
    return page.text + look.quote if quoted else page.text


def _prose(leaf: Leaf, page: Page) -> Lines:
    runs, first, rest = prose(leaf, page)
    made = wrap(runs, page.width, page.look.base, first=first, rest=rest, measure=page.limit)
    if goes_on(leaf, page):
        made.cut(len(made) - 1)
    return made


def goes_on(leaf: Leaf, page: Page) -> bool:
    """Its last row is shown with the next piece of the paragraph, which goes on in it."""
    return leaf.seam is not None and not (page.breaks and leaf.seam == "\n")


def left_over(leaf: Leaf, page: Page) -> tuple[Run, ...]:
    """What the next piece carries on with: the words of the last row."""
    if not goes_on(leaf, page):
        return ()
    runs, first, rest = prose(leaf, page)
    text = "".join(text for text, _ in runs)
    row = all_rows(text, page.limit - size_of(first), page.limit - size_of(rest))[-1]
    last = [(text, style or page.text) for text, style, _ in piece(runs, row.start, row.end)]
    return (*last, *([(" ", page.text)] if leaf.seam and last else ()))


def prose(leaf: Leaf, page: Page) -> tuple[Runs, Runs, Runs]:
    """The words of a leaf, and what stands left of them on their first row and on the others."""
    return [*leaf.carried, *own_words(leaf, page)], *sides(leaf, page)


def own_words(leaf: Leaf, page: Page) -> Runs:
    """The words of a leaf without those carried over; their text is the same on any page of a document."""
    style = _words(leaf, page)
    source = "\n".join(leaf.lines)
    if leaf.kind == "html":
        return [(source, style)]
    if leaf.kind == "definition":
        return with_links(source, style, page.look)
    return inline(source.rstrip(), page.look, style, page.breaks, leaf.references)


def sides(leaf: Leaf, page: Page) -> tuple[Runs, Runs]:
    """What stands left of the words on their first row and on the others."""
    return _left(leaf, page, first=True), _left(leaf, page)


def _rule(leaf: Leaf, page: Page) -> Lines:
    left = _left(leaf, page, first=True)
    made = Lines()
    rule = "─" * max(1, page.limit - size_of(left))
    made.add(
        strip([Segment(*run) for run in [*left, (rule, page.look.rule)]], page.width, page.look.base),
        size_of(left),
    )
    return made


def _table(leaf: Leaf, page: Page) -> Lines:
    if leaf.head and not leaf.lines:
        return Lines()
    if leaf.fresh:  # the marker of an item that begins with a table stands above it
        made = wrap([("", page.text)], page.width, page.look.base, first=_left(leaf, page, first=True))
        made.extend(table(leaf.lines, leaf.head, page, _left(leaf, page)))
        return made
    return table(leaf.lines, leaf.head, page, _left(leaf, page))


def _code(leaf: Leaf, page: Page, colours: Colours) -> Lines:
    look = page.look
    made = Lines()
    language = _language(leaf, page)
    left, later = _left(leaf, page, first=True), _left(leaf, page)
    if _has_label(leaf, page):
        made.add(_label(language, left, leaf, page), page.width)
        left = later
    spoken = language if leaf.part < COLOURED else ""
    rows = _rows if colours is highlight else _kept_rows
    for runs in colours(leaf.lines, spoken, look) if leaf.lines else ():
        made.extend(rows(tuple(runs), page.width, look.code, _beside(left, page), _beside(later, page)))
        left = later
    if hangs(leaf, page):
        _hang(made, leaf, page)
    return made


def _hang(made: Lines, leaf: Leaf, page: Page) -> None:
    """Put what copies the code at the end of the first line that has room for it."""
    runs = _copy(leaf, page)
    room = page.width - size_of(runs) - 2
    for line, text in enumerate(made.strips.texts()):
        if cell_len(text.rstrip()) <= room and made.gutter(line) < room:
            made.hang(line, runs)
            return


def _copy(leaf: Leaf, page: Page) -> list[Run]:
    return [("copy", page.look.code_label + act("copy", page.part, leaf.fence)), (" ", page.look.code)]


def _language(leaf: Leaf, page: Page) -> str:
    return one_line(leaf.info, page.width).split(" ")[0].split("{")[0].split(",")[0]


def _has_label(leaf: Leaf, page: Page) -> bool:
    if leaf.kind != "code" or leaf.part:
        return False
    return bool(_language(leaf, page)) or (not leaf.lines and _can_copy(leaf, page))


def _can_copy(leaf: Leaf, page: Page) -> bool:
    return bool(leaf.fence) and not leaf.part and page.part is not None


def hangs(leaf: Leaf, page: Page) -> bool:
    """What copies it stands on one of its own lines: it has no language that would take one."""
    return leaf.kind == "code" and _can_copy(leaf, page) and not _has_label(leaf, page)


def above(leaf: Leaf, page: Page) -> list[Runs]:
    """What stands on the lines above the words or the code of a leaf; all of it is gutter."""
    made: list[Runs] = [_left(leaf, page, leaf.spaced)] if leaf.spaced >= 0 else []
    return [*made, [(" " * page.width, page.look.code_label)]] if _has_label(leaf, page) else made


def beside(leaf: Leaf, page: Page) -> tuple[Run, ...]:
    """What stands left of the lines of code, as wide on the first as on the others."""
    return _beside(_left(leaf, page), page)


def _beside(left: list[Run], page: Page) -> tuple[Run, ...]:
    return (*left, (" ", page.look.code))


def _rows(
    runs: tuple[Run, ...], width: int, fill: Style, first: tuple[Run, ...], rest: tuple[Run, ...]
) -> Lines:
    return wrap(runs, width, fill, first=first, rest=rest, words=False)


_kept_rows = lru_cache(maxsize=512)(_rows)
"""For a fence that grows: the same lines again and again, and one more."""


def _label(language: str, left: list[Run], leaf: Leaf, page: Page) -> Strip:
    """The line above a fence: its language, and what copies it."""
    label = page.look.code_label
    copied: list[Run] = []
    if leaf.fence and page.part is not None and page.width - size_of(left) > size_of([(language, label)]) + 8:
        copied = _copy(leaf, page)
    return spread([*left, (f" {language}", label)], copied, page.width, page.look.code)
