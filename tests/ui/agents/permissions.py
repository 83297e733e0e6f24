"""An agent that asks as it is told: a prompt is JSON with `asks`, the parameters of permission requests, sent
at once; `before`, updates sent first; `idle`, ask while idle. It says the answers when it has all of them.

Every session it opens is called `s1`, `s2`, …; `session` in a request names another one than the prompt's.
"""

from __future__ import annotations

import json
import sys
import threading
from typing import Any

OPTIONS = [
    {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]
lock = threading.Lock()
numbers = iter(range(1, 10_000))
sessions = iter(range(1, 10_000))
waiting: dict[int, threading.Event] = {}
results: dict[int, Any] = {}


def send(**message: Any) -> None:
    with lock:
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def update(session: str, kind: str, **fields: Any) -> None:
    send(method="session/update", params={"sessionId": session, "update": {"sessionUpdate": kind, **fields}})


def work(session: str, wanted: Any) -> None:
    update(session, "state_update", state="idle" if wanted.get("idle") else "running", stopReason="end_turn")
    for one in wanted.get("before", []):
        update(session, **one)
    asked = []
    for one in wanted["asks"]:
        number = next(numbers)
        asked.append(number)
        waiting[number] = threading.Event()
        params = {"title": "May I?", "options": OPTIONS, "sessionId": one.pop("session", session), **one}
        send(id=number, method="session/request_permission", params=params)
    for number in asked:
        waiting[number].wait()
    said = " ".join(str(results[number]) for number in asked)
    block = {"type": "text", "text": f"answers: {said}"}
    update(session, "agent_message", messageId=f"m{asked[0]}", content=[block])
    update(session, "state_update", state="idle", stopReason="end_turn")


def answered(message: Any) -> None:
    outcome = message.get("result", {}).get("outcome", {})
    error = message.get("error", {}).get("code")
    results[message["id"]] = error or outcome.get("optionId", outcome.get("outcome"))
    waiting[message["id"]].set()


def handle(message: Any) -> None:
    number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    if method is None:
        if number in waiting:
            answered(message)
    elif method == "initialize":
        info = {"name": "asking", "title": "Asking", "version": "1"}
        send(
            id=number,
            result={"protocolVersion": 2, "info": info, "capabilities": {"session": {"prompt": {}}}},
        )
    elif method == "session/new":
        send(id=number, result={"sessionId": f"s{next(sessions)}"})
    elif method == "session/prompt":
        text = "".join(block.get("text", "") for block in params["prompt"])
        session = params["sessionId"]
        message = f"u{next(numbers)}"
        update(session, "user_message", messageId=message, content=params["prompt"])
        send(id=number, result={"messageId": message})
        threading.Thread(target=work, args=(session, json.loads(text)), daemon=True).start()
    elif number is not None:
        send(id=number, result={})


for line in sys.stdin:
    handle(json.loads(line))
