"""An agent that wants a login before anything else. Arguments: `token=FILE` where it keeps that there was
one; `methods=JSON` what it offers; `wants=N` how often it asks although there was one; `slow` (auth/login
waits for its cancel), `refuses` (it fails). Started with `--login` it is the program of a terminal login: it
asks for a word on the terminal; `yes` logs in, anything else fails.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

given = dict(argument.partition("=")[::2] for argument in sys.argv[1:])
token = Path(given["token"])
asked = int(given.get("wants", "0"))
METHODS = [{"type": "agent", "methodId": "in", "name": "Log in", "description": "With your account."}]
pending: list[Any] = []


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def update(kind: str, **fields: Any) -> None:
    send(method="session/update", params={"sessionId": "one", "update": {"sessionUpdate": kind, **fields}})


def gated() -> bool:
    global asked
    if token.exists() and asked > 0:
        asked -= 1
        return True
    return not token.exists()


def log_in(number: Any) -> None:
    if "slow" in given:
        pending.append(number)
    elif "refuses" in given:
        send(id=number, error={"code": -32603, "message": "the browser was closed"})
    else:
        token.write_text("in")
        send(id=number, result={})


def prompt(number: Any, params: Any) -> None:
    if gated():
        send(id=number, error={"code": -32000, "message": "Your login has expired"})
        return
    update("user_message", messageId=f"u{number}", content=params["prompt"])
    send(id=number, result={"messageId": f"u{number}"})
    update("state_update", state="running")
    text = params["prompt"][0]["text"]
    content = [{"type": "text", "text": f"you said {text}"}]
    update("agent_message", messageId=f"a{number}", content=content)
    update("state_update", state="idle", stopReason="end_turn")


def handle(message: Any) -> None:
    number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    match method:
        case "initialize":
            can = json.dumps(params.get("capabilities"))
            print(f"client can {can}", file=sys.stderr, flush=True)
            methods = json.loads(given["methods"]) if "methods" in given else METHODS
            facts = {"info": {"name": "login", "title": "Gate", "version": "1"}, "authMethods": methods}
            send(id=number, result={"protocolVersion": 2, "capabilities": {"session": {}}, **facts})
        case "session/new" if gated():
            send(id=number, error={"code": -32000, "message": "Please sign in\x1b[2J first"})
        case "session/new":
            send(id=number, result={"sessionId": "one"})
        case "session/prompt":
            prompt(number, params)
        case "auth/login":
            log_in(number)
        case "auth/logout":
            token.unlink(missing_ok=True)
            send(id=number, result={})
        case "$/cancel_request" if params.get("requestId") in pending:
            pending.clear()
            send(id=params["requestId"], error={"code": -32800, "message": "given up"})
        case _ if number is not None:
            send(id=number, result={})


def main() -> None:
    if "--login" in given:
        print("tty" if os.isatty(0) and os.isatty(1) else "no terminal", os.environ.get("REALM"), flush=True)
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # one that comes just before input() waits would be lost
        if input("word? ") != "yes":
            raise SystemExit(4)
        token.write_text("in")
        return
    for line in sys.stdin:
        handle(json.loads(line))


main()
