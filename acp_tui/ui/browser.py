"""An address lent to the system's browser.

Rules: only when the user agreed; only web pages; never a browser that would draw into this terminal: what is
started gets no terminal at all.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping

from acp_tui.services.addresses import address

PATIENCE = 5.0
"""Seconds in which an opener that fails has failed."""


def opener(env: Mapping[str, str]) -> list[str] | None:
    """What opens a page on this system; None: nothing does."""
    path = env.get("PATH")
    if sys.platform == "darwin":
        names = ["open"]
    elif "WSL_DISTRO_NAME" in env:
        names = ["wslview", "xdg-open"]
    elif env.get("DISPLAY") or env.get("WAYLAND_DISPLAY"):
        names = ["xdg-open"]
    else:  # perhaps an editor at the other end of a connection has left one
        names = []
    found = next((at for name in names if (at := shutil.which(name, path=path))), None)
    if found is not None:
        return [found]
    try:
        words = shlex.split(env.get("BROWSER", "").partition(":")[0].replace("%s", ""))
    except ValueError:
        return None
    at = shutil.which(words[0], path=path) if words else None
    return [at, *words[1:]] if at is not None else None


def browse(url: str, env: Mapping[str, str]) -> bool:
    """Open it, unless it is no web page; False if it could not be. Waits for the opener, not for the browser:
    to be called in a thread.
    """
    command = opener(env) if address(url).opened else None
    if command is None:
        return False
    try:
        started = subprocess.Popen(
            [*command, url],
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        return started.wait(PATIENCE) == 0
    except subprocess.TimeoutExpired:
        return True  # it has become the browser
    except OSError:
        return False
