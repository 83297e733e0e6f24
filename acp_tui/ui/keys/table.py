"""The one table of keys: bindings, the help screen and the README are all made from it.

Invariants: an id is unique and never renamed (the user's settings name it); within one place a key stands
once; nothing else in the program binds a key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from acp_tui.ui.keys import asking, reading, writing
from acp_tui.ui.keys.deeds import Deed, deeds

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
    *deeds(
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
        *asking.CHAT,
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
    *deeds("composer", *writing.COMPOSER),
    *deeds("recall", *writing.RECALL),
    *deeds("pasted", *writing.PASTED),
    Deed("panel", "choose", tuple("123456789"), "choose this option", "choose", numbered=True),
    *deeds(
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
    *deeds(
        "saying",
        ("send", "enter", "reject, and send this"),
        ("newline", "alt+enter shift+enter ctrl+j", "new line"),
        ("back", "escape tab", "back to the options; what you wrote stays"),
    ),
    *deeds("form", *asking.FORM),
    *deeds("options", *asking.OPTIONS),
    *deeds(
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
    *deeds("transcript", *reading.TRANSCRIPT),
    *deeds("search", *reading.SEARCH),
    *deeds("child", *reading.CHILD),
    *deeds("saved", *reading.SAVED),
    *deeds("library", *reading.LIBRARY),
    *deeds("past", *reading.PAST),
    *deeds(
        "launcher",
        ("back", "escape", "clear what was typed"),
        ("next", "tab", "from the agents to the sessions and back"),
        ("forget", "delete", "forget the marked command"),
    ),
    *deeds(
        "failure",
        ("restart", "enter f5", "start the agent again"),
        ("back", "escape", "back"),
    ),
    *deeds(
        "background",
        ("close", "escape q", "back"),
        ("stop", "delete backspace", "stop the marked one"),
    ),
    *deeds(
        "login",
        ("close", "escape", "give a login up that is under way; else back"),
    ),
    *deeds(
        "conversations",
        ("close", "escape", "back"),
        ("new", "n", "a new one"),
        ("end", "delete", "end the marked one"),
    ),
    *deeds(
        "inbox",
        ("close", "escape", "close what is open; else back"),
        ("leave", "q", "back"),
        ("turn", "tab", "what waits, or what was answered", "turn"),
        ("conversation", "s", "show its conversation"),
    ),
    Deed("conversations", "choose", tuple("123456789"), "show this one", "choose", numbered=True),
    *deeds(
        "new",
        ("close", "escape", "back"),
        ("next_field", "tab", "the next field"),
        ("previous_field", "shift+tab", "the field before"),
        ("complete", "right", "complete the name of the folder"),
    ),
    *deeds(
        "question",
        ("yes", "enter y", "do it"),
        ("no", "escape n", "do not"),
    ),
    *deeds(
        "list",
        ("choose", "enter", "choose the marked one", "select"),
        ("up", "up", "the one above", "cursor_up"),
        ("down", "down", "the one below", "cursor_down"),
        ("page_up", "pageup", "a page up", "page_up"),
        ("page_down", "pagedown", "a page down", "page_down"),
        ("first", "home", "the first", "first"),
        ("last", "end", "the last", "last"),
    ),
    *deeds(
        "stop",
        ("again", "c", "ask the agent to cancel once more"),
        ("close", "x", "close the session; other sessions of the agent go on"),
    ),
    *deeds(
        "page",
        ("close", "escape q", "back"),
        ("up", "up k", "scroll up", "scroll_by(-1)"),
        ("down", "down j", "scroll down", "scroll_by(1)"),
        ("page_up", "pageup", "a page up", "scroll_pages(-1)"),
        ("page_down", "pagedown space", "a page down", "scroll_pages(1)"),
        ("top", "home g", "to the top"),
        ("end", "end G", "to the end"),
    ),
    *deeds(
        "detail",
        ("close", "escape", "close what is open; else back"),
        ("leave", "q", "back"),
        ("next_tab", "tab", "the next tab", "step_tab(1)"),
        ("previous_tab", "shift+tab", "the tab before", "step_tab(-1)"),
    ),
    Deed("detail", "tab", tuple("123456789"), "this tab", "tab", numbered=True),
    *deeds(
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
    *deeds(
        "settings",
        ("close", "escape", "back"),
        ("change", "enter space", "change it"),
        ("reset", "delete", "back to its default: out of the file"),
        ("no_key", "u", "leave the action without a key: the palette still has it"),
        ("edit", "e", "the file in your editor, where this stands"),
        ("find", "slash", "show only what has these words"),
    ),
)
PALETTE = "everywhere.palette"
"""It leads to all that has no key, so it must have one."""


def _bound() -> Iterator[tuple[str, tuple[Deed, tuple[str, ...]]]]:
    for deed in TABLE:
        if not deed.numbered:
            yield deed.id, (deed, deed.keys)
            continue
        for number, key in enumerate(deed.keys, 1):
            yield f"{deed.id}.{number}", (deed, (key,))


BOUND: Mapping[str, tuple[Deed, tuple[str, ...]]] = dict(_bound())
"""Every id a change may name, with its deed and the keys it has by itself, in the order of the table."""
_BY_ID: Mapping[str, Deed] = {deed.id: deed for deed in TABLE}


def deed(id: str) -> Deed:
    """The one of this name. Raises KeyError."""
    return _BY_ID[id]
