"""Textual's compositor, which asks widgets for no more than the rows that are painted.

As it is, it has every widget render all its rows whatever is painted: the clock on the status line costs as
much as the whole screen, once a second and with every key. Invariant: what is painted is the same; where a
private name of Textual is missing, its own compositor is left to work.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.geometry import Region
from textual.screen import Screen
from textual.strip import Strip

try:
    from textual._compositor import Compositor
except ImportError:  # another Textual than the one this was written for
    Compositor = object  # type: ignore[assignment,misc]

_NAMES = ("_get_renders", "visible_widgets", "size")


class FrugalCompositor(Compositor):
    """See the module."""

    def _get_renders(self, crop: Region | None = None) -> Iterable[tuple[Region, Region, list[Strip]]]:
        """Where each widget stands, what may be seen of it, and its rows there."""
        if not crop:
            yield from super()._get_renders(crop)
            return
        rows = Region(0, crop.y, self.size.width, crop.height)
        for widget, (region, clip) in self.visible_widgets.items():
            seen = clip.intersection(rows)
            part = region.intersection(seen)
            if part:
                yield region, seen, widget.render_lines(part.translate(-region.offset))


def paint_frugally(screen: Screen[Any]) -> None:
    """Give a new screen this compositor."""
    own = getattr(screen, "_compositor", None)
    if type(own) is Compositor and all(hasattr(own, name) for name in _NAMES):
        screen._compositor = FrugalCompositor()
