"""All agents that can be named, as lists show them: how each starts here, and what was learnt of it.

Reads files and looks for programs; starts nothing. Own agents of the settings come first, then what is
installed, then what a package would bring, then the rest; among equals the order is that of our list.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING

from acp_tui.services.acquaintances import Acquaintance, Memory
from acp_tui.services.known_agents import consent
from acp_tui.services.known_agents.catalog import Command, Known, Tool
from acp_tui.services.known_agents.resolving import CannotStart, Start, all_known, start_of, why_not

if TYPE_CHECKING:
    from acp_tui.base.config import Settings


class State(IntEnum):
    """Whether it can be started."""

    OWN = 0
    """As the settings say."""
    INSTALLED = 1
    FETCHED = 2
    """By `npx` or `uvx`."""
    MISSING = 3
    NEVER = 4
    """Cannot start from here."""
    DISABLED = 5


@dataclass(frozen=True, slots=True)
class Listed:
    """One agent."""

    name: str
    title: str
    state: State
    about: str = ""
    command: Command = ()
    """What starts it here; empty: nothing does."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables of the registry, that it is started with."""
    tool: Tool | None = None
    agreed: bool = True
    """The user need not be asked."""
    met: Acquaintance | None = None
    """What it said when it was last here, however it was started."""
    home: str = ""
    archive: str = ""
    trouble: str = ""
    """Why it cannot be started, and what to do."""
    unserved: Mapping[str, str] = field(default_factory=dict)
    """What it is not offered, and why."""
    source: str = "settings"

    @property
    def here(self) -> bool:
        """It needs nothing that is not on this machine."""
        return self.state in (State.OWN, State.INSTALLED)


def listed(settings: Settings | None, environ: Mapping[str, str]) -> list[Listed]:
    """All of them."""
    agents = settings.agents if settings is not None else {}
    memory = Memory()
    found = [
        Listed(name, name, State.OWN, command=agent.command, met=memory.of(agent.command))
        for name, agent in agents.items()
        if agent.command and not agent.disabled
    ]
    own = {one.name for one in found}
    for known in all_known(settings).agents:
        if known.name not in own:
            off = known.name in agents and agents[known.name].disabled
            found.append(_known(known, environ, memory, disabled=off))
    return sorted(found, key=lambda one: one.state)


def _known(known: Known, environ: Mapping[str, str], memory: Memory, *, disabled: bool) -> Listed:
    try:
        start, trouble = start_of(known, environ), ""
    except CannotStart:
        start, trouble = Start(known.name, ()), why_not(known)
    return Listed(
        name=known.name,
        title=known.title,
        state=State.DISABLED if disabled else _state(known, start),
        about=known.about,
        command=start.command,
        env=start.env,
        tool=start.tool,
        agreed=not consent.needed(start),
        met=_met(known, memory),
        home=known.home,
        archive=known.archive,
        trouble=trouble,
        unserved=known.unserved,
        source=known.source,
    )


def _state(known: Known, start: Start) -> State:
    if start.command:
        return State.INSTALLED if start.tool is None else State.FETCHED
    return State.MISSING if known.programs or known.packages else State.NEVER


def _met(known: Known, memory: Memory) -> Acquaintance | None:
    ways = [*known.programs, *(package.command for package in known.packages)]
    met = [one for way in ways if (one := memory.of(way)) is not None]
    return max(met, key=lambda one: one.at, default=None)
