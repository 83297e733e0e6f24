"""A text that is edited with the keys of readline, or of vi, in which long pastes stand as pieces.

Invariants: a piece is one thing: the cursor is never in it, and what takes a letter of it takes all of it; no
control character gets into the text, whichever way it comes; what Ctrl+K, Ctrl+U, Ctrl+W and the like take
out, Ctrl+Y puts back; whatever changes the text can be undone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar, Literal

from rich.text import Text
from textual import events
from textual.document._document import EditResult, Location, Selection
from textual.document._edit import Edit
from textual.widgets import TextArea

from acp_tui.render.clean import pasteable
from acp_tui.services.pasted import Chip, Pasted
from acp_tui.ui.transcript.selection import word_at
from acp_tui.ui.widgets.ink import fenced, inked
from acp_tui.ui.writing.rewriting import Rewritten, closed_up, recased, transposed_letters, transposed_words

RING = 30
"""Pieces of killed text that are kept."""
_WORD_RIGHT = re.compile(r"\W*\w+|\W+")
_WORD_LEFT = re.compile(r"\w+\W*$|\W+$")
_BLANK_LEFT = re.compile(r"\S+\s*$|\s+$")


class Editing(TextArea, inherit_bindings=False):
    """See the module. What its keys are is said by who uses it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"ink--{name}"
        for name in ("head", "strong", "emphasis", "code", "sign", "link", "mention", "command", "pasted")
    }
    DEFAULT_CSS = """
    Editing {
        & .ink--head { text-style: bold; }
        & .ink--strong { text-style: bold; }
        & .ink--emphasis { text-style: italic; }
        & .ink--code { color: $success; }
        & .ink--sign { color: $accent; }
        & .ink--link { color: $accent; text-style: underline; }
        & .ink--mention { color: $accent; }
        & .ink--command { color: $accent; text-style: bold; }
        & .ink--pasted { color: $accent; text-style: reverse; }
    }
    """
    _code_lines: frozenset[int] | None = None

    def __init__(self, pasted: Pasted, *, id: str | None = None) -> None:
        self.pasted = pasted
        super().__init__(
            id=id,
            soft_wrap=True,
            tab_behavior="focus",
            show_line_numbers=False,
            highlight_cursor_line=False,
            placeholder="",
        )
        self.cursor_blink = False
        self.killed: list[str] = []
        """What was taken out, the newest last."""
        self.doing: Literal["", "kill", "yank"] = ""
        """What the key before did; set to nothing before each."""
        self.did: Literal["", "kill", "yank"] = ""

    # What it looks like

    def _build_highlight_map(self) -> None:
        self._code_lines = None
        super()._build_highlight_map()

    def get_line(self, line_index: int) -> Text:
        """A line with what stands out in it."""
        line = super().get_line(line_index)
        if self._code_lines is None:
            self._code_lines = fenced(self.document.lines)
        code = line_index in self._code_lines
        for start, end, kind in inked(line.plain, first=line_index == 0, code=code):
            line.stylize(self.get_component_rich_style(f"ink--{kind}"), start, end)
        for chip in self.pasted.chips(line.plain):
            line.stylize(self.get_component_rich_style("ink--pasted"), chip.start, chip.end)
        return line

    def _recompute_cursor_offset(self) -> None:
        """Textual asks while it undoes, with the cursor still on a line that is gone."""
        place = self.clamp_visitable(self.cursor_location)
        self._cursor_offset = self.wrapped_document.location_to_offset(place)

    def write(self, text: str) -> None:
        """As if this was typed."""
        self.replace(text, *self.selection, maintain_selection_offset=False)

    # Pieces

    def chip_at(self, location: Location, *, inside: bool = False) -> Chip | None:
        """The piece at a place; with `inside` only if the place is neither its beginning nor its end."""
        row, column = location
        if not self.pasted or row >= self.document.line_count:
            return None
        near = int(inside)
        chips = self.pasted.chips(self.document.get_line(row))
        return next((c for c in chips if c.start + near <= column <= c.end - near), None)

    def validate_selection(self, selection: Selection) -> Selection:
        """Out of a piece, in the direction of the way."""
        before = self.selection.end
        return Selection(*(self._beside(place, place < before) for place in selection))

    def _beside(self, place: Location, back: bool) -> Location:
        chip = self.chip_at(place, inside=True)
        return place if chip is None else (place[0], chip.start if back else chip.end)

    def edit(self, edit: Edit) -> EditResult:
        """Do it; a piece goes as a whole, and control characters do not come in."""
        top, bottom = edit.top, edit.bottom
        text = pasteable(edit.text.replace("\r\n", "\n").replace("\r", "\n"))
        if self.pasted:
            empty = top == bottom
            top, bottom = self._beside(top, not empty), self._beside(bottom, False)
        if (text, top, bottom) != (edit.text, edit.top, edit.bottom):
            edit = Edit(text, top, bottom, edit.maintain_selection_offset)
        return super().edit(edit)

    # The text as a whole

    def put(self, text: str) -> None:
        """Put text in as one edit that undo takes back, and the cursor behind it."""
        self.replace(text, (0, 0), self.document.end, maintain_selection_offset=False)
        self.move_cursor(self.document.end)

    @property
    def at(self) -> int:
        """Where the cursor is, in characters from the beginning."""
        row, column = self.cursor_location
        return sum(len(line) + 1 for line in self.document.lines[:row]) + column

    def place(self, at: int) -> Location:
        """The place so many characters from the beginning; the end, if there are not so many."""
        for row, line in enumerate(self.document.lines):
            if at <= len(line):
                return row, max(at, 0)
            at -= len(line) + 1
        return self.document.end

    @property
    def selected_text(self) -> str:
        """What is selected, pastes in full."""
        return self.pasted.whole(super().selected_text)

    # Moving

    def action_line_start(self) -> None:
        """To the beginning of the line, which may take several rows."""
        self.move_cursor((self.cursor_location[0], 0))

    def action_line_end(self) -> None:
        """To its end."""
        row = self.cursor_location[0]
        self.move_cursor((row, len(self.document.get_line(row))))

    def action_cursor_right(self, select: bool = False) -> None:
        """A character on. What is suggested is a hint and is not taken."""
        if select or self.selection.is_empty:
            self.move_cursor(self.get_cursor_right_location(), select=select)
        else:
            self.move_cursor(max(self.selection))

    # Killing and yanking

    def action_kill_line_end(self) -> None:
        """To the end of the line; there, the line break."""
        row, column = self.cursor_location
        line = self.document.get_line(row)
        self._kill((row, column), (row, len(line)) if column < len(line) else (row + 1, 0))

    def action_kill_line_start(self) -> None:
        """To the beginning of the line; there, the line break before it."""
        row, column = self.cursor_location
        before = (row - 1, len(self.document.get_line(row - 1))) if row else (0, 0)
        self._kill((row, 0) if column else before, (row, column), back=True)

    def action_kill_word_left(self) -> None:
        """The word before the cursor."""
        self._kill_left(_WORD_LEFT)

    def action_kill_blank_left(self) -> None:
        """All before the cursor up to a blank, as Ctrl+W of a shell."""
        self._kill_left(_BLANK_LEFT)

    def action_kill_word_right(self) -> None:
        """The word behind the cursor."""
        row, column = self.cursor_location
        match = _WORD_RIGHT.match(self.document.get_line(row), column)
        self._kill((row, column), (row, match.end()) if match else (row + 1, 0))

    def _kill_left(self, pattern: re.Pattern[str]) -> None:
        row, column = self.cursor_location
        match = pattern.search(self.document.get_line(row)[:column])
        before = (row - 1, len(self.document.get_line(row - 1))) if row else (0, 0)
        self._kill((row, match.start()) if match else before, (row, column), back=True)

    def _kill(self, start: Location, end: Location, *, back: bool = False) -> None:
        """Take out and keep; one kill after another makes one piece. A selection goes before all."""
        if not self.selection.is_empty:
            start, end = sorted(self.selection)
        end = min(end, self.document.end)
        if start >= end:
            return
        gone = self.delete(start, end, maintain_selection_offset=False).replaced_text
        if self.did == "kill" and self.killed:
            last = self.killed.pop()
            gone = gone + last if back else last + gone
        self.killed = [*self.killed[1 - RING :], gone]
        self.doing = "kill"

    def action_yank(self) -> None:
        """Put back what was taken out last."""
        if self.killed:
            self.write(self.killed[-1])
            self.doing = "yank"

    def action_yank_older(self) -> None:
        """Right after a yank: in its place what was taken out before that."""
        if self.did != "yank" or not self.killed:
            return
        last = self.killed.pop()
        self.killed.insert(0, last)
        start = self.place(self.at - len(last))
        self.replace(self.killed[-1], start, self.cursor_location, maintain_selection_offset=False)
        self.doing = "yank"

    # Exchanging, and case

    def action_swap_letters(self) -> None:
        """Those before and under the cursor."""
        self._rewrite(transposed_letters)

    def action_swap_words(self) -> None:
        """Those before and behind the cursor."""
        self._rewrite(transposed_words)

    def action_recase(self, case: str) -> None:
        """The word behind the cursor."""
        self._rewrite(lambda line, at: recased(line, at, case))

    def action_close_up(self) -> None:
        """No blanks around the cursor."""
        self._rewrite(closed_up)

    def _rewrite(self, rule: Callable[[str, int], Rewritten | None]) -> None:
        """Never within a piece: what is behind its letters is not in sight."""
        row, column = self.cursor_location
        line = self.document.get_line(row)
        made = rule(line, column)
        if made is not None and not any(
            chip.start < made.end and made.start < chip.end for chip in self.pasted.chips(line)
        ):
            self.replace(made.text, (row, made.start), (row, made.end), maintain_selection_offset=False)

    # The mouse

    async def _on_click(self, event: events.Click) -> None:
        """Two clicks take the word, three the line."""
        if event.chain == 2:
            row, column = self.get_target_document_location(event)
            span = word_at(self.document.get_line(row), column)
            if span is not None:
                self.selection = Selection((row, span[0]), (row, span[1]))
        elif event.chain > 2:
            self.select_line(self.cursor_location[0])
