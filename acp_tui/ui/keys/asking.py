"""The part of the key table about forms of the agent and its options.

Letters are for the fields: what answers a form is a key that writes nothing.
"""

from __future__ import annotations

from acp_tui.ui.keys.deeds import Row

CHAT: tuple[Row, ...] = (
    ("options", "ctrl+o", "the options of the agent: model, mode and whatever else it has"),
    ("mode", "alt+m", "the agent's next mode"),
)
FORM: tuple[Row, ...] = (
    ("next_field", "tab", "the next field; after the last the next form, then the next place"),
    ("previous_field", "shift+tab", "the field before"),
    ("go_on", "enter", "the next field; on the last: send"),
    ("newline", "alt+enter shift+enter ctrl+j", "a new line, where there may be several"),
    ("accept", "ctrl+s ctrl+enter", "send the form; open the address"),
    ("decline", "alt+n", "decline: you say no"),
    ("dismiss", "alt+x", "cancel: you say nothing"),
    ("leave", "escape", "back to writing; the form waits"),
    ("page_up", "pageup", "scroll a page up", "scroll_pages(-1)"),
    ("page_down", "pagedown", "scroll a page down", "scroll_pages(1)"),
)
OPTIONS: tuple[Row, ...] = (
    ("up", "up", "the one above", "mark(-1)"),
    ("down", "down", "the one below", "mark(1)"),
    ("choose", "enter", "its values; set this value"),
    ("close", "escape", "back"),
)
