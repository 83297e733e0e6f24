"""Files lent to other programs: the user's editor, the system's viewer.

Rules: only on the user's key; a file of our own in a folder nobody else can read, gone when acp-tui ends; a
viewer gets only what is by its bytes a picture or a sound, by its whole name, without a shell.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from itertools import count
from pathlib import Path

from acp_tui.ui import keys
from acp_tui.ui.detail.pieces import viewable

_numbers = count(1)


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="acp-tui-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def lend(name: str, data: bytes) -> Path:
    """A file with these bytes; `name` is a plain name."""
    place = _folder() / str(next(_numbers))
    place.mkdir(mode=0o700)
    path = place / name
    path.write_bytes(data)
    return path


def _saves() -> str:
    return f"{keys.hint('detail.save')} saves it."


def view(name: str, data: bytes) -> str:
    """Open it in the system's viewer; returns what is in the way, in words."""
    suffix = viewable(data)
    if not suffix:
        return f"This is no picture or sound the system's viewer could be trusted with. {_saves()}"
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if opener is None:
        return f"There is no viewer on this system. {_saves()}"
    try:
        path = lend(Path(name).stem + suffix, data)
        subprocess.Popen(
            [opener, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        return f"It could not be opened: {error.strerror}"
    return ""
