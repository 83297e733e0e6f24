"""The words of what we ask the user before we touch, for an agent, what lies elsewhere than its session."""

from __future__ import annotations

import shlex
from typing import Any

from acp_tui.client.jobs import Elsewhere, Job
from acp_tui.protocol.served import CreateTerminal, ReadTextFile, Wanted, WriteTextFile
from acp_tui.store.keys import OURS as OURS

ONCE, FOLDER, REJECT = "once", "folder", "reject"
"""The options."""

_VERBS = {"read": "Read", "edit": "Write", "execute": "Run"}
_IN_FOLDER = {"read": "Allow reading", "edit": "Allow writing", "execute": "Allow commands"}


def kind(wanted: Wanted) -> str:
    """As of tool calls; what was allowed for one kind holds for no other."""
    match wanted:
        case ReadTextFile():
            return "read"
        case WriteTextFile():
            return "edit"
        case _:
            return "execute"


def command_line(wanted: CreateTerminal) -> str:
    """As one would type it. A command without arguments is a whole line of a shell, or one word."""
    return shlex.join([wanted.command, *wanted.args]) if wanted.args else wanted.command


def call(job: Job, place: Elsewhere, name: str) -> dict[str, Any]:
    """The tool call of ours that shows a job."""
    what = kind(job.wanted)
    return {
        "sessionUpdate": "tool_call_update",
        "toolCallId": name,
        "name": "acp-tui",
        "title": f"{_VERBS[what]} {place.real}",
        "kind": what,
        "status": "pending",
        "content": [place.change] if place.change is not None else [],
        "locations": [{"path": place.real}],
    }


def showing(terminal: str) -> str:
    """The name of that call."""
    return f"{terminal}-shown"


def command_call(terminal: str, command: str) -> dict[str, Any]:
    """The tool call of ours that shows a terminal that the agent shows nowhere."""
    return {
        "sessionUpdate": "tool_call_update",
        "toolCallId": showing(terminal),
        "name": "acp-tui",
        "title": command,
        "kind": "execute",
        "status": "in_progress",
        "content": [{"type": "terminal", "terminalId": terminal}],
    }


def request(job: Job, place: Elsewhere, shown: str, session_id: str) -> dict[str, Any]:
    """Parameters of the permission we ask for."""
    wanted, what = job.wanted, kind(job.wanted)
    options = [(ONCE, "Allow once", "allow_once")]
    if place.folder:
        options.append((FOLDER, f"{_IN_FOLDER[what]} in {place.folder} in this session", "allow_always"))
    options.append((REJECT, "Reject", "reject_once"))
    if isinstance(wanted, CreateTerminal):
        subject: dict[str, Any] = {"type": "command", "command": command_line(wanted), "cwd": place.real}
        title = "Run a command elsewhere?"
    else:
        subject = {"type": "tool_call", "toolCall": {"toolCallId": shown}}
        title = f"{_VERBS[what]} this file?"
    named = getattr(wanted, "path", None) or getattr(wanted, "cwd", None) or place.real
    link = f" The agent named it {named}." if named != place.real else ""
    return {
        "sessionId": session_id,
        "title": title,
        "description": f"The agent wants acp-tui to do this. You are asked because {place.why}.{link}",
        "subject": subject,
        "options": [{"optionId": id, "name": name, "kind": kind} for id, name, kind in options],
    }
