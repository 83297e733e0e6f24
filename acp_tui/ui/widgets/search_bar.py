"""The line in which one says what to look for in the transcript, and reads how often it stands there.

Invariant: it stands in the layout, never over anything, and only while a search is open. What is found is the
transcript's word.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from acp_tui.render.clean import one_line
from acp_tui.ui import keys
from acp_tui.ui.standing import Hint
from acp_tui.ui.transcript.finding import Finding, Found
from acp_tui.ui.transcript.search import Sought

TYPING: tuple[Hint, ...] = (
    ("search.next", "next"),
    ("search.close", "back"),
    ("search.previous", "before"),
    ("chat.next_place", "read on"),
)
WALKING: tuple[Hint, ...] = (
    ("transcript.next_hit", "next"),
    ("chat.escape", "end the search"),
    ("transcript.previous_hit", "before"),
    ("transcript.search", "other words"),
)
"""Keys that matter while it is typed, and while the hits are read."""


class Field(Input):
    """Where it is typed; what its keys do is up to the bar."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("search")

    def __init__(
        self, step: Callable[[int], None], toggle: Callable[[str], None], close: Callable[[], None]
    ) -> None:
        super().__init__(compact=True, select_on_focus=False)
        self.cursor_blink = False
        self._step, self._toggle, self._close = step, toggle, close

    def action_step(self, by: int) -> None:
        """To the next hit or the one before."""
        self._step(by)

    def action_mean(self, name: str) -> None:
        """Mean it in another way."""
        self._toggle(name)

    def action_close(self) -> None:
        """Back to where one was."""
        self._close()


class SearchBar(Horizontal):
    """Shown by the transcript it serves."""

    DEFAULT_CSS = """
    SearchBar { height: 1; padding: 0 1; display: none; }
    SearchBar .search--told { width: 60%; text-align: right; text-wrap: nowrap; color: $text-muted; }
    SearchBar .search--sign { width: 2; color: $accent; }
    SearchBar Field, SearchBar Field:focus { width: 1fr; border: none; padding: 0; background: $background; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.served: Finding | None = None
        self.regex = False
        self.case: bool | None = None
        self.field = Field(self.step, self.toggle, self.close)
        self._told = Static("", classes="search--told", markup=False)

    def compose(self) -> ComposeResult:
        yield Static("/", classes="search--sign", markup=False)
        yield self.field
        yield self._told

    def on_mount(self) -> None:
        """Serve the transcript that stands here."""
        self.served = self.screen.query_one(Finding)
        self.watch(self.served, "searching", self._open_or_close, init=False)
        self.watch(self.served, "typed", self._type, init=False)
        self.watch(self.served, "found", self._say, init=False)

    @property
    def sought(self) -> Sought:
        """What is looked for."""
        return Sought(self.field.value, self.regex, self.case)

    def _open_or_close(self, searching: bool) -> None:
        had_focus = self.field.has_focus
        self.display = searching
        if searching:
            self._find()
        elif had_focus and self.served is not None:
            self.served.focus()

    def _type(self, typed: tuple[int, str]) -> None:
        field, text = self.field, typed[1]
        if not text:
            self.screen.set_focus(field)
            field.action_select_all()
        elif field.selection.is_empty:
            field.insert_text_at_cursor(text)
        else:
            field.replace(text, *field.selection)

    def _find(self) -> None:
        if self.served is not None:
            self.served.find(self.sought)
            self._say()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Look for what stands there now."""
        event.stop()
        self._find()

    def step(self, by: int) -> None:
        """To the next hit or the one before; that place is kept."""
        if self.served is not None:
            self.served.next_hit(by)
            self.served.keep_place()

    def toggle(self, name: str) -> None:
        """An expression or just words; case as it is written, or as the other way."""
        if name == "regex":
            self.regex = not self.regex
        else:
            self.case = self.sought.folds if self.case is None else None
        self._find()

    def close(self) -> None:
        """Close the search, and go back."""
        if self.served is not None:
            self.served.end_search(back=True)

    def _say(self) -> None:
        found = self.served.found if self.served is not None else Found()
        if found.wrong:
            said = Content.styled(one_line(found.wrong, max(8, self._told.size.width)), "$error")
        else:
            regex, case = keys.hint("search.regex"), keys.hint("search.case")
            modes = ((regex, "regex", self.regex), (case, "case", not self.sought.folds))
            said = Content.assemble(self._count(found), *map(_mode, modes))
        self._told.update(said, layout=False)

    def _count(self, found: Found) -> Content:
        if not self.field.value:
            return Content()
        if not found.total:
            return Content("searching …") if found.more else Content.styled("not found", "$warning")
        at = f"{found.at:,}/" if found.at else ""
        return Content.styled(f"{at}{found.total:,}{'…' if found.more else ''}", "$foreground")


def _mode(mode: tuple[str, str, bool]) -> Content:
    key, label, on = mode
    state = Content.styled(f"{label} ✓", "$accent") if on else Content(f"{label}  ")
    return Content.assemble("   ", (key, "$foreground"), " ", state)
