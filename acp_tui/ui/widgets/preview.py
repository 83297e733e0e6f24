"""The beginning of the file that is marked in a list, or the lines that are meant.

Invariants: a file is read in a thread, and only its first part; what was marked meanwhile wins.
"""

from __future__ import annotations

import os
from functools import partial
from itertools import islice

from textual.app import RenderResult
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.worker import get_current_worker

from acp_tui.render.clean import clean, one_line
from acp_tui.services.attachments import look
from acp_tui.ui.widgets.attached import described

BYTES = 256 * 1024
"""That are read at most."""


class Preview(Widget):
    """Rows of one file."""

    DEFAULT_CSS = """
    Preview { width: 55%; height: auto; padding: 0 1; color: $text-muted; border-left: vkey $surface; }
    """

    rows: reactive[tuple[tuple[str, str], ...]] = reactive((), layout=True)
    """Number and text of each."""

    def get_content_height(self, *_: object) -> int:
        """A row for each."""
        return len(self.rows)

    def render(self) -> RenderResult:
        width = self.content_size.width
        rows = [Content.assemble((f"{number} ", "$text-disabled"), text) for number, text in self.rows]
        return Content("\n").join(row.truncate(width, ellipsis=True) for row in rows)

    def show(self, path: str, first: int, rows: int) -> None:
        """So many rows of this file, from this line on (1 is the first)."""
        self.run_worker(partial(self._read, path, first, rows), thread=True, exclusive=True)

    def _read(self, path: str, first: int, rows: int) -> None:
        worker = get_current_worker()
        try:
            found = rows_of(path, first, rows)
        except (OSError, ValueError) as error:
            found = [("", one_line(getattr(error, "strerror", None) or str(error)))]
        if not worker.is_cancelled:
            self.app.call_from_thread(self._show, found)

    def _show(self, found: list[tuple[str, str]]) -> None:
        self.rows = tuple(found)


def rows_of(path: str, first: int, rows: int) -> list[tuple[str, str]]:
    """Number and text of the lines of a file; of a folder what is in it. Raises `OSError`."""
    file = look(path)
    if file.sort == "folder":
        with os.scandir(path) as entries:
            names = [entry.name + "/" * entry.is_dir() for entry in islice(entries, 200)]
        return [("", one_line(name)) for name in sorted(names)[:rows]]
    if file.sort != "text":
        return [("", described(file))]
    with open(path, "rb") as stream:
        lines = stream.read(BYTES).decode("utf-8", "replace").split("\n")
    shown = [*enumerate(lines, 1)][first - 1 : first - 1 + rows]
    width = len(str(first + rows - 1))
    return [(f"{number:>{width}}", clean(line.rstrip("\r")[:500])) for number, line in shown]
