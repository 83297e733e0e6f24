"""A conversation as one HTML file that needs nothing else: no script, nothing fetched, light and dark.

Invariants: every text is escaped, an agent's markdown is read without its HTML and without its pictures,
which would be fetched; links go only where a browser may (`http`, `https`, `mailto` and the like); pictures
and sounds that the session holds are in the file, if they are of a kind that is nothing else. The policy in
its head forbids all the rest. What folds is a `details`, so that it can be read, sought and printed whole.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from acp_tui import __version__
from acp_tui.journal.export.excerpt import Excerpt
from acp_tui.journal.export.web_content import block, code, diff, item, prose
from acp_tui.journal.export.web_style import POLICY, STYLE
from acp_tui.protocol.plan import PlanItems, PlanMarkdown
from acp_tui.protocol.tool_call import Content, Diff, Terminal
from acp_tui.render import words
from acp_tui.render.clean import one_line, pasteable
from acp_tui.render.told import HEADS
from acp_tui.render.view import View
from acp_tui.render.views.rule import CompactionView, TurnView
from acp_tui.render.views.subagent import SubagentView, said_of, title_of
from acp_tui.render.views.submission import SubmissionView
from acp_tui.render.views.tool_call import ToolCallView
from acp_tui.render.views.tool_items import file_read
from acp_tui.store.entities import Message, Plan
from acp_tui.store.entities import Terminal as TerminalEntity
from acp_tui.store.holding import loaded
from acp_tui.store.keys import Key, Kind


def html(excerpt: Excerpt) -> Iterator[str]:
    """The whole document, piece by piece."""
    title = escape(excerpt.facts.title or "Conversation")
    yield f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    yield f"<style>\n{STYLE}</style>\n</head>\n"
    facts = " · ".join(escape(one) for one in excerpt.facts.line())
    part = "" if excerpt.whole else f" · entries {excerpt.first} to {excerpt.last}"
    yield f"<body>\n<header>\n<h1>{title}</h1>\n<p>{facts}{part}</p>\n</header>\n<main>\n"
    yield from _members(excerpt, "e")
    for plan in excerpt.plans():
        yield f'<section class="plan">\n<h2>Plan</h2>\n{_plan(plan)}</section>\n'
    for count, child in enumerate(excerpt.children(), 1):
        yield f'<details class="subagent" id="s{count}">\n<summary>↳ {escape(child.parent)}</summary>\n'
        yield from _members(child, f"s{count}e")
        yield "</details>\n"
    yield f"</main>\n<footer>Exported by acp-tui {escape(__version__)}.</footer>\n</body>\n</html>\n"


def _members(excerpt: Excerpt, prefix: str) -> Iterator[str]:
    for number, view in excerpt.members():
        if made := _member(view, f"{prefix}{number}"):
            yield pasteable(made)


def _member(view: View, id: str) -> str:
    if isinstance(view, ToolCallView):
        return _call(view, id)
    if isinstance(view, TurnView):
        said = view.words()
        return f'<p class="rule" id="{id}">{escape(said)}{_at(view)}</p>\n' if said else ""
    if isinstance(view, SubagentView):
        said = f"↳ {title_of(view.entity, view.store)} · {said_of(view.entity, view.store)}"
        return "" if view.nested else f'<p class="call" id="{id}">{escape(said)}</p>\n'
    if isinstance(view, CompactionView):
        return _compaction(view, id)
    return _message(view, id)


def _message(view: View, id: str) -> str:
    entity = view.entity
    kind = entity.key.kind
    items: Any = entity.content.since(0) if isinstance(entity, Message) else ()
    after = ""
    if isinstance(view, SubmissionView):
        items = view.entity.blocks if view.entity.stands != "nowhere" else ()
        after = f'<p class="facts">{escape(view.status())}</p>\n' if view.entity.stands == "below" else ""
    body = prose(items)
    if not body:
        return ""
    if kind is Kind.AGENT_THOUGHT:
        return _details("thought", "thought" + _at(view), body, id)
    head = f"<h2>{escape(HEADS.get(kind, kind.value))}{_at(view)}</h2>"
    sort = {Kind.SUBMISSION: "user_message"}.get(kind, kind.value)
    return f'<section class="{sort}" id="{id}">\n{head}\n{body}{after}</section>\n'


def _at(view: View) -> str:
    return f" <time>{words.clock(view.entity.created_at)}</time>" if view.entity.created_at else ""


def _details(sort: str, summary: str, body: str, id: str, opened: bool = False) -> str:
    """`summary` and `body` are HTML."""
    state = " open" if opened else ""
    return f'<details class="{sort}" id="{id}"{state}>\n<summary>{summary}</summary>\n{body}</details>\n'


def _call(view: ToolCallView, id: str) -> str:
    said, call = view.said(), view.entity
    facts = " · ".join(escape(fact) for fact in said.facts)
    line = f'<span class="glyph">{escape(said.glyph)}</span> <span class="title">{escape(said.title)}</span>'
    line += f' <span class="facts">{facts}</span>' if facts else ""
    body = "".join(_item(view, held) for held in map(loaded, call.content))
    for name, raw in (("input", call.raw_input), ("output", call.raw_output)):
        if raw is not None:
            text = json.dumps(raw, indent=2, ensure_ascii=False, default=str)
            body += f'<details class="raw"><summary>{name}</summary>{code(text, "json")}</details>\n'
    sort = "call failed" if call.status == "failed" else "call"
    if not body:
        return f'<p class="{sort}" id="{id}">{line}</p>\n'
    return _details(sort, line, body, id, opened=call.status == "failed")


def _item(view: ToolCallView, held: Any) -> str:
    if isinstance(held, Content):
        return item(held.content, file_read(view.entity))
    if isinstance(held, Diff):
        return diff(held)
    if not isinstance(held, Terminal):
        return "" if getattr(held, "type", "") == "session" else block(held)
    entity = view.store.entity(Key(view.key.session, Kind.TERMINAL, held.terminal_id))
    if not isinstance(entity, TerminalEntity):
        return ""
    command = f"<b>$ {escape(entity.command)}</b>\n" if entity.command else ""
    return f'<pre class="terminal">{command}{escape(entity.output.text())}</pre>\n'


def _compaction(view: CompactionView, id: str) -> str:
    entity = view.entity
    said = words.COMPACTIONS.get(entity.status) or f"compaction: {one_line(entity.status, 40)}"
    body = (f"<pre>{escape(entity.error)}</pre>\n" if entity.error else "") + prose(entity.summary.since(0))
    if not body:
        return f'<p class="rule" id="{id}">{escape(said)}{_at(view)}</p>\n'
    return _details("compaction", escape(said) + _at(view), body, id)


def _plan(plan: Plan) -> str:
    content = plan.plan
    if isinstance(content, PlanItems):
        steps = "".join(
            f"<li>{words.PLAN_GLYPHS.get(one.status, '·')} {escape(one.content)}</li>\n"
            for one in content.entries
        )
        return f"<ul>\n{steps}</ul>\n"
    if isinstance(content, PlanMarkdown):
        return prose([content.content])
    return f"<p>{escape(getattr(content, 'uri', '') or getattr(content, 'type', ''))}</p>\n"
