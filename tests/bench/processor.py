"""CPU time, also of another process (Linux: every process has a clock that anybody may read)."""

from __future__ import annotations

import os
import time


def cpu(pid: int) -> float:
    """Seconds of CPU a process has used so far, all its threads included."""
    return time.clock_gettime((~pid << 3) | 2)  # MAKE_PROCESS_CPUCLOCK(pid, CPUCLOCK_SCHED)


def resident(pid: int | str = "self") -> float:
    """Megabytes of a process in memory."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
