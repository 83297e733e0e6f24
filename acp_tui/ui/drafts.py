"""What was being written when the program ended, by folder, so that the next start in that folder has it
again.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from acp_tui.base import atomic
from acp_tui.base.paths import state_dir


def _path(cwd: str) -> Path:
    return (
        state_dir()
        / "drafts"
        / (hashlib.sha256(cwd.encode("utf-8", "surrogateescape")).hexdigest()[:32] + ".txt")
    )


def keep(cwd: str, text: str) -> None:
    """Keep it, or forget what was kept if there is nothing to keep. Failing to is no reason not to quit."""
    with contextlib.suppress(OSError):
        if text.strip():
            atomic.write(_path(cwd), text.encode("utf-8", "surrogatepass"))
        else:
            _path(cwd).unlink(missing_ok=True)


def kept(cwd: str) -> str:
    """What was kept for this folder."""
    try:
        return _path(cwd).read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""
