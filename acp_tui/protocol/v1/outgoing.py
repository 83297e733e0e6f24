"""What we say, in the words of v1; and back, for what is read from a record.

Invariant: `recalled` gives back what `spoken` was given, but for what v1 has no word for.
"""

from __future__ import annotations

from typing import Any

from acp_tui.protocol.jsonrpc import Notification, Outgoing, Request, Response
from acp_tui.protocol.v1 import ids

_NAMES = {"auth/login": "authenticate", "auth/logout": "logout"}
_RECALLED = {v1: v2 for v2, v1 in _NAMES.items()}
_CHOICES = {ids.MODE: ("session/set_mode", "modeId"), ids.MODEL: ("session/set_model", "modelId")}
_CHOSEN = {method: (config_id, key) for config_id, (method, key) in _CHOICES.items()}


def initialize(
    info: dict[str, Any], capabilities: dict[str, Any], services: dict[str, Any]
) -> dict[str, Any]:
    """Parameters of `initialize` (V1-01, V1-02): `capabilities` as for v2, `services` what only v1 has:
    `fs` and `terminal`.
    """
    auth = capabilities.get("auth") or {}
    ours: dict[str, Any] = {
        "fs": {"readTextFile": False, "writeTextFile": False},
        "terminal": False,
        "auth": {"terminal": isinstance(auth.get("terminal"), dict)},
        "session": {"configOptions": {"boolean": {}}, "notices": {}, "compaction": {}},
        "_meta": {"terminal_output": True},  # bytes of the agent's own terminals, see `terminals`
    }
    if "elicitation" in capabilities:
        ours["elicitation"] = capabilities["elicitation"]
    return {"protocolVersion": 1, "clientInfo": info, "clientCapabilities": {**ours, **services}}


def advertised(params: dict[str, Any]) -> dict[str, Any]:
    """The capabilities of such parameters, as v2 has them."""
    raw = params.get("clientCapabilities")
    raw = raw if isinstance(raw, dict) else {}
    auth = raw.get("auth")
    terminal = isinstance(auth, dict) and auth.get("terminal") is True
    told: dict[str, Any] = {"auth": {"terminal": {}}} if terminal else {}
    if isinstance(raw.get("elicitation"), dict):
        told["elicitation"] = raw["elicitation"]
    return told


def spoken(message: Outgoing) -> Outgoing:
    """A message of ours, as a v1 agent understands it."""
    match message:
        case Request(request_id, method, params):
            return Request(request_id, *_spoken(method, params))
        case _:
            return message


def recalled(message: Outgoing) -> Outgoing:
    """What was sent to a v1 agent, as it would have been sent to a v2 agent."""
    match message:
        case Request(request_id, method, params):
            return Request(request_id, *_recalled(method, params))
        case Notification() | Response():
            return message


def _spoken(method: str, params: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if method == "session/prompt":
        return method, {key: value for key, value in params.items() if key != "idempotencyKey"}
    if method in ("session/new", "session/resume"):
        kept = {key: value for key, value in params.items() if key != "replayFrom"}
        kept["mcpServers"] = [_server(one) for one in params.get("mcpServers") or ()]  # V1-07
        return "session/load" if "replayFrom" in params else method, kept
    if method == "session/set_config_option":
        return _setting(params)
    return _NAMES.get(method, method), params


def _setting(params: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    config_id, value = params["configId"], params["value"]
    if config_id in _CHOICES:
        method, key = _CHOICES[config_id]
        return method, {"sessionId": params["sessionId"], key: value}
    asked = {"sessionId": params["sessionId"], "configId": ids.given(config_id), "value": value}
    return "session/set_config_option", {**asked, "type": "boolean"} if isinstance(value, bool) else asked


def _server(server: dict[str, Any]) -> dict[str, Any]:
    if server.get("type") == "stdio":
        told = {key: value for key, value in server.items() if key != "type"}
        return {**told, "args": server.get("args") or [], "env": server.get("env") or []}
    return {**server, "headers": server.get("headers") or []}


def _recalled(method: str, params: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if method in ("session/new", "session/load", "session/resume"):
        servers = params.get("mcpServers")
        servers = [_known(one) for one in servers] if isinstance(servers, list) else []
        told = {**params, "mcpServers": servers}
        if method == "session/load":
            return "session/resume", {**told, "replayFrom": {"type": "start"}}
        return method, told
    if method in _CHOSEN:
        config_id, key = _CHOSEN[method]
        asked = {"sessionId": params.get("sessionId"), "configId": config_id, "value": params.get(key)}
        return "session/set_config_option", {**asked, "type": "id"}
    if method == "session/set_config_option":
        return method, {"type": "id", **params, "configId": ids.taken(str(params.get("configId")))}
    return _RECALLED.get(method, method), params


def _known(server: Any) -> Any:
    return {"type": "stdio", **server} if isinstance(server, dict) else server
