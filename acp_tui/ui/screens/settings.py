"""F4: every setting with its value and where that comes from; changed here, it is in the file and holds.

Invariants: the file is the truth: it is read when the screen opens and after the editor, and each change is
written to it before it is shown. What cannot be written is told and not shown.
"""

from __future__ import annotations

import os
from typing import ClassVar, cast

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from acp_tui.base import atomic
from acp_tui.base.config import load
from acp_tui.base.config.writing import HEAD, NotWritten, key_path
from acp_tui.render.clean import one_line
from acp_tui.ui import keys
from acp_tui.ui.configured import Configured
from acp_tui.ui.editor import edit
from acp_tui.ui.keys.changes import changes
from acp_tui.ui.screens.setting_choice import ChoiceScreen, KeyScreen
from acp_tui.ui.setting_rows import Row, matching, rows, shown
from acp_tui.ui.standing import Hint
from acp_tui.ui.widgets.header import short_folder
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed
from acp_tui.ui.workers import later

_HINTS: tuple[Hint, ...] = (
    ("settings.change", "change"),
    ("settings.reset", "default"),
    ("settings.edit", "edit the file"),
    ("settings.find", "find"),
    ("settings.close", "back"),
)
_OF_KEYS: tuple[Hint, ...] = (*_HINTS[:2], ("settings.no_key", "no key"), *_HINTS[2:])


