"""The picture in the system's clipboard, by the programs that systems have for it.

A terminal pastes only text. Rules: no shell; what does not answer soon has nothing; the picture is a file for
its owner only.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

import anyio

from acp_tui.base import atomic
from acp_tui.base.paths import state_dir
from acp_tui.services.attachments import judge

PATIENCE = 5.0
"""Seconds for each program."""


def commands(environ: Mapping[str, str]) -> Iterator[list[str]]:
    """What may print a picture in PNG."""
    if environ.get("WAYLAND_DISPLAY"):
        yield ["wl-paste", "--no-newline", "--type", "image/png"]
    if environ.get("DISPLAY"):
        yield ["xclip", "-selection", "clipboard", "-target", "image/png", "-out"]
    yield ["pngpaste", "-"]


async def picture(environ: Mapping[str, str]) -> str:
    """The path of a file with it; empty if there is none."""
    for command in commands(environ):
        program = shutil.which(command[0], path=environ.get("PATH"))
        data = await _printed([program, *command[1:]], environ) if program else b""
        sort, mime = judge(data[:4096])
        if sort == "image" and mime is not None:
            name = f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}.{mime.partition('/')[2]}"
            path = state_dir() / "pictures" / name
            await anyio.to_thread.run_sync(atomic.write, path, data)
            return str(path)
    return ""


async def _printed(command: list[str], environ: Mapping[str, str]) -> bytes:
    try:
        with anyio.fail_after(PATIENCE):
            done = await anyio.run_process(
                command, check=False, env=environ, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
            )
    except (OSError, TimeoutError):
        return b""
    return done.stdout if done.returncode == 0 else b""
