"""The agent's side of a recorded conversation, for a client that does the same again.

What the agent said after something the client sent is said when that has come again; ids of the client's
requests are those of the client that is there. Usage: replay.py TRACE FOLDER HERE, where the folder of the
record is called HERE now.
"""

from __future__ import annotations

import json
import sys
from typing import Any


def same(recorded: dict[str, Any], sent: dict[str, Any]) -> bool:
    """The same method, or an answer to the same request of the agent."""
    if "method" in recorded:
        return sent.get("method") == recorded["method"]
    return "method" not in sent and sent.get("id") == recorded["id"]


def main(path: str, folder: str, here: str) -> None:
    """Play it, then wait for the client to go."""
    ids: dict[Any, Any] = {}
    early: list[dict[str, Any]] = []
    with open(path, encoding="utf-8") as file:
        steps = [json.loads(line.replace(folder, here)) for line in file]
    for step in steps:
        message = step.get("msg", {})
        if step["dir"] == ">":
            while not any(same(message, one) for one in early):
                line = sys.stdin.readline()
                if not line:
                    return
                early.append(json.loads(line))
            found = next(one for one in early if same(message, one))
            early.remove(found)
            ids[message.get("id")] = found.get("id")
        elif step["dir"] == "<":
            answer = "method" not in message
            print(json.dumps({**message, "id": ids[message["id"]]} if answer else message), flush=True)
    sys.stdin.read()


main(*sys.argv[1:])
