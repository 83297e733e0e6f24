"""Keys: the table of what each of them does, the user's changes to it, and how hints and help name them."""

from acp_tui.ui.keys.binding import bindings, keymap
from acp_tui.ui.keys.current import hint, listed, now, reachable, short, span, use
from acp_tui.ui.keys.deeds import TITLES
from acp_tui.ui.keys.names import label, spelled
from acp_tui.ui.keys.sheet import help_rows, markdown
from acp_tui.ui.keys.table import BOUND, TABLE, deed

__all__ = [
    "BOUND",
    "TABLE",
    "TITLES",
    "bindings",
    "deed",
    "help_rows",
    "hint",
    "keymap",
    "label",
    "listed",
    "markdown",
    "now",
    "reachable",
    "short",
    "span",
    "spelled",
    "use",
]
