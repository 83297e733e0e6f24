"""Terminals of the agent's own, whose bytes v1 agents send along with tool calls, in `_meta`.

A convention, not part of the protocol: `terminal_info` {terminal_id, cwd}, `terminal_output` and
`terminal_output_delta` {terminal_id, data}, both to be appended, `terminal_exit` {terminal_id, exit_code,
signal}. They become what v2 agents say about their terminals.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

KEYS = ("terminal_info", "terminal_output", "terminal_output_delta", "terminal_exit")


def split(meta: Any) -> tuple[Any, dict[str, dict[str, Any]]]:
    """What `_meta` says beside terminals (None: nothing), and what it says about each of those."""
    if not isinstance(meta, dict) or not any(key in meta for key in KEYS):
        return meta, {}
    about = {key: meta[key] for key in KEYS if isinstance(meta.get(key), dict)}
    about = {key: value for key, value in about.items() if isinstance(value.get("terminal_id"), str)}
    return {key: value for key, value in meta.items() if key not in KEYS} or None, about


def updates(about: dict[str, dict[str, Any]], call: dict[str, Any]) -> list[dict[str, Any]]:
    """As v2 agents tell it, in the order in which it happened."""
    found: list[dict[str, Any]] = []
    for key in KEYS:
        if (said := about.get(key)) is None:
            continue
        name = said["terminal_id"]
        if key == "terminal_info":
            found.append({**_update(name), **_info(said, call)})
        elif key == "terminal_exit":
            status = {"exitCode": said.get("exit_code"), "signal": said.get("signal")}
            found.append({**_update(name), "exitStatus": status})
        elif isinstance(data := said.get("data"), str):
            text = b64encode(data.encode("utf-8", "replace")).decode()
            found.append({"sessionUpdate": "terminal_output_chunk", "terminalId": name, "data": text})
    return found


def _update(name: str) -> dict[str, Any]:
    return {"sessionUpdate": "terminal_update", "terminalId": name}


def _info(said: dict[str, Any], call: dict[str, Any]) -> dict[str, Any]:
    given = call.get("rawInput")
    command = given.get("command") if isinstance(given, dict) else None
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        command = " ".join(command)
    told = {"command": command, "cwd": said.get("cwd")}
    return {name: value for name, value in told.items() if isinstance(value, str)}
