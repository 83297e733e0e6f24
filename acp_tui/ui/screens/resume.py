"""A saved session cannot be gone on with as it was: why, and how else."""

from __future__ import annotations

import shlex
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from acp_tui.render.clean import one_line, visible
from acp_tui.services.returning import Way
from acp_tui.ui.screens.fields import FieldsScreen, line
from acp_tui.ui.screens.new_conversation import Folders, folder
from acp_tui.ui.standing import Hint
from acp_tui.ui.widgets.hints import hint_line

HINTS: tuple[Hint, ...] = (
    ("list.choose", "go on so"),
    ("new.next_field", "next field"),
    ("new.complete", "complete"),
    ("new.close", "only read it"),
)


class ResumeScreen(FieldsScreen[Way]):
    """Dismissed with the way to go."""

    def __init__(self, wanted: Way) -> None:
        super().__init__()
        self.wanted = wanted

    def compose(self) -> ComposeResult:
        with Vertical(id="new"):
            yield Static("Go on with this session", id="new-title", markup=False)
            for text in self.wanted.trouble:
                yield Static(f"! {one_line(visible(text), 300)}", classes="resume-trouble", markup=False)
            yield Static("command of the agent", classes="new-label", markup=False)
            yield line("new-command", value=shlex.join(self.wanted.command))
            yield Static("folder; the agent may refuse another one", classes="new-label", markup=False)
            yield line("new-folder", value=self.wanted.cwd, suggester=Folders(self.wanted.start or "/"))
            yield Static("", id="new-problem", markup=False)
            yield Static(hint_line(HINTS), id="new-keys")

    def on_mount(self) -> None:
        """Where there is most to do."""
        only_folder = len(self.wanted.trouble) == 1 and self.wanted.trouble[0].startswith("The folder")
        self.query_one("#new-folder" if only_folder else "#new-command", Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Leave with what was filled in, or say what does not hold."""
        event.stop()
        try:
            command = tuple(shlex.split(self._text("new-command")))
        except ValueError as error:
            self._problem(f"This does not read as words: {error}")
            return
        cwd = folder(self._text("new-folder"), "/")
        if cwd is None:
            self._problem(f"There is no folder {one_line(self._text('new-folder'), 60)}")
        elif not command:
            self._problem("A command is needed: it starts the agent that has this session")
        else:
            self.dismiss(replace(self.wanted, command=command, cwd=cwd, trouble=()))
