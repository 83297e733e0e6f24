"""How the settings want an agent started, and what they give its sessions.

An agent of the settings is known by its name, or by its command where that was typed; any other gets the
variables it would have had, no options, and every MCP server. Nothing here starts anything.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from acp_tui.base.config import AgentSettings, McpServer, Settings


@dataclass(frozen=True, slots=True)
class Launch:
    """All that is to be known for one start."""

    command: tuple[str, ...] = ()
    cwd: str = ""
    """Absolute."""
    env: Mapping[str, str] = field(default_factory=dict)
    """The whole environment of the process."""
    name: str = ""
    """What the settings call the agent; empty: they do not know it."""
    options: Mapping[str, str | bool] = field(default_factory=dict)
    """Values for the agent's own options, by their ids, for each new session."""
    mcp_servers: tuple[dict[str, Any], ...] = ()
    """As the protocol has them (SS-07); what the agent does not take is left out later."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Servers that cannot be started, by name, and why."""
    told: tuple[str, ...] = ()
    """What could not be done, in words."""


def prepare(
    settings: Settings | None, command: tuple[str, ...], cwd: str, environ: Mapping[str, str]
) -> Launch:
    """What is started for this command, which may be a name in the settings, and what its sessions get."""
    if settings is None:
        return Launch(command, cwd, environ)
    name = _named(settings, command)
    agent = settings.agents.get(name)
    told: list[str] = []
    env = dict(environ)
    if agent is not None:
        env |= _filled(agent, name, environ, told)
        if command == (name,):
            command = agent.command
            cwd = os.path.abspath(os.path.expanduser(agent.cwd)) if agent.cwd else cwd
    left: list[tuple[str, str]] = []
    servers = tuple(_servers(settings, agent.mcp if agent is not None else ("*",), environ, left))
    told += [f"MCP server {one} is left out: {why}" for one, why in left]
    options = agent.options if agent is not None else {}
    return Launch(command, cwd, env, name, options, servers, tuple(left), tuple(told))


def _named(settings: Settings, command: tuple[str, ...]) -> str:
    if len(command) == 1 and command[0] in settings.agents:
        return command[0]
    return next((name for name, agent in settings.agents.items() if agent.command == command), "")


def _filled(agent: AgentSettings, name: str, environ: Mapping[str, str], told: list[str]) -> dict[str, str]:
    from acp_tui.base.config import MissingVariable, fill

    try:
        return fill(agent.env, environ)
    except MissingVariable as missing:
        told.append(f"{name}: there is no variable {missing} in your environment")
        return {}


def _servers(
    settings: Settings, wanted: tuple[str, ...], environ: Mapping[str, str], left: list[tuple[str, str]]
) -> Iterator[dict[str, Any]]:
    from acp_tui.base.config import MissingVariable

    for name, server in settings.mcp.items():
        if name in wanted or "*" in wanted:
            try:
                yield _server(name, server, environ)
            except MissingVariable as missing:
                left.append((name, f"there is no variable {missing} in your environment"))
            except FileNotFoundError as problem:
                left.append((name, f"there is no program {problem.filename}"))
    left += [(one, "there is no such server") for one in wanted if one not in (*settings.mcp, "*")]


def _server(name: str, server: McpServer, environ: Mapping[str, str]) -> dict[str, Any]:
    """Raises `MissingVariable`, and `FileNotFoundError` for a program that is not there."""
    from acp_tui.base.config import fill

    if server.url:
        headers = [{"name": key, "value": value} for key, value in fill(server.headers, environ).items()]
        return {"type": "http", "name": name, "url": server.url, "headers": headers}
    program = shutil.which(os.path.expanduser(server.command), path=environ.get("PATH"))
    if program is None:
        raise FileNotFoundError(2, "no such program", server.command)
    return {
        "type": "stdio",
        "name": name,
        "command": os.path.abspath(program),
        "args": list(server.args),
        "env": [{"name": key, "value": value} for key, value in fill(server.env, environ).items()],
    }
