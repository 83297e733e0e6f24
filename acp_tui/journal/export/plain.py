"""A conversation as lines: the same words as on the screen, for pipes, screen readers and plain files.

Invariants: lines come as they are made, and what was drawn is forgotten, so that any length goes through;
without a `look` they are text alone, without blanks at their ends; unwrapped, each line is one of the source.
"""

from __future__ import annotations

from collections.abc import Iterator

from rich.color import ColorSystem
from textual.strip import Strip

from acp_tui.journal.export.excerpt import Excerpt
from acp_tui.render.clean import one_line
from acp_tui.render.look import COLOURLESS, FALLBACK, Look
from acp_tui.render.markdown import Page
from acp_tui.render.plan import plan_lines
from acp_tui.render.view import View
from acp_tui.render.views.submission import SubmissionView
from acp_tui.render.wrap import Lines, wrap

UNWRAPPED = 100
"""Cells for what has to be laid out where lines are not wrapped: tables, times at the right."""


def text(excerpt: Excerpt, width: int) -> Iterator[str]:
    """A document: facts, everything unfolded, plans and the conversations of subagents; 0: not wrapped."""
    yield from (f"{line}\n" for line in head(excerpt, width))
    for _, line in lines(excerpt, width):
        yield f"{line}\n"


def head(excerpt: Excerpt, width: int) -> list[str]:
    """Title and facts, and an empty line; width 0: not wrapped."""
    facts = excerpt.facts
    said = [line for line in (facts.title or "Conversation", " · ".join(facts.line())) if line]
    if not width:
        return [*said, ""]
    base = COLOURLESS.base
    return [strip.text.rstrip() for line in said for strip in wrap([(line, base)], width, base).strips] + [""]


def lines(
    excerpt: Excerpt, width: int, unfold: bool = True, colours: ColorSystem | None = None
) -> Iterator[tuple[int, str]]:
    """All lines, each with the number of its entry, which only the first line of an entry has; else 0."""
    yield from _conversation(excerpt, width, unfold, colours)
    for child in excerpt.children() if unfold else ():
        yield 0, ""
        yield 0, _titled(f"subagent: {child.parent}", width)
        yield 0, ""
        yield from _conversation(child, width, unfold, colours, numbered=False)


def _titled(said: str, width: int) -> str:
    return one_line(f"── {said} " + "─" * 20, width or None)


def drawn(excerpt: Excerpt, width: int, unfold: bool, look: Look) -> Iterator[tuple[int, int, Lines]]:
    """The lines of each entry that has some, after its number and how many of them are its gap."""
    before: View | None = None
    for number, view in excerpt.members(unfold):
        view.gap = before is not None and not (before.compact and view.compact)
        made = _waiting(view, width, look) if _waits(view) else view.lines(width, look)
        if made.strips:
            yield number, int(view.gap), made
            before = view
        view.forget()


def _waits(view: View) -> bool:
    """A prompt that stands above the composer on the screen, and would be nowhere here."""
    return isinstance(view, SubmissionView) and not view.shown and view.entity.stands == "below"


def _waiting(view: View, width: int, look: Look) -> Lines:
    assert isinstance(view, SubmissionView)
    made = view.begin(width, look)
    bar = (("▌", look.user_bar), (" ", look.base))
    view.text.draw(made, Page(width, look, bar, look.dim, breaks=True), True, frozenset(), None)
    said = [(view.status(), look.dim)]
    made.extend(wrap(said, width, look.base, first=[("  ", look.base)]))
    return made


def _conversation(
    excerpt: Excerpt, width: int, unfold: bool, colours: ColorSystem | None, numbered: bool = True
) -> Iterator[tuple[int, str]]:
    look = FALLBACK if colours else COLOURLESS
    for number, gap, made in drawn(excerpt, width or UNWRAPPED, unfold, look):
        for index, line in enumerate(_lines(made, width, colours)):
            yield (number if numbered and index == gap else 0), line
    for plan in excerpt.plans():
        yield from ((0, line) for line in ("", _titled("plan", width)))
        page = Page(width or UNWRAPPED, look, ((" ", look.base),), look.base)
        yield from ((0, line) for line in _lines(plan_lines(plan, page), width, colours))


def _lines(made: Lines, width: int, colours: ColorSystem | None) -> Iterator[str]:
    if width or colours:
        return (coloured(strip, colours) if colours else strip.text.rstrip() for strip in made.strips)
    return _joined(made)


def _joined(made: Lines) -> Iterator[str]:
    """Soft wraps undone."""
    line = ""
    going = False
    for index, strip in enumerate(made.strips):
        text = strip.crop(made.gutter(index)).text if going else strip.text
        line += text.rstrip()
        joint = made.joint(index)
        going = joint != "\n"
        if going:
            line += joint
        else:
            yield line
            line = ""
    if line:
        yield line


def coloured(strip: Strip, system: ColorSystem) -> str:
    """The line with the escape sequences of its colours, and nothing else that is not text."""
    segments = list(strip)
    while (
        segments and not segments[-1].text.strip() and not (segments[-1].style and segments[-1].style.bgcolor)
    ):
        segments.pop()
    parts = (
        segment.style.render(segment.text, color_system=system) if segment.style else segment.text
        for segment in segments
    )
    return "".join(parts)
