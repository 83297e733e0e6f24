"""What our subcommands write to standard output and standard error.

Invariants: text is clean before it gets here; whoever stops reading ends it without a word (status 141, as
shells have it for SIGPIPE), a disk that is full with one; a character the terminal's encoding does not know
becomes `?`; colours go to a terminal only, and never with `NO_COLOR`.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING

from acp_tui.base.atomic import why
from acp_tui.render.clean import clean

if TYPE_CHECKING:
    from rich.color import ColorSystem

NOBODY_READS = 141


def printed(pieces: Iterable[str]) -> int:
    """Write them as they come; returns the exit status."""
    out = sys.stdout
    if isinstance(out, io.TextIOWrapper):
        out.reconfigure(errors="replace")
    for piece in pieces:
        if status := _tried(partial(out.write, piece)):
            return status
    return _tried(out.flush)


def _tried(write: Callable[[], object]) -> int:
    try:
        write()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left, at the exit too
        if isinstance(error, BrokenPipeError):
            return NOBODY_READS
        return failed(f"not all of it could be written: {why(error)}.")
    return 0


def remark(said: str) -> None:
    """One line for the user, beside the output."""
    sys.stderr.write(f"acp-tui: {clean(said)}\n")


def failed(said: str) -> int:
    """The same, and the status of what could not be done."""
    remark(said)
    return 1


def colours() -> ColorSystem | None:
    """Those that standard output takes; None: it takes none."""
    from rich.color import ColorSystem

    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        return None
    true = os.environ.get("COLORTERM", "") in ("truecolor", "24bit")
    return ColorSystem.TRUECOLOR if true else ColorSystem.EIGHT_BIT


def width() -> int:
    """Cells of a line: `COLUMNS`, else those of the terminal, else 80."""
    return max(20, shutil.get_terminal_size((80, 24)).columns)
