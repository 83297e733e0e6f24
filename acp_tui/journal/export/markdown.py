"""A conversation as markdown, to be pasted into an issue or a pull request.

    # Title
    *codex · ~/src/parser · 2026-11-30 14:51–15:20 · 12 messages*
    ## User / ## Agent                  what was said
    - ✓ `Read src/lex.py` · 0.3 s       a tool call without content, else a <details> with it

Invariants: what was said is `contained`, what tools gave stands in fences, names are code or escaped: nothing
that anybody wrote makes a heading, a tag or the end of anything.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape as html_escape
from typing import NamedTuple

from acp_tui.journal.export.excerpt import Excerpt
from acp_tui.protocol.plan import PlanItems, PlanMarkdown
from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.markdown.contained import code_span, contained, escaped, fenced
from acp_tui.render.told import HEADS, pieces, said_in
from acp_tui.render.view import View
from acp_tui.render.views.rule import CompactionView, TurnView
from acp_tui.render.views.subagent import SubagentView, said_of, title_of
from acp_tui.render.views.submission import SubmissionView
from acp_tui.render.views.tool_call import ToolCallView
from acp_tui.store.entities import Plan
from acp_tui.store.keys import Kind

_AGENT = HEADS[Kind.AGENT_MESSAGE]


def markdown(excerpt: Excerpt) -> Iterator[str]:
    """The whole document, piece by piece."""
    facts = excerpt.facts
    yield f"# {escaped(facts.title) or 'Conversation'}\n"
    line = " · ".join(map(escaped, facts.line()))
    part = "" if excerpt.whole else f"entries {excerpt.first} to {excerpt.last}"
    said = " · ".join(one for one in (line, part) if one)
    if said:
        yield f"\n<sub>{said}</sub>\n"
    yield from _members(excerpt)
    for plan in excerpt.plans():
        yield f"\n## Plan\n\n{_plan(plan)}\n"
    for child in excerpt.children():
        yield f"\n<details>\n<summary>Subagent: {html_escape(child.parent)}</summary>\n"
        yield from _members(child)
        yield "\n</details>\n"


class _Block(NamedTuple):
    """One entry."""

    head: str
    """Who says it; empty: nobody, and what comes begins anew."""
    body: str
    item: bool = False
    """Of a list."""


def _members(excerpt: Excerpt) -> Iterator[str]:
    """Entries under their headings; one heading for all that the agent does, one list for neighbours."""
    before = _Block("", "")
    for member in excerpt.members():
        block = _block(member.view)
        if not block.body:
            continue
        begins = bool(block.head) and (block.head != before.head or block.head == HEADS[Kind.USER_MESSAGE])
        if begins:
            yield f"\n## {block.head}\n"
        elif block.body[0] in " \t":
            yield _BETWEEN  # else it might go on in the list above
        gap = "" if block.item and before.item and not begins else "\n"
        yield f"{gap}{block.body}\n"
        before = block


_BETWEEN = "\n<!-- -->\n"


def _block(view: View) -> _Block:
    kind = view.entity.key.kind
    if isinstance(view, ToolCallView):
        return _call(view)
    if isinstance(view, TurnView):
        said = view.words()
        return _Block("", f"*{escaped(said)}*" if said else "")
    if isinstance(view, SubagentView):
        return _Block(_AGENT, "" if view.nested else _subagent(view), item=True)
    if isinstance(view, CompactionView):
        return _Block("", _compaction(view))
    body = said_in(view)
    if isinstance(view, SubmissionView) and view.entity.stands == "below" and body:
        body += f"\n\n*{escaped(view.status())}*"
    if kind is Kind.AGENT_THOUGHT:
        return _Block(_AGENT, _details("thought", body) if body else "")
    return _Block(HEADS.get(kind, kind.value), body)


def _call(view: ToolCallView) -> _Block:
    said = view.said()
    parts = [piece.markdown() for piece in pieces(view.entity, view.store) if piece.text.strip()]
    raw = view.entity.raw_output
    if not parts and raw is not None:
        parts = [fenced(json.dumps(raw, indent=2, ensure_ascii=False, default=str), "json")]
    facts = list(said.facts)
    if not parts:
        line = " · ".join([code_span(said.title), *map(escaped, facts)])
        return _Block(_AGENT, f"- {said.glyph} {line}", item=True)
    summary = " · ".join([f"{said.glyph} {said.title}", *facts])
    return _Block(_AGENT, _details(summary, "\n\n".join(parts)))


def _details(summary: str, body: str) -> str:
    return f"<details>\n<summary>{html_escape(one_line(summary))}</summary>\n\n{body}\n\n</details>"


def _subagent(view: SubagentView) -> str:
    said = said_of(view.entity, view.store)
    return f"- ↳ {code_span(title_of(view.entity, view.store))} · {escaped(said)}"


def _compaction(view: CompactionView) -> str:
    entity = view.entity
    said = words.COMPACTIONS.get(entity.status) or f"compaction: {one_line(entity.status, 40)}"
    body = said_in(view)
    if entity.error:
        body = "\n\n".join(part for part in (fenced(entity.error), body) if part)
    return _details(said, body) if body else f"*{escaped(said)}*"


def _plan(plan: Plan) -> str:
    content = plan.plan
    if isinstance(content, PlanItems):
        return "\n".join(_step(one.content, one.status) for one in content.entries)
    if isinstance(content, PlanMarkdown):
        return contained(content.content)
    return code_span(one_line(getattr(content, "uri", "") or getattr(content, "type", "")))


def _step(content: str, status: str) -> str:
    mark = "x" if status == "completed" else " "
    known = "" if status in ("completed", "pending") else f" · {words.status(status)}"
    return f"- [{mark}] {escaped(one_line(content))}{escaped(known)}"
