"""The part of the key table about writing.

What people know from readline keeps its meaning. So Ctrl+Y yanks, and redo is on Alt+Z; Ctrl+_ undoes, for
Ctrl+Z suspends.
"""

from __future__ import annotations

from acp_tui.ui.keys.deeds import Row

COMPOSER: tuple[Row, ...] = (
    ("send", "enter", "send; while the agent works: queue"),
    ("newline", "alt+enter shift+enter ctrl+j", "new line (so does `\\` and then Enter)"),
    ("send_now", "alt+s", "send now, while the agent works"),
    ("older", "up ctrl+p", "a line up; from the first: what is queued comes back, then earlier prompts"),
    ("newer", "down ctrl+n", "a line down; from the last: later prompts"),
    ("recall", "ctrl+r", "search in earlier prompts"),
    ("page_up", "pageup", "a page up in the transcript", "page(-1)"),
    ("page_down", "pagedown", "a page down in the transcript", "page(1)"),
    ("complete", "tab", "take the marked command or file; enter a folder", "complete"),
    ("editor", "ctrl+g", "write it in your `$EDITOR`"),
    ("pasted", "alt+v", "view, change or unfold the long paste at the cursor"),
    ("attach", "ctrl+v super+v", "paste; a picture in the clipboard is attached"),
    ("detach", "alt+x", "take off what was attached last (so does Backspace in an empty prompt)"),
    ("undo", "ctrl+underscore super+z", "undo"),
    ("redo", "alt+z ctrl+shift+z super+shift+z", "redo"),
    ("left", "left ctrl+b", "a character back", "cursor_left"),
    ("right", "right ctrl+f", "a character on", "cursor_right"),
    ("word_left", "alt+b ctrl+left alt+left", "a word back", "cursor_word_left"),
    ("word_right", "alt+f ctrl+right alt+right", "a word on", "cursor_word_right"),
    ("line_start", "ctrl+a home", "to the beginning of the line"),
    ("line_end", "ctrl+e end", "to the end of the line"),
    ("delete_left", "backspace ctrl+h", "delete the character before"),
    ("delete_right", "ctrl+d delete", "delete the character behind"),
    ("kill_blank_left", "ctrl+w", "take out what stands before, up to a blank"),
    ("kill_word_left", "alt+backspace ctrl+backspace", "take out the word before"),
    ("kill_word_right", "alt+d alt+delete ctrl+delete", "take out the word behind"),
    ("kill_line_start", "ctrl+u super+backspace", "take out all before, in this line"),
    ("kill_line_end", "ctrl+k", "take out all behind, in this line"),
    ("yank", "ctrl+y", "put back what was taken out last"),
    ("yank_older", "alt+y", "right after that: what was taken out before it instead"),
    ("swap_letters", "ctrl+t", "exchange the letters before and under the cursor"),
    ("swap_words", "alt+t", "exchange the word at the cursor and the one before"),
    ("upper", "alt+u", "the word in upper case", "recase('upper')"),
    ("lower", "alt+l", "the word in lower case", "recase('lower')"),
    ("capital", "alt+c", "the word with a capital", "recase('capital')"),
    ("close_up", "alt+backslash", "take out the blanks around the cursor"),
    ("cut", "ctrl+x super+x", "cut what is selected, else the line"),
    ("select_all", "alt+a super+a", "select all"),
    ("select_left", "shift+left", "select back", "cursor_left(True)"),
    ("select_right", "shift+right", "select on", "cursor_right(True)"),
    ("select_up", "shift+up", "select a line up", "cursor_up(True)"),
    ("select_down", "shift+down", "select a line down", "cursor_down(True)"),
    ("select_word_left", "ctrl+shift+left", "select a word back", "cursor_word_left(True)"),
    ("select_word_right", "ctrl+shift+right", "select a word on", "cursor_word_right(True)"),
    ("select_start", "shift+home", "select to the beginning of the line", "cursor_line_start(True)"),
    ("select_end", "shift+end", "select to the end of the line", "cursor_line_end(True)"),
)

RECALL: tuple[Row, ...] = (
    ("older", "ctrl+r up ctrl+p", "the one before", "step(1)"),
    ("newer", "ctrl+s down ctrl+n", "the one after", "step(-1)"),
    ("take", "enter tab", "take the marked one to write on"),
    ("close", "escape ctrl+g", "close; what you were writing is still there"),
)

PASTED: tuple[Row, ...] = (
    ("edit", "e", "change it in your editor"),
    ("unfold", "x", "write it out in the prompt"),
    ("drop", "delete", "take it out of the prompt"),
)
