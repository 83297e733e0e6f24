"""What the user is asked to allow, whole and unmistakable (PM-21, SF-04).

Invariants: nothing is cut; control, bidirectional and invisible characters are written out; an unknown
subject is shown raw, never left out (PM-06). What is marked was found by others (`Found`); what is not marked
is not called safe.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from rich.cells import cell_len
from rich.style import Style

from acp_tui.protocol.content import TextContent
from acp_tui.protocol.permission import (
    CommandPermissionSubject,
    RequestPermissionRequest,
    ToolCallPermissionSubject,
)
from acp_tui.protocol.tool_call import Content, Diff, Terminal
from acp_tui.protocol.unknown import Unknown
from acp_tui.render.clean import one_line, visible
from acp_tui.render.diff import Layout, diff_lines
from acp_tui.render.look import Look
from acp_tui.render.markdown import Page
from acp_tui.render.paths import relative
from acp_tui.render.view import Lookup
from acp_tui.render.wrap import Lines, Run, wrap
from acp_tui.store.entities import AgentRequest, ToolCall
from acp_tui.store.entities import Terminal as TerminalEntity
from acp_tui.store.holding import loaded
from acp_tui.store.keys import Key, Kind

REASONS: Final = 8
"""Kinds of risk that are told in words; the places of all are marked."""
_UNDERLINED = Style(underline=True, bold=True)


class Mark(NamedTuple):
    """A part of the command, from `start` to before `end`, and why it is marked."""

    start: int
    end: int
    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """What was noticed about a request."""

    command: str | None = None
    """The whole command line, if one is known."""
    marks: tuple[Mark, ...] = ()
    unsure: tuple[str, ...] = ()
    """What of the command was not understood."""
    outside: tuple[str, ...] = ()
    """Paths, as the agent wrote them, that do not lie in the session's folders."""
    elsewhere: bool = False
    """The command would run outside the session's folders."""


NOTHING: Final = Found()


class Sheet(NamedTuple):
    """What a request is laid out on."""

    page: Page
    found: Found = NOTHING
    layout: Layout = "auto"
    """Of its diffs."""


def asks_about(store: Lookup, key: Key) -> Key | None:
    """The tool call that a waiting request is about."""
    request = store.entity(key)
    subject = getattr(request.params, "subject", None) if isinstance(request, AgentRequest) else None
    if isinstance(subject, ToolCallPermissionSubject):
        return Key(key.session, Kind.TOOL_CALL, subject.tool_call.tool_call_id)
    if isinstance(subject, CommandPermissionSubject) and subject.tool_call_id:
        return Key(key.session, Kind.TOOL_CALL, subject.tool_call_id)
    return None


def request_lines(
    request: AgentRequest,
    store: Lookup,
    width: int,
    look: Look,
    found: Found = NOTHING,
    layout: Layout = "auto",
) -> Lines:
    """Title, description and subject of a permission request; of a very long diff most lines are made when
    they are looked at."""
    params = request.params
    page = Page(width, look, (("  ", look.base),), look.base)
    if not isinstance(params, RequestPermissionRequest):
        return Lines()
    lines = _words(params.title, look.strong, page)
    if params.description:
        lines.extend(_words(params.description, look.base, page))
    lines.extend(subject_lines(request, store, Sheet(page, found, layout)))
    return lines


def subject_lines(request: AgentRequest, store: Lookup, sheet: Sheet) -> Lines:
    """The whole command, diff or call the request is about."""
    session = store.sessions.get(request.key.session)
    cwd = session.cwd if session is not None else ""
    subject = request.params.subject
    lines = Lines()
    if isinstance(subject, CommandPermissionSubject):
        lines = _command(subject.command, subject.cwd, cwd, sheet)
    elif isinstance(subject, ToolCallPermissionSubject):
        key = Key(request.key.session, Kind.TOOL_CALL, subject.tool_call.tool_call_id)
        call = store.entity(key)
        lines = _call(call, request.params.title, store, cwd, sheet) if isinstance(call, ToolCall) else lines
    elif isinstance(subject, Unknown):
        lines = _json(subject.raw, sheet.page)
    for path in sheet.found.outside:
        said = f"! outside the session's folders: {visible(path)}"
        lines.extend(_words(said, sheet.page.look.status_waiting, sheet.page))
    return lines


def _words(text: str, style: Style, page: Page) -> Lines:
    return wrap(
        [(visible(text).strip("\n"), style)], page.width, page.look.base, first=page.left, measure=page.limit
    )


def _command(command: str, where: str, cwd: str, sheet: Sheet) -> Lines:
    page, found = sheet.page, sheet.found
    look = page.look
    first: list[Run] = [*page.left, ("$ ", look.kind)]
    rest: list[Run] = [*page.left, ("  ", look.base)]
    marks = found.marks if command == found.command else ()
    runs = list(_marked(command, marks, look))
    lines = wrap(runs, page.width, look.base, first=first, rest=rest, words=False)
    if where:
        inside = relative(where, cwd)
        place = "in this session's folder" if inside == "." else f"in {visible(where)}"
        style = look.dim
        if found.elsewhere:
            place, style = f"! {place}, outside the session's folders", look.status_waiting
        lines.extend(wrap([(place, style)], page.width, look.base, first=rest, words=False))
    if command == found.command:
        for text, style in _reasons(found, look):
            lines.extend(
                wrap(
                    [(visible(text), style)],
                    page.width,
                    look.base,
                    first=rest,
                    rest=[*rest, ("  ", look.base)],
                )
            )
    return lines


