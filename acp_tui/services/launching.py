"""How the settings want an agent started, and what they give its sessions.

An agent of the settings, or a known one, is known by its name, or by its command where that was typed; any
other gets the variables it would have had, no options, and every MCP server. Nothing here starts anything; a
name for which a package would be fetched that the user did not agree to is not resolved.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

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
    """What it is called in the settings or in the list of known agents; empty: neither knows it."""
    options: Mapping[str, str | bool] = field(default_factory=dict)
    """Values for the agent's own options, by their ids, for each new session."""
    mcp_servers: tuple[dict[str, Any], ...] = ()
    """As the protocol has them (SS-07); what the agent does not take is left out later."""
    left_out: tuple[tuple[str, str], ...] = ()
    """Servers that cannot be started, by name, and why."""
    told: tuple[str, ...] = ()
    """What could not be done, in words."""


class _Meant(NamedTuple):
    """What was found for a command."""

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]
    by_name: bool


def prepare(
    settings: Settings | None,
    command: tuple[str, ...],
    cwd: str,
    environ: Mapping[str, str],
    *,
    forced: bool = False,
) -> Launch:
    """What is started for this command, which may be a name unless `forced`, and what its sessions get."""
    told: list[str] = []
    found = _named(settings, command, environ, told, forced=forced)
    agent = settings.agents.get(found.name) if settings is not None else None
    env = {**environ, **found.env}
    if agent is not None:
        env |= _filled(agent, found.name, environ, told)
        if found.by_name and agent.cwd:
            cwd = os.path.abspath(os.path.expanduser(agent.cwd))
    if settings is None:
        return Launch(found.command, cwd, env, found.name, told=tuple(told))
    left: list[tuple[str, str]] = []
    servers = tuple(_servers(settings, agent.mcp if agent is not None else ("*",), environ, left))
    told += [f"MCP server {one} is left out: {why}" for one, why in left]
    options = agent.options if agent is not None else {}
    return Launch(found.command, cwd, env, found.name, options, servers, tuple(left), tuple(told))


def _named(
    settings: Settings | None,
    command: tuple[str, ...],
    environ: Mapping[str, str],
    told: list[str],
    *,
    forced: bool,
) -> _Meant:
    from acp_tui.services.known_agents import resolving

    name = "" if forced else resolving.meant(settings, command)
    if name:
        try:
            start = resolving.allowed(resolving.start(settings, name, environ))
            return _Meant(name, start.command, start.env, True)
        except resolving.CannotStart as problem:
            told.append(str(problem))
            return _Meant(name, command, {}, True)
    agents = settings.agents if settings is not None else {}
    own = next((one for one, agent in agents.items() if command and agent.command == command), "")
    known, env = ("", {}) if own else resolving.name_of(settings, command)
    return _Meant(own or known, command, env, False)


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
