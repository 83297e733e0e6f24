"""What is kept of an error that should never have happened, for whoever is to mend it.

Rules: code places and the words of the error, never values of variables; the words go through redaction and
are cut; only the owner may read it; the newest `KEPT` reports stay.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import platform
import time
import traceback
from pathlib import Path

from acp_tui import __version__
from acp_tui.base import atomic, redact
from acp_tui.base.paths import state_dir

KEPT = 20
LONGEST = 2000
"""Characters of one line of a report: an error may quote all that it choked on."""
_numbers = itertools.count(1)


def folder() -> Path:
    """Where reports are."""
    return state_dir() / "crashes"


def write(error: BaseException, doing: str) -> Path | None:
    """Keep a report; `doing` says what was going on. None where it cannot be kept."""
    name = f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}-{next(_numbers)}.txt"
    try:
        atomic.write(folder() / name, report(error, doing).encode("utf-8", "backslashreplace"))
    except OSError:
        return None
    _tidy()
    return folder() / name


def report(error: BaseException, doing: str) -> str:
    """Version and place, then the traceback."""
    head = f"acp-tui {__version__} · Python {platform.python_version()} · {platform.platform()}\n{doing}\n\n"
    lines = "".join(traceback.format_exception(error)).splitlines()
    return redact.text(head + "".join(f"{_cut(line)}\n" for line in lines))


def _cut(line: str) -> str:
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}… {len(line) - LONGEST} more characters"


def place(error: BaseException) -> str:
    """What kind of error, and where in the code: two with the same place are the same mistake."""
    where = traceback.extract_tb(error.__traceback__)[-1:]
    return " ".join([type(error).__name__, *(f"{frame.filename}:{frame.lineno}" for frame in where)])


def _tidy() -> None:
    with contextlib.suppress(OSError):
        for old in sorted(folder().glob("*.txt"))[:-KEPT]:
            old.unlink(missing_ok=True)
