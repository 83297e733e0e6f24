"""Every process that some run has started and that still runs, whatever group or session it moved to."""

from __future__ import annotations

import os
from pathlib import Path


def living(variable: str, mark: str) -> dict[int, str]:
    """Pid and command of each process whose environment has this variable with this value."""
    found = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if f"{variable}={mark}".encode() in Path("/proc", name, "environ").read_bytes():
                found[int(name)] = Path("/proc", name, "cmdline").read_text().replace("\0", " ")
        except OSError:
            continue
    return found