def _marked(command: str, marks: tuple[Mark, ...], look: Look) -> Iterator[Run]:
    """The command, its marked parts underlined; no run begins within a character and its marks."""
    risky = look.status_waiting + _UNDERLINED
    done = 0
    for mark in sorted(marks):
        start, end = max(done, _before(command, mark.start)), _before(command, mark.end)
        if start < end:
            yield visible(command[done:start]), look.strong
            yield visible(command[start:end]), risky
            done = end
    yield visible(command[done:]), look.strong


def _before(command: str, place: int) -> int:
    while 0 < place < len(command) and not cell_len(command[place]):
        place -= 1
    return place


def _reasons(found: Found, look: Look) -> Iterator[Run]:
    """Why something is marked, and what nobody looked into."""
    parts: dict[str, list[str]] = {}
    for mark in found.marks:
        parts.setdefault(mark.why, []).append(one_line((found.command or "")[mark.start : mark.end], 40))
    for why, said in list(parts.items())[:REASONS]:
        more = f" and {len(said) - 1} more" if len(said) > 1 else ""
        yield f"! {why}: {said[0]}{more}", look.status_waiting
    if len(parts) > REASONS:
        yield f"! and {len(parts) - REASONS} other things that are marked above", look.status_waiting
    if found.unsure:
        yield f"? not understood, so nothing is marked in it: {', '.join(found.unsure)}", look.dim


def _call(call: ToolCall, above: str, store: Lookup, cwd: str, sheet: Sheet) -> Lines:
    """`above`: the title of the request, which is mostly that of the call where agents speak v1."""
    page, found = sheet.page, sheet.found
    lines = Lines()
    commands = set(_commands(call, store))
    if call.title and call.title not in {*commands, found.command, above}:
        lines.extend(_words(call.title, page.look.title, page))
    shown, changed = False, set[str]()
    for item in map(loaded, call.content):
        for part in _item(item, call.key.session, store, cwd, sheet):
            lines.extend(part)
            shown = True
        if isinstance(item, Diff):
            changed |= {
                path for change in item.changes if isinstance(path := getattr(change, "path", None), str)
            }
    for touched in call.locations:
        if touched.path in changed:
            continue  # it heads its diff
        where = visible(relative(touched.path, cwd)) + (f":{touched.line}" if touched.line else "")
        lines.extend(
            wrap([(where, page.look.path)], page.width, page.look.base, first=page.left, words=False)
        )
    raw = loaded(call.raw_input)
    if found.command is not None and found.command not in commands:
        place = raw.get("cwd") if isinstance(raw, dict) else None
        lines.extend(_command(found.command, place if isinstance(place, str) else "", cwd, sheet))
        raw = _besides(raw, found.command)
    if raw is not None and not shown:
        lines.extend(_json(raw, page))
    return lines


def _besides(raw: Any, command: str) -> Any:
    """The input without the command that stands above it; None if that is all."""
    if not isinstance(raw, dict):
        return raw
    said = {name: value for name, value in raw.items() if not _is(value, command)}
    return said or None


def _is(value: Any, command: str) -> bool:
    words = isinstance(value, list) and all(isinstance(word, str) for word in value)
    return value == command or (words and shlex.join(value) == command)


def _commands(call: ToolCall, store: Lookup) -> Iterator[str]:
    """Of the terminals it shows."""
    for item in map(loaded, call.content):
        if isinstance(item, Terminal):
            terminal = store.entity(Key(call.key.session, Kind.TERMINAL, item.terminal_id))
            if isinstance(terminal, TerminalEntity) and terminal.command:
                yield terminal.command


def _item(item: object, session: str, store: Lookup, cwd: str, sheet: Sheet) -> Iterator[Lines]:
    page = sheet.page
    if isinstance(item, Diff):
        yield diff_lines(
            item, page.width, page.look, cwd=cwd, left=page.left, layout=sheet.layout, exact=True
        )
    elif isinstance(item, Content) and isinstance(item.content, TextContent):
        yield _words(item.content.text, page.look.base, page)
    elif isinstance(item, Terminal):
        terminal = store.entity(Key(session, Kind.TERMINAL, item.terminal_id))
        if isinstance(terminal, TerminalEntity) and terminal.command:
            elsewhere = terminal.cwd if relative(terminal.cwd or "", cwd) != "." else ""
            yield _command(terminal.command, elsewhere or "", cwd, sheet)
    elif isinstance(item, Unknown):
        yield _json(item.raw, page)


def _json(value: object, page: Page) -> Lines:
    text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    return wrap([(visible(text), page.look.code)], page.width, page.look.base, first=page.left, words=False)
