"""A small ACP v2 agent that misbehaves on request.

Arguments are what it does at start (`ignore-term`, `mute`, `stderr`, `family`, …); the first word of a prompt
is what it does then. It speaks plain JSON lines and shares nothing with the client.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

STUBBORN = """
import signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("up", flush=True)
time.sleep(600)
"""


def send(message: dict[str, Any], end: bytes = b"\n") -> None:
    data = json.dumps({"jsonrpc": "2.0", **message}).encode() + end
    while data:
        data = data[os.write(1, data) :]


def update(session: str, end: bytes = b"\n", **fields: Any) -> None:
    send({"method": "session/update", "params": {"sessionId": session, "update": fields}}, end)


def say(session: str, text: str, message: str = "m1", end: bytes = b"\n") -> None:
    content = {"type": "text", "text": text}
    update(session, end, sessionUpdate="agent_message_chunk", messageId=message, content=content)


def stubborn_child(*, new_session: bool) -> None:
    """A process that ignores TERM and keeps our stdout and stderr open."""
    child = subprocess.Popen(
        [sys.executable, "-c", STUBBORN],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        start_new_session=new_session,
    )
    assert child.stdout is not None
    child.stdout.readline()
    with open(os.environ["PIDS"], "a") as file:
        file.write(f"{child.pid}\n")


def start(modes: list[str]) -> None:
    if "ignore-term" in modes:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if "family" in modes:
        stubborn_child(new_session=False)
        stubborn_child(new_session=True)
    if "stderr" in modes:
        flood_stderr()
    if "banner" in modes:
        os.write(1, b"Welcome to agent 1.0!\n\n\x1b[1mloading\x1b[0m\r\n[]\n42\n")
    if "mute" in modes:
        os.write(2, b"waiting for the network\n")
        time.sleep(600)
    if "exit" in modes:
        os.write(2, b"no key was given\n")
        sys.exit(3)


def flood_stderr() -> None:
    block = b"".join(b"noise %05d\n" % n for n in range(1000))
    for _ in range(10 * 1024 * 1024 // len(block)):
        os.write(2, block)
    os.write(2, b"the end of it\n")


def prompt(session: str, text: str) -> None:
    word, _, rest = text.partition(" ")
    if word == "die":
        os.kill(os.getpid(), int(rest))
    elif word == "exit":
        say(session, "last ")
        say(session, "words", end=b"")  # it had no time for the end of its line
        sys.exit(int(rest))
    elif word == "stderr":
        flood_stderr()
        say(session, "done")
    elif word == "garbage":
        os.write(1, b"Traceback: oops\n\xff\xfe{]\n[1,2]\n")
        say(session, "still here")
    elif word == "many":
        for number in range(int(rest)):
            say(session, f"{number} ", f"m{number // 100}")
    elif word == "huge":
        send({"method": "_huge", "params": {"x": "y" * int(rest)}})
        say(session, "after")
    elif word == "long":
        say(session, "word " * (int(rest) // 5) + "the end of it")
    elif word == "split":
        line = json.dumps(
            {"jsonrpc": "2.0", "method": "_x", "params": {"t": "ä€😀"}}, ensure_ascii=False
        ).encode()
        for byte in line:
            os.write(1, bytes([byte]))
        os.write(1, b"\r\n")
        say(session, "whole")
    elif word == "endless":
        while True:
            os.write(1, b"z" * 65536)
    elif word == "deaf":
        say(session, "deaf now")
        time.sleep(600)
    elif word == "mute":
        os.close(1)
        time.sleep(600)
    elif word == "orphan":
        # The process ends, a child that holds stdout lives on.
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], stdin=subprocess.DEVNULL)
        sys.exit(0)
    elif word == "env":
        say(
            session,
            json.dumps(
                {"cwd": os.getcwd(), "env": os.environ.get(rest), "pgid": os.getpgid(0) == os.getpid()}
            ),
        )
    elif word == "ask":
        options = [{"optionId": "yes", "name": "Yes", "kind": "allow_once"}]
        params = {"sessionId": session, "title": "May I?", "options": options}
        send({"id": "p1", "method": "session/request_permission", "params": params})
    else:
        say(session, f"you said: {text}")


def serve() -> None:
    sessions = 0
    for line in sys.stdin.buffer:
        message = json.loads(line)
        params, method = message.get("params", {}), message.get("method")
        if "id" not in message or method is None:
            continue
        result: dict[str, Any] = {}
        if method == "initialize":
            info = {"name": "scripted", "version": "1"}
            result = {"protocolVersion": 2, "info": info, "capabilities": {"session": {}}}
        elif method == "session/new":
            sessions += 1
            result = {"sessionId": f"sess{sessions}"}
        elif method == "session/resume":
            content = [{"type": "text", "text": "from before"}]
            update(params["sessionId"], sessionUpdate="agent_message", messageId="old", content=content)
            update(params["sessionId"], sessionUpdate="state_update", state="idle")
        elif method == "session/prompt":
            result = {"messageId": f"u{message['id']}"}
        send({"id": message["id"], "result": result})
        if method == "session/prompt":
            session, text = params["sessionId"], params["prompt"][0]["text"]
            update(
                session, sessionUpdate="user_message", messageId=result["messageId"], content=params["prompt"]
            )
            update(session, sessionUpdate="state_update", state="running")
            prompt(session, text)
            update(session, sessionUpdate="state_update", state="idle", stopReason="end_turn")


start(sys.argv[1:])
serve()
if "linger" in sys.argv:
    time.sleep(600)
