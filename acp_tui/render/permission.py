"""What the user is asked to allow, whole and unmistakable (PM-21, SF-04).

Invariants: nothing is cut; control, bidirectional and invisible characters are written out; an unknown
subject is shown raw, never left out (PM-06).
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from rich.style import Style
from textual.strip import Strip

from acp_tui.protocol.content import TextContent
from acp_tui.protocol.permission import (
    CommandPermissionSubject,
    RequestPermissionRequest,
    ToolCallPermissionSubject,
)
from acp_tui.protocol.tool_call import Content, Diff, Terminal
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import visible
from acp_tui.render.diff import diff_lines
from acp_tui.render.look import Look
from acp_tui.render.markdown import Page
from acp_tui.render.paths import relative
from acp_tui.render.view import Lookup
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import AgentRequest, ToolCall
from acp_tui.store.entities import Terminal as TerminalEntity
from acp_tui.store.holding import loaded
from acp_tui.store.keys import Key, Kind


def asks_about(store: Lookup, key: Key) -> Key | None:
    """The tool call that a waiting request is about."""
    request = store.entity(key)
    subject = getattr(request.params, "subject", None) if isinstance(request, AgentRequest) else None
    if isinstance(subject, ToolCallPermissionSubject):
        return Key(key.session, Kind.TOOL_CALL, subject.tool_call.tool_call_id)
    if isinstance(subject, CommandPermissionSubject) and subject.tool_call_id:
        return Key(key.session, Kind.TOOL_CALL, subject.tool_call_id)
    return None


def request_lines(request: AgentRequest, store: Lookup, width: int, look: Look) -> list[Strip]:
    """Title, description and subject of a permission request."""
    params = request.params
    page = Page(width, look, (("  ", look.base),), look.base)
    if not isinstance(params, RequestPermissionRequest):
        return []
    lines = _words(params.title, look.strong, page)
    if params.description:
        lines.extend(_words(params.description, look.base, page))
    lines.extend(subject_lines(request, store, page))
    return lines.strips


def subject_lines(request: AgentRequest, store: Lookup, page: Page) -> Lines:
    """The whole command, diff or call the request is about."""
    session = store.sessions.get(request.key.session)
    cwd = session.cwd if session is not None else ""
    subject = request.params.subject
    if isinstance(subject, CommandPermissionSubject):
        return _command(subject.command, subject.cwd, cwd, page)
    if isinstance(subject, ToolCallPermissionSubject):
        key = Key(request.key.session, Kind.TOOL_CALL, subject.tool_call.tool_call_id)
        call = store.entity(key)
        return _call(call, store, cwd, page) if isinstance(call, ToolCall) else Lines()
    return _json(subject.raw, page) if isinstance(subject, Unknown) else Lines()


def _words(text: str, style: Style, page: Page) -> Lines:
    return wrap(
        [(visible(text).strip("\n"), style)], page.width, page.look.base, first=page.left, measure=page.limit
    )


def _command(command: str, where: str, cwd: str, page: Page) -> Lines:
    look = page.look
    first: list[Run] = [*page.left, ("$ ", look.kind)]
    rest: list[Run] = [*page.left, ("  ", look.base)]
    lines = wrap(
        [(visible(command), look.strong)], page.width, look.base, first=first, rest=rest, words=False
    )
    if where:
        inside = relative(where, cwd)
        place = "in this session's folder" if inside == "." else f"in {visible(where)}"
        lines.extend(wrap([(place, look.dim)], page.width, look.base, first=rest, words=False))
    return lines


def _call(call: ToolCall, store: Lookup, cwd: str, page: Page) -> Lines:
    lines = Lines()
    if call.title and not _repeated(call, store):
        lines.extend(_words(call.title, page.look.title, page))
    shown = False
    for item in call.content:
        for part in _item(loaded(item), call.key.session, store, cwd, page):
            lines.extend(part)
            shown = True
    for place in call.locations:
        where = visible(relative(place.path, cwd)) + (f":{place.line}" if place.line else "")
        lines.extend(
            wrap([(where, page.look.path)], page.width, page.look.base, first=page.left, words=False)
        )
    raw = loaded(call.raw_input)
    if raw is not None and not shown:
        lines.extend(_json(raw, page))
    return lines


def _repeated(call: ToolCall, store: Lookup) -> bool:
    """The title is the command that stands below it, whole."""
    terminals = [item for item in map(loaded, call.content) if isinstance(item, Terminal)]
    entities = [store.entity(Key(call.key.session, Kind.TERMINAL, item.terminal_id)) for item in terminals]
    return any(isinstance(one, TerminalEntity) and one.command == call.title for one in entities)


def _item(item: object, session: str, store: Lookup, cwd: str, page: Page) -> Iterator[Lines]:
    if isinstance(item, Diff):
        yield diff_lines(item, page.width, page.look, cwd=cwd, left=page.left, exact=True)
    elif isinstance(item, Content) and isinstance(item.content, TextContent):
        yield _words(item.content.text, page.look.base, page)
    elif isinstance(item, Terminal):
        terminal = store.entity(Key(session, Kind.TERMINAL, item.terminal_id))
        if isinstance(terminal, TerminalEntity) and terminal.command:
            elsewhere = terminal.cwd if relative(terminal.cwd or "", cwd) != "." else ""
            yield _command(terminal.command, elsewhere or "", cwd, page)
    elif isinstance(item, Unknown):
        yield _json(item.raw, page)


def _json(value: object, page: Page) -> Lines:
    text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    return wrap([(visible(text), page.look.code)], page.width, page.look.base, first=page.left, words=False)
