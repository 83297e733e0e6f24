"""Something as a file for others: which file; how it ends says the form.

Invariants: it is made and written in a thread; what is there already is never replaced.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from acp_tui.render.clean import one_line, visible
from acp_tui.ui import keys
from acp_tui.ui.exporting import WORDS, Refused, Subject
from acp_tui.ui.standing import Hint
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.workers import later

WRITE: Hint = ("list.choose", "write it")
FORM: Hint = ("new.next_field", "another form")
BACK: Hint = ("new.close", "back")


class ExportScreen(ModalScreen[None]):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("new")

    def __init__(self, subject: Subject, folder: str) -> None:
        super().__init__()
        self.subject = subject
        self.folder = folder
        self._writing = False

    def compose(self) -> ComposeResult:
        with Vertical(id="new"):
            yield Static(self.subject.heading, id="new-title", markup=False)
            yield Static("file; its ending says the form", classes="new-label", markup=False)
            field = Input(str(self.subject.proposed(self.folder)), compact=True, select_on_focus=False)
            field.cursor_blink = False
            yield field
            yield Static("", id="export-form", classes="new-label", markup=False)
            yield Static("", id="new-problem", markup=False)
            several = (FORM,) if len(self.subject.forms) > 1 else ()
            yield Static(hint_line((WRITE, *several, BACK)), id="new-keys")

    def on_mount(self) -> None:
        """At the end of the name, for that is what is to be seen of a long path."""
        field = self.query_one(Input)
        field.focus()
        field.action_home()  # it scrolls where the cursor goes, and stands at the end unseen
        self.call_after_refresh(field.action_end)

    @property
    def path(self) -> Path:
        """As it is written there."""
        return Path(self.folder, os.path.expanduser(self.query_one(Input).value.strip()))

    @property
    def form(self) -> str:
        """By its ending; the first where that says nothing."""
        forms = self.subject.forms
        return forms.get(self.path.suffix.lower(), next(iter(forms.values())))

    def on_input_changed(self) -> None:
        """Say the form."""
        forms = self.subject.forms
        others = " ".join(ending for ending in forms if forms[ending] != self.form)
        more = f"\nothers: {others}" if others else ""
        self.query_one("#export-form", Static).update(f"{WORDS[self.form]}{more}")
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
            self.run_worker(later(self._write, self.form, path))

    async def _write(self, form: str, path: Path) -> None:
        try:
            await asyncio.to_thread(self.subject.write, form, path)
        except Refused as refused:
            self._problem(one_line(visible(str(refused)), 300))
        else:
            self.app.copy_to_clipboard(str(path))
            self.post_message(Told(f"Written to {one_line(visible(str(path)), 200)}; its path is copied"))
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
        forms = self.subject.forms
        endings = list(forms)
        now = next(at for at, ending in enumerate(endings) if forms[ending] == self.form)
        field = self.query_one(Input)
        stem, ending = os.path.splitext(field.value)
        stem = stem if ending.lower() in forms else field.value
        field.value = stem + endings[(now + by) % len(endings)]
        field.action_end()

    def action_complete(self) -> None:
        """As the arrow does."""
        self.query_one(Input).action_cursor_right()

    def action_close(self) -> None:
        """Nothing is written."""
        self.dismiss(None)
