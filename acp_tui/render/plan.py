"""A plan as lines: where it stands in one, the whole checklist in several (PL-08).

Invariant: entries keep the agent's order; statuses and priorities we do not know are shown neutrally (PL-03).
"""

from __future__ import annotations

from acp_tui.protocol.plan import PlanEntry, PlanFile, PlanItems, PlanMarkdown
from acp_tui.render.clean import clean, one_line
from acp_tui.render.look import Look, act
from acp_tui.render.markdown import Document, Page
from acp_tui.render.views.content import json_lines
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import Plan

_GLYPHS = {"pending": "○", "in_progress": "◐", "completed": "✓", "cancelled": "⊘"}


def progress(plan: Plan) -> tuple[int, int]:
    """Entries that are over and entries at all; (0, 0) for a plan without entries."""
    entries = plan.plan.entries if isinstance(plan.plan, PlanItems) else []
    return sum(entry.status in ("completed", "cancelled") for entry in entries), len(entries)


def current(plan: Plan) -> PlanEntry | None:
    """The entry in progress, else the next one to come."""
    entries = plan.plan.entries if isinstance(plan.plan, PlanItems) else []
    working = (entry for entry in entries if entry.status == "in_progress")
    to_come = (entry for entry in entries if entry.status not in ("completed", "cancelled"))
    return next(working, None) or next(to_come, None)


def plan_line(plan: Plan, look: Look) -> list[Run]:
    """`plan 2/4 · add a regression test`."""
    content = plan.plan
    if isinstance(content, PlanItems):
        done, total = progress(plan)
        entry = current(plan)
        text = one_line(entry.content) if entry is not None else "done" if total else "empty"
        return [(f"plan {done}/{total}", look.dim), (" · ", look.dim), (text, look.base)]
    if isinstance(content, PlanMarkdown):
        return [("plan", look.dim), (" · ", look.dim), (one_line(content.content[:400]), look.base)]
    if isinstance(content, PlanFile):
        return [
            ("plan", look.dim),
            (" · ", look.dim),
            (one_line(content.uri), look.path + act("link", content.uri)),
        ]
    return [("plan", look.dim), (f" · of an unknown kind: {one_line(content.type, 40)}", look.dim)]


def plan_lines(plan: Plan, page: Page) -> Lines:
    """The whole plan."""
    content = plan.plan
    if isinstance(content, PlanMarkdown):
        lines = Lines()
        Document(content.content).grow(lines, page)
        return lines
    if isinstance(content, PlanItems):
        lines = Lines()
        for entry in content.entries:
            lines.extend(_entry(entry, page))
        return lines
    if isinstance(content, PlanFile):
        return wrap(plan_line(plan, page.look), page.width, page.look.base, first=page.left)
    return json_lines(content.raw, page)


def _entry(entry: PlanEntry, page: Page) -> Lines:
    look = page.look
    styles = {
        "completed": (look.status_done, look.dim),
        "in_progress": (look.status_running, look.strong),
        "cancelled": (look.status_off, look.dim + look.strike),
    }
    glyph, text = styles.get(entry.status, (look.status_off, look.base))
    first: list[Run] = [*page.left, (_GLYPHS.get(entry.status, "·") + " ", glyph)]
    runs: list[Run] = [(clean(entry.content).strip("\n"), text)]
    if entry.priority == "high":
        runs.append(("  high", look.status_waiting))
    rest = [*page.left, ("  ", look.base)]
    return wrap(runs, page.width, look.base, first=first, rest=rest, measure=page.limit)
