"""The user's own editor at a place the agent named; the agent is heard meanwhile.

Rules: a path of the agent is data (SF-05). It is opened because the user asked, only if it is there, and
by its whole name, so that it can be no option of the editor. No shell. While it has the terminal Ctrl+C is
for the editor alone, and Ctrl+Z stops both until the shell lets both go on: they are one job.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from textual.app import App, SuspendNotSupported

_COLON = frozenset({"code", "codium", "cursor", "subl", "zed", "hx", "helix", "micro"})
"""Editors that want `path:line`."""
_GOTO = frozenset({"code", "codium", "cursor"})


FALLBACK = "vi"
"""What there is on every system, where nothing is set; almost."""


def command(environ: Mapping[str, str], path: Path, line: int | None) -> list[str]:
    """What to run. Raises ValueError if what is set cannot be understood."""
    editor = _editor(environ)
    name = Path(editor[0]).name
    if line is None:
        return [*editor, str(path)]
    if name in _COLON:
        return [*editor, *(["--goto"] if name in _GOTO else []), f"{path}:{line}"]
    return [*editor, f"+{line}", str(path)]


def _editor(environ: Mapping[str, str]) -> list[str]:
    wanted = (environ.get(name, "").strip() for name in ("VISUAL", "EDITOR"))
    return shlex.split(next(filter(None, wanted), FALLBACK))


def missing(environ: Mapping[str, str]) -> str:
    """What to tell somebody whose editor is not there; empty if it is."""
    try:
        program = _editor(environ)[0]
    except ValueError as error:
        return f"$EDITOR cannot be understood: {str(error).lower()}."
    if shutil.which(program, path=environ.get("PATH")) is not None:
        return ""
    if any(environ.get(name, "").strip() for name in ("VISUAL", "EDITOR")):
        return f"The editor {program} is not there. $VISUAL or $EDITOR names it."
    return "No editor is set. Put the name of yours into $EDITOR and start acp-tui again."


def existing(path: str, cwd: str) -> Path | None:
    """The file by its whole name, if it is one."""
    try:
        place = Path(os.path.abspath(os.path.join(cwd, path)))
        return place if place.is_file() else None
    except (OSError, ValueError):
        return None


async def edit(app: App[Any], environ: Mapping[str, str], path: str, line: int | None, cwd: str) -> str:
    """Give the terminal to the editor until it ends; returns what went wrong, in words."""
    place = existing(path, cwd)
    if place is None:
        return f"There is no file {path} here."
    if problem := missing(environ):
        return problem
    try:
        with app.batch_update(), app.suspend():
            process = await asyncio.create_subprocess_exec(*command(environ, place, line), cwd=cwd)
            status = await process.wait()
    except (OSError, ValueError) as error:
        return f"The editor could not be started: {error}"
    except SuspendNotSupported:
        return "This terminal cannot be lent to an editor."
    return _problem(status)


def _problem(status: int) -> str:
    """How it did not end well, in words."""
    if status < 0:
        return f"The editor was ended by {signal.Signals(-status).name}."
    return f"The editor ended with status {status}." if status else ""
