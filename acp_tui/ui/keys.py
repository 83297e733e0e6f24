"""The one table of keys: bindings, the help screen and the README are all made from it.

Invariants: an id is unique and never renamed (the user's key file will name it); within one place a key
stands once; nothing else in the program binds a key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding, BindingType

from acp_tui.ui import keys_asking, keys_reading
from acp_tui.ui.keys_named import label, spelled
from acp_tui.ui.keys_writing import COMPOSER, PASTED, RECALL

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


def _deeds(where: Place, *rows: tuple[str, str, str] | tuple[str, str, str, str]) -> Iterator[Deed]:
    """Rows of (name, keys, what it does, the action where it is not the name)."""
    for name, keys, what, *action in rows:
        yield Deed(where, name, tuple(keys.split()), what, action[0] if action else name)


TABLE: tuple[Deed, ...] = (
    Deed("everywhere", "help", ("f1",), "this help", "help", priority=True),
    Deed("everywhere", "palette", ("f3",), "all that can be done here, by name", "palette", priority=True),
    Deed("everywhere", "settings", ("f4", "ctrl+comma"), "settings", "settings", priority=True),
    Deed(
        "everywhere",
        "conversations",
        ("f6",),
        "the conversations that are open",
        "conversations",
        priority=True,
    ),
    Deed(
        "everywhere", "new", ("f7",), "a new conversation, with this agent or another", "new", priority=True
    ),
    Deed(
        "everywhere",
        "waiting",
        ("f8",),
        "to the next conversation that waits for you",
        "waiting",
        priority=True,
    ),
    Deed(
        "everywhere",
        "inbox",
        ("f9",),
        "all that waits for you, of every agent, and what was answered",
        "inbox",
        priority=True,
    ),
    Deed(
        "everywhere",
        "library",
        ("f11", "shift+f6", "f18"),
        "the library: all sessions there ever were",
        "library",
        priority=True,
    ),
    Deed(
        "everywhere",
        "past",
        ("shift+f11", "f23"),
        "what broke off with an earlier run: sessions to open again, agents that still run",
        "past",
        priority=True,
    ),
    Deed("everywhere", "previous", ("ctrl+pageup",), "the conversation before", "step(-1)", priority=True),
    Deed("everywhere", "next", ("ctrl+pagedown",), "the next conversation", "step(1)", priority=True),
    Deed("everywhere", "quit", ("ctrl+q",), "quit, after telling what still runs", "quit", priority=True),
    Deed(
        "everywhere",
        "suspend",
        ("ctrl+z",),
        "to the shell; `fg` returns",
        "suspend_process",
        priority=True,
    ),
    Deed(
        "everywhere",
        "picture",
        ("shift+f3", "f15"),
        "write a picture of the screen to a file",
        "picture",
        priority=True,
    ),
    Deed("everywhere", "redraw", ("ctrl+l",), "draw the screen afresh", "redraw", priority=True),
    *_deeds(
        "chat",
        ("escape", "escape", "close what is open; else cancel the work that runs"),
        ("next_place", "tab", "composer → permission panel → form → messages that wait → transcript"),
        ("previous_place", "shift+tab", "the same, backwards"),
        ("restart", "f5", "restart the agent, when it is gone or does not answer"),
        ("plan", "alt+p", "show the whole plan, or its line only"),
        ("follow", "ctrl+end", "to the end of the transcript, and follow it"),
        ("notices", "f2", "notices, and updates this version does not know"),
        ("servers", "shift+f9 f21", "the MCP servers of this conversation"),
        ("export", "shift+f4 f16", "write the conversation to a file for others"),
        *keys_asking.CHAT,
        ("background", "f10", "what runs beside the work, to stop it by itself"),
        ("login", "f12", "log in to the agent, or see how"),
        ("logout", "shift+f12 f24", "log out from the agent, after asking"),
    ),
    Deed(
        "chat",
        "interrupt",
        ("ctrl+c",),
        "copy the selection; else clear the draft; else cancel; else say how to quit",
        "interrupt",
        priority=True,
    ),
    *_deeds("composer", *COMPOSER),
    *_deeds("recall", *RECALL),
    *_deeds("pasted", *PASTED),
    Deed("panel", "choose", tuple("123456789"), "choose this option", "choose", numbered=True),
    *_deeds(
        "panel",
        ("allow", "a", "allow once, where just one option means that"),
        ("reject", "r", "reject once, where just one option means that"),
        ("say", "w", "reject, and say why: that is your next prompt"),
        ("back", "escape", "from the ways to reject back to what you wrote"),
        ("layout", "d", "a diff side by side, or in one column"),
        ("next_request", "tab", "the next request; after the last the transcript"),
        ("open", "o", "open the request whole"),
        ("more_options", "m", "number the next options, where there are more"),
        ("up", "up k", "scroll up", "scroll_by(-1)"),
        ("down", "down j", "scroll down", "scroll_by(1)"),
        ("page_up", "pageup", "scroll a page up", "scroll_pages(-1)"),
        ("page_down", "pagedown space", "scroll a page down", "scroll_pages(1)"),
    ),
    *_deeds(
        "saying",
        ("send", "enter", "reject, and send this"),
        ("newline", "alt+enter shift+enter ctrl+j", "new line"),
        ("back", "escape tab", "back to the options; what you wrote stays"),
    ),
    *_deeds("form", *keys_asking.FORM),
    *_deeds("options", *keys_asking.OPTIONS),
    *_deeds(
        "outbox",
        ("send", "s", "send on what is held, one after the other; send again what may not have arrived"),
        ("send_now", "alt+s", "send this one now"),
        ("edit", "enter e", "take it back to write on"),
        ("look_again", "l", "ask the agent what became of it"),
        ("remove", "delete backspace", "remove it"),
        ("earlier", "shift+up K", "let it go earlier", "shift(-1)"),
        ("later", "shift+down J", "let it go later", "shift(1)"),
        ("up", "up k", "the one above", "mark(-1)"),
        ("down", "down j", "the one below", "mark(1)"),
        ("open", "o", "open it whole"),
        ("leave", "escape", "back to writing"),
    ),
    *_deeds("transcript", *keys_reading.TRANSCRIPT),
    *_deeds("search", *keys_reading.SEARCH),
    *_deeds("child", *keys_reading.CHILD),
    *_deeds("saved", *keys_reading.SAVED),
    *_deeds("library", *keys_reading.LIBRARY),
    *_deeds("past", *keys_reading.PAST),
    *_deeds(
        "launcher",
        ("back", "escape", "clear what was typed"),
        ("next", "tab", "from the agents to the sessions and back"),
        ("forget", "delete", "forget the marked command"),
    ),
    *_deeds(
        "failure",
        ("restart", "enter f5", "start the agent again"),
        ("back", "escape", "back"),
    ),
    *_deeds(
        "background",
        ("close", "escape q", "back"),
        ("stop", "delete backspace", "stop the marked one"),
    ),
    *_deeds(
        "login",
        ("close", "escape", "give a login up that is under way; else back"),
    ),
    *_deeds(
        "conversations",
        ("close", "escape", "back"),
        ("new", "n", "a new one"),
        ("end", "delete", "end the marked one"),
    ),
    *_deeds(
        "inbox",
        ("close", "escape", "close what is open; else back"),
        ("leave", "q", "back"),
        ("turn", "tab", "what waits, or what was answered", "turn"),
        ("conversation", "s", "show its conversation"),
    ),
    Deed("conversations", "choose", tuple("123456789"), "show this one", "choose", numbered=True),
    *_deeds(
        "new",
        ("close", "escape", "back"),
        ("next_field", "tab", "the next field"),
        ("previous_field", "shift+tab", "the field before"),
        ("complete", "right", "complete the name of the folder"),
    ),
    *_deeds(
        "question",
        ("yes", "enter y", "do it"),
        ("no", "escape n", "do not"),
    ),
    *_deeds(
        "list",
        ("choose", "enter", "choose the marked one", "select"),
        ("up", "up", "the one above", "cursor_up"),
        ("down", "down", "the one below", "cursor_down"),
        ("page_up", "pageup", "a page up", "page_up"),
        ("page_down", "pagedown", "a page down", "page_down"),
        ("first", "home", "the first", "first"),
        ("last", "end", "the last", "last"),
    ),
    *_deeds(
        "stop",
        ("again", "c", "ask the agent to cancel once more"),
        ("close", "x", "close the session; other sessions of the agent go on"),
    ),
    *_deeds(
        "page",
        ("close", "escape q", "back"),
        ("up", "up k", "scroll up", "scroll_by(-1)"),
        ("down", "down j", "scroll down", "scroll_by(1)"),
        ("page_up", "pageup", "a page up", "scroll_pages(-1)"),
        ("page_down", "pagedown space", "a page down", "scroll_pages(1)"),
        ("top", "home g", "to the top"),
        ("end", "end G", "to the end"),
    ),
    *_deeds(
        "detail",
        ("close", "escape", "close what is open; else back"),
        ("leave", "q", "back"),
        ("next_tab", "tab", "the next tab", "step_tab(1)"),
        ("previous_tab", "shift+tab", "the tab before", "step_tab(-1)"),
    ),
    Deed("detail", "tab", tuple("123456789"), "this tab", "tab", numbered=True),
    *_deeds(
        "detail",
        ("up", "up k", "scroll up", "scroll_by(-1)"),
        ("down", "down j", "scroll down", "scroll_by(1)"),
        ("page_up", "pageup", "a page up", "scroll_pages(-1)"),
        ("page_down", "pagedown space", "a page down", "scroll_pages(1)"),
        ("top", "home g", "to the top"),
        ("end", "end G", "to the end, and follow it"),
        ("previous", "left_square_bracket", "the change, section or message before", "step(-1)"),
        ("next", "right_square_bracket", "the next change, section or message", "step(1)"),
        ("fold", "enter", "open or fold the message"),
        ("fold_all", "z", "open or fold all messages"),
        ("layout", "d", "diffs side by side, or in one column"),
        ("search", "slash", "search"),
        ("next_hit", "n", "the next place where it stands", "next(1)"),
        ("previous_hit", "N", "the place before", "next(-1)"),
        ("copy", "y", "copy the selection; else what the cursor is in"),
        ("save", "w", "save what the cursor is in to a file"),
        ("edit", "e", "open it in your editor"),
        ("view", "v", "open the picture or sound in the system's viewer"),
        ("stop", "delete backspace", "stop what runs here, where the agent offers that"),
    ),
    *_deeds(
        "settings",
        ("close", "escape", "back"),
        ("change", "enter space", "change it"),
        ("reset", "delete", "back to its default: out of the file"),
        ("no_key", "u", "leave the action without a key: the palette still has it"),
        ("edit", "e", "the file in your editor, where this stands"),
        ("find", "slash", "show only what has these words"),
    ),
)


def bindings(where: Place) -> list[BindingType]:
    """The bindings of the screen or widget that stands for a place; for its `BINDINGS`."""
    return [binding for deed in TABLE if deed.where == where for binding in _bindings(deed)]


def keymap(changed: Mapping[str, str]) -> dict[str, str]:
    """The changes as Textual has them: an action without a key has one that no keyboard sends."""
    return {id: keys or f"none_{id}" for id, keys in changed.items()}


def _bindings(deed: Deed) -> Iterator[Binding]:
    if not deed.numbered:
        keys = ",".join(deed.keys)
        yield Binding(keys, deed.action, deed.what, show=False, priority=deed.priority, id=deed.id)
        return
    for number, key in enumerate(deed.keys, 1):
        yield Binding(key, f"{deed.action}({number})", deed.what, show=False, id=f"{deed.id}.{number}")


def listed(keys: str) -> tuple[str, ...]:
    """Those of a change, which stand with commas; empty: the user wants none."""
    return tuple(keys.split(",")) if keys else ()


def labels(deed: Deed, changed: Mapping[str, str]) -> str:
    """All keys of a deed in words; a numbered one as a range."""
    if deed.numbered:
        ids = [f"{deed.id}.{number}" for number in range(1, len(deed.keys) + 1)]
        named = [spelled(_first(id, changed)) for id in ids]
        return ", ".join(named) if any(id in changed for id in ids) else f"{named[0]} … {named[-1]}"
    return spelled(listed(changed[deed.id]) if deed.id in changed else deed.keys)


_in_force: dict[str, str] = {}
"""The user's changes that hold now: there is one keyboard."""
_ARROWS: Mapping[str, str] = {"Up": "↑", "Down": "↓", "Left": "←", "Right": "→", "Delete": "Del"}
_OWN: Mapping[str, tuple[Deed, tuple[str, ...]]] = {
    **{deed.id: (deed, deed.keys) for deed in TABLE if not deed.numbered},
    **{
        f"{deed.id}.{number}": (deed, (key,))
        for deed in TABLE
        if deed.numbered
        for number, key in enumerate(deed.keys, 1)
    },
}
"""Every id a change may name, with its deed and the keys it has by itself."""


