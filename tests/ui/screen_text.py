"""The text of the screen, as the compositor would paint it: the one place where tests reach into Textual."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.strip import Strip
from textual.widget import Widget


def screen_strips(app: App[Any]) -> list[Strip]:
    """The rows of the current screen with their styles."""
    return app.screen._compositor.render_strips()


def screen_text(app: App[Any]) -> list[str]:
    """The rows of the current screen, without blanks at their ends."""
    return [strip.text.rstrip() for strip in screen_strips(app)]


def widget_text(widget: Widget) -> list[str]:
    """The rows of one widget, without its scrollbar and blanks at their ends."""
    area = widget.region
    width = area.width - widget.scrollbar_size_vertical
    rows = screen_strips(widget.app)[area.y : area.bottom]
    return [row.crop(area.x, area.x + width).text.rstrip() for row in rows]
