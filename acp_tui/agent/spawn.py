"""The very start of an agent: its process, before anything that talks to it is loaded.

Invariant: what was started is either taken over by a `Child` or ended by `abandon`. Imports next to nothing,
so that an agent and the program load at the same time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spawned:
    """A process that nobody looks after yet, or why there is none."""

    process: subprocess.Popen[bytes] | OSError | ValueError

    def abandon(self) -> None:
        """End it and its group at once: the program ends before it could talk to the agent."""
        if isinstance(self.process, subprocess.Popen):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            with self.process:  # closes the pipes, then waits
                pass


def spawn(command: Sequence[str], cwd: str, env: Mapping[str, str]) -> Spawned:
    """Start it as given (TR-15), in a session of its own: it has no terminal, and its group is its own."""
    try:
        return Spawned(
            subprocess.Popen(
                command,
                cwd=cwd,
                env=env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        )
    except IndexError:  # a command of no words
        return Spawned(ValueError())
    except (OSError, ValueError) as error:
        return Spawned(error)
