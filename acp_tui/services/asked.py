"""What a permission request is about, as far as the agent says: kind, command, folder, paths.

Invariant: claims of the agent, gathered and nothing added; a command that is only part of a title counts as
none.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import Any

from acp_tui.protocol.permission import (
    CommandPermissionSubject,
    RequestPermissionRequest,
    ToolCallPermissionSubject,
)
from acp_tui.protocol.tool_call import Diff, DiffPathPairChange
from acp_tui.protocol.tool_call import Terminal as TerminalItem
from acp_tui.protocol.unknown import Unknown
from acp_tui.store.entities import AgentRequest, Terminal, ToolCall
from acp_tui.store.holding import is_diff, loaded
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import Store

_COMMANDS = ("command", "cmd", "commandLine", "command_line", "script")


@dataclass(frozen=True, slots=True)
class Asked:
    """What would be done."""

    kind: str
    """The kind of the tool call; `execute` for a bare command; empty where nothing is said."""
    command: str | None
    """The whole command line, if one is known."""
    cwd: str
    """Where it would run."""
    paths: tuple[str, ...]
    """Files it names as touched, as the agent wrote them."""
    whole: bool = True
    """False where part of what it names is of a kind nobody knows here."""


def about(store: Store, request: AgentRequest) -> Asked | None:
    """Read it; None for what is no permission request, or has no subject that is known (PM-06)."""
    params = request.params
    session = store.sessions.get(request.key.session)
    if not isinstance(params, RequestPermissionRequest) or session is None:
        return None
    subject = params.subject
    if isinstance(subject, CommandPermissionSubject):
        call = _call(store, request.key.session, subject.tool_call_id)
        paths, whole = _paths(call) if call is not None else ((), True)
        return Asked("execute", subject.command, subject.cwd or session.cwd, paths, whole)
    if isinstance(subject, ToolCallPermissionSubject):
        call = _call(store, request.key.session, subject.tool_call.tool_call_id)
        if call is not None:
            command, cwd = _command(store, call)
            return Asked(call.kind, command, cwd or session.cwd, *_paths(call))
    return None


def _call(store: Store, ref: str, call_id: str | None) -> ToolCall | None:
    found = store.entity(Key(ref, Kind.TOOL_CALL, call_id)) if call_id else None
    return found if isinstance(found, ToolCall) else None


def _command(store: Store, call: ToolCall) -> tuple[str | None, str | None]:
    """The command of a terminal it shows, else the one in its input."""
    for item in call.content:
        terminal = loaded(item)
        if isinstance(terminal, TerminalItem):
            shown = store.entity(Key(call.key.session, Kind.TERMINAL, terminal.terminal_id))
            if isinstance(shown, Terminal) and shown.command:
                return shown.command, shown.cwd
    raw = loaded(call.raw_input)
    given = next((raw[name] for name in _COMMANDS if name in raw), None) if isinstance(raw, dict) else None
    cwd = raw.get("cwd") if isinstance(raw, dict) else None
    return _line(given), cwd if isinstance(cwd, str) else None


def _line(given: Any) -> str | None:
    if isinstance(given, list) and given and all(isinstance(word, str) for word in given):
        return shlex.join(given)
    return given if isinstance(given, str) and given.strip() else None


def _paths(call: ToolCall) -> tuple[tuple[str, ...], bool]:
    """What it touches, and whether that is all it names."""
    found, whole = [place.path for place in call.locations], True
    for item in call.content:
        diff = loaded(item)
        whole = whole and not isinstance(diff, Unknown) and isinstance(diff, Diff) is is_diff(item)
        for change in diff.changes if isinstance(diff, Diff) else ():
            if isinstance(change, Unknown):
                whole = False
            else:
                found += [change.path, *([change.old_path] if isinstance(change, DiffPathPairChange) else [])]
    return tuple(dict.fromkeys(found)), whole
