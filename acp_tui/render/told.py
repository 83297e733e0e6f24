"""Entries of a conversation as markdown under headings that say who spoke, to be pasted elsewhere.

Invariant: an agent's text is never taken for more than it is: what tools gave stands in fences longer than
any it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from acp_tui.protocol.content import TextContent
from acp_tui.protocol.tool_call import Content, Diff, Terminal
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line
from acp_tui.render.view import Lookup, View
from acp_tui.render.views.content import summary
from acp_tui.store.entities import Message, Submission, ToolCall, Turn
from acp_tui.store.entities import Terminal as TerminalEntity
from acp_tui.store.holding import Block, Handle, is_text, loaded
from acp_tui.store.keys import Key, Kind

_HEADS = {
    Kind.USER_MESSAGE: "User",
    Kind.SUBMISSION: "User",
    Kind.AGENT_MESSAGE: "Agent",
    Kind.AGENT_THOUGHT: "Thought",
    Kind.SESSION_MESSAGE: "Message between sessions",
    Kind.COMPACTION: "Compaction",
    Kind.SUBAGENT: "Subagent",
}


def told(views: Iterable[View]) -> str:
    """All of them, one after the other; what says nothing is left out."""
    return "\n\n".join(part for part in map(_told, views) if part)


def _told(view: View) -> str:
    entity = view.entity
    if isinstance(entity, ToolCall):
        return _call(entity, view.store)
    if isinstance(entity, Turn):
        said = view.source()
        return f"*{said}*" if said else ""
    if isinstance(entity, Message):
        body = _blocks(entity.content.since(0))
    elif isinstance(entity, Submission):
        body = _blocks(entity.blocks) if entity.stands != "nowhere" else ""
    else:
        body = view.source()
    body = body.strip("\n")
    return f"## {_HEADS.get(entity.key.kind, entity.key.kind)}\n\n{body}" if body else ""


def _blocks(blocks: Iterable[str | Block | Handle]) -> str:
    """Text as it is; of anything else that it was there."""
    said = ""
    for block in blocks:
        held = loaded(block) if is_text(block) else block
        if isinstance(held, str):
            said += held
        elif isinstance(held, TextContent):
            said += held.text
        else:
            said = f"{said.rstrip()}\n\n{_named(held)}\n\n".lstrip()
    return said


def _named(block: Block | Handle) -> str:
    facts = summary(block)
    said = " · ".join(one_line(part) for part in (facts.name, *facts.facts) if part)
    return f"[{said}]({clean(facts.uri)})" if facts.uri else f"[{said}]"


def _call(call: ToolCall, store: Lookup) -> str:
    title = one_line(call.title or call.name or call.kind)
    parts = [f"### Tool: {title} ({words.status(call.display_status)})"]
    for item in call.content:
        held = loaded(item)
        if isinstance(held, Content):
            block = held.content
            parts.append(_fenced(block.text) if isinstance(block, TextContent) else _named(block))
        elif isinstance(held, Diff):
            paths = "\n".join(str(getattr(change, "path", "")) for change in held.changes)
            parts.append(_fenced(held.patch.text, "diff") if held.patch else _fenced(paths))
        elif isinstance(held, Terminal):
            entity = store.entity(Key(call.key.session, Kind.TERMINAL, held.terminal_id))
            if isinstance(entity, TerminalEntity):
                parts.append(_fenced(clean(entity.output.text()), "console"))
    return "\n\n".join(parts)


def _fenced(text: str, language: str = "") -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"
