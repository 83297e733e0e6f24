"""An agent that does what the prompt says, which is a list in JSON: `{"say": TEXT}` in pieces of any size
(`"in": N`), updates as they are, `{"ask": METHOD, …params}` and waits for the answer, `{"withdraw": METHOD,
"when": PIPE, …params}` asks and takes it back when somebody has written there, `{"stop": REASON}`.

What it was answered is said as JSON. Without a stop the work ends well; `{"mute": true}` ends nothing, and
`{"quiet": true}` reports no state at all.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

LINES = (json.loads(line) for line in sys.stdin)


def send(**message: Any) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def update(**fields: Any) -> None:
    send(method="session/update", params={"sessionId": "one", "update": fields})


def chunks(text: str, size: int) -> Iterator[str]:
    for start in range(0, len(text), size):
        yield text[start : start + size]


def say(text: str, size: int = 0, message: str = "m") -> None:
    for chunk in chunks(text, size or len(text)):
        content = {"type": "text", "text": chunk}
        update(sessionUpdate="agent_message_chunk", messageId=message, content=content)


def answer(method: str, params: dict[str, Any]) -> Any:
    send(id="q", method=method, params={"sessionId": "one", **params})
    for message in LINES:
        if message.get("id") == "q":
            return message.get("result")
    raise SystemExit


def take_back(method: str, when: str, params: dict[str, Any]) -> None:
    send(id="w", method=method, params={"sessionId": "one", **params})
    with open(when) as pipe:
        pipe.read()
    send(method="$/cancel_request", params={"requestId": "w"})
    next(message for message in LINES if message.get("id") == "w")


def do(steps: list[dict[str, Any]]) -> str | None:
    """The reason to stop; None: it never does."""
    for step in steps:
        if "say" in step:
            say(step["say"], step.get("in", 0), step.get("message", "m"))
        elif "ask" in step:
            say(json.dumps(answer(step.pop("ask"), step)), message="answers")
        elif "withdraw" in step:
            take_back(step.pop("withdraw"), step.pop("when"), step)
        elif "mute" in step:
            return None
        elif "stop" in step:
            return str(step["stop"])
        else:
            update(**step)
    return "end_turn"


def prompt(number: Any, text: str) -> None:
    steps = json.loads(text)
    send(id=number, result={"messageId": "u"})
    quiet = any("quiet" in step for step in steps)
    if not quiet:
        update(sessionUpdate="state_update", state="running")
    reason = do([step for step in steps if "quiet" not in step])
    if reason is not None and not quiet:
        error = {"error": {"code": -32603, "message": "no more money"}} if reason == "error" else {}
        update(sessionUpdate="state_update", state="idle", stopReason=reason, **error)


for message in LINES:
    number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    if method == "initialize":
        info = {"name": "told", "title": "Told", "version": "1"}
        send(id=number, result={"protocolVersion": 2, "info": info, "capabilities": {"session": {}}})
    elif method == "session/new":
        send(id=number, result={"sessionId": "one"})
    elif method == "session/prompt":
        prompt(number, params["prompt"][0]["text"])
    elif number is not None:
        send(id=number, result={})
