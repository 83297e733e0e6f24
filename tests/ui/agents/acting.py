"""An agent that does what a script says, at once and in order, whenever something arrives.

Its argument is a file of JSON, as `tests.ui.acting` writes it: `agreed`, the members of the answer to
`initialize` beside the version; `on`, lists of acts by what they answer to: a method, `say TEXT` for a
prompt, or `end` for the end of its stdin; a list of lists is taken one by one, the last of them for ever.
What has no acts is answered as a friendly agent would.

Acts: {"sessionUpdate": …} is an update of the session that is meant, or of `session`; {"result": …} and
{"error": …} answer the request, {"silence": true} does not; {"ask": PARAMS} asks for permission, {"elicit":
PARAMS} sends a form, {"notify": METHOD, "params": …} a notification; {"deaf": true} closes its stdin and
lives on; {"stderr": TEXT} writes there; {"exit": STATUS} ends it. Every line it reads is written to the file
beside the script.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from pathlib import Path
from typing import Any

path = Path(sys.argv[1])
script = json.loads(path.read_text())
OPTIONS = [
    {"optionId": "yes", "name": "Allow once", "kind": "allow_once"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]
ANSWERS = {"result", "error", "silence"}
number = 0
session = 0


def send(**message: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def ask(method: str, params: Any) -> None:
    global number
    number += 1
    send(id=f"a{number}", method=method, params=params)


def act(one: dict[str, Any], id: Any, named: str) -> None:
    match one:
        case {"sessionUpdate": _}:
            named = one.pop("session", named)
            send(method="session/update", params={"sessionId": named, "update": one})
        case {"result": result}:
            send(id=id, result=result)
        case {"error": error}:
            send(id=id, error=error)
        case {"ask": params}:
            asked = {"sessionId": named, "title": "May I?", "options": OPTIONS, **params}
            ask("session/request_permission", asked)
        case {"elicit": params}:
            scope = {"requestId": id} if params.pop("request", False) else {"sessionId": named}
            ask("elicitation/create", {**scope, **params})
        case {"notify": method, "params": params}:
            send(method=method, params=params)
        case {"deaf": _}:
            os.close(0)
            threading.Event().wait()
        case {"stderr": words}:
            print(words, file=sys.stderr, flush=True)
        case {"exit": status}:
            os._exit(status)


def acts(what: str) -> list[dict[str, Any]] | None:
    """What the script has for this."""
    found = script["on"].get(what)
    if found and isinstance(found[0], list):
        return list(found.pop(0) if len(found) > 1 else found[0])
    return None if found is None else list(found)


def friendly(method: str, params: dict[str, Any], id: Any) -> list[dict[str, Any]]:
    """What nobody has a script for."""
    global session
    if method == "initialize":
        info = {"name": "acting", "title": "Acting", "version": "1"}
        agreed = {"info": info, "capabilities": {"session": {"prompt": {}}}, **script["agreed"]}
        return [{"result": {"protocolVersion": 2, **agreed}}]
    if method == "session/new":
        session += 1
        return [{"result": {"sessionId": f"s{session}"}}]
    if method == "session/resume":
        return [{"sessionUpdate": "state_update", "state": "idle"}, {"result": {}}]
    if method == "session/prompt":
        message = f"u{os.getpid()}.{id}"
        return [
            {"sessionUpdate": "user_message", "messageId": message, "content": params["prompt"]},
            {"result": {"messageId": message}},
        ]
    return [{"result": {}}] if id is not None else []


def hear(message: dict[str, Any]) -> None:
    method, params, id = message.get("method"), message.get("params") or {}, message.get("id")
    if method is None:
        return
    said = "".join(block.get("text", "") for block in params.get("prompt") or ())
    given = acts(f"say {said}" if method == "session/prompt" else method)
    todo = friendly(method, params, id) if given is None else given
    if given is not None and method == "session/prompt" and not ANSWERS & {*_kinds(given)}:
        todo = [*friendly(method, params, id), *given]  # it is accepted, then this
    named = str(params.get("sessionId", f"s{session}"))
    for one in json.loads(json.dumps(todo)):
        act(one, id, named)


def _kinds(given: list[dict[str, Any]]) -> set[str]:
    return {name for one in given for name in one if "sessionUpdate" not in one}


with path.with_suffix(".heard").open("a") as heard:
    for line in sys.stdin:
        heard.write(line)
        heard.flush()
        hear(json.loads(line))
for one in acts("end") or ():
    act(one, None, f"s{session}")
