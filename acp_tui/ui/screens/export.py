"""A saved session as a file for others: which file; how it ends says the form.

Invariants: it is read and written in a thread; what is there already is never replaced; secrets are masked
(`journal.export`).
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from acp_tui.base import atomic
from acp_tui.journal.checkpoint import Checkpoints
from acp_tui.journal.entry import Entry
from acp_tui.journal.export import FORMATS, NoSuchPlace, excerpt_of_saved, export
from acp_tui.journal.export.picture import TooLong
from acp_tui.journal.library import Library
from acp_tui.render.clean import one_line, visible
from acp_tui.ui import keys
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.hints import hint_line

HINTS = (("list.choose", "write it"), ("new.next_field", "another form"), ("new.close", "back"))
WIDTH = 100
"""Cells of text and picture."""
FORMS = {f".{ending}": form for form, ending in FORMATS.items()}
WORDS = {
    "md": "markdown, for an issue or a pull request",
    "html": "one page that needs nothing else",
    "json": "for programs",
    "text": "the words of the screen, unfolded",
    "svg": "a picture of the screen",
}
_UNFIT = re.compile(r"[^\w-]+")


class Refused(Exception):
    """Why it was not written, in a sentence."""


def write(entry: Entry, form: str, path: Path) -> None:
    """Raises `Refused`."""
    library = Library()
    try:
        saved = library.saved(entry.id)
        if saved is None:
            raise Refused("Nothing of it is saved here any more")
        excerpt = excerpt_of_saved(entry, Checkpoints(library.checkpoints).open(saved))
        text = "".join(export(form, excerpt, WIDTH))
        if os.path.lexists(path):
            raise Refused(f"{path} is there already: choose another name")
        atomic.write(path, text.encode("utf-8", "replace"))
    except (TooLong, NoSuchPlace) as error:
        raise Refused(str(error)) from None
    except OSError as error:
        raise Refused(f"It could not be written: {error.strerror or error}") from None
    finally:
        library.close()


class ExportScreen(ModalScreen[None]):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("new")

    def __init__(self, entry: Entry, folder: str) -> None:
        super().__init__()
        self.entry = entry
        self.folder = folder
        self._writing = False

    def compose(self) -> ComposeResult:
        with Vertical(id="new"):
            yield Static("Export this session", id="new-title", markup=False)
            yield Static("file; its ending says the form", classes="new-label", markup=False)
            name = _UNFIT.sub("-", one_line(self.entry.title, 50)).strip("-").lower() or self.entry.id
            field = Input(str(Path(self.folder) / f"{name}.md"), compact=True, select_on_focus=False)
            field.cursor_blink = False
            yield field
            yield Static("", id="export-form", classes="new-label", markup=False)
            yield Static("", id="new-problem", markup=False)
            yield Static(hint_line(HINTS), id="new-keys")

    def on_mount(self) -> None:
        """At the end of the name."""
        self.query_one(Input).focus()

    @property
    def path(self) -> Path:
        """As it is written there."""
        return Path(self.folder, os.path.expanduser(self.query_one(Input).value.strip()))

    @property
    def form(self) -> str:
        """By its ending; markdown where that says nothing."""
        return FORMS.get(self.path.suffix.lower(), "md")

    def on_input_changed(self) -> None:
        """Say the form."""
        others = " ".join(ending for ending in FORMS if FORMS[ending] != self.form)
        self.query_one("#export-form", Static).update(f"{WORDS[self.form]}\nothers: {others}")
        self._problem("")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Write it."""
        event.stop()
        path = self.path
        if not path.parent.is_dir():
            self._problem(f"There is no folder {one_line(visible(str(path.parent)), 60)}")
        elif path.is_dir() or os.path.lexists(path):
            self._problem("That is there already: choose another name")
        elif not self._writing:
            self._writing = True
            self._problem("Writing …")
            self.run_worker(self._write(self.form, path))

    async def _write(self, form: str, path: Path) -> None:
        try:
            await asyncio.to_thread(write, self.entry, form, path)
        except Refused as refused:
            self._problem(one_line(visible(str(refused)), 300))
        else:
            self.post_message(Told(f"Written to {one_line(visible(str(path)), 200)}"))
            self.dismiss(None)
        finally:
            self._writing = False

    def _problem(self, text: str) -> None:
        self.query_one("#new-problem", Static).update(text)

    def action_next_field(self) -> None:
        """The next form."""
        self._turn(1)

    def action_previous_field(self) -> None:
        """The form before."""
        self._turn(-1)

    def _turn(self, by: int) -> None:
        endings = list(FORMS)
        now = endings.index(f".{FORMATS[self.form]}")
        field = self.query_one(Input)
        stem, ending = os.path.splitext(field.value)
        stem = stem if ending.lower() in FORMS else field.value
        field.value = stem + endings[(now + by) % len(endings)]
        field.action_end()

    def action_complete(self) -> None:
        """As the arrow does."""
        self.query_one(Input).action_cursor_right()

    def action_close(self) -> None:
        """Nothing is written."""
        self.dismiss(None)
