"""A plan as lines: where it stands in one, the whole checklist in several (PL-08).

Invariants: entries keep the agent's order; statuses and priorities we do not know are shown neutrally
(PL-03); a file is named, never read (NW-03).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textual.strip import Strip

from acp_tui.protocol.plan import PlanEntry, PlanFile, PlanItems, PlanMarkdown
from acp_tui.render.clean import clean, one_line
from acp_tui.render.links import linked
from acp_tui.render.look import Look
from acp_tui.render.markdown import Document, Page
from acp_tui.render.views.content import json_lines
from acp_tui.render.words import PLAN_GLYPHS
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import Plan

LONGEST = 65_536
"""Characters of a markdown plan that are read."""
_TASK = re.compile(r"^ *(?:[-*+]|\d+[.)]) +\[([ xX])\] +(\S.*)$", re.MULTILINE)
_MARKUP = re.compile(r"^[#>*+\- ]+")
_OVER = ("completed", "cancelled")


@dataclass(frozen=True, slots=True)
class Progress:
    """Entries that are over, entries at all, and where the work is: an index, and the words there."""

    done: int = 0
    total: int = 0
    at: int | None = None
    step: str = ""

    @property
    def finished(self) -> bool:
        """There is nothing left to do."""
        return self.done == self.total


def progress(plan: Plan) -> Progress | None:
    """How far it is; None for a plan that has no entries to count."""
    content = plan.plan
    if isinstance(content, PlanItems):
        return _progress([(entry.status, entry.content) for entry in content.entries])
    if isinstance(content, PlanMarkdown):
        tasks = _TASK.findall(clean(content.content[:LONGEST]))
        return _progress([("pending" if mark == " " else "completed", text) for mark, text in tasks] or None)
    return None


def _progress(steps: Sequence[tuple[str, str]] | None) -> Progress | None:
    if steps is None:
        return None
    working = (index for index, (status, _) in enumerate(steps) if status == "in_progress")
    to_come = (index for index, (status, _) in enumerate(steps) if status not in _OVER)
    at = next(working, None)
    at = next(to_come, None) if at is None else at
    done = sum(status in _OVER for status, _ in steps)
    return Progress(done, len(steps), at, one_line(steps[at][1], 300) if at is not None else "")


def weight(plan: Plan) -> int:
    """How much it deserves the line: steps to do, then words to read, then what nobody can read."""
    counted = progress(plan)
    if counted is not None:
        return 3 if not counted.finished else 0
    return 2 if isinstance(plan.plan, PlanMarkdown | PlanFile) else 1


def plan_line(plan: Plan, look: Look) -> list[Run]:
    """`plan 2/4 · add a regression test`."""
    content, counted = plan.plan, progress(plan)
    if counted is not None:
        text = counted.step or ("all done" if counted.total else "empty")
        return [(f"plan {counted.done}/{counted.total}", look.dim), (" · ", look.dim), (text, look.base)]
    if isinstance(content, PlanMarkdown):
        lines = (_MARKUP.sub("", one_line(line, 300)) for line in content.content[:LONGEST].split("\n"))
        return [("plan · ", look.dim), (next(filter(None, lines), "empty"), look.base)]
    if isinstance(content, PlanFile):
        return [("plan · ", look.dim), _file(content, look)]
    kind = one_line(getattr(content, "type", ""), 40)
    return [(f"plan · of an unknown kind: {kind}", look.dim)]


def plan_lines(plan: Plan, page: Page) -> Lines:
    """The whole plan."""
    content = plan.plan
    if isinstance(content, PlanMarkdown):
        lines = Lines()
        Document(content.content[:LONGEST]).grow(lines, page)
        return lines
    if isinstance(content, PlanItems):
        lines = Lines()
        for entry in content.entries:
            lines.extend(_entry(entry, page))
        return lines
    if isinstance(content, PlanFile):
        return wrap([_file(content, page.look)], page.width, page.look.base, first=page.left)
    return json_lines(content.raw, page)


@dataclass(frozen=True, slots=True)
class Sheet:
    """As much of a whole plan as there is room for."""

    strips: list[Strip]
    first: int
    """Number of its first line, from 0."""
    total: int
    pages: int


def sheet(plan: Plan, width: int, look: Look, room: int, turned: int) -> Sheet:
    """The page with the current step, or one of those after it and, at the end, before it."""
    page = Page(max(1, width), look, (), look.base)
    strips = plan_lines(plan, page).strips
    counted = progress(plan)
    entries = plan.plan.entries if isinstance(plan.plan, PlanItems) else []
    before = entries[: counted.at] if counted is not None else []
    pages = max(1, -(-len(strips) // room))
    first = (sum(len(_entry(entry, page)) for entry in before) // room + turned) % pages * room
    return Sheet(strips[first : first + room], first, len(strips), pages)


def _file(content: PlanFile, look: Look) -> Run:
    path = content.uri.removeprefix("file://") if content.uri.startswith("file:///") else content.uri
    return one_line(path, 400), linked(look.path, clean(path))


def _entry(entry: PlanEntry, page: Page) -> Lines:
    look = page.look
    styles = {
        "completed": (look.status_done, look.dim),
        "in_progress": (look.status_running, look.strong),
        "cancelled": (look.status_off, look.dim + look.strike),
    }
    glyph, text = styles.get(entry.status, (look.status_off, look.base))
    first: list[Run] = [*page.left, (PLAN_GLYPHS.get(entry.status, "·") + " ", glyph)]
    runs: list[Run] = [(clean(entry.content).strip("\n"), text)]
    if entry.status not in PLAN_GLYPHS:
        runs.append((f"  {one_line(entry.status, 20)}", look.dim))
    if entry.status not in _OVER and entry.priority != "medium":
        high = entry.priority == "high"
        runs.append((f"  {one_line(entry.priority, 20)}", look.status_waiting if high else look.dim))
    rest = [*page.left, ("  ", look.base)]
    return wrap(runs, page.width, look.base, first=first, rest=rest, measure=page.limit)