def bound() -> Iterator[tuple[str, tuple[Deed, tuple[str, ...]]]]:
    """Every id a change may name, with its deed and the keys it has by itself, in the order of the table."""
    for deed in TABLE:
        ids = [f"{deed.id}.{n}" for n in range(1, len(deed.keys) + 1)] if deed.numbered else [deed.id]
        for id in ids:
            yield id, _OWN[id]


def use(changed: Mapping[str, str]) -> None:
    """From now on hints name these keys."""
    _in_force.clear()
    _in_force.update(changed)


def now(id: str) -> tuple[str, ...]:
    """The keys that do this now, by Textual's names. Raises KeyError."""
    return listed(_in_force[id]) if id in _in_force else _OWN[id][1]


def _first(id: str, changed: Mapping[str, str]) -> tuple[str, ...]:
    return (listed(changed[id]) if id in changed else _OWN[id][1])[:1]


def short(id: str) -> str:
    """The first key that does this now, as short as it can be said; empty where there is none."""
    name = label(keys[0]) if (keys := now(id)) else ""
    return _ARROWS.get(name, name)


def span(id: str, count: int) -> str:
    """The keys of the first `count` numbers: `1–3`, or each where the user has others."""
    named = [name for number in range(1, count + 1) if (name := short(f"{id}.{number}"))]
    in_order = len(named) > 1 and named == [str(number) for number in range(1, count + 1)]
    return f"{named[0]}–{named[-1]}" if in_order else "/".join(named)


