"""A text in the user's own editor, and back.

Invariant: the text is kept here until the editor has ended well; its file is for its owner only, and gone
afterwards.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from typing import Any

from textual.app import App

from acp_tui.ui.editor import edit


async def write(app: App[Any], environ: Mapping[str, str], text: str, cwd: str) -> tuple[str | None, str]:
    """What it is then (None: nothing came back), and what went wrong, in words."""
    try:
        with tempfile.TemporaryDirectory(prefix="acp-tui-") as folder:
            path = os.path.join(folder, "prompt.md")
            _put(path, text)
            problem = await edit(app, environ, path, None, cwd)
            after = _get(path)
    except OSError as error:
        return None, f"The text could not be given to an editor: {error.strerror or error}"
    if problem:
        return None, problem
    return after.removesuffix("\n") if not text.endswith("\n") else after, ""


def _put(path: str, text: str) -> None:
    with open(path, "wb") as file:
        file.write(text.encode("utf-8", "surrogatepass"))


def _get(path: str) -> str:
    with open(path, "rb") as file:
        return file.read().decode("utf-8", "replace")
