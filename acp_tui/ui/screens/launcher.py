"""The start screen: the demo, commands used before, or type one."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from acp_tui import __version__
from acp_tui.base import recent, redact
from acp_tui.base.config import AgentSettings
from acp_tui.render.clean import one_line
from acp_tui.ui import keys
from acp_tui.ui.widgets.header import short_folder
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed

_DAY = 86_400
MARGIN = 4
"""Cells left and right (app.tcss)."""
HINTS = (
    ("list.choose", "start"),
    ("launcher.next", "field"),
    ("launcher.forget", "forget"),
    ("everywhere.library", "sessions"),
    ("everywhere.help", "help"),
    ("everywhere.quit", "quit"),
)


def ago(seconds: float) -> str:
    """Roughly how long ago."""
    days = int(seconds // _DAY)
    if days > 0:
        return f"{days} days ago" if days > 1 else "yesterday"
    minutes = int(max(0.0, seconds) // 60)
    if minutes >= 60:
        return f"{minutes // 60} h ago"
    return f"{minutes} min ago" if minutes else "just now"


@dataclass(frozen=True, slots=True)
class Choice:
    """One way to start."""

    command: tuple[str, ...]
    cwd: str
    label: str
    note: str


def choices(cwd: str, at: float, agents: Mapping[str, AgentSettings]) -> list[Choice]:
    """The demo first, the agents of the settings, then what was used, newest first; a folder may be gone, and
    starting says so.
    """
    found = [
        Choice((sys.executable, "-m", "acp_tui.demo"), cwd, "demo", "see everything in a minute, no account")
    ]
    for name, agent in agents.items():
        found.append(Choice((name,), cwd, one_line(name, 40), redacted(agent.command)))
    known = {agent.command for agent in agents.values()}
    for used in recent.load():
        if used.command[1:3] != ("-m", "acp_tui.demo") and used.command not in known:
            note = f"{short_folder(used.cwd)} · {ago(at - used.used_at)}"
            label = shlex.join((used.command[0].rpartition("/")[2], *used.command[1:]))
            found.append(Choice(used.command, used.cwd, one_line(label, 200), note))
    return found


def redacted(command: tuple[str, ...]) -> str:
    """A command as it may be shown."""
    return one_line(shlex.join(redact.command(command)), 200)


class LauncherScreen(Screen[None]):
    """Shown when no command was given, and after leaving a chat."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("launcher")

    @dataclass
    class Chosen(Message):
        """Start this."""

        command: tuple[str, ...]
        cwd: str

    def __init__(self, cwd: str, agents: Mapping[str, AgentSettings], past: str = "") -> None:
        super().__init__()
        self.past = past
        """That something of an earlier run waits for the user."""
        self.cwd = cwd
        self.agents = agents
        """Those of the settings, by name."""
        self.choices: list[Choice] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="launcher"):
            yield Static(
                Content.assemble(("acp-tui", "bold $accent"), f"  {__version__}"),
                id="launcher-title",
            )
            yield Static("Start an agent. It works in this folder:", classes="launcher-note", markup=False)
            yield Static(short_folder(self.cwd), id="launcher-folder", markup=False)
            yield Listed(id="launcher-list", markup=False, compact=True)
            field = Input(
                placeholder="or type a command, for example  codex-acp", id="launcher-field", compact=True
            )
            field.cursor_blink = False
            yield field
            yield Static("", id="launcher-problem", markup=False)
            yield Static("", id="launcher-past", markup=False)
        yield Static(hint_line(HINTS), id="launcher-keys")

    def on_mount(self) -> None:
        """Fill the list."""
        self.fill()
        self.tell_past(self.past)
        self.set_focus(self.query_one(OptionList))

    def on_screen_resume(self) -> None:
        """Back from a chat: there may be new ones; or keys were changed."""
        self.query_one("#launcher-keys", Static).update(hint_line(HINTS))
        self.fill()

    def fill(self) -> None:
        """What can be started."""
        self.choices = choices(self.cwd, time.time(), self.agents)
        rows = self.query_one(OptionList)
        marked = rows.highlighted or 0
        rows.clear_options()
        rows.add_options([Option(self._row(choice)) for choice in self.choices])
        rows.highlighted = min(marked, len(self.choices) - 1)

    def _row(self, choice: Choice) -> Content:
        """Name and note in two columns, on one line."""
        width = max(20, min(100, self.size.width) - 2 * MARGIN - 2)
        notes = max(cell_len(c.note) for c in self.choices)
        names = min(max(cell_len(c.label) for c in self.choices), max(width // 3, width - notes - 2))
        label = one_line(choice.label, names)
        row = Content.assemble((label, "$foreground"), " " * (names + 2 - cell_len(label)), choice.note)
        return row.truncate(width, ellipsis=True)

    def on_resize(self) -> None:
        """Other columns."""
        self.fill()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Start the marked one."""
        choice = self.choices[event.option_index]
        self.start(choice.command, choice.cwd)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Start what was typed; quotes as in a shell, but no shell."""
        try:
            words = tuple(shlex.split(event.value))
        except ValueError as error:
            self.problem(f"This does not read as a command: {error}")
            return
        if words:
            event.input.clear()
            self.start(words, self.cwd)

    def tell_past(self, text: str) -> None:
        """That something of an earlier run waits for the user; empty: nothing does."""
        self.query_one("#launcher-past", Static).update(f"! {text}" if text else "")

    def problem(self, text: str) -> None:
        """Say what is wrong with what was typed."""
        self.query_one("#launcher-problem", Static).update(text)

    def start(self, command: tuple[str, ...], cwd: str) -> None:
        """Leave for the chat."""
        self.problem("")
        self.post_message(self.Chosen(command, cwd))

    def action_back(self) -> None:
        """To the list."""
        self.query_one(OptionList).focus()

    def action_next(self) -> None:
        """Between list and field."""
        field = self.query_one(Input)
        (self.query_one(OptionList) if field.has_focus else field).focus()

    def action_forget(self) -> None:
        """Forget the marked command."""
        at = self.query_one(OptionList).highlighted
        if at is not None and at > 0 and not self.query_one(Input).has_focus:
            recent.forget(self.choices[at].command, self.choices[at].cwd)
            self.fill()
