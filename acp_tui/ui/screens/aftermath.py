"""What broke off with an earlier run: its sessions, to be opened again, and its agents that still run.

Invariant: nothing is opened, resumed or ended but what the user chose.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from acp_tui.agent.leftovers import Leftover
from acp_tui.base.processes import Process
from acp_tui.render.clean import one_line
from acp_tui.ui import keys
from acp_tui.ui.aftermath import Aftermath, Interrupted
from acp_tui.ui.detail.facts import moment
from acp_tui.ui.library import wording
from acp_tui.ui.screens.quit import QuitScreen
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.header import short_folder
from acp_tui.ui.widgets.hints import hint_line
from acp_tui.ui.widgets.listed import Listed

SESSION = (("list.choose", "read it"), ("past.resume", "resume"), ("past.close", "back"))
AGENT = (("past.end", "end it"), ("past.close", "back"))
End = Callable[[Leftover, Callable[[list[Process]], object]], None]


@dataclass(frozen=True, slots=True)
class Reopen:
    """This session is wanted."""

    id: str
    resume: bool


class AftermathScreen(ModalScreen[Reopen]):
    """Dismissed with what is to be opened again."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("past")
    DEFAULT_CSS = """
    AftermathScreen { align: center middle; }
    #past { width: 100; max-width: 96%; height: auto; max-height: 90%; padding: 1 2; background: $panel;
            border-left: outer $accent; }
    #past-title { text-style: bold; margin-bottom: 1; }
    #past-list { height: auto; max-height: 40vh; padding: 0; border: none; background: $panel; }
    #past-keys { color: $text-muted; margin-top: 1; }
    """

    def __init__(self, past: Aftermath, now: float, end: End) -> None:
        super().__init__()
        self.past = past
        self.now = now
        self._end_leftover = end

    def compose(self) -> ComposeResult:
        with Vertical(id="past"):
            yield Static("An earlier run broke off", id="past-title", markup=False)
            yield Listed(id="past-list", markup=False)
            yield Static("", id="past-keys")

    def on_mount(self) -> None:
        """Fill it."""
        self.fill()
        self.query_one(OptionList).focus()

    def on_resize(self) -> None:
        """Other widths."""
        self.fill()

    @property
    def rows(self) -> list[Interrupted | Leftover]:
        """In the order in which they stand there."""
        return [*self.past.sessions, *self.past.living]

    @property
    def marked(self) -> Interrupted | Leftover | None:
        """The one the cursor is on."""
        at, rows = self.query_one(OptionList).highlighted, self.rows
        return rows[at] if at is not None and at < len(rows) else None

    def fill(self) -> None:
        """What there is."""
        listed = self.query_one(OptionList)
        at = listed.highlighted or 0
        listed.clear_options()
        listed.add_options([Option(self._row(one)) for one in self.rows])
        listed.highlighted = min(at, len(self.rows) - 1) if self.rows else None
        self.tell_keys()

    def _row(self, one: Interrupted | Leftover) -> Content:
        """Two lines: what it is, and what is to be known of it."""
        width = max(20, min(100, self.size.width - 3) - 8)
        if isinstance(one, Interrupted):
            entry = one.entry
            head = one_line(wording.title(entry), 200)
            parts = (entry.agent, short_folder(entry.cwd), wording.when(entry.active, self.now))
            about = " · ".join(one_line(part, 40) for part in parts if part)
            rest = "; ".join(one.flight) or "nothing was under way"
        else:
            head, about = f"still runs: {one_line(one.words, 200)}", "its acp-tui is gone: nobody hears it"
            where = one_line(short_folder(one.running.cwd), 40)
            rest = f"since {moment(one.running.started)[:16]} in {where}"
        first = Content.assemble((head, "$foreground"), ("  " + about, "$text-muted"))
        second = Content.styled(f"  {rest}", "$text-muted")
        return Content("\n").join(
            [first.truncate(width, ellipsis=True), second.truncate(width, ellipsis=True)]
        )

    def on_option_list_option_highlighted(self) -> None:
        """Another one."""
        self.tell_keys()

    def tell_keys(self) -> None:
        """What can be done with the marked one."""
        hints = AGENT if isinstance(self.marked, Leftover) else SESSION
        self.query_one("#past-keys", Static).update(hint_line(hints))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Read it."""
        event.stop()
        self._reopen(resume=False)

    def action_resume(self) -> None:
        """Go on with it."""
        self._reopen(resume=True)

    def _reopen(self, *, resume: bool) -> None:
        one = self.marked
        if isinstance(one, Interrupted):
            self.past.sessions.remove(one)
            self.dismiss(Reopen(one.entry.id, resume))

    def action_end(self) -> None:
        """End the marked agent; what it does now is lost, so ask."""
        one = self.marked
        if isinstance(one, Leftover):
            question = QuitScreen(
                [one_line(one.words, 150)],
                "End what still runs? What it does now breaks off:",
                "end it",
                "keep it",
            )
            self.app.push_screen(question, lambda sure: self._end(one) if sure else None)

    def _end(self, one: Leftover) -> None:
        self._end_leftover(one, lambda still: self._ended(one, still))

    def _ended(self, one: Leftover, still: list[Process]) -> None:
        if still:
            pids = ", ".join(str(process.pid) for process in still)
            self.app.post_message(Told(f"Could not be ended: pid {pids}", severity="error"))
            return
        self.app.post_message(Told(f"Ended: {one_line(one.words, 150)}"))
        if one in self.past.living:
            self.past.living.remove(one)
        if self.is_attached:
            self.fill()
            if not self.rows:
                self.dismiss(None)

    def action_close(self) -> None:
        """As it was."""
        self.dismiss(None)
