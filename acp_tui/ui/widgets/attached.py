"""What is attached to the prompt, in one line above it: name, type, size; a click takes it off."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from acp_tui.render.clean import one_line
from acp_tui.render.words import size

if TYPE_CHECKING:
    from acp_tui.services.attachments import File

_NAME = 40
"""Cells of a name."""


class Attached(Widget):
    """Hidden while nothing is."""

    DEFAULT_CSS = """
    Attached { height: auto; max-height: 4; padding: 0 1; color: $text-muted; display: none; }
    """

    files: reactive[tuple[File, ...]] = reactive((), layout=True)

    @dataclass
    class Removed(Message):
        """One was clicked."""

        path: str

    def show(self, files: Sequence[File]) -> None:
        """These, and nothing else."""
        self.files = tuple(files)
        self.display = bool(files)

    def render(self) -> RenderResult:
        rows = [
            Content.assemble(("+ ", "$accent"), (_named(file), "$foreground"), f"  {described(file)}  ✕")
            for file in self.files
        ]
        width = self.content_size.width
        return Content("\n").join(row.truncate(width, ellipsis=True) for row in rows)

    def get_content_height(self, *_: object) -> int:
        """A row for each."""
        return len(self.files)

    def on_click(self, event: events.Click) -> None:
        """Take it off."""
        if event.y < len(self.files):
            event.stop()
            self.post_message(self.Removed(self.files[event.y].path))


def _named(file: File) -> str:
    return one_line(os.path.basename(file.path) or file.path, _NAME)


def described(file: File) -> str:
    """Type and size in words."""
    if file.sort == "folder":
        return "folder"
    return f"{file.mime or file.sort} {size(file.size)}"