class SettingsScreen(Screen[None]):
    """The list of settings."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("settings")

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self.finding = False
        """Letters are words to find, wherever the focus is."""

    @property
    def configured(self) -> Configured:
        """The app, which knows what holds."""
        return cast(Configured, self.app)

    def compose(self) -> ComposeResult:
        yield Static("", id="settings-title", markup=False)
        field = Input(placeholder="words to find", id="settings-field", compact=True)
        field.cursor_blink = False
        yield field
        yield Listed(id="settings-list", markup=False, compact=True)
        yield Static("", id="settings-what", markup=False)
        yield Static("", id="settings-keys")

    def on_mount(self) -> None:
        """The file may have been changed since it was read."""
        self.query_one(Input).display = False
        self.configured.adopt(load(self.configured.config.path))
        self.list.focus()
        self.fill()

    @property
    def list(self) -> OptionList:
        """The list."""
        return self.query_one(OptionList)

    @property
    def row(self) -> Row | None:
        """What is marked."""
        at = self.list.highlighted
        return self.rows[at] if at is not None and at < len(self.rows) else None

    def fill(self) -> None:
        """Show what holds, the same row marked."""
        before = self.row
        judged = self.configured.judged
        found = rows(judged, self.configured.found.found)
        self.rows = matching(found, self.query_one(Input).value)
        place = short_folder(str(judged.config.path))
        self.query_one("#settings-title", Static).update(
            Content.assemble(("Settings", "bold"), (f"  {one_line(place, 100)}", "$text-muted"))
        )
        self.list.clear_options()
        self.list.add_options([Option(self._line(row), disabled=row.kind == "head") for row in self.rows])
        self._mark(before)

    def _mark(self, before: Row | None) -> None:
        names = [row.name for row in self.rows]
        if before is not None and before.name in names:
            self.list.highlighted = names.index(before.name)
        else:
            self.list.action_first()
        self.tell_row()

    def _line(self, row: Row) -> Content:
        """Name, value and origin in three columns."""
        width = max(20, self.size.width - 5)
        if row.kind == "head":
            return Content.styled(row.name, "bold $accent")
        if row.kind == "mistake":
            return Content.assemble((f"! {row.name}  ", "$warning"), row.value).truncate(width, ellipsis=True)
        names = min(30, width // 3)
        name = one_line(row.name, names)
        room = max(4, width - names - 2 - len(row.origin) - 2)
        text = one_line(row.value, room)
        mark = "" if row.line is None else "bold"
        gaps = " " * (names + 2 - cell_len(name)), " " * (room + 2 - cell_len(text))
        return Content.assemble(
            (name, "$foreground"), gaps[0], (text, mark), gaps[1], (row.origin, "$text-muted")
        )

    def on_resize(self) -> None:
        """Other columns."""
        if self.rows:
            self.fill()

    def on_screen_resume(self) -> None:
        """Back from a question: hints may be others."""
        if self.rows:
            self.fill()

    def on_option_list_option_highlighted(self) -> None:
        """Say what it does."""
        self.tell_row()

    def tell_row(self) -> None:
        """What the marked row does."""
        row = self.row
        self.query_one("#settings-what", Static).update(one_line(row.what, 300) if row is not None else "")
        hints = _OF_KEYS if row is not None and row.kind == "key" else _HINTS
        self.query_one("#settings-keys", Static).update(hint_line(hints))

    # Changing

    def on_option_list_option_selected(self) -> None:
        """Enter, or a click."""
        self.action_change()

    def action_change(self) -> None:
        """Turn a switch, ask for a choice or a key, open the file for what only it can say."""
        row = self.row
        if row is None or row.kind == "head":
            return
        if row.kind == "switch":
            self.set(row.path, not row.current)
        elif row.kind == "choice":
            names = [shown(one) for one in row.choices]
            now = row.choices.index(row.current) if row.current in row.choices else 0
            self.app.push_screen(
                ChoiceScreen(row.name, row.what, names, now),
                lambda at: None if at is None else self.set(row.path, row.choices[at]),
            )
        elif row.kind == "key":
            self.app.push_screen(
                KeyScreen(row.what, row.value, lambda key: self.refusal(row.name, (key,))),
                lambda key: None if key is None else self.set(row.path, key),
            )
        else:
            self.run_worker(later(self.edit_file, row.line))

    def refusal(self, id: str, keys: tuple[str, ...]) -> str:
        """Why these keys, or none, cannot do that; empty: they can."""
        wanted = {**self.configured.settings.keys, id: keys}
        before = {one.id for one in changes(self.configured.settings.keys)[1]}
        return next((one.reason for one in changes(wanted)[1] if one.id == id or one.id not in before), "")

    def set(self, path: tuple[str, ...], value: object) -> None:
        """Into the file; then it holds."""
        try:
            self.configured.set_setting(path, value)
        except NotWritten as error:
            self.configured.toasts.show("Not changed", str(error), "warning")
        self.fill()

    def action_no_key(self) -> None:
        """An action may do without one."""
        row = self.row
        if row is None or row.kind != "key":
            return
        if reason := self.refusal(row.name, ()):
            self.configured.toasts.show("Not changed", reason, "warning")
        else:
            self.set(row.path, "")

    def action_reset(self) -> None:
        """Out of the file."""
        row = self.row
        if row is not None and row.path and row.kind in ("switch", "choice", "key") and self._given(row):
            self.set(row.path, None)

    def _given(self, row: Row) -> bool:
        path = key_path(self.configured.config, row.name) if row.kind == "key" else row.path
        return self.configured.config.line(path) is not None

    # The file

    def action_edit(self) -> None:
        """The editor, at the line of what is marked."""
        self.run_worker(later(self.edit_file, self.row.line if self.row is not None else None))

    async def edit_file(self, line: int | None) -> None:
        """Lend the terminal to the editor; what it leaves behind holds."""
        path = self.configured.config.path
        problem = ""
        try:
            if not path.exists():
                atomic.write(path, HEAD.encode())
        except OSError as error:
            problem = f"{one_line(str(path), 200)}: {error.strerror}"
        problem = problem or await edit(self.app, os.environ, str(path), line, str(path.parent))
        if problem:
            self.configured.toasts.show(problem, "", "warning")
        self.configured.adopt(load(path))
        self.fill()

    # Finding

    def on_key(self, event: events.Key) -> None:
        """Letters typed right behind the key that opens the line came to the list: they belong there."""
        bound = self.active_bindings.get(event.key)
        if self.finding and event.is_printable and event.character:
            self.query_one(Input).insert_text_at_cursor(event.character)
        elif bound is not None and bound.binding.id == "settings.find":
            self.action_find()
        else:
            return
        event.stop()
        event.prevent_default()

    def action_find(self) -> None:
        """A line for words above the list."""
        self.finding = True
        field = self.query_one(Input)
        field.display = True
        self.set_focus(field)

    def on_input_changed(self) -> None:
        """As one types."""
        self.fill()

    def on_input_submitted(self) -> None:
        """To what was found."""
        self.finding = False
        self.list.focus()

    def action_close(self) -> None:
        """Away with the words; then back."""
        field = self.query_one(Input)
        self.finding = False
        if field.display:
            field.clear()
            field.display = False
            self.list.focus()
        else:
            self.dismiss(None)
