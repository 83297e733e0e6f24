"""An agent that has sessions from before: lists them in pages of three, resumes and deletes them.

Its first argument: `good`; `loop` gives the same cursor always; `refuse` lists nothing; `keep` keeps them.
"""

from __future__ import annotations

import json
import sys
from typing import Any

HOW = sys.argv[1]
sessions = {f"old-{n}": f"Old session {n}" for n in range(1, 8)}


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def update(session: str, kind: str, **fields: Any) -> None:
    send(method="session/update", params={"sessionId": session, "update": {"sessionUpdate": kind, **fields}})


def page(cursor: str | None) -> dict[str, Any]:
    start = int(cursor or 0)
    shown = list(sessions.items())[start : start + 3]
    found: dict[str, Any] = {
        "sessions": [
            {"sessionId": id, "cwd": "/old", "title": title, "updatedAt": f"2026-10-0{id[-1]}T10:00:00Z"}
            for id, title in shown
        ]
    }
    if HOW == "loop":
        return {**found, "nextCursor": "3"}
    return {**found, "nextCursor": str(start + 3)} if start + 3 < len(sessions) else found


def resume(number: Any, id: str) -> None:
    text = [{"type": "text", "text": f"what was said in {id}"}]
    update(id, "agent_message", messageId="m1", content=text)
    update(id, "state_update", state="idle")
    send(id=number, result={})


def handle(message: dict[str, Any]) -> None:
    number, params = message.get("id"), message.get("params", {})
    match message.get("method"):
        case "initialize":
            session: dict[str, Any] = {} if HOW == "keep" else {"delete": {}}
            info = {"name": "lister", "version": "1"}
            send(
                id=number,
                result={"protocolVersion": 2, "info": info, "capabilities": {"session": session}},
            )
        case "session/new":
            send(id=number, result={"sessionId": "new"})
        case "session/list" if HOW == "refuse":
            send(id=number, error={"code": -32603, "message": "the shelf is locked"})
        case "session/list":
            send(id=number, result=page(params.get("cursor")))
        case "session/resume":
            resume(number, params["sessionId"])
        case "session/delete":
            sessions.pop(params["sessionId"], None)
            send(id=number, result={})
        case _ if number is not None:
            send(id=number, result={})


for line in sys.stdin:
    handle(json.loads(line))
