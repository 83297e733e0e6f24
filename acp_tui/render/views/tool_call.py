"""A tool call: one line that opens (TC).

    ✗ $ pytest tests/test_lex.py -x                                exit 1      2.1 s

Status glyph, kind glyph, what it does, where, result, time; the times stand in one column. Invariants: a
failure opens by itself, a running call shows the last lines of its terminal, anything else is one line
until the user opens it; the status shown is `display_status` with what we know of cancels and lost ends,
never a guess (CX-02, TC-13).
"""

from __future__ import annotations

from rich.style import Style
from textual.strip import Strip

from acp_tui.protocol.tool_call import Diff, Terminal
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line
from acp_tui.render.diff import Layout, other_layout
from acp_tui.render.look import Look, act
from acp_tui.render.markdown import Page
from acp_tui.render.paths import relative
from acp_tui.render.permission import asks_about
from acp_tui.render.view import Lookup, Now, View
from acp_tui.render.views.content import json_lines
from acp_tui.render.views.tool_items import FAILED, LIVE, OPEN, Items, Limits, Room, raw_lines
from acp_tui.render.wrap import Lines, Run, size_of, spread, wrap
from acp_tui.store.entities import ToolCall
from acp_tui.store.growing import loaded
from acp_tui.store.keys import Key, Kind

RAW_INPUT, RAW_OUTPUT = -1, -2
"""Names of the raw values among the parts that fold."""
TIME = 9
"""Cells of the column of times, its margin included."""


