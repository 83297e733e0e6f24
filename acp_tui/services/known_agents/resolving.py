"""What a name means on this machine: a program that is installed, else a package that `npx` or `uvx` starts.

Invariants: the settings come before what we know; only a single word can be a name; a package is never
started by anything here, and whoever starts one has asked first (`consent`). Looks at the disk only.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from acp_tui.services.known_agents.catalog import Catalog, Command, Known, Tool, catalog

if TYPE_CHECKING:
    from acp_tui.base.config import Settings

GET: Mapping[Tool, str] = {
    "npx": "npx, which comes with Node.js (https://nodejs.org)",
    "uvx": "uvx, which comes with uv (https://docs.astral.sh/uv)",
}


class CannotStart(Exception):
    """A known agent that nothing here starts; the text is a sentence for the user, and says what to do."""


@dataclass(frozen=True, slots=True)
class Start:
    """How an agent is started."""

    name: str
    command: Command
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables besides the user's."""
    tool: Tool | None = None
    """What fetches it; None: it is installed, or the user's settings want it so."""


def all_known(settings: Settings | None) -> Catalog:
    """Those there are under these settings, disabled ones too."""
    return catalog(settings.known_agents.registry if settings is not None else "")


def meant(settings: Settings | None, command: Command) -> str:
    """The name that these words are; empty: they are a program and its arguments. Reads files."""
    if len(command) != 1:
        return ""
    own = settings.agents.get(command[0]) if settings is not None else None
    if own is not None:
        return "" if own.disabled else command[0]
    known = all_known(settings).find(command[0])
    if known is None or _disabled(settings, known.name):
        return ""
    return known.name


def start(settings: Settings | None, name: str, environ: Mapping[str, str]) -> Start:
    """How the agent that `meant` found is started here. Raises `CannotStart`."""
    own = settings.agents.get(name) if settings is not None else None
    if own is not None and own.command:
        return Start(name, own.command)
    known = all_known(settings).find(name)
    if known is None:
        raise CannotStart(
            f"{name}: your settings give it no command, and acp-tui knows no agent of that name."
        )
    found = start_of(known, environ)
    return Start(name, found.command, found.env, found.tool)


def allowed(start: Start) -> Start:
    """The same, if the user agreed to its command or need not be asked. Raises `CannotStart`."""
    if start.tool is not None:
        from acp_tui.services.known_agents import consent

        if consent.needed(start):
            raise CannotStart(
                f"{start.name} is not installed here, and you were not asked about {start.tool} yet."
            )
    return start


def start_of(known: Known, environ: Mapping[str, str]) -> Start:
    """How a known agent is started here. Raises `CannotStart`."""
    path = environ.get("PATH", "")
    for program in known.programs:
        if shutil.which(program[0], path=path):
            return Start(known.name, program)
    for package in known.packages:
        if shutil.which(package.tool, path=path):
            return Start(known.name, package.command, package.env, package.tool)
    raise CannotStart(why_not(known))


def why_not(known: Known) -> str:
    """Nothing here starts it: what to do."""
    programs = " or ".join(program[0] for program in known.programs)
    missing = f"there is no program {programs} here" if programs else "it is not here"
    if known.packages:
        tools = " or ".join(GET[package.tool] for package in known.packages)
        return f"{known.title}: {missing}, and no {tools}. Install one of them."
    where = known.archive or known.home
    if where:
        return f"{known.title}: {missing}. How to get it: {where}"
    return (
        f"{known.title} cannot be started from here: it comes as {', '.join(known.only) or 'nothing known'}."
    )


def name_of(settings: Settings | None, command: Command) -> tuple[str, Mapping[str, str]]:
    """The known agent that exactly these words start, and its variables; an empty name: none."""
    found = all_known(settings).started_by(command)
    if found is None or _disabled(settings, found[0].name):
        return "", {}
    return found[0].name, found[1]


def _disabled(settings: Settings | None, name: str) -> bool:
    own = settings.agents.get(name) if settings is not None else None
    return own is not None and own.disabled
