"""Entries of a conversation as markdown under headings that say who spoke, to be pasted elsewhere.

Invariant: an agent's text is never taken for more than it is: what tools gave stands in fences longer than
any it holds, what was said ends where it ends and has none of our headings. All is clean before it is looked
at: what disappears later could make a fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from acp_tui.protocol.content import TextContent
from acp_tui.protocol.tool_call import Content, Diff, Terminal
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line, pasteable
from acp_tui.render.markdown.contained import contained, escaped, fenced
from acp_tui.render.view import Lookup, View
from acp_tui.render.views.content import summary
from acp_tui.render.views.tool_items import file_read, language_in
from acp_tui.store.entities import Message, Submission, ToolCall, Turn
from acp_tui.store.entities import Terminal as TerminalEntity
from acp_tui.store.holding import Block, Handle, is_text, loaded
from acp_tui.store.keys import Key, Kind

HEADS = {
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
        said = one_line(view.source())
        return f"*{escaped(said)}*" if said else ""
    body = said_in(view)
    return f"## {HEADS.get(entity.key.kind, entity.key.kind)}\n\n{body}" if body else ""


def said_in(view: View) -> str:
    """What an entry that is no tool call says, without its heading; empty: it says nothing here."""
    entity = view.entity
    if isinstance(entity, Message):
        return _blocks(entity.content.since(0))
    if isinstance(entity, Submission):
        return _blocks(entity.blocks) if entity.stands != "nowhere" else ""
    return contained(clean(view.source()))


def _blocks(blocks: Iterable[str | Block | Handle]) -> str:
    """Text as it is; of anything else that it was there."""
    parts: list[str] = []
    said = ""
    for block in blocks:
        held = loaded(block) if is_text(block) else block
        if isinstance(held, str):
            said += pasteable(held)
        elif isinstance(held, TextContent):
            said += pasteable(held.text)
        else:
            parts += [contained(said), named(held)]
            said = ""
    return "\n\n".join(part for part in [*parts, contained(said)] if part)


def named(block: Block | Handle) -> str:
    """A block that is no text, in one line: `[image · PNG · 12 kB]`."""
    facts = summary(block)
    said = escaped(" · ".join(one_line(part) for part in (facts.name, *facts.facts) if part))
    uri = clean(facts.uri)
    if not uri:
        return f"\\[{said}\\]"
    return f"[{said}]({uri})" if _PLAIN.fullmatch(uri) else f"[{said}](<{uri.translate(_IN_LINK)}>)"


_PLAIN = re.compile(r"[\w:/.?=&%#+~@,;-]+")
_IN_LINK = {ord("<"): "%3C", ord(">"): "%3E", ord("\n"): "%0A", ord("\\"): "%5C"}


class Piece(NamedTuple):
    """Something that a tool call holds: text for a fence, or words for a line."""

    text: str
    language: str = ""
    fenced: bool = True

    def markdown(self) -> str:
        """As it may stand anywhere."""
        return fenced(self.text, self.language) if self.fenced else self.text


def pieces(call: ToolCall, store: Lookup) -> Iterator[Piece]:
    """What a tool call holds, in order; subagents are not told here."""
    path = file_read(call)
    for item in call.content:
        held = loaded(item)
        if isinstance(held, Content):
            block = held.content
            if isinstance(block, TextContent):
                yield Piece(pasteable(block.text), language_in(block.text, path) or "")
            else:
                yield Piece(named(block), fenced=False)
        elif isinstance(held, Diff):
            yield _diff(held)
        elif isinstance(held, Terminal):
            entity = store.entity(Key(call.key.session, Kind.TERMINAL, held.terminal_id))
            if isinstance(entity, TerminalEntity):
                yield Piece(clean(entity.output.text()), "console")


def _diff(diff: Diff) -> Piece:
    if diff.patch:
        return Piece(pasteable(diff.patch.text), "diff")
    return Piece("\n".join(map(change_words, diff.changes)))


def change_words(change: object) -> str:
    """What happened to a path, in one line."""
    paths = [getattr(change, name, "") for name in ("old_path", "path")]
    operation = getattr(change, "operation", "") or getattr(change, "type", "")
    return one_line(f"{operation} {' → '.join(path for path in paths if path)}")


def _call(call: ToolCall, store: Lookup) -> str:
    title = escaped(one_line(call.title or call.name or call.kind))
    head = f"### Tool: {title} ({words.status(call.display_status)})"
    return "\n\n".join([head, *(piece.markdown() for piece in pieces(call, store) if piece.text)])
