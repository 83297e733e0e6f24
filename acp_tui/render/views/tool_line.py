"""The one line of a tool call.

    ✗ $ pytest tests/test_lex.py -x                                exit 1      2.1 s

Status glyph, kind glyph, what it does, where, result, time; the times stand in one column. Invariants: the
status is `display_status` with what we know of cancels and lost ends, never a guess (CX-02, TC-13); it is
said in words where the glyph and the result are not enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.links import placed
from acp_tui.render.look import FALLBACK, Look, act
from acp_tui.render.paths import relative
from acp_tui.render.views.tool_items import Items, called
from acp_tui.render.views.tool_told import told
from acp_tui.render.wrap import Run, size_of, spread
from acp_tui.store.entities import ToolCall

TIME = 9
"""Cells of the column of times, its margin included."""
SHARE = 30
"""Of 80 cells those that an agent's own words for the status leave to what the call does."""


class Said(NamedTuple):
    """The line in words alone, for whoever has no columns."""

    glyph: str
    title: str
    facts: tuple[str, ...]
    """Where, what came of it, how long it took; what is not known is left out."""


@dataclass(frozen=True, slots=True)
class ToolLine:
    """A call, what it holds, and what else there is to know of it."""

    call: ToolCall
    items: Items
    cwd: str
    waits: bool
    """A request about it waits for the user."""
    at: float

    def title(self) -> str:
        """What the call does, in the agent's words; else the tool's name, else its kind (TC-02)."""
        text = called(self.call)
        if len(text) > 2 and text[0] == text[-1] == "`" and "`" not in text[1:-1]:
            text = text[1:-1]
        root = self.cwd.rstrip("/")
        return text.replace(root + "/", "") if len(root) > 1 else text

    def strip(self, width: int, look: Look) -> Strip:
        """The line."""
        glyph, style = self._status(look)
        toggle = act("toggle")
        left: list[Run] = [
            (" ", look.base),
            (glyph + " ", style + toggle),
            (words.KIND_GLYPHS.get(self.call.kind, words.KIND_GLYPHS["other"]) + " ", look.kind + toggle),
            (self.title(), look.title + toggle),
            *self._where(look),
        ]
        timed = width >= 40
        right = self._result(look)
        lacks = min(size_of(left), width * SHARE // 80) + 2 + size_of(right) + timed * TIME - width
        if lacks > 0 and (own := told(self.call, self.at)):
            right = self._result(look, cell_len(own) - lacks)
        if timed:
            right += [(f"{' ' + self._time():>{TIME - 1}} ", look.time)]
        return spread(left, [("  ", look.base), *right], width, look.base)

    def status(self) -> str:
        """The status in words, whatever it is."""
        return self._note() or told(self.call, self.at) or words.status(self.call.display_status)

    def said(self) -> Said:
        """The same as `strip`, uncut."""
        where = "".join(text for text, _ in self._where(FALLBACK))
        told = [where, *(text for text, _ in self._result(FALLBACK)), self._time()]
        facts = tuple(fact for text in told if (fact := text.strip()))
        return Said(self._status(FALLBACK)[0], self.title(), facts)

    def _status(self, look: Look) -> tuple[str, Style]:
        call = self.call
        if call.no_final and not call.final:
            return words.no_final_glyph(call.no_final), look.status_off
        if self.waits:
            return words.STATUS_GLYPHS["paused"], look.status_waiting
        status = call.display_status
        styles = {
            "completed": look.status_done,
            "failed": look.status_failed,
            "cancelled": look.status_off,
            "rejected": look.status_off,
            "pending": look.status_off,
            "paused": look.status_waiting,
        }
        return words.status_glyph(status), styles.get(status, look.status_running)

    def _where(self, look: Look) -> list[Run]:
        changed = self._changed()
        places = [(place.path, place.line) for place in self.call.locations] or changed
        if not places:
            return []
        path, line = places[0]
        named = relative(path, self.cwd) in self.title()
        runs: list[Run] = [] if named else [("  ", look.base), place_run(path, line, self.cwd, look)]
        return [*runs, (" …", look.dim)] if max(len(places), len(set(changed))) > 1 else runs

    def _changed(self) -> list[tuple[str, None]]:
        """The files its diffs are about."""
        readings = [self.items.reading(index, item) for index, item in enumerate(self.call.content)]
        files = [file for reading in readings if reading is not None for file in reading.files]
        return [(file.path, None) for file in files if file.path]

    def _result(self, look: Look, room: int | None = None) -> list[Run]:
        """Words and numbers at the right: what is unusual about the status, what came of it. `room`: cells
        that the agent's own words for it have.
        """
        said: list[Run] = (
            [(note, look.status_waiting if self.waits else look.result)] if (note := self._note()) else []
        )
        ends = self._ends()
        said += [(end, look.status_failed) for end in ends]
        if own := told(self.call, self.at, room):
            said.append((own, look.status_failed if self.call.display_status == "failed" else look.result))
        elif self.call.display_status == "failed" and not ends:
            said.append((words.status("failed"), look.status_failed))
        if found := self._found():
            said.append((found, look.result))
        if self.call.late:
            said.append(("late", look.result))
        between: list[Run] = []
        for run in said:
            between += [("  ", look.base), run] if between else [run]
        return between

    def _ends(self) -> list[str]:
        """How the processes of its terminals ended, where that is worth a word."""
        ends = []
        for item in self.call.content:
            terminal = self.items.terminal(item)
            if terminal is not None and terminal.exit_status is not None:
                code, signal = terminal.exit_status.exit_code, terminal.exit_status.signal
                if code or signal:
                    ends.append(words.exit_status(code, signal))
        return list(dict.fromkeys(ends))

    def _found(self) -> str:
        """`+3 −1`, or `12 matches` where what a search found can be told."""
        added = removed = 0
        for index, item in enumerate(self.call.content):
            reading = self.items.reading(index, item)
            if reading is not None and reading.counted:
                added, removed = added + reading.added, removed + reading.removed
        if added or removed:
            return words.changes(added, removed)
        if self.call.kind == "search" and self.call.status == "completed":
            return self.items.found(self.call.content)
        return ""

    def _note(self) -> str:
        """What has to be said in words beside the glyph."""
        call = self.call
        if call.no_final and not call.final:
            return words.NO_FINAL[call.no_final]
        if self.waits:
            return "waits for you"
        if call.cancel is not None:
            return words.CANCELS[call.cancel.status]
        status = call.display_status
        if told(call, self.at):
            return ""
        if status in ("cancelled", "rejected", "paused", "pending"):
            return words.status(status)
        return words.status(status) if status not in words.STATUS_WORDS else ""

    def _time(self) -> str:
        call = self.call
        if call.started_at is None:
            return ""
        if call.ended_at is None:
            return words.running(self.at - call.started_at) if call.running else ""
        took = call.ended_at - call.started_at
        return words.duration(took) if took >= 0.05 else ""


def place_run(path: str, line: int | None, cwd: str, look: Look) -> Run:
    """`src/lex.py:40`, a click on which opens the editor there."""
    text = one_line(relative(path, cwd)) + (f":{line}" if line else "")
    return text, placed(look.path, path, line)
