"""Another conversation: with the same agent or with one more, and in which folder."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.suggester import Suggester
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from acp_tui.base import recent
from acp_tui.base.config import Settings
from acp_tui.render.clean import one_line
from acp_tui.ui.conversation import Conversation, Link
from acp_tui.ui.launch_choices import agents, quick
from acp_tui.ui.screens.fields import FieldsScreen, line
from acp_tui.ui.widgets.header import short_folder
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed

HINTS = (
    ("list.choose", "open"),
    ("new.next_field", "next field"),
    ("new.complete", "complete"),
    ("new.close", "back"),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to open."""

    link: Link | None
    """The agent that runs already, or None for one that `command` starts."""
    command: tuple[str, ...]
    cwd: str
    directories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One agent that may be chosen."""

    label: str
    link: Link | None
    command: tuple[str, ...]


def folder(text: str, base: str) -> str | None:
    """A folder that was typed, absolute (`~` and relative ones too); None if there is none of that name."""
    path = Path(os.path.normpath(Path(base) / Path(text.strip() or ".").expanduser()))
    return str(path) if path.is_dir() else None


class Folders(Suggester):
    """The first folder that begins as the last word that is typed."""

    def __init__(self, base: str, *, several: bool = False) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self.base, self.several = base, several

    async def get_suggestion(self, value: str) -> str | None:
        """The whole text with the folder's name completed."""
        return self.completed(value)

    def completed(self, value: str) -> str | None:
        """The same; looks into one folder only."""
        head, _, last = value.rpartition(" ") if self.several else ("", "", value)
        above, slash, name = last.rpartition("/")
        if not last:
            return None
        place = Path(self.base) / Path(f"{above}{slash}" or ".").expanduser()
        try:
            found = sorted(
                entry.name
                for entry in os.scandir(place)
                if entry.name.startswith(name)
                and entry.is_dir()
                and (name.startswith(".") or not entry.name.startswith("."))
            )
        except OSError:
            return None
        typed = f"{head} " if head else ""
        return f"{typed}{above}{slash}{found[0]}" if found and one_line(found[0]) == found[0] else None


class NewConversationScreen(FieldsScreen[Wanted]):
    """Dismissed with what to open."""

    def __init__(self, here: Conversation, links: Sequence[Link], settings: Settings) -> None:
        super().__init__()
        self.here = here
        self.settings = settings
        self.offered = self._offered(links)

    def _offered(self, links: Sequence[Link]) -> list[Choice]:
        """Agents that run, this one first; then those that were used before."""
        running = sorted(
            (link for link in links if not link.gone), key=lambda link: link is not self.here.link
        )
        found = [
            Choice(f"{one_line(link.store.connection.agent_name, 40)}, running", link, ()) for link in running
        ]
        known = {command for link in running for command in (link.command, (link.launch.name,))}
        used_before = recent.load()
        listed = quick(self.settings.agents, used_before)
        for used in agents(self.here.cwd, self.here.now(), used_before, listed):
            if used.command not in known:
                known.add(used.command)
                found.append(Choice(used.label, None, used.command))
        return found

    def compose(self) -> ComposeResult:
        folder_now = short_folder(self.here.folder)
        with Vertical(id="new"):
            yield Static("New conversation", id="new-title", markup=False)
            yield Static("with", classes="new-label", markup=False)
            yield Listed(
                *(Option(choice.label) for choice in self.offered), id="new-agent", markup=False, compact=True
            )
            yield line("new-command", hint="or another command")
            yield Static("in the folder", classes="new-label", markup=False)
            yield line("new-folder", hint=folder_now, value=folder_now, suggester=Folders(self.here.folder))
            yield Static("and in these too, if the agent takes more", classes="new-label", markup=False)
            yield line("new-more", hint="none", suggester=Folders(self.here.folder, several=True))
            if self.settings.mcp:
                names = one_line(", ".join(self.settings.mcp), 200)
                yield Static(f"MCP servers of your settings: {names}", classes="new-label", markup=False)
            yield Static("", id="new-problem", markup=False)
            yield Static(hint_line(HINTS), id="new-keys")

    def on_mount(self) -> None:
        """The most common answer is one Enter away."""
        agents = self.query_one(OptionList)
        agents.highlighted = 0
        agents.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Enter in the list."""
        event.stop()
        self.finish()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in a field."""
        event.stop()
        self.finish()

    def finish(self) -> None:
        """Leave with what was filled in, or say what does not hold."""
        try:
            command = tuple(shlex.split(self._text("new-command")))
            more = shlex.split(self._text("new-more"))
        except ValueError as error:
            self._problem(f"This does not read as words: {error}")
            return
        cwd = folder(self._text("new-folder"), self.here.folder)
        folders = [(text, folder(text, cwd or self.here.folder)) for text in more]
        missing = [text for text, found in folders if found is None]
        if cwd is None or missing:
            name = missing[0] if cwd is not None else self._text("new-folder")
            self._problem(f"There is no folder {one_line(name, 60)}")
            return
        chosen = self.offered[self.query_one(OptionList).highlighted or 0]
        link = None if command else chosen.link
        directories = tuple(dict.fromkeys(found for _, found in folders if found is not None))
        self.dismiss(Wanted(link, command or chosen.command, cwd, directories))
