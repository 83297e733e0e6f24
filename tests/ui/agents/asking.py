"""An agent for tests of forms, addresses and options: a prompt is JSON, one step or a list of steps.

{"ask": PARAMS} sends `elicitation/create` with them and says what came back; {"method": NAME, "ask": …} the
same by another name; {"perm": TITLE} asks for permission. Several asks of one list wait together. {"wait":
true} waits for the prompt `go`; {"withdraw": true} takes back what was asked before, a cancel everything;
{"complete": ID}, {"options": [...]}; {"die": STATUS}. Its own arguments: `asks` asks during `session/new`,
`login` wants a login and asks during that, `mute` leaves `session/set_config_option` without an answer until
`go`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from typing import Any

SESSION = "one"
FORM = {"mode": "form", "message": "Who are you?", "requestedSchema": {"type": "object", "properties": {}}}
lock = threading.Lock()
results: dict[int, Any] = {}
answered: dict[int, threading.Event] = {}
going = threading.Event()
stopped = threading.Event()
counter = iter(range(1, 10_000))
logged_in = "login" not in sys.argv

MODES = [
    {"value": "ask", "name": "Ask first", "description": "before every change"},
    {"value": "auto", "name": "Auto"},
]
MODELS = [
    {"groupId": "f", "name": "Fast ones", "options": [{"value": "small", "name": "Small"}]},
    {
        "groupId": "g",
        "name": "Good ones",
        "options": [{"value": "large", "name": "Large"}, {"value": "no", "name": "Gone"}],
    },
]
values: dict[str, Any] = {"mode": "ask", "model": "small", "web": False}


def options() -> list[dict[str, Any]]:
    def one(id_: str, name: str, **more: Any) -> dict[str, Any]:
        return {
            "configId": id_,
            "name": name,
            "category": id_,
            "type": "select",
            "currentValue": values[id_],
            **more,
        }

    listed = [one("mode", "Mode", options=MODES), one("model", "Model", options=MODELS)]
    if values["model"] == "small":  # depends on the model
        listed.append(one("web", "Search the web", type="boolean"))
    return [*listed, {"configId": "heat", "name": "Heat", "type": "_slider", "min": 0}]


def send(**message: Any) -> None:
    with lock:
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        sys.stdout.flush()


def update(kind: str, **fields: Any) -> None:
    send(method="session/update", params={"sessionId": SESSION, "update": {"sessionUpdate": kind, **fields}})


def say(text: str) -> None:
    update("agent_message", messageId=f"m{next(counter)}", content=[{"type": "text", "text": text}])


def ask(method: str, params: dict[str, Any]) -> int:
    number = next(counter)
    answered[number] = threading.Event()
    send(id=number, method=method, params=params)
    return number


def work(steps: list[dict[str, Any]]) -> None:
    update("state_update", state="running")
    stopped.clear()
    asked: list[int] = []
    for step in steps:
        match step:
            case {"ask": params}:
                method = step.get("method", "elicitation/create")
                asked.append(ask(method, {"sessionId": SESSION, **params}))
            case {"perm": title}:
                option = {"optionId": "yes", "name": "Yes", "kind": "allow_once"}
                params = {"sessionId": SESSION, "title": title, "options": [option]}
                asked.append(ask("session/request_permission", params))
            case {"wait": _}:
                going.wait()
                going.clear()
            case {"withdraw": _}:
                send(method="$/cancel_request", params={"requestId": asked[-1]})
            case {"complete": id_}:
                send(method="elicitation/complete", params={"elicitationId": id_})
            case {"options": listed}:
                update("config_option_update", configOptions=listed)
            case {"die": status}:
                os._exit(status)
    for number in asked:
        answered[number].wait()
        say(f"came back: {json.dumps(results[number], ensure_ascii=False)}")
    update("state_update", state="idle", stopReason="cancelled" if stopped.is_set() else "end_turn")


def prompt(number: Any, params: Any) -> None:
    text = "".join(block.get("text", "") for block in params["prompt"])
    message = f"u{next(counter)}"
    update("user_message", messageId=message, content=[{"type": "text", "text": text[:20]}])
    send(id=number, result={"messageId": message})
    if text == "go":
        going.set()
        return
    steps = json.loads(text)
    threading.Thread(target=work, args=(steps if isinstance(steps, list) else [steps],), daemon=True).start()


def first(number: Any, then: Any) -> None:
    """Ask during a request of the client, and answer it when the form came back."""
    global logged_in
    asked = ask("elicitation/create", {"requestId": number, **FORM})
    answered[asked].wait()
    logged_in = True
    send(id=number, result=then)


def set_option(number: Any, params: Any) -> None:
    if "mute" in sys.argv:
        going.wait()
    if params["value"] == "no":
        send(id=number, error={"code": -32602, "message": "Gone is\x1b[2J not for you"})
    else:
        values[params["configId"]] = params["value"]
        send(id=number, result={"configOptions": options()})


def handle(message: Any) -> None:
    number, method, params = message.get("id"), message.get("method"), message.get("params") or {}
    opened = {"sessionId": SESSION, "configOptions": options()}
    match method:
        case None:
            results[number] = message.get("result") or {"error": message["error"]["code"]}
            answered[number].set()
        case "initialize":
            info = {"name": "asking", "title": "Asking", "version": "1"}
            login = [] if logged_in else [{"type": "agent", "methodId": "in", "name": "Log in"}]
            facts = {"info": info, "capabilities": {"session": {"prompt": {}}}, "authMethods": login}
            send(id=number, result={"protocolVersion": 2, **facts})
        case "session/new" if not logged_in:
            send(id=number, error={"code": -32000, "message": "Authentication required"})
        case "session/new" if "asks" in sys.argv:
            threading.Thread(target=first, args=(number, opened), daemon=True).start()
        case "auth/login":
            threading.Thread(target=first, args=(number, {}), daemon=True).start()
        case "session/new":
            send(id=number, result=opened)
        case "session/prompt":
            prompt(number, params)
        case "session/cancel":
            stopped.set()
            for waiting in answered.keys() - results.keys():
                send(method="$/cancel_request", params={"requestId": waiting})
        case "session/set_config_option":
            threading.Thread(target=set_option, args=(number, params), daemon=True).start()
        case _ if number is not None:
            send(id=number, result={})


for line in sys.stdin:
    handle(json.loads(line))
