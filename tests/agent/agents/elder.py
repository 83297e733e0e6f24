"""A small agent that speaks v1 only, and takes a request in v2 as its first argument says: `answers` in v1,
`echoes` the number, `refuses`, `dies`. Every start writes a line to the file in PIDS.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

MODE = sys.argv[1]
VERSION = sys.argv[2] if len(sys.argv) > 2 else "1"


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def initialize(request: dict[str, Any]) -> None:
    asked = request["params"]["protocolVersion"]
    with open(os.environ["PIDS"], "a") as file:
        file.write(f"{asked}\n")
    if asked == 2 and MODE == "dies":
        sys.exit(3)
    if asked == 2 and MODE == "refuses":
        send(id=request["id"], error={"code": -32602, "message": "clientInfo is missing"})
        return
    told = {"protocolVersion": asked if MODE == "echoes" else 1, "agentCapabilities": {}}
    send(id=request["id"], result={**told, "agentInfo": {"name": "elder", "version": VERSION}})


def prompt(request: dict[str, Any]) -> None:
    said = request["params"]["prompt"][0]["text"]
    content = {"type": "text", "text": f"you said: {said}"}
    update = {"sessionUpdate": "agent_message_chunk", "content": content}
    send(method="session/update", params={"sessionId": "sess1", "update": update})
    send(id=request["id"], result={"stopReason": "end_turn"})


for line in sys.stdin:
    message = json.loads(line)
    match message.get("method"):
        case "initialize":
            initialize(message)
        case "session/new":
            send(id=message["id"], result={"sessionId": "sess1"})
        case "session/prompt":
            prompt(message)
