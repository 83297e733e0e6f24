"""The terminal's own cursor stands where the text goes, so that input methods show there what they compose.

Textual moves it behind each frame to where a field last said its cursor was. Invariant: it is asked for when
a frame is written, for the field may have moved since, by a panel above it or a line more; while no field has
the focus it stays.
"""

from __future__ import annotations

from textual.app import App
from textual.geometry import Offset


class Caret(App[int]):
    """An app that knows where its cursor is."""

    _caret = Offset(0, 0)

    @property
    def cursor_position(self) -> Offset:
        """Where the terminal's cursor belongs now."""
        focused = self.screen.focused if self._screen_stack else None
        place = getattr(focused, "cursor_screen_offset", None)
        if isinstance(place, Offset):
            self._caret = place
        return self._caret

    @cursor_position.setter
    def cursor_position(self, place: Offset) -> None:
        self._caret = place
