"""An agent for tests of the user interface: each word of a prompt is one thing it does.

Any word is repeated; perm=N asks N times at once and waits for all; command=TEXT asks for a command;
later waits for the prompt `go`; withdraw asks and takes it back after `go`; wait works until cancelled;
deaf works and never hears a cancel; await=PIPE goes on when somebody has written there; blocks says what the
prompt was made of; then plan, usage, commands=NAME, arguments=JSON, title=TEXT, notice=TEXT, unknown,
garbage, background, die=STATUS; refuse: the prompt is not taken; swallow: nor answered. Its own arguments:
fail=STATUS says something on stderr and exits, mute never answers, child has one of its own, login wants one;
name=NAME is its name; takes=image, takes=audio, takes=embeddedContext.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import Any

SESSION = "one"
lock = threading.Lock()
answers: dict[int, threading.Event] = {}
results: dict[int, Any] = {}
cancelled = threading.Event()
going = threading.Event()
swallowed: list[Any] = []
counter = iter(range(1, 10_000))


def send(**message: Any) -> None:
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def update(kind: str, **fields: Any) -> None:
    send(method="session/update", params={"sessionId": SESSION, "update": {"sessionUpdate": kind, **fields}})


def state(name: str, **fields: Any) -> None:
    update("state_update", state=name, **fields)


def say(text: str) -> None:
    message = f"m{os.getpid()}.{next(counter)}"
    update("agent_message", messageId=message, content=[{"type": "text", "text": text}])


OPTIONS = [
    {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "always", "name": "Allow always", "kind": "allow_always"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]


def ask(title: str, subject: Any = None, options: Any = None) -> int:
    number = next(counter)
    answers[number] = threading.Event()
    params = {"sessionId": SESSION, "title": title, "options": options or OPTIONS}
    if subject is not None:
        params["subject"] = subject
    send(id=number, method="session/request_permission", params=params)
    return number


def outcome(number: int) -> str:
    answers[number].wait()
    chosen = results[number]["outcome"]
    return str(chosen.get("optionId", chosen["outcome"]))


def work(words: list[str]) -> None:
    state("running")
    stop = "end_turn"
    for word in words:
        name, _, value = word.partition("=")
        value = value.replace("_", " ")
        match name:
            case "perm":
                asked = [ask(f"Request {n + 1}") for n in range(int(value))]
                say("answers: " + " ".join(outcome(number) for number in asked))
            case "command":
                value = value.encode().decode("unicode_escape")
                asked = [ask("Run it?", {"type": "command", "command": value, "cwd": os.getcwd()})]
                say("answer: " + outcome(asked[0]))
            case "touch":
                places = [{"path": os.path.join(os.getcwd(), value), "line": 40}]
                title = f"Touch {value}"
                update("tool_call_update", toolCallId="t", title=title, status="completed", locations=places)
            case "edit":
                call = {"toolCallId": "c", "title": "Edit before.txt", "kind": "edit", "status": "pending"}
                number = ask("Edit?", {"type": "tool_call", "toolCall": call})
                going.wait()
                update("tool_call_update", toolCallId="c", title="Edit after.txt")
                say("answer: " + outcome(number))
            case "options":
                many = [
                    {"optionId": f"o{n}", "name": f"Option {n}", "kind": "x"}
                    for n in range(1, int(value) + 1)
                ]
                say("answer: " + outcome(ask("Which?", options=many)))
            case "later":
                going.wait()
            case "withdraw":
                number = ask("Never mind")
                going.wait()
                send(method="$/cancel_request", params={"requestId": number})
                say("withdrawn: " + outcome(number))
            case "wait":
                cancelled.wait()
            case "await":
                with open(value) as pipe:
                    pipe.read()
            case "deaf":
                threading.Event().wait()
            case "plan":
                steps = [("completed", "look"), ("in_progress", "think hard"), ("pending", "write")]
                entries = [{"content": text, "priority": "low", "status": status} for status, text in steps]
                update("plan_update", plan={"type": "items", "planId": "p", "entries": entries})
            case "usage":
                update("usage_update", used=38_000, size=100_000, cost={"amount": 0.42, "currency": "USD"})
            case "title":
                update("session_info_update", title=value)
            case "notice":
                update("notice", severity="warning", title=value, description="[bold]not markup[/bold]")
            case "commands":
                command = {"name": value, "description": "", "input": {"type": "text", "hint": "other"}}
                update("available_commands_update", availableCommands=[{"type": "command", **command}])
            case "arguments":
                given = {"type": "text", "hint": "", "_meta": {"acp-tui/arguments": json.loads(value)}}
                command = {"name": "run", "description": "", "input": given}
                update("available_commands_update", availableCommands=[{"type": "command", **command}])
            case "unknown":
                update("weather_update", sky="blue")
            case "garbage":
                with lock:
                    print("this is no message", flush=True)
            case "background":
                state("running", background=[{"type": "terminal", "terminalId": "t1"}])
            case "die":
                print("something broke", file=sys.stderr, flush=True)
                os._exit(int(value))
            case _:
                say(f"you said {word}")
        if cancelled.is_set():
            stop = "cancelled"
            break
    cancelled.clear()
    state("idle", stopReason=stop)


COMMANDS = [
    {"type": "command", "name": "web", "description": "Search", "input": {"type": "text", "hint": "query"}},
    {"type": "command", "name": "weekly", "description": "The week in words"},
    {"type": "command", "name": "compact", "description": "Compact the context"},
]


def prompt(number: Any, params: Any) -> None:
    text = "".join(block.get("text", "") for block in params["prompt"])
    if "blocks" in text:
        text += " " + "+".join(block["type"] for block in params["prompt"])
    if text == "go":
        going.set()
    if "refuse" in text:
        send(id=number, error={"code": -32603, "message": "not now"})
        return
    if "swallow" in text:
        swallowed.append(number)
        return
    message = f"u{os.getpid()}.{next(counter)}"
    update("user_message", messageId=message, content=params["prompt"])
    send(id=number, result={"messageId": message})
    if text != "go":
        threading.Thread(target=work, args=(text.split(),), daemon=True).start()


def handle(message: Any) -> None:
    number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    match method:
        case None:
            if number in answers:
                results[number] = message.get("result")
                answers[number].set()
        case "initialize":
            name = next((word[5:] for word in sys.argv if word.startswith("name=")), "words")
            info = {"name": name, "title": "Words", "version": "1"}
            asked = [word.removeprefix("takes=") for word in sys.argv if word.startswith("takes=")]
            taken: dict[str, Any] = {word: {} for word in asked}
            capabilities = {"session": {"prompt": taken}}
            login = [{"type": "agent", "methodId": "in", "name": "Log in"}] if "login" in sys.argv else []
            facts = {"info": info, "capabilities": capabilities, "authMethods": login}
            send(id=number, result={"protocolVersion": 2, **facts})
        case "session/new" if "login" in sys.argv:
            send(id=number, error={"code": -32000, "message": "Authentication required"})
        case "session/new":
            send(id=number, result={"sessionId": SESSION, "availableCommands": COMMANDS})
        case "session/resume":
            state("idle")
            send(id=number, result={"availableCommands": COMMANDS})
        case "session/prompt":
            prompt(number, params)
        case "$/cancel_request" if params.get("requestId") in swallowed:
            send(id=params["requestId"], error={"code": -32800, "message": "withdrawn"})
        case "session/cancel":
            cancelled.set()
        case _ if number is not None:
            send(id=number, result={})


def main() -> None:
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        if name == "fail":
            print("cannot find my settings\x1b[2J[bold]", file=sys.stderr, flush=True)
            raise SystemExit(int(value))
        if name == "mute":
            for _ in sys.stdin:
                print("still loading", file=sys.stderr, flush=True)
        if name == "child":
            subprocess.Popen(["sleep", "600"])
    for line in sys.stdin:
        handle(json.loads(line))


main()
