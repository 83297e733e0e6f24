"""The part of the key table about reading: the transcript, and the screens that have one beside the chat."""

from __future__ import annotations

from acp_tui.ui.keys.deeds import Row

TRANSCRIPT: tuple[Row, ...] = (
    ("up", "up k", "the entry above, or a little up in a long one", "cursor(-1)"),
    ("down", "down j", "the entry below, or a little down in a long one", "cursor(1)"),
    ("page_up", "pageup", "a page up", "page(-1)"),
    ("page_down", "pagedown space", "a page down", "page(1)"),
    ("first", "home g", "to the beginning"),
    ("last", "end G", "to the end"),
    ("follow", "f", "follow the end", "follow_end"),
    ("previous_prompt", "left_curly_bracket", "your message before this", "jump('message', -1)"),
    ("next_prompt", "right_curly_bracket", "your next message", "jump('message', 1)"),
    ("previous_change", "left_square_bracket", "the change of files before this", "jump('change', -1)"),
    ("next_change", "right_square_bracket", "the next change of files", "jump('change', 1)"),
    ("previous_failure", "X", "what failed before this", "jump('failure', -1)"),
    ("next_failure", "x", "what failed next", "jump('failure', 1)"),
    ("fold", "enter", "open or fold the entry"),
    ("fold_thoughts", "z", "open or fold all thoughts"),
    ("layout", "d", "a diff side by side, or in one column"),
    ("dim", "c", "dim what stands above the last compaction, or not"),
    ("copy", "y", "copy the entry's source"),
    ("copy_told", "Y", "copy it, or all that is selected, as markdown with who said it"),
    ("export", "E", "write the entry, or all that is selected, to a file for others"),
    ("open", "o", "open the entry whole"),
    ("edit", "e", "open the editor where the entry points"),
    ("session", "s", "open the conversation of the subagent the entry names"),
    ("stop", "delete backspace", "stop what the entry runs; take back a message not accepted yet"),
    ("search", "slash", "search in all of the session"),
    ("next_hit", "n", "the next place where it stands", "hit(1)"),
    ("previous_hit", "N", "the place before", "hit(-1)"),
)
SEARCH: tuple[Row, ...] = (
    ("next", "enter down", "the next place where it stands; what you look at is kept", "step(1)"),
    ("previous", "up shift+enter", "the place before", "step(-1)"),
    ("regex", "alt+r", "seek an expression, or just the words", "mean('regex')"),
    ("case", "alt+c", "upper and lower case differ, or not", "mean('case')"),
    ("close", "escape", "close, and back to where you were or what you kept"),
)
CHILD: tuple[Row, ...] = (
    ("close", "escape", "close what is open; else back"),
    ("leave", "q", "back"),
    ("next_child", "tab", "the next subagent", "step(1)"),
    ("previous_child", "shift+tab", "the subagent before", "step(-1)"),
)
LIBRARY: tuple[Row, ...] = (
    ("close", "escape", "close what is open; else back"),
    ("leave", "q", "back"),
    ("search", "slash", "search in all that was said, thought, run and changed"),
    ("titles", "f", "only those with these letters in their titles"),
    ("turn", "tab", "this folder, or all folders; while you write: in titles, or in all that was said"),
    ("down", "down", "from the words you write to the list"),
    ("agent", "a", "only those of the next agent; after the last of all"),
    ("state", "s", "only the running ones; the interrupted ones; and so on"),
    ("resume", "r", "go on with it: start its agent"),
    ("rename", "n", "give it a name of yours"),
    ("pin", "p", "keep it at the top, or not any more"),
    ("delete", "d delete", "delete it: here, on its agent, or both; in the trash for good, after asking"),
    ("undo", "u", "bring back what was deleted last; in the trash the marked one"),
    ("trash", "t", "what is in the trash, and back"),
    ("empty", "D", "remove all that is in the trash for good, after asking"),
    ("close_session", "c", "close one that is open in this window"),
    ("export", "x", "write it to a file for others"),
)
PAST: tuple[Row, ...] = (
    ("close", "escape q", "back"),
    ("resume", "r", "go on with the marked session: start its agent"),
    ("end", "d delete", "end the marked agent, after asking"),
)
SAVED: tuple[Row, ...] = (
    ("close", "escape", "close what is open; else back"),
    ("leave", "q", "back"),
    ("resume", "r", "go on with it: start its agent"),
    ("plan", "alt+p", "the whole plan as it stood, or its line only"),
    ("notices", "f2", "notices, and what could not be read"),
    ("export", "shift+f4 f16", "write all of it to a file for others"),
)
