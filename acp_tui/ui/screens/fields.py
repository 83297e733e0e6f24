"""A dialog with lines to fill in: the walk from field to field, completion, and what does not hold."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.screen import ModalScreen, ScreenResultType
from textual.suggester import Suggester
from textual.widgets import Input, Static

from acp_tui.ui import keys


class FieldsScreen(ModalScreen[ScreenResultType]):
    """Fields are by their ids, and what is wrong with them stands in `#new-problem`."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("new")

    def _text(self, field: str) -> str:
        return self.query_one(f"#{field}", Input).value

    def _problem(self, text: str) -> None:
        self.query_one("#new-problem", Static).update(text)

    def action_next_field(self) -> None:
        """The field below."""
        self.focus_next()

    def action_previous_field(self) -> None:
        """The field above."""
        self.focus_previous()

    def action_complete(self) -> None:
        """As the arrow does at the end of a field."""
        if isinstance(field := self.focused, Input):
            field.action_end()
            field.action_cursor_right()

    def action_close(self) -> None:
        """None."""
        self.dismiss(None)


def line(id: str, *, hint: str = "", value: str = "", suggester: Suggester | None = None) -> Input:
    """One field."""
    field = Input(value, placeholder=hint, suggester=suggester, id=id, compact=True, select_on_focus=False)
    field.cursor_blink = False
    return field
