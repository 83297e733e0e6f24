"""What starts the agent of a saved session again, and in which folder: as it was recorded, where that still
holds, else as the settings have an agent of that name; what is in the way, in sentences.

Looks at the disk; starts nothing.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from acp_tui.base.redact import MASK

if TYPE_CHECKING:
    from acp_tui.base.config import Settings


@dataclass(frozen=True, slots=True)
class Way:
    """How it was, or is wanted."""

    command: tuple[str, ...]
    cwd: str
    """Of the session."""
    started_in: str = ""
    """Where the agent was started, if elsewhere: its command may be relative to that."""
    agent: str = ""
    """As it names itself."""
    trouble: tuple[str, ...] = ()
    """Why it cannot be so."""

    @property
    def start(self) -> str:
        """The folder to start the agent in."""
        return self.started_in if os.path.isdir(self.started_in) else self.cwd


def way(wanted: Way, settings: Settings | None, environ: Mapping[str, str]) -> Way:
    """The same, or a better one, with what is in the way."""
    command, trouble = wanted.command, []
    problem = _problem(command, wanted.start, environ)
    if problem:
        named = wanted.agent if settings is not None and wanted.agent in settings.agents else ""
        if named:
            command = (named,)
        else:
            trouble.append(problem)
    if not os.path.isdir(wanted.cwd):
        there = "is no folder" if os.path.exists(wanted.cwd) else "is not there any more"
        trouble.append(f"The folder {there}: {wanted.cwd or 'it is not known'}")
    return Way(command, wanted.cwd, wanted.started_in, wanted.agent, tuple(trouble))


def _problem(command: tuple[str, ...], folder: str, environ: Mapping[str, str]) -> str:
    if not command:
        return "It is not known what starts its agent."
    if any(MASK in word for word in command):
        return "A secret in the command of its agent was not kept: fill it in, or choose another command."
    program = os.path.expanduser(command[0])
    if os.sep in program:
        path = os.path.join(folder, program)
        found = os.access(path, os.X_OK) and not os.path.isdir(path)
    else:
        found = shutil.which(program, path=environ.get("PATH")) is not None
    return "" if found else f"The program of its agent is not there any more: {shlex.join(command)}"
