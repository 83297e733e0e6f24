"""`acp-tui agents`: the agents that can be started by a name, as a table or for programs; and the list of
more of them, read anew from the registry that the settings name."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from acp_tui.base import redact
from acp_tui.base.paths import config_file
from acp_tui.commands.mistake import Mistake
from acp_tui.commands.printing import failed, printed, remark
from acp_tui.commands.reading import Words, read
from acp_tui.commands.table import table
from acp_tui.render.clean import one_line
from acp_tui.services.known_agents.catalog import dated
from acp_tui.services.known_agents.consent import shown
from acp_tui.services.known_agents.listing import Listed, State, listed
from acp_tui.services.known_agents.resolving import Start

if TYPE_CHECKING:
    from acp_tui.base.config import Config, Problem, Settings

USAGE = """\
acp-tui agents - agents that can be started by a name: acp-tui NAME

  acp-tui agents                  a table: your own of the settings, what is
                                  installed, what npx or uvx can fetch, the rest
  acp-tui agents NAME             all about one: how it starts, how to get it
  acp-tui agents --json           an object a line, for programs
  acp-tui agents refresh          read the registry of your settings again
                                  (known_agents.registry: an address or a file)

An agent that is not installed is fetched by npx or uvx; you are asked before,
once for each exact command. Versions and protocols are what was last seen here.

exit status
  0 listed   1 the registry cannot be read; what was read before stays
  2 wrong words   141 nobody reads any more
"""
HEAD = ("name", "here", "version", "protocol", "last used", "starts with")
DROPPED = ("version", "last used", "protocol")
_KEY = "known_agents.registry"
_OFFERS = {"read": "reading files", "write": "writing files", "terminals": "running commands"}
LEAST = 34
"""Cells that commands need."""


def main(arguments: Sequence[str]) -> int:
    """Do it; returns the exit status. Raises `Mistake`."""
    words = read("agents", arguments, ("--json", "--plain"), ())
    if words.has("--help"):
        return printed([USAGE])
    if len(words.rest) > 1:
        raise Mistake(f"agents takes one name, not {one_line(' '.join(words.rest), 80)}")
    config = _config()
    settings = config.settings if config is not None else None
    if words.rest == ("refresh",):
        return _refresh(settings, config.problems if config is not None else ())
    found = listed(settings, os.environ)
    if words.rest:
        return _one(words, settings, found)
    if words.has("--json"):
        return printed(json.dumps(described(one), ensure_ascii=False) + "\n" for one in found)
    status = printed(table(HEAD, [_row(one) for one in found], DROPPED, LEAST))
    remark(_age(settings))
    return status


def _config() -> Config | None:
    if not os.path.lexists(config_file()):
        return None
    from acp_tui.base.config import load

    return load()


def here(one: Listed) -> str:
    """Whether it is here, in a word or two."""
    match one.state:
        case State.OWN:
            return "your settings"
        case State.INSTALLED:
            return "installed"
        case State.FETCHED:
            return f"by {one.tool}" if one.agreed else f"by {one.tool}, asks"
        case State.MISSING:
            return "not here"
        case State.NEVER:
            return "cannot start from here"
        case State.DISABLED:
            return "disabled"


def _command(one: Listed) -> str:
    if not one.command:
        return one.archive or one.home or "-"
    command = tuple(redact.command(one.command))
    return shown(Start(one.name, command, one.env))


def _row(one: Listed) -> tuple[str, ...]:
    met = one.met
    return (
        one_line(one.name, 24),
        here(one),
        (one_line(met.version, 16) if met else "") or "-",
        f"v{met.protocol}" if met else "-",
        time.strftime("%Y-%m-%d %H:%M", time.localtime(met.at)) if met else "-",
        one_line(_command(one), 300),
    )


def described(one: Listed) -> dict[str, Any]:
    """An agent for programs; every name is always there."""
    from acp_tui.commands.sessions import iso

    met = one.met
    return {
        "name": one_line(one.name),
        "title": one_line(one.title),
        "about": one_line(one.about),
        "state": one.state.name.lower(),
        "command": [one_line(word) for word in redact.command(one.command)],
        "env": {one_line(name): one_line(value) for name, value in one.env.items()},
        "asks": not one.agreed,
        "version": one_line(met.version) if met else None,
        "protocol": met.protocol if met else None,
        "lastUsed": iso(met.at) if met else None,
        "home": one_line(one.home) or None,
        "archive": one_line(one.archive) or None,
        "source": one.source,
    }


def _one(words: Words, settings: Settings | None, found: list[Listed]) -> int:
    from acp_tui.services.known_agents.resolving import all_known

    word = words.rest[0]
    known = all_known(settings).find(word)
    names = {word} if known is None else {word, known.name}
    one = next((one for one in found if one.name in names), None)
    if one is None:
        raise Mistake(f"no agent has the name {one_line(word, 40)} (acp-tui agents lists them)")
    if words.has("--json"):
        return printed([json.dumps(described(one), ensure_ascii=False) + "\n"])
    return printed(f"{name:<13}{one_line(said, 400)}\n" for name, said in _facts(one))


def _facts(one: Listed) -> Iterator[tuple[str, str]]:
    title = f", {one.title}" if one.title != one.name else ""
    yield "name", f"{one.name}{title}"
    if one.about:
        yield "about", one.about
    yield "here", here(one)
    if one.command:
        yield "starts with", _command(one)
    if one.trouble:
        yield "to start it", one.trouble
    if one.archive:
        yield "archive", one.archive
    if one.met is not None:
        said = f"{one.met.name} {one.met.version}".strip()
        at = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.met.at))
        yield "last seen", f"{at}: {said or 'no name'}, protocol v{one.met.protocol}"
    for what, why in one.unserved.items():
        yield "not offered", f"{_OFFERS[what]}, because {one.title} {why}"
    if one.home:
        yield "more", one.home


def _registry(settings: Settings | None) -> str:
    return settings.known_agents.registry if settings is not None else ""


def _age(settings: Settings | None) -> str:
    ours = f"our own list is of {dated()}"
    source = _registry(settings)
    if not source:
        return f"{ours}; acp-tui agents NAME tells more of one"
    from acp_tui.services.known_agents.kept import load

    copy = load(source)
    if copy is None:
        return f"{ours}; the registry was not read yet: acp-tui agents refresh"
    return f"{ours}, the registry's of {time.strftime('%Y-%m-%d', time.localtime(copy.at))}"


def _refresh(settings: Settings | None, problems: Sequence[Problem]) -> int:
    source = _registry(settings)
    wrong = next((one for one in problems if one.key in ("", _KEY)), None)
    if not source and wrong is not None:
        return failed(f"{wrong.path}, {wrong.brief}")
    if not source:
        return failed(
            "your settings name no registry: [known_agents] registry = an https address or a file "
            "(acp-tui config edit)"
        )
    from acp_tui.services.known_agents import fetching, kept
    from acp_tui.services.known_agents.document import Refused

    shown_source = redact.url(source)
    stays = "; what was read before stays" if kept.load(source) is not None else ""
    try:
        agents, left_out = kept.keep(source, fetching.read(source), time.time())
    except (fetching.CannotRead, Refused) as problem:
        return failed(f"{shown_source}: {problem}{stays}")
    except OSError as error:
        return failed(f"the list cannot be kept: {(error.strerror or str(error)).lower()}{stays}")
    never = sum(not one.packages for one in agents)
    said = f"{len(agents)} agents from {shown_source}, {len(agents) - never} by npx or uvx"
    return printed([one_line(said + (f"; {left_out} made no sense" if left_out else "")) + "\n"])
