"""What v1 agents answer (V1-01, V1-03, V1-06, V1-40), as v2 agents would."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acp_tui.protocol.v1 import settings
from acp_tui.protocol.v1.memory import Talk


@dataclass(frozen=True, slots=True)
class Abilities:
    """What every v2 agent can and a v1 agent may not (V1-04)."""

    lists: bool
    closes: bool
    resumes: bool
    """Without telling the history again."""
    replays: bool
    logs_out: bool


def initialized(raw: dict[str, Any]) -> dict[str, Any]:
    """The result of `initialize`; all but the version may be missing."""
    info = raw.get("agentInfo")
    info = info if isinstance(info, dict) else {}
    named = {key: info[key] if isinstance(info.get(key), str) else "" for key in ("name", "version")}
    return {
        "protocolVersion": 1,
        "info": {**info, **named},
        "capabilities": _capabilities(_part(raw, "agentCapabilities")),
        "authMethods": _methods(raw.get("authMethods")),
    }


def abilities(raw: dict[str, Any]) -> Abilities:
    """What the result of `initialize` says of methods that may be missing."""
    agent = _part(raw, "agentCapabilities")
    session = _part(agent, "sessionCapabilities")
    return Abilities(
        lists=_offered(session, "list"),
        closes=_offered(session, "close"),
        resumes=_offered(session, "resume"),
        replays=agent.get("loadSession") is True,
        logs_out=_offered(_part(agent, "auth"), "logout"),
    )


def _capabilities(agent: dict[str, Any]) -> dict[str, Any]:
    prompt, mcp = _part(agent, "promptCapabilities"), _part(agent, "mcpCapabilities")
    offered = _part(agent, "sessionCapabilities")
    session: dict[str, Any] = {
        "prompt": {key: {} for key in ("image", "audio", "embeddedContext") if prompt.get(key) is True},
        "mcp": {"stdio": {}, **({"http": {}} if mcp.get("http") is True else {})},
    }
    session |= {key: {} for key in ("delete", "additionalDirectories") if _offered(offered, key)}
    return {"session": session}


def _methods(raw: Any) -> list[Any]:
    return [_method(one) for one in raw if isinstance(one, dict)] if isinstance(raw, list) else []


def _method(raw: dict[str, Any]) -> dict[str, Any]:
    method = {"type": "agent", **{key: value for key, value in raw.items() if key != "id"}}
    if isinstance(raw.get("id"), str):
        method["methodId"] = raw["id"]
    env = raw.get("env")
    if isinstance(env, dict):
        method["env"] = [{"name": name, "value": value} for name, value in env.items()]
    return method


def _offered(part: dict[str, Any], name: str) -> bool:
    return isinstance(part.get(name), dict)


def _part(raw: dict[str, Any], name: str) -> dict[str, Any]:
    part = raw.get(name)
    return part if isinstance(part, dict) else {}


def opened(talk: Talk, raw: Any) -> Any:
    """The result of `session/new`, `session/load` and `session/resume` (V1-35, V1-36)."""
    result = {} if raw is None else raw  # V1-08
    if not isinstance(result, dict) or not settings.take(talk, result):
        return result
    kept = {key: value for key, value in result.items() if key not in ("modes", "models")}
    return {**kept, "configOptions": settings.offered(talk)}
