"""What keys do: one row of the table of keys, and the places in which rows are heard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

Place = Literal[
    "everywhere",
    "chat",
    "composer",
    "recall",
    "pasted",
    "panel",
    "saying",
    "form",
    "transcript",
    "search",
    "child",
    "saved",
    "library",
    "past",
    "launcher",
    "outbox",
    "background",
    "login",
    "conversations",
    "inbox",
    "options",
    "new",
    "failure",
    "question",
    "stop",
    "list",
    "page",
    "detail",
    "settings",
]

TITLES: Mapping[Place, str] = {
    "everywhere": "Everywhere",
    "chat": "In a chat",
    "composer": "While you write",
    "recall": "While you search in earlier prompts",
    "pasted": "On a long paste",
    "panel": "When the agent asks",
    "saying": "While you write why you reject",
    "form": "On a form of the agent",
    "outbox": "On messages that wait",
    "transcript": "In the transcript",
    "search": "While you search in the transcript",
    "child": "In the conversation of a subagent",
    "saved": "In a saved session",
    "library": "In the library",
    "past": "On what broke off",
    "launcher": "On the start screen",
    "background": "On the list of what runs",
    "login": "When an agent wants a login",
    "conversations": "On the list of conversations",
    "inbox": "On what waits for you",
    "options": "On the options of the agent",
    "new": "On a new conversation",
    "failure": "When an agent cannot be reached",
    "question": "When acp-tui asks",
    "stop": "When the agent does not confirm a cancel",
    "list": "On any list",
    "page": "On help",
    "detail": "On details and notices",
    "settings": "On the settings",
}


Row = tuple[str, str, str] | tuple[str, str, str, str]
"""Name, keys, what they do, and the action where it is not called like the deed."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing that keys do, and the Textual action of the widget or screen that does it."""

    where: Place
    name: str
    keys: tuple[str, ...]
    """Hints name the first."""
    what: str
    action: str = ""
    priority: bool = False
    """Before the focused widget sees the key: only for keys that no text field may have."""
    numbered: bool = False
    """The nth key calls the action with n."""

    @property
    def id(self) -> str:
        """What a key file calls it."""
        return f"{self.where}.{self.name}"


def deeds(where: Place, *rows: Row) -> Iterator[Deed]:
    """The rows of one place."""
    for name, keys, what, *action in rows:
        yield Deed(where, name, tuple(keys.split()), what, action[0] if action else name)
