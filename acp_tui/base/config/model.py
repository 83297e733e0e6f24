"""The settings: every one with its default and what it does. Nothing here reads a file or imports pydantic,
so that a start without a file pays for nothing.

Invariants: each setting that stands in one place has a default, so that a file may say as little as it likes,
and words for what it does: README, `acp-tui config` and the settings screen are made from this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from acp_tui.base.config.gateways import GatewaySettings
from acp_tui.base.config.said import Said
from acp_tui.base.config.template import Template

Words = tuple[str, ...]
Variables = Mapping[str, Template]
Choices = Mapping[str, str | bool]
Keys = Mapping[str, Words]


def _none() -> Mapping[str, Any]:
    return MappingProxyType({})


_VARIABLES = 'a table NAME = "value", where "${OTHER}" takes it from your environment, or a list of names'
_LIST = 'a list of words, such as ["a", "b"]'


@dataclass(frozen=True, slots=True)
class Transcript:
    """How the conversation is shown."""

    thoughts: Annotated[
        Literal["folded", "open"], Said("thoughts while they stream: one line, or all of their text")
    ] = "folded"
    print_on_exit: Annotated[
        bool, Said("when you quit, the conversation in front is printed below, where it stays")
    ] = False


@dataclass(frozen=True, slots=True)
class Mouse:
    """The mouse."""

    capture: Annotated[
        bool, Said("clicks and the wheel are ours; off, your terminal selects text itself")
    ] = True


@dataclass(frozen=True, slots=True)
class Composer:
    """Where you write."""

    vi: Annotated[bool, Said("vi keys")] = False


@dataclass(frozen=True, slots=True)
class Attention:
    """How you are called when work ends, something waits for you or the agent dies."""

    notify: Annotated[bool, Said("a notification of the desktop, where the terminal can show one")] = True
    bell: Annotated[bool, Said("the terminal's bell")] = True
    title: Annotated[bool, Said("the window's title says what waits")] = True
    only_unfocused: Annotated[bool, Said("only while you look at another window")] = True


@dataclass(frozen=True, slots=True)
class Kept:
    """What is saved of your conversations, and for how long."""

    sessions: Annotated[
        Literal["forever", "365 days", "90 days", "30 days"],
        Said("after so long without a word a session goes to the trash, unless you pinned it"),
    ] = "forever"
    trash: Annotated[
        Literal["forever", "30 days", "7 days"],
        Said("after so long in the trash a session is removed from this machine for good"),
    ] = "30 days"

    @staticmethod
    def days(kept: str) -> int | None:
        """How many that is; None: for ever."""
        return None if kept == "forever" else int(kept.removesuffix(" days"))


@dataclass(frozen=True, slots=True)
class Serve:
    """What agents of ACP v1 may use of this machine through acp-tui, where you see it and it is kept; off,
    they do it by themselves or not at all."""

    files: Annotated[
        bool,
        Said(
            "agents (ACP v1) may let acp-tui read and write files in the session's folders; elsewhere it asks"
        ),
    ] = True
    terminals: Annotated[
        bool, Said("agents (ACP v1) may let acp-tui run commands, which it shows and ends with the session")
    ] = True


@dataclass(frozen=True, slots=True)
class Rule:
    """A permission that is answered without asking; what it does not name, it does not look at."""

    answer: Annotated[Literal["allow", "reject"], Said("what is answered, once, where the agent offers that")]
    agent: Annotated[str, Said("only this agent: a name or a pattern")] = ""
    folder: Annotated[str, Said("only in this folder and below it", "a folder, absolute or from ~")] = ""
    kind: Annotated[str, Said("only this kind of tool call, such as read, edit, execute, fetch")] = ""
    command: Annotated[
        str, Said("only where the whole command line fits this pattern, * stands for anything")
    ] = ""

    def mistake(self) -> tuple[str, str] | None:
        """Nothing is allowed blindly."""
        if self.answer == "allow" and not (self.kind.strip("*?") or self.command.strip("*? ")):
            return "answer", '"allow" needs a kind or a command that says what is allowed'
        if self.folder and not self.folder.startswith(("/", "~")):
            return "folder", "it must begin with / or ~"
        return None


@dataclass(frozen=True, slots=True)
class Permissions:
    """Local rules, in order: the first that fits answers. There are none unless you write some."""

    rules: Annotated[tuple[Rule, ...], Said("the rules, each a [[permissions.rules]] of its own")] = ()


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """An agent that can be started by its name: one of your own, or a known one that you want otherwise."""

    command: Annotated[
        Words,
        Said("the program and its arguments, run without a shell; a known agent has its own", _LIST),
    ] = ()
    env: Annotated[Variables, Said("variables it is started with, besides yours", _VARIABLES)] = field(
        default_factory=_none
    )
    cwd: Annotated[str, Said("the folder it works in; otherwise where acp-tui is started")] = ""
    options: Annotated[
        Choices,
        Said(
            "values for its own options, set in each new session",
            'a table OPTION = "value", true or false: ids or names, as the agent has them',
        ),
    ] = field(default_factory=_none)
    mcp: Annotated[Words, Said('which of the MCP servers it gets; "*" means all of them', _LIST)] = ("*",)
    disabled: Annotated[bool, Said("it is not offered, and its name means a program again")] = False

    def mistake(self) -> tuple[str, str] | None:
        """A program needs a name."""
        return None if not self.command or self.command[0] else ("command", "it names no program")


@dataclass(frozen=True, slots=True)
class KnownAgents:
    """The agents that acp-tui knows by name, besides those of its own list."""

    registry: Annotated[
        str,
        Said(
            "where `acp-tui agents refresh` reads a list of more agents; empty: nowhere",
            "an address that begins with https://, or a file, absolute or from ~",
        ),
    ] = ""

    def mistake(self) -> tuple[str, str] | None:
        """Nobody on the way may change what is to be started."""
        if self.registry and not re.match(r"https://[^/\s]|[/~]", self.registry):
            return "registry", "it must begin with https://, / or ~"
        return None


@dataclass(frozen=True, slots=True)
class McpServer:
    """An MCP server for sessions whose agent takes it: a program, or an address."""

    command: Annotated[str, Said("the program to start (stdio)")] = ""
    args: Annotated[Words, Said("its arguments", _LIST)] = ()
    env: Annotated[Variables, Said("variables it is started with", _VARIABLES)] = field(default_factory=_none)
    url: Annotated[str, Said("the address (http)", "an address that begins with http:// or https://")] = ""
    headers: Annotated[Variables, Said("headers sent to the address; secrets as ${NAME}", _VARIABLES)] = (
        field(default_factory=_none)
    )

    def mistake(self) -> tuple[str, str] | None:
        """One of two ways, and nothing of the other."""
        if bool(self.command) == bool(self.url):
            return "", "it needs either a command or a url"
        if self.url and not re.match(r"https?://[^/\s]", self.url):
            return "url", "it must begin with http:// or https://"
        if self.url and (self.args or self.env):
            return "url", "args and env are for servers with a command"
        return ("headers", "headers are for servers with a url") if self.command and self.headers else None

    def __repr__(self) -> str:
        from acp_tui.base import redact

        what = redact.command([self.command, *self.args]) if self.command else redact.url(self.url)
        return f"McpServer({what!r}, env={dict(self.env)!r}, headers={dict(self.headers)!r})"


@dataclass(frozen=True, slots=True)
class Settings:
    """All of them."""

    theme: Annotated[
        str,
        Said("acp-dark, acp-light, acp-ansi, acp-high-contrast or your own; empty: the terminal is asked"),
    ] = ""
    transcript: Transcript = Transcript()
    mouse: Mouse = Mouse()
    composer: Composer = Composer()
    attention: Attention = Attention()
    library: Kept = Kept()
    known_agents: KnownAgents = KnownAgents()
    serve: Serve = Serve()
    keys: Annotated[
        Keys,
        Said(
            "other keys for what keys do, by name",
            'a table "place.name" = "key", or a list of keys; "" leaves it without one',
        ),
    ] = field(default_factory=_none)
    permissions: Permissions = Permissions()
    agents: Annotated[Mapping[str, AgentSettings], Said("agents by name", "tables [agents.NAME]")] = field(
        default_factory=_none
    )
    mcp: Annotated[Mapping[str, McpServer], Said("MCP servers by name", "tables [mcp.NAME]")] = field(
        default_factory=_none
    )
    aip: Annotated[Mapping[str, GatewaySettings], Said("gateways of AIP by name", "tables [aip.NAME]")] = (
        field(default_factory=_none)
    )


class Slot(NamedTuple):
    """One field of one section."""

    name: str
    hint: Any
    default: Any
    """`MISSING` where it must be given."""
    what: str
    allowed: str
    """What may stand there, in words."""

    @property
    def section(self) -> type | None:
        """The class of the table that stands there."""
        return self.hint if is_dataclass(self.hint) and isinstance(self.hint, type) else None

    @property
    def members(self) -> type | None:
        """The class of each of the tables that stand there, by name or in a list."""
        inner = [a for a in get_args(self.hint) if is_dataclass(a) and isinstance(a, type)]
        return inner[0] if inner else None

    @property
    def choices(self) -> tuple[Any, ...]:
        """All values, where there are a few."""
        return (True, False) if self.hint is bool else _literals(self.hint)


def _literals(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) is Literal else ()


def _allowed(hint: Any) -> str:
    if hint is bool:
        return "true or false"
    return " or ".join(f'"{one}"' for one in _literals(hint)) or "text in quotes"


def _default(one: Field[Any]) -> Any:
    return one.default if one.default_factory is MISSING else one.default_factory()


@cache
def slots(section: Any) -> tuple[Slot, ...]:
    """The fields of a section, in order."""
    hints = get_type_hints(section, include_extras=True)
    return tuple(_slot(one.name, hints[one.name], _default(one)) for one in fields(section))


def _slot(name: str, hint: Any, default: Any) -> Slot:
    if get_origin(hint) is not Annotated:
        return Slot(name, hint, default, "", "")
    inner, said = get_args(hint)
    return Slot(name, inner, default, said.what, said.allowed or _allowed(inner))


def simple() -> Iterator[tuple[tuple[str, ...], Slot]]:
    """Every setting that is one value in one place: its path in the file and its slot."""
    for slot in slots(Settings):
        if slot.section is not None and slot.section is not Permissions:
            for inner in slots(slot.section):
                yield (slot.name, inner.name), inner
        elif slot.hint is str:
            yield (slot.name,), slot


def value(settings: Settings, path: tuple[str, ...]) -> Any:
    """What a simple setting is."""
    found: Any = settings
    for name in path:
        found = getattr(found, name)
    return found
