"""The agents that are known by name: those of our own dated list, and those of the registry the user named.

Invariants: our list comes first, in its order; of an agent that both know, the registry says which package is
started, for it is newer. Reading it imports no pydantic unless a registry was read. Nothing here starts
anything or looks for programs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

Tool = Literal["npx", "uvx"]
Command = tuple[str, ...]
LOOK = 4
"""Words of a command that may say which agent it starts."""
_LIST = Path(__file__).with_name("agents.json")
TOOLS: Mapping[Tool, Command] = {"npx": ("npx", "-y"), "uvx": ("uvx",)}


@dataclass(frozen=True, slots=True)
class Package:
    """An agent that is fetched, if it is not there yet, and started in one."""

    tool: Tool
    words: Command
    """The package and what comes after it."""
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables that it is started with."""

    @property
    def command(self) -> Command:
        """All of it."""
        return (*TOOLS[self.tool], *self.words)


@dataclass(frozen=True, slots=True)
class Known:
    """One agent."""

    name: str
    title: str
    about: str = ""
    """One line."""
    programs: tuple[Command, ...] = ()
    """Programs that may be installed, the best first, each with its arguments."""
    packages: tuple[Package, ...] = ()
    home: str = ""
    """An address where one learns more."""
    registry: str = ""
    """Its id there."""
    version: str = ""
    """Of the registry."""
    archive: str = ""
    """The address of a program for this machine, that one fetches oneself."""
    only: tuple[str, ...] = ()
    """Ways to distribute it that nobody here knows."""
    unserved: Mapping[str, str] = field(default_factory=dict)
    """What it is better not offered though we do it for others (`read`, `write`, `terminals`), and why."""
    source: Literal["list", "registry"] = "list"

    @property
    def names(self) -> frozenset[str]:
        """All that it goes by."""
        return frozenset({self.name, self.registry} - {""})


def _marks(word: str) -> tuple[str, ...]:
    """A path's last part without an ending, a package without its version."""
    return Path(word).stem, word[:1] + word[1:].partition("@")[0]


def _marked(one: Known) -> set[str]:
    packages = {word for package in one.packages for word in package.words if not word.startswith("-")}
    return {one.name, *(program[0] for program in one.programs), *packages} if one.unserved else set()


class Catalog:
    """All of them."""

    def __init__(self, agents: Sequence[Known]) -> None:
        self.agents = tuple(agents)
        self._named = {name: one for one in reversed(self.agents) for name in one.names}
        self._named |= {one.name: one for one in self.agents}

    def find(self, name: str) -> Known | None:
        """The one of this name."""
        return self._named.get(name)

    def started_by(self, command: Command) -> tuple[Known, Mapping[str, str]] | None:
        """The one that is started by exactly this, and the variables that go with it."""
        for one in self.agents:
            if command in one.programs:
                return one, {}
            for package in one.packages:
                if command == package.command:
                    return one, package.env
        return None

    def unserved(self, command: Command) -> frozenset[str]:
        """What the agent that these words seem to start is better not offered. It is known by its name, its
        program or its package among the first of them, wherever that is installed and whatever starts it; one
        that is mistaken for it does itself what it is not offered.
        """
        words = {mark for word in command[:LOOK] for mark in _marks(word)}
        return frozenset(what for one in self.agents if words & _marked(one) for what in one.unserved)


@cache
def bundled() -> Catalog:
    """Our own list."""
    return Catalog([_known(one) for one in _file()["agents"]])


def dated() -> str:
    """When our list was last looked through, as YYYY-MM-DD."""
    return str(_file()["dated"])


@cache
def _file() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(_LIST.read_bytes())
    return found


def _known(one: Mapping[str, Any]) -> Known:
    packages = [Package(tool, tuple(one[tool])) for tool in TOOLS if tool in one]
    return Known(
        name=one["name"],
        title=one["title"],
        about=one["about"],
        programs=tuple(map(tuple, one["programs"])),
        packages=tuple(packages),
        home=one["home"],
        registry=one["registry"],
        unserved=one.get("unserved", {}),
    )


def merged(ours: Catalog, listed: Sequence[Known]) -> Catalog:
    """Ours, brought up to date, and the others of the registry behind."""
    newer = {one.name: one for one in listed}
    agents = [_updated(one, newer.pop(one.registry, None)) for one in ours.agents]
    return Catalog([*agents, *newer.values()])


def _updated(ours: Known, newer: Known | None) -> Known:
    if newer is None:
        return ours
    packages = newer.packages or ours.packages
    return replace(ours, packages=packages, version=newer.version, archive=newer.archive)


def catalog(registry: str = "") -> Catalog:
    """All, with those of the last good copy of this registry (an address or a file). Reads files."""
    if not registry:
        return bundled()
    from acp_tui.services.known_agents import kept

    copy = kept.load(registry)
    return bundled() if copy is None else merged(bundled(), copy.agents)
