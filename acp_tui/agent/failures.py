"""What went wrong with an agent, in one sentence, with what to do where we know it (LC-06, S42, S43)."""

from __future__ import annotations

import errno
import os
import shutil
import signal
from collections.abc import Mapping
from pathlib import Path

_HINTS = {
    126: "a program it starts cannot be executed; check permissions and the first line of scripts",
    127: "a program it starts was not found; check PATH (node from nvm, mise or direnv is often missing)",
}


def cannot_start(
    command: tuple[str, ...], cwd: str, env: Mapping[str, str], error: OSError | ValueError
) -> str:
    """Why the process does not exist."""
    name = command[0] if command else ""
    if not name:
        return "No agent command was given."
    if isinstance(error, ValueError):
        return (
            f"Cannot start {name}: the command, folder or environment holds a character that is not allowed."
        )
    if not os.path.isdir(cwd):
        there = "is not a folder" if os.path.exists(cwd) else "does not exist"
        return f"Cannot start {name}: the working folder {cwd} {there}."
    if not os.access(cwd, os.X_OK):
        return f"Cannot start {name}: no permission to enter the working folder {cwd}."
    program = _program(name, cwd, env)
    if program is None:
        return _not_found(name, env)
    return f"Cannot start {name}: {_refused(program, error)}"


def ended(exit_code: int | None, ready: bool) -> str:
    """The connection ended by itself; `ready`: it had been initialised before."""
    if exit_code is None:
        return "The agent closed its side of the connection though it still runs."
    if exit_code == 0 and not ready:
        return "The agent ended without a word. Does it speak ACP? Some need an argument such as `acp`."
    return f"The agent {how_it_ended(exit_code)}."


def how_it_ended(exit_code: int) -> str:
    """`exited with status 3`, `was killed by SIGKILL`, with a hint where there is one."""
    if exit_code < 0:
        return f"was killed by {signal_name(-exit_code)}"
    if exit_code in _HINTS:
        return f"exited with status {exit_code}: {_HINTS[exit_code]}"
    if 128 < exit_code <= 128 + 64 and signal_name(exit_code - 128).startswith("SIG"):
        return f"exited with status {exit_code} ({signal_name(exit_code - 128)})"
    return f"exited with status {exit_code}"


def signal_name(number: int) -> str:
    """`SIGTERM`, or `signal 99`."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def too_long(limit: int) -> str:
    """TR-08: the limit is named."""
    size = f"{limit // 2**20} MiB" if limit >= 2**20 else f"{limit} bytes"
    return f"The agent sent a message of more than {size}, the most acp-tui takes; the connection was ended."


def stopped() -> str:
    return "The agent was stopped."


def survivors(pids: list[int]) -> str:
    """Processes of the agent that not even SIGKILL ended."""
    return f"Processes of the agent could not be ended: {', '.join(map(str, pids))}."


def _program(name: str, cwd: str, env: Mapping[str, str]) -> Path | None:
    """The file that the name leads to, executable or not, looked up where the agent will live."""
    if "/" in name:
        path = Path(cwd, name)
        return path if path.exists() else None
    search = env.get("PATH", os.defpath)
    found = shutil.which(name, path=search) or shutil.which(name, mode=os.F_OK, path=search)
    return Path(cwd, found) if found else None


def _not_found(name: str, env: Mapping[str, str]) -> str:
    if "/" in name:
        return f"Cannot start {name}: there is no such file."
    if " " in name:
        return (
            f"Cannot start {name!r}: no such program. The command and its arguments must be separate words."
        )
    return f"Cannot start {name}: no such program in PATH ({env.get('PATH', os.defpath)}). Is it installed?"


def _refused(program: Path, error: OSError) -> str:
    if program.is_dir():
        return f"{program} is a folder."
    if error.errno == errno.ENOENT:
        return f"the interpreter named in the first line of {program} was not found."
    if error.errno == errno.EACCES:
        return f"{program} is not executable; `chmod +x` makes it so."
    if error.errno == errno.ENOEXEC:
        return f"{program} is no program for this machine, nor a script with a first line such as #!/bin/sh."
    return f"{error.strerror or error} ({program})."
