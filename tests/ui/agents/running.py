"""An agent whose work can be stopped singly. Prompts: `tool=HOW` starts a tool call in the background,
`terminal=HOW` a terminal, `plain` a tool call that cannot be stopped, `strange` work of an unknown kind. HOW:
obeys, anyway (it completes although it was asked to stop), mute (never answers), refuses.
"""

from __future__ import annotations

import json
import sys
from typing import Any

SESSION = "one"
background: list[dict[str, str]] = []
how: dict[str, str] = {}


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def update(kind: str, **fields: Any) -> None:
    send(method="session/update", params={"sessionId": SESSION, "update": {"sessionUpdate": kind, **fields}})


def begin(word: str) -> None:
    name, _, value = word.partition("=")
    how[name] = value
    may = {"cancel": {}}
    match name:
        case "tool":
            update(
                "tool_call_update", toolCallId="tool", title="Serve", status="in_progress", capabilities=may
            )
            background.append({"type": "tool_call", "toolCallId": "tool"})
        case "terminal":
            update("terminal_update", terminalId="terminal", command="make watch", capabilities=may)
            background.append({"type": "terminal", "terminalId": "terminal"})
        case "plain":
            update("tool_call_update", toolCallId="plain", title="Index", status="in_progress")
            background.append({"type": "tool_call", "toolCallId": "plain"})
        case "strange":
            background.append({"type": "_dream", "depth": "3"})


def stop(number: Any, name: str) -> None:
    match how[name]:
        case "mute":
            return
        case "refuses":
            send(id=number, error={"code": -32603, "message": "it is mine"})
            return
    send(id=number, result={})
    background[:] = [item for item in background if name not in item.values()]
    if name == "tool":
        status = "cancelled" if how[name] == "obeys" else "completed"
        update("tool_call_update", toolCallId="tool", status=status)
    else:
        update("terminal_update", terminalId="terminal", exitStatus={"signal": "SIGTERM"})
    update("state_update", state="idle", background=background)


def handle(message: Any) -> None:
    number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    match method:
        case "initialize":
            facts = {"info": {"name": "running", "version": "1"}, "capabilities": {"session": {}}}
            send(id=number, result={"protocolVersion": 2, **facts})
        case "session/new":
            send(id=number, result={"sessionId": SESSION})
        case "session/prompt":
            update("user_message", messageId=f"u{number}", content=params["prompt"])
            send(id=number, result={"messageId": f"u{number}"})
            update("state_update", state="running")
            for word in params["prompt"][0]["text"].split():
                begin(word)
            update("state_update", state="idle", stopReason="end_turn", background=background)
        case "tool_call/cancel":
            stop(number, "tool")
        case "terminal/cancel":
            stop(number, "terminal")
        case _ if number is not None:
            send(id=number, result={})


for line in sys.stdin:
    handle(json.loads(line))