class ToolCallView(View):
    """See the module."""

    __slots__ = ("items", "layout")

    compact = True
    foldable = True
    entity: ToolCall

    def __init__(self, entity: ToolCall, store: Lookup, now: Now) -> None:
        super().__init__(entity, store, now)
        self.items = Items(store, entity.key.session)
        self.layout: Layout = "auto"
        """How its diffs are shown."""

    def act(self, action: tuple[object, ...]) -> bool:
        if action != ("layout",):
            return super().act(action)
        if not any(isinstance(loaded(item), Diff) for item in self.entity.content):
            return False
        if self.folded:
            self.toggle()
        else:
            self.layout = other_layout(self.layout, self._key[0] if self._key is not None else 0)
        return True

    def folded_at_first(self) -> bool:
        call = self.entity
        if call.status == "failed":
            return False
        return not (call.running and any(isinstance(item, Diff | Terminal) for item in call.content))

    def related(self) -> tuple[Key, ...]:
        session = self.entity.key.session
        shown = [
            Key(session, Kind.TERMINAL, item.terminal_id)
            for item in self.entity.content
            if isinstance(item, Terminal)
        ]
        waiting = self.waits_for()
        return (*shown, waiting) if waiting is not None else tuple(shown)

    def others(self) -> tuple[object, ...]:
        return (*super().others(), self.cwd, self.layout)

    def waits_for(self) -> Key | None:
        """The request about this call that waits for the user."""
        about = (key for key in self.store.requests if key.session == self.entity.key.session)
        return next((key for key in about if asks_about(self.store, key) == self.entity.key), None)

    @property
    def ticking(self) -> bool:
        return self.entity.running and self.entity.started_at is not None

    def estimate(self, width: int) -> int:
        if self.folded:
            return self.gap + 1
        limits = self._limits()
        per_item = limits.terminal + 2 if self._choice is None else 12
        return self.gap + 2 + per_item * min(len(self.entity.content), 20)

    def source(self) -> str:
        call = self.entity
        texts = [self.title()]
        for item in call.content:
            held = loaded(item)
            terminal = self.items.terminal(held)
            if terminal is not None:
                texts.append(clean(terminal.output.text()))
            elif isinstance(held, Diff):
                texts.append(held.patch.text if held.patch else "\n".join(str(c) for c in _paths(held)))
            elif getattr(getattr(held, "content", None), "type", "") == "text":
                texts.append(held.content.text)
        return "\n".join(texts)

    def forget(self) -> None:
        super().forget()
        self.items = Items(self.store, self.entity.key.session)

    def title(self) -> str:
        """What the call does, in the agent's words; else the tool's name, else its kind (TC-02)."""
        call = self.entity
        text = one_line(call.title or call.name or call.kind)
        if len(text) > 2 and text[0] == text[-1] == "`" and "`" not in text[1:-1]:
            text = text[1:-1]
        root = self.cwd.rstrip("/")
        return text.replace(root + "/", "") if len(root) > 1 else text

    def draw(self, width: int, look: Look, old: Lines | None) -> Lines:
        lines = self.begin(width, look)
        lines.add(self._head(width, look))
        if self.folded:
            return lines
        page = Page(width, look, (("   ", look.base),), look.base)
        if self._choice is not None:
            lines.extend(self._facts(page))
        call = self.entity
        room = Room(page, self._limits(), self.title(), self.now(), self.layout)
        lines.extend(self.items.lines(call.content, room, self._opened))
        if self._choice is not None:
            self._raw(lines, page)
        elif not call.content and call.raw_output is not None and call.status == "failed":
            lines.extend(json_lines(loaded(call.raw_output), page, FAILED.text))
        return lines

    def _limits(self) -> Limits:
        if self._choice is not None:
            return OPEN
        return LIVE if self.entity.running else FAILED

    def _facts(self, page: Page) -> Lines:
        """What the one line had no room for: the whole title and all places."""
        call, look = self.entity, page.look
        lines = Lines()
        title = clean(call.title or "").strip()
        if "\n" in title or size_of([(title, look.title)]) > page.width - 30:
            lines.extend(wrap([(title, look.title)], page.width, look.base, first=page.left))
        if len(call.locations) > 1:
            for place in call.locations[:50]:
                lines.extend(
                    wrap([self._place(place.path, place.line, look)], page.width, look.base, first=page.left)
                )
        return lines

    def _raw(self, lines: Lines, page: Page) -> None:
        """At the end what is for the curious: raw values, the tool's name and the id."""
        call, look = self.entity, page.look
        values = (("input", call.raw_input, RAW_INPUT), ("output", call.raw_output, RAW_OUTPUT))
        for name, value, part in values:
            if value is not None:
                lines.extend(raw_lines(name, value, page, part, part in self._opened))
        name = f"{one_line(call.name, 60)} · " if call.name else ""
        lines.extend(
            wrap([(name + one_line(call.key.id, 120), look.dim)], page.width, look.base, first=page.left)
        )

    def _head(self, width: int, look: Look) -> Strip:
        call = self.entity
        glyph, style = self._status(look)
        toggle = act("toggle")
        left: list[Run] = [
            (" ", look.base),
            (glyph + " ", style + toggle),
            (words.KIND_GLYPHS.get(call.kind, words.KIND_GLYPHS["other"]) + " ", look.kind + toggle),
            (self.title(), look.title + toggle),
        ]
        left += self._where(look)
        right = self._result(look)
        time = self._time()
        if width >= 40:
            right += [(f"{time:>{TIME - 1}} ", look.time)]
        return spread(left, [("  ", look.base), *right], width, look.base)

    def _where(self, look: Look) -> list[Run]:
        places = self.entity.locations
        if not places:
            return []
        first = self._place(places[0].path, places[0].line, look)
        named = relative(places[0].path, self.cwd) in self.title()
        runs: list[Run] = [] if named else [("  ", look.base), first]
        return [*runs, (" …", look.dim)] if len(places) > 1 else runs

    def _place(self, path: str, line: int | None, look: Look) -> Run:
        text = one_line(relative(path, self.cwd)) + (f":{line}" if line else "")
        return text, look.path + act("open", path, line)

    def _status(self, look: Look) -> tuple[str, Style]:
        call = self.entity
        if call.no_final and not call.final:
            return "◌", look.status_off
        if self.waits_for() is not None:
            return words.STATUS_GLYPHS["paused"], look.status_waiting
        status = call.display_status
        styles = {
            "completed": look.status_done,
            "failed": look.status_failed,
            "cancelled": look.status_off,
            "pending": look.status_off,
            "paused": look.status_waiting,
        }
        return words.status_glyph(status), styles.get(status, look.status_running)

    def _result(self, look: Look) -> list[Run]:
        """Words and numbers at the right: what is unusual about the status, changes, exit code."""
        call = self.entity
        said: list[Run] = []
        note = self._note()
        if note:
            waits = self.waits_for() is not None
            said.append((note, look.status_waiting if waits else look.result))
        added = removed = 0
        for index, item in enumerate(call.content):
            terminal = self.items.terminal(item)
            if terminal is not None and terminal.exit_status is not None:
                code, signal = terminal.exit_status.exit_code, terminal.exit_status.signal
                if code or signal:
                    said.append((words.exit_status(code, signal), look.status_failed))
            reading = self.items.reading(index, item)
            if reading is not None and reading.counted:
                added, removed = added + reading.added, removed + reading.removed
        if added or removed:
            said.append((words.changes(added, removed), look.result))
        if call.late:
            said.append(("late", look.result))
        between: list[Run] = []
        for run in said:
            between += [("  ", look.base), run] if between else [run]
        return between

    def _note(self) -> str:
        """What has to be said in words beside the glyph."""
        call = self.entity
        if call.no_final and not call.final:
            return words.NO_FINAL[call.no_final]
        if self.waits_for() is not None:
            return "waits for you"
        if call.cancelling and not call.final:
            return "cancelling"
        status = call.display_status
        if status in ("cancelled", "paused"):
            return words.status(status)
        return words.status(status) if status not in words.STATUS_WORDS else ""

    def _time(self) -> str:
        call = self.entity
        if call.started_at is None:
            return ""
        if call.ended_at is None:
            return words.running(self.now() - call.started_at) if call.running else ""
        took = call.ended_at - call.started_at
        return words.duration(took) if took >= 0.05 else ""


def _paths(diff: Diff) -> list[str]:
    return [str(getattr(change, "path", "")) for change in diff.changes]
