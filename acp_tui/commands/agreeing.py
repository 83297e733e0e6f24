"""Asks, in the terminal, before a known agent is fetched; tells what else its name could mean."""

from __future__ import annotations

import shlex
import shutil
import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from acp_tui.commands.mistake import Mistake
from acp_tui.services.known_agents.resolving import CannotStart, Start, start

if TYPE_CHECKING:
    from acp_tui.base.config import Settings


def agreed(settings: Settings | None, name: str, word: str, environ: Mapping[str, str]) -> None:
    """The agent `name`, called `word` by the user, can be started, and he agreed to how. Raises `Mistake`."""
    try:
        found = start(settings, name, environ)
    except CannotStart as problem:
        raise Mistake(f"{problem}{_program(word, environ)}") from None
    own = settings is not None and name in settings.agents
    if not own and found.command[0] != word and (also := _program(word, environ)):
        _say(f"acp-tui: {word} is the known agent.{also}\n")
    if found.tool is None:
        return
    from acp_tui.services.known_agents import consent

    if consent.needed(found):
        _ask(found, word)
        consent.give(found, time.time())


def _program(word: str, environ: Mapping[str, str]) -> str:
    """How one gets the program of that name, if there is one."""
    there = shutil.which(word, path=environ.get("PATH"))
    return f" The program of that name: acp-tui -- {shlex.quote(word)}" if there else ""


def _ask(found: Start, word: str) -> None:
    from acp_tui.render.clean import one_line
    from acp_tui.services.known_agents.consent import shown, why

    exact = one_line(shown(found))
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Mistake(
            f"{found.name} is not installed here; {found.tool} can fetch it and start it, but nobody is here "
            f"to agree to that. Once, in a terminal: acp-tui {shlex.quote(word)}. Or the command itself: "
            f"acp-tui -- {exact}"
        )
    _say(f"{why(found)}\n\n    {exact}\n\nStart it so, now and from now on? [y/N] ")
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Mistake("nothing was started")


def _say(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
