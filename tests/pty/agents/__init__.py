"""Agents that tests in a terminal run: commands, and scripts made for one test."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

_TESTS = Path(__file__).parents[2]

WORDS = (sys.executable, str(_TESTS / "ui" / "agents" / "words.py"))
"""Does what the words of a prompt say."""
SCRIPTED = (sys.executable, str(_TESTS / "agent" / "agents" / "scripted.py"))
"""Misbehaves as an agent's process can."""
ANSWERS = (sys.executable, str(Path(__file__).parent / "answers.py"))
"""Answers `initialize` with the JSON it is given."""


def script(path: Path, *lines: str) -> None:
    """An executable shell script."""
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o700)


def waits_for_go(path: Path, command: Sequence[str]) -> Path:
    """An agent that starts when somebody writes to the returned file."""
    go = path.with_suffix(".go")
    os.mkfifo(go)
    script(path, f"read go < {shlex.quote(str(go))}", f"exec {shlex.join(command)}")
    return go
