"""What is attached to a prompt, and what becomes of files that are pasted or dropped.

A picture or a sound is attached if the agent takes it; else its path is written, with a word why. A file of
the session's folders is mentioned, another is attached. The same path pasted again is just text. Invariants:
files are looked at in a thread, and a disk that does not answer keeps nobody from writing; the list belongs
to the conversation.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from textual.app import ComposeResult
from textual.containers import Vertical

from acp_tui.ui.conversation import Conversation
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.attached import Attached
from acp_tui.ui.widgets.composer import Composer
from acp_tui.ui.workers import later
from acp_tui.ui.writing.sending import takes

if TYPE_CHECKING:
    from acp_tui.services.attachments import File

PATIENCE = 3.0
"""Seconds for looking at what was pasted; after that it is text."""


class Attaching(Vertical):
    """Of one composer."""

    DEFAULT_CSS = "Attaching { height: auto; }"

    def __init__(self, conversation: Conversation, composer: Composer) -> None:
        super().__init__()
        self.conversation = conversation
        self.composer = composer
        self.attached = conversation.composing.attached
        self._known: dict[str, File] = {}

    def compose(self) -> ComposeResult:
        yield Attached()

    def on_mount(self) -> None:
        """What the draft had."""
        self.show()

    @property
    def roots(self) -> tuple[str, ...]:
        """The folders of the session."""
        return (self.conversation.folder, *self.conversation.directories)

    def show(self) -> None:
        """What is attached now; of what was never looked at, the name."""
        if not self.attached:
            self.query_one(Attached).show(())
            return
        from acp_tui.services.attachments import File

        if self.is_attached:
            files = [self._known.get(path) or File(path, "binary", "", 0) for path in self.attached]
            self.query_one(Attached).show(files)
        if any(path not in self._known for path in self.attached):
            self.run_worker(later(self._look_again), exclusive=True)

    async def _look_again(self) -> None:
        from acp_tui.services.attachments import File

        for file in await self._looked(self.attached):
            self._known[file.path] = file
        for path in self.attached:
            self._known.setdefault(path, File(path, "binary", "not there", 0))
        self.show()

    def _changed(self) -> None:
        self.conversation.composing.changed()
        self.show()

    def attach(self, file: File) -> None:
        """One more, unless it is there already."""
        self._known[file.path] = file
        if file.path not in self.attached:
            self.attached.append(file.path)
        self._changed()

    def remove_last(self) -> None:
        """Take off what came last."""
        if self.attached:
            self.attached.pop()
            self._changed()

    def on_attached_removed(self, event: Attached.Removed) -> None:
        """Take off what was clicked."""
        event.stop()
        if event.path in self.attached:
            self.attached.remove(event.path)
            self._changed()
        self.composer.focus()

    # Pasting

    async def take_paste(self, text: str) -> bool:
        """Whether it was nothing but paths of files, and something was done with them."""
        if not text.lstrip().startswith(("/", "~", "'", '"', "file:", "\\")):
            return False
        from acp_tui.services.attachments import dropped

        paths: tuple[str, ...] = ()
        with anyio.move_on_after(PATIENCE):
            paths = await anyio.to_thread.run_sync(dropped, text, abandon_on_cancel=True)
        files = [file for file in await self._looked(paths) if file.path not in self.attached]
        if not files:
            return False
        words = [word for file in files if (word := self._take(file))]
        if words:
            self.composer.write(" ".join(words) + " ")
        return True

    async def _looked(self, paths: list[str] | tuple[str, ...]) -> list[File]:
        def all_of_them() -> list[File]:
            from acp_tui.services.attachments import look

            found = []
            for path in paths:
                try:
                    found.append(look(path))
                except OSError:
                    continue
            return found

        if paths:
            with anyio.move_on_after(PATIENCE):
                return await anyio.to_thread.run_sync(all_of_them, abandon_on_cancel=True)
        return []

    def _take(self, file: File) -> str:
        """What is to be written for it, if anything."""
        from acp_tui.services.mentions import within, written

        if file.sort in ("image", "audio"):
            return self._take_media(file)
        if within(file.path, tuple(map(os.path.realpath, self.roots))):
            shown = os.path.relpath(file.path, self.roots[0])
            inside = not shown.startswith("..")
            return written((shown if inside else file.path) + "/" * (file.sort == "folder"))
        if file.sort == "folder":
            return file.path
        self.attach(file)
        self._tell(f"{os.path.basename(file.path)} is attached. Paste it again to write its path.")
        return ""

    def _take_media(self, file: File) -> str:
        can, what = takes(self.conversation.store), "images" if file.sort == "image" else "sounds"
        taken = can is not None and (can.image if file.sort == "image" else can.audio) is not None
        if taken:
            self.attach(file)
            return ""
        self._tell(f"This agent takes no {what}; the path is written instead.")
        return file.path

    async def paste(self) -> None:
        """The clipboard: a picture is attached, else what was copied here is written."""
        can = takes(self.conversation.store)
        if can is not None and can.image is not None:
            from acp_tui.ui.writing.clipboard import picture

            path = await picture(self.conversation.env)
            for file in await self._looked([path] if path else []):
                self.attach(file)
                return
        if self.app.clipboard:
            await self.composer.paste(self.app.clipboard)
        else:
            self._tell("There is no picture to paste. Text is pasted by your terminal (Ctrl+Shift+V).")

    def _tell(self, text: str) -> None:
        self.app.post_message(Told(text))  # what a parent asked for would not rise past it
