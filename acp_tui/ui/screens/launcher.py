"""The start screen: agents of this machine, recent sessions, the demo, or a command that is typed.

Invariants: it is drawn before anything is looked for; what is found later changes neither what is marked nor
what was typed; letters always go into the field, arrows to the list below it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static

from acp_tui import __version__
from acp_tui.base import recent
from acp_tui.base.config import AgentSettings
from acp_tui.base.recent import RecentCommand
from acp_tui.journal.entry import Entry
from acp_tui.services.known_agents.listing import Listed
from acp_tui.ui import keys, launch_choices
from acp_tui.ui.launch_choices import Choice
from acp_tui.ui.launch_rows import Group, options
from acp_tui.ui.widgets.header import short_folder
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed as ListedRows

HINTS = (
    ("list.choose", "start"),
    ("launcher.next", "group"),
    ("launcher.forget", "forget"),
    ("everywhere.library", "sessions"),
    ("everywhere.help", "help"),
    ("everywhere.quit", "quit"),
)
LOW = 30
"""Rows below which fewer sessions are shown."""


class Rows(ListedRows, can_focus=False):
    """The list; the field has the focus."""


class Field(Input):
    """What is typed; the key that would delete nothing forgets the marked command."""

    def action_delete_right(self) -> None:
        """Forget, at the end of what was typed."""
        if self.cursor_position >= len(self.value) and isinstance(self.screen, LauncherScreen):
            self.screen.action_forget()
        else:
            super().action_delete_right()


class LauncherScreen(Screen[None]):
    """Shown when no command was given, and after leaving a chat."""

    BINDINGS: ClassVar[list[BindingType]] = [*keys.bindings("launcher"), *keys.bindings("list")]

    @dataclass
    class Chosen(Message):
        """Start this; one word may be the name of an agent."""

        screen: LauncherScreen
        command: tuple[str, ...]
        cwd: str

    @dataclass
    class ResumeWanted(Message):
        """Go on with this saved session."""

        id: str

    @dataclass
    class Unfilled(Message):
        """It was drawn: now it may be looked for what is on this machine."""

        screen: LauncherScreen

    def __init__(
        self,
        cwd: str,
        agents: Mapping[str, AgentSettings],
        past: str = "",
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__()
        self.past = past
        """That something of an earlier run waits for the user."""
        self.now = now
        self.cwd = cwd
        self.agents = agents
        """Those of the settings, by name."""
        self.used: list[RecentCommand] = []
        self.found: Sequence[Listed] | None = None
        """None: not looked for yet."""
        self.entries: Sequence[Entry] = ()
        self.all = False
        """Agents that are not here are listed too."""
        self.choices: list[Choice | None] = []
        """What each option stands for; None: a heading."""

    def compose(self) -> ComposeResult:
        with Vertical(id="launcher"):
            with Horizontal(id="launcher-head"):
                yield Static(self._title(), id="launcher-title")
                yield Static("Start an agent in ", id="launcher-note", markup=False)
                yield Static(short_folder(self.cwd), id="launcher-folder", markup=False)
            field = Field(placeholder="name, session or command", id="launcher-field", compact=True)
            field.cursor_blink = False
            yield field
            yield Static("", id="launcher-problem", markup=False)
            yield Rows(id="launcher-list", markup=False, compact=True)
            yield Static("", id="launcher-past", markup=False)
        yield Static(hint_line(HINTS), id="launcher-keys")

    @staticmethod
    def _title() -> Content:
        return Content.assemble(("acp-tui", "bold $accent"), f"  {__version__}")

    def on_mount(self) -> None:
        """The list is filled as soon as it is shown."""
        self.tell_past(self.past)
        self.set_focus(self.query_one(Field))

    def on_screen_resume(self) -> None:
        """Shown, for the first time or back from a chat: there may be new ones; or keys were changed."""
        self.query_one("#launcher-keys", Static).update(hint_line(HINTS))
        self.begin()

    def begin(self) -> None:
        """What can be shown at once; the rest is asked for."""
        self.used = recent.load()
        self.fill()
        self.call_after_refresh(lambda: self.post_message(self.Unfilled(self)))

    async def look(
        self, listing: Callable[[], Sequence[Listed]], library: Callable[[], Awaitable[Sequence[Entry]]]
    ) -> None:
        """Look for both, in threads."""
        self.found = await asyncio.to_thread(listing)
        self.fill()
        self.entries = await library()
        self.fill()

    # The list

    @property
    def rows(self) -> OptionList:
        """The list."""
        return self.query_one(Rows)

    def fill(self) -> None:
        """What can be started, and what fits what was typed."""
        if not self.is_mounted:
            return
        text = self.query_one(Field).value.strip()
        marked = self._marked()
        groups = self._fitting(text) if text else self._groups()
        self.choices, shown = options(groups, self.size.width)
        rows = self.rows
        rows.clear_options()
        rows.add_options(shown)
        kept = next(
            (at for at, one in enumerate(self.choices) if one and marked and one.key == marked.key), None
        )
        if text or kept is None:
            kept = self._first(text)
        rows.highlighted = kept

    def _first(self, text: str) -> int | None:
        real = [(at, one) for at, one in enumerate(self.choices) if one is not None]
        if not real:
            return None
        return real[launch_choices.best(text, [one for _, one in real]) if text else 0][0]

    def _groups(self) -> list[Group]:
        now = self.now()
        found = self.found if self.found is not None else launch_choices.quick(self.agents, self.used)
        here = launch_choices.agents(self.cwd, now, self.used, found)
        hidden = launch_choices.others(self.cwd, here, found)
        sessions = launch_choices.sessions(self.cwd, now, self.entries)
        if hidden and (self.all or (len(here) == 1 and not sessions)):
            said = [replace(row, right="") if row.right == launch_choices.ABSENT else row for row in hidden]
            return [("Agents", here), ("Not installed", said), ("Recent sessions", sessions)]
        if hidden:
            here.append(launch_choices.more(hidden))
        return [("Agents", here), ("Recent sessions", sessions[: 5 if self.size.height < LOW else 10])]

    def _fitting(self, text: str) -> list[Group]:
        now = self.now()
        found = self.found if self.found is not None else launch_choices.quick(self.agents, self.used)
        here = launch_choices.agents(self.cwd, now, self.used, found)
        every = [
            *here,
            *launch_choices.others(self.cwd, here, found),
            *launch_choices.sessions(self.cwd, now, self.entries),
        ]
        fitting = launch_choices.matching(text, every)
        command = launch_choices.typed(text, self.cwd)
        if any(row.kind != "session" and row.label == text for row in fitting):
            command = None  # it means the same
        return [("", [*fitting, *([command] if command is not None else [])])]

    def _marked(self) -> Choice | None:
        at = self.rows.highlighted
        return self.choices[at] if at is not None and at < len(self.choices) else None

    def on_resize(self) -> None:
        """Other columns."""
        self.fill()

    # What the user does

    def on_input_changed(self, event: Input.Changed) -> None:
        """What fits."""
        event.stop()
        self.problem("")
        self.fill()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Start what is marked."""
        event.stop()
        marked = self._marked()
        if marked is not None:
            self.choose(marked)
        elif event.value.strip():
            self.problem("This does not read as a command: a quote is not closed.")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click."""
        event.stop()
        choice = self.choices[event.option_index]
        if choice is not None:
            self.choose(choice)

    def choose(self, choice: Choice) -> None:
        """Leave for the chat, or show more."""
        self.problem("")
        if choice.kind == "more":
            self.all = True
            self.fill()
        elif choice.kind == "session":
            self.post_message(self.ResumeWanted(choice.id))
        else:
            self.post_message(self.Chosen(self, choice.command, choice.cwd))

    def left(self) -> None:
        """Something was started: next time the field is empty."""
        self.query_one(Field).clear()

    def tell_past(self, text: str) -> None:
        """That something of an earlier run waits for the user; empty: nothing does."""
        self.query_one("#launcher-past", Static).update(f"! {text}" if text else "")

    def problem(self, text: str) -> None:
        """Say why something cannot be started."""
        self.query_one("#launcher-problem", Static).update(text)

    def action_back(self) -> None:
        """As it was before something was typed."""
        self.all = False
        self.query_one(Field).clear()
        self.fill()

    def action_next(self) -> None:
        """The first row of the next group."""
        at = self.rows.highlighted or 0
        heads = [head for head, one in enumerate(self.choices) if one is None]
        following = next((head for head in heads if head > at), None)
        if heads:
            self.rows.highlighted = (heads[0] if following is None else following) + 1

    def action_forget(self) -> None:
        """Forget the marked command."""
        marked = self._marked()
        if marked is not None and marked.forgettable:
            recent.forget(marked.command, marked.cwd)
            self.used = recent.load()
            self.fill()

    def action_select(self) -> None:
        """Start what is marked."""
        self.rows.action_select()

    def action_cursor_up(self) -> None:
        """The one above."""
        self.rows.action_cursor_up()

    def action_cursor_down(self) -> None:
        """The one below."""
        self.rows.action_cursor_down()

    def action_page_up(self) -> None:
        """A page up."""
        self.rows.action_page_up()  # type: ignore[no-untyped-call]

    def action_page_down(self) -> None:
        """A page down."""
        self.rows.action_page_down()  # type: ignore[no-untyped-call]

    def action_first(self) -> None:
        """The first."""
        self.rows.action_first()

    def action_last(self) -> None:
        """The last."""
        self.rows.action_last()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Anywhere."""
        self.rows.scroll_down(animate=False)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Anywhere."""
        self.rows.scroll_up(animate=False)
