"""What is to be done in one headless run. Imports next to nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is to be said."""

    text: str
    piped: bool = False
    """It came through a pipe: an `@` in it mentions no file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the command line asks for."""

    prompt: Prompt
    command: tuple[str, ...]
    cwd: str
    """Absolute."""
    environment: Mapping[str, str]
    json: bool = False
    verbose: bool = False
    wait: bool = False
    """For what the agent leaves running beside its work, too."""
    timeout: float | None = None
    """Seconds."""
    resume: str = ""
    """The id of the saved session to go on with; `command` and `elsewhere` are empty where it says them."""
    elsewhere: str = ""
    """The folder that is wanted instead of the session's, absolute."""
    replay: bool = True
    """The agent of a saved session is to tell what it remembers."""
