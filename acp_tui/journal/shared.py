"""Text as it may be given away: clean, without secrets, and without the name of the home folder.

Imports next to nothing: lists of sessions are printed with it, and those are wanted at once.
"""

from __future__ import annotations

import os

from acp_tui.base import redact
from acp_tui.render.clean import pasteable


def washed(text: str) -> str:
    """Without control characters and secrets; tabs stay."""
    return redact.shared(pasteable(text))


def homely(path: str) -> str:
    """With `~` for the home folder: it is nobody's business."""
    home = os.path.expanduser("~")
    return "~" + path[len(home) :] if path == home or path.startswith(home + "/") else path
