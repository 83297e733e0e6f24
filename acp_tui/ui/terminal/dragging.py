"""A selection that is being dragged past an edge: what scrolls under the mouse is selected, too.

Textual scrolls while the mouse stands still near an edge, but ends the selection at what was under it before;
so a widget tells here that its rows are others. Invariant: where Textual's own names are not as known here,
nothing happens and the selection grows with the next move of the mouse.
"""

from __future__ import annotations

from typing import Any

from textual.geometry import Offset
from textual.screen import Screen
from textual.selection import SelectEnd


def drag_on(screen: Screen[Any]) -> None:
    """Let the selection that is being dragged, if there is one, end at what is under the mouse now."""
    state = getattr(screen, "_select_state", None)
    if state is None or state.end is None or not getattr(screen, "_selecting", False):
        return
    mouse = Offset(*map(int, screen.app.mouse_position))
    widget, offset = screen.get_widget_and_offset_at(*mouse)
    if widget is None or offset is None or widget.parent is None:
        return
    end = SelectEnd(widget.parent, widget, offset)  # type: ignore[arg-type]
    if state.end != end:
        screen._select_state = state.update_end(mouse, end)