def hint(text: str) -> str:
    """What a hint says: ids (`page.up page.down`) become the first key of each; other words stay.

    Where nothing has a key, the palette and the name in it are the way there.
    """
    words = [short(word) if word in _OWN else word for word in text.split(" ")]
    if shown := " ".join(filter(None, words)):
        return shown
    return f"{short(PALETTE)} “{text.split(' ')[0].partition('.')[2].replace('_', ' ')}”"


def reachable(text: str) -> bool:
    """Some key does this: a hint may name it."""
    return any(word not in _OWN or now(word) for word in text.split(" "))


PALETTE = "everywhere.palette"
"""It leads to all that has no key, so it must have one."""
_BY_ID: Mapping[str, Deed] = {deed.id: deed for deed in TABLE}


def deed(id: str) -> Deed:
    """The one of this name. Raises KeyError."""
    return _BY_ID[id]


def help_rows(changed: Mapping[str, str]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Place by place: its title and rows of (keys, what they do)."""
    for place, title in TITLES.items():
        rows = [(labels(deed, changed), deed.what) for deed in TABLE if deed.where == place]
        if rows:
            yield title, rows


def markdown() -> str:
    """The tables of the README."""
    parts = []
    for title, rows in help_rows({}):
        lines = [f"**{title}**", "", "| key | does |", "| --- | --- |"]
        lines += [f"| {keys} | {what} |".replace("`\\`", "`` \\ ``") for keys, what in rows]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"
