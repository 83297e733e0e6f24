"""The lines of a hunk in their colours: those of the language under those of the change, changed words
marked.

Invariants: the runs of a line spell exactly `spoken` of it; no run begins within a character and its marks,
so that cells can be counted run by run. What is painted is kept for the next time the same lines are wanted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rich.cells import cell_len
from rich.style import Style

from acp_tui.render.clean import clean, visible
from acp_tui.render.code import highlight
from acp_tui.render.diff_words import Spans, blocks, pairs
from acp_tui.render.look import Look
from acp_tui.render.wrap import Run

CUT: Final = 4000
"""Characters of a line that are laid out unless all must be shown."""


class Painted(NamedTuple):
    """A hunk ready to be laid out: the runs of each line, and which removed line became which added one."""

    runs: tuple[tuple[Run, ...], ...]
    partners: dict[int, int]


def spoken(lines: Sequence[str], exact: bool) -> list[str]:
    """What is shown of lines with signs; a carriage return at their end only where not all have one."""
    if exact:
        return [visible(line[1:]) for line in lines]
    ends = [line.endswith("\r") for line in lines if line[:1] != "\\"]
    if any(ends) and not all(ends):
        return [
            clean(line[1:CUT].rstrip("\r")) + ("␍" if line.endswith("\r") else "") + beyond(line)
            for line in lines
        ]
    return [clean(line[1:CUT]) + beyond(line) for line in lines]


def beyond(line: str) -> str:
    return f" … {len(line) - CUT:,} more characters" if len(line) > CUT else ""


@lru_cache(maxsize=64)
def paint(
    lines: tuple[str, ...],
    language: str,
    look: Look,
    exact: bool,
    coloured: int = 1 << 30,
    sought: bool = True,
) -> Painted:
    """Lines with signs, in colours: the first `coloured` also in those of the language; changed words only
    where they are `sought`."""
    texts = spoken(lines, exact)
    signs = [line[:1] for line in lines]
    styles = [_change(sign, look) for sign in signs]
    marks: dict[int, Spans] = {}
    partners: dict[int, int] = {}
    for removed, added in blocks(signs):
        for old, new, alike in pairs(removed, added, texts if sought else None):
            partners[old] = new
            if alike is not None:
                marks[old], marks[new] = alike.old, alike.new
    runs_of = _sides(texts, signs[:coloured], language, look)
    made = []
    for index, (runs, (style, word)) in enumerate(zip(runs_of, styles, strict=True)):
        under = [(text, _over(token, style, look)) for text, token in runs]
        if index in marks:
            under = list(_marked(runs, marks[index], style, word, look))
        made.append(tuple(_whole(under)))
    return Painted(tuple(made), partners)


def _change(sign: str, look: Look) -> tuple[Style, Style]:
    """The style of a line and that of changed words in it."""
    if sign == "+":
        return look.diff_add, look.diff_add_word
    if sign == "-":
        return look.diff_delete, look.diff_delete_word
    return look.diff_context, look.diff_context


def _sides(texts: list[str], signs: list[str], language: str, look: Look) -> list[list[Run]]:
    """Each line in the colours it has in its own version of the file."""
    made: list[list[Run]] = [[(text, look.code)] for text in texts]
    if not language:
        return made
    for side in "-+":
        if side == "-" and side not in signs:
            continue
        here = [index for index, sign in enumerate(signs) if sign == side or sign not in "+-\\"]
        for index, runs in zip(here, highlight([texts[i] for i in here], language, look), strict=True):
            made[index] = runs
    return made


@lru_cache(maxsize=1024)
def _over(token: Style, style: Style, look: Look) -> Style:
    """Colours of the code on the background of the change; where the change has no background, its own
    colour."""
    plain = style.bgcolor is None or style.bgcolor == look.base.bgcolor
    if plain and style is not look.diff_context:
        return style
    return token + Style(bgcolor=style.bgcolor, bold=style.bold)


def _marked(runs: Sequence[Run], spans: Spans, style: Style, word: Style, look: Look) -> Iterator[Run]:
    """The runs cut where marked words begin and end."""
    cuts = [(at, inside) for start, end in spans for at, inside in ((start, True), (end, False))]
    place, inside, at = 0, False, 0
    for text, token in runs:
        end = at + len(text)
        start = at
        while place < len(cuts) and cuts[place][0] <= end:
            yield text[start - at : cuts[place][0] - at], _over(token, word if inside else style, look)
            start, inside = cuts[place]
            place += 1
        yield text[start - at :], _over(token, word if inside else style, look)
        at = end


def _whole(runs: Sequence[Run]) -> Iterator[Run]:
    """The runs with what has no width of its own moved to the character it belongs to; neighbours of one
    style as one run."""
    held, under = "", None
    for text, style in runs:
        if under is not None and style is not under:
            taken = _clinging(held[-1:], text)
            held, text = held + text[:taken], text[taken:]
            if text:
                yield held, under
                held = ""
        if text:
            held, under = held + text, style
    if under is not None:
        yield held, under


def _clinging(last: str, text: str) -> int:
    """How many characters at the beginning belong to the one before them."""
    if text.isascii() and last != "\u200d":
        return 0
    taken = 0
    while taken < len(text) and (last == "\u200d" or not cell_len(text[taken])):
        last = text[taken]
        taken += 1
    return taken
