"""A screen to read in: a title, tabs, a sheet of any length, and what can be done with what it shows.

Search, copying, saving, the editor and the system's viewer are here; what stands in the tabs is up to the
screens below. Invariants: a tab is laid out when it is looked at, and keeps the reader's place; nothing runs
while nothing changes; files are read and written in a thread, and never replaced without a yes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.widgets import Input, Static

from acp_tui.render import words
from acp_tui.render.clean import one_line, pasteable
from acp_tui.store.keys import Key
from acp_tui.ui import keys
from acp_tui.ui.binding import Bound
from acp_tui.ui.detail import outside
from acp_tui.ui.detail.bars import Bar, Said
from acp_tui.ui.detail.parts import Part, Words
from acp_tui.ui.detail.pieces import Piece, free, save, target
from acp_tui.ui.detail.pile import Pile
from acp_tui.ui.detail.sheet import Sheet
from acp_tui.ui.editor import edit
from acp_tui.ui.transcript.broken import Broke
from acp_tui.ui.workers import later

MOST_COPIED = 1_000_000
"""Characters; terminals drop what is much longer without a word."""


@dataclass(slots=True)
class Tab:
    """One tab: its name, what there is to say beside it, its parts as they are now."""

    name: str
    parts: Callable[[], list[Part]]
    count: Callable[[], str] = str
    whole: Callable[[], Piece | None] = lambda: None
    """What is taken where no part says what."""
    pile: Pile = field(default_factory=Pile)


def _saves() -> str:
    return f" {keys.hint('detail.save')} saves it."


class Tabbed(Bound, Screen[None]):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("detail")

    def __init__(self, env: Mapping[str, str], cwd: str) -> None:
        super().__init__()
        self.env = env
        self.cwd = cwd
        self.tab: Tab | None = None
        self.asking = ""
        """What the prompt is open for: `search`, `save` or nothing."""
        self.saving: Piece | None = None

    # For the screens below

    def tabs(self) -> list[Tab]:
        """The tabs there are now; a tab that stays is the same object."""
        raise NotImplementedError

    def about(self) -> Key:
        """What it shows."""
        raise NotImplementedError

    def heading(self) -> tuple[Sequence[Said], Sequence[Said]]:
        """Left and right side of the title."""
        raise NotImplementedError

    def extra_keys(self) -> Sequence[tuple[str, str]]:
        """Keys that matter here besides those of all tabs."""
        return ()

    def lead(self, key: Key) -> None:
        """Show another entity whole."""

    def open_session(self, ref: str) -> None:
        """Show the conversation of a subagent."""

    # What is shown

    def compose(self) -> ComposeResult:
        yield Bar("detail-title")
        yield Bar("detail-tabs")
        yield Sheet()
        with Horizontal(id="detail-asking"):
            yield Static("", id="detail-question", markup=False)
            asked = Input(id="detail-answer", compact=True)
            asked.cursor_blink = False
            yield asked
            yield Static("", id="detail-found", markup=False)
        yield Bar("detail-keys")

    def on_mount(self) -> None:
        """The first tab."""
        self.sheet.focus()
        self.show(self.tabs()[0])

    @property
    def sheet(self) -> Sheet:
        """What is read."""
        return self.query_one(Sheet)

    def show(self, tab: Tab) -> None:
        """Another tab."""
        self.close_prompt()
        self.tab = tab
        tab.pile.broke = self.broke
        tab.pile.show(self._parts(tab))
        self.sheet.put(tab.pile)
        self.say()

    def again(self) -> None:
        """What is shown may have changed."""
        if self.tab is not None and self.is_mounted:
            self.sheet.update_parts(self._parts(self.tab))
            self.say()

    def _parts(self, tab: Tab) -> list[Part]:
        try:
            return tab.parts()
        except Exception as error:  # of whatever kind: the other tabs can still be read
            self.broke(error)
            return [Words("This could not be shown. The other tabs may have it.", "status_failed")]

    def broke(self, error: Exception) -> None:
        """A mistake of ours; the app keeps a report."""
        self.app.post_message(Broke(self.about(), error))

    def say(self) -> None:
        """Title, tabs and keys as they are now."""
        self.query_one("#detail-title", Bar).say(*self.heading())
        tabs: list[Said] = []
        for number, tab in enumerate(self.tabs(), 1):
            style = "on" if tab is self.tab else "dim"
            count = tab.count()
            tabs += [(tab.name, style, ("tab", number)), (f" {count}" if count else "", "dim"), ("   ", "")]
        self.query_one("#detail-tabs", Bar).say(tabs)
        self._say_keys()

    def _say_keys(self) -> None:
        search = self.sheet.search
        shown = [
            ("detail.close", "back"),
            ("detail.next_tab", "next"),
            *self.extra_keys(),
            ("detail.search", "search"),
            ("detail.copy", "copy"),
            ("detail.save", "save"),
            ("detail.edit", "edit"),
        ]
        right: list[Said] = []
        if search is not None:
            shown = [
                ("detail.next_hit", "next"),
                ("detail.previous_hit", "previous"),
                ("detail.close", "end the search"),
            ]
            right = [(self._found(), "dim")]
        typing = search is not None and self.asking == "search"
        self.query_one("#detail-found", Static).update(self._found() if typing else "")
        room = self.size.width - 2 - sum(len(one[0]) for one in right)
        said: list[Said] = []
        for key, does in shown:  # those that do not fit are left out, never cut
            if not keys.reachable(key):
                continue
            name, between = keys.hint(key), " · " if said else ""
            room -= len(between) + len(name) + len(does) + 1
            if room >= 0:
                said += [(between, "dim"), (name, ""), (f" {does}", "dim")]
        self.query_one("#detail-keys", Bar).say(said, right)

    def _found(self) -> str:
        search = self.sheet.search
        assert search is not None
        more = "…" if search.looked < len(self.sheet.pile.parts) else ""
        if not search.hits:
            return "searching …" if more else "not found"
        at = search.place()
        return f"{len(search.hits):,}{more}" if at is None else f"{at + 1} of {len(search.hits):,}{more}"

    def tell(self, text: str, severity: SeverityLevel = "information") -> None:
        """A toast; never markup."""
        self.app.notify(one_line(text, 400), timeout=4, markup=False, severity=severity)

    # Keys

    def action_close(self) -> None:
        """The nearest open thing, else back."""
        if self.asking:
            self.close_prompt()
        elif self.sheet.search is not None:
            self.sheet.find("")
            self.say()
        elif self.selections:
            self.clear_selection()
        else:
            self.dismiss(None)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)

    def action_step_tab(self, by: int) -> None:
        """The next or previous tab."""
        tabs = self.tabs()
        if self.tab in tabs:
            self.show(tabs[(tabs.index(self.tab) + by) % len(tabs)])

    def action_tab(self, number: int) -> None:
        """The nth tab."""
        tabs = self.tabs()
        if number <= len(tabs):
            self.show(tabs[number - 1])

    def on_bar_clicked(self, event: Bar.Clicked) -> None:
        """A click on a tab."""
        if event.action[0] == "tab":
            self.action_tab(int(event.action[1]))

    def action_scroll_by(self, lines: int) -> None:
        """By lines."""
        self.sheet.move(lines)

    def action_scroll_pages(self, pages: int) -> None:
        """By pages."""
        self.sheet.page(pages)

    def action_top(self) -> None:
        """To the first line."""
        self.sheet.home()

    def action_end(self) -> None:
        """To the last line, following what comes."""
        self.sheet.end()

    def action_step(self, by: int) -> None:
        """To the next or previous section, change or message."""
        self.sheet.step(by)
        self.say()

    def action_fold(self) -> None:
        """Open or fold what the cursor is on."""
        cursor = self.sheet.pile.cursor or self.sheet.first_stop()
        if cursor is not None and cursor.leads is not None:
            self.lead(cursor.leads)
        elif cursor is not None and cursor.act(("toggle",)):
            self.sheet.settle()

    def action_fold_all(self) -> None:
        """Open all, or fold all if all are open."""
        folding = [part for part in self.sheet.pile.parts if part.folded is not None]
        wanted = not any(part.folded for part in folding)
        for part in folding:
            if part.folded is not wanted:
                part.act(("toggle",))
        self.sheet.pile.refit()
        self.sheet.settle()

    # Searching

    def action_search(self) -> None:
        """Ask what for."""
        before = self.sheet.search
        self._ask("search", "Search: ", before.sought if before is not None else "")

    def action_next(self, by: int) -> None:
        """The next or previous place where it stands."""
        self.sheet.go(by)
        self.say()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search while it is typed."""
        if self.asking == "search":
            self.sheet.find(event.value)
            self.say()

    def on_sheet_searched(self) -> None:
        """It has come further."""
        self._say_keys()

    # The prompt

    def _ask(self, what: str, question: str, answer: str) -> None:
        self.asking = what
        self.query_one("#detail-asking").display = True
        self.query_one("#detail-keys").display = False
        self.query_one("#detail-question", Static).update(question)
        field_ = self.query_one("#detail-answer", Input)
        field_.value = answer
        field_.cursor_position = len(answer)
        field_.focus()

    def close_prompt(self) -> None:
        """Back to reading."""
        self.asking = ""
        self.query_one("#detail-asking").display = False
        self.query_one("#detail-keys").display = True
        self.sheet.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The answer."""
        what, answer = self.asking, event.value
        self.close_prompt()
        self._say_keys()
        if what == "save" and answer.strip() and self.saving is not None:
            self._save(self.saving, target(answer.strip(), self.cwd), replace=False)

    # Taking things out

    def piece(self) -> Piece | None:
        """What is to be taken: of the part the reader is at, else of the tab."""
        part = self.sheet.pile.at()
        if part is not None:
            return part.piece
        return self.tab.whole() if self.tab is not None else None

    def action_copy(self) -> None:
        """The selection, else the piece."""
        selected = self.get_selected_text()
        if selected:
            self.app.copy_to_clipboard(selected)
            self.tell("Copied the selection")
            return
        piece = self.piece()
        if piece is None or not piece.text:
            self.tell("There is no text here to copy." + (_saves() if piece is not None else ""))
        else:
            self.run_worker(partial(self._load, piece, self._copy), thread=True)

    def _copy(self, piece: Piece, data: bytes) -> None:
        text = pasteable(data.decode("utf-8", "replace"))
        if len(text) > MOST_COPIED:
            self.tell(f"{words.size(len(data))} are too much for the clipboard.{_saves()}", "warning")
        else:
            self.app.copy_to_clipboard(text)
            self.tell(f"Copied {piece.what}: {words.count(text.count(chr(10)) + 1, 'line')}")

    def action_save(self) -> None:
        """Ask where to."""
        piece = self.piece()
        if piece is None:
            self.tell("There is nothing here to save.")
            return
        self.saving = piece
        self._ask("save", f"Save {one_line(piece.what, 30)} as: ", free(piece.name, self.cwd))

    def _save(self, piece: Piece, path: Path, replace: bool) -> None:
        self.run_worker(partial(self._write, piece, path, replace), thread=True)

    def _write(self, piece: Piece, path: Path, replace: bool) -> None:
        """In a thread."""
        place = path / piece.name if path.is_dir() else path
        try:
            data = piece.load()
            save(place, data, replace)
        except FileExistsError:
            self.app.call_from_thread(self._ask_to_replace, piece, place)
        except (OSError, ValueError) as error:
            reason = (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
            self.app.call_from_thread(self.tell, f"Not saved: {reason} ({place})", "warning")
        else:
            self.app.call_from_thread(self.tell, f"Saved {words.size(len(data))}: {place}")

    def _ask_to_replace(self, piece: Piece, path: Path) -> None:
        from acp_tui.ui.screens.question import Question

        def answered(yes: bool | None) -> None:
            if yes:
                self._save(piece, path, replace=True)

        self.app.push_screen(
            Question(
                "There is such a file. Replace it?", [f"  {one_line(str(path))}"], "replace", "leave it"
            ),
            answered,
        )

    def _load(self, piece: Piece, then: Callable[[Piece, bytes], object]) -> None:
        """In a thread."""
        try:
            data = piece.load()
        except (OSError, ValueError) as error:
            self.app.call_from_thread(self.tell, f"It cannot be read: {error}", "warning")
        else:
            self.app.call_from_thread(then, piece, data)

    # Other programs

    def action_edit(self) -> None:
        """The file it is about, or the piece itself in a file of its own."""
        piece = self.piece()
        if piece is None or not (piece.text or piece.place):
            self.tell("There is nothing here to edit.")
        elif piece.place is not None:
            self.run_worker(later(self._edit, *piece.place))
        else:
            self.run_worker(partial(self._load, piece, self._edit_copy), thread=True)

    async def _edit(self, path: str, line: int | None) -> None:
        problem = await edit(self.app, self.env, path, line, self.cwd)
        if problem:
            self.tell(problem, "warning")

    def _edit_copy(self, piece: Piece, data: bytes) -> None:
        try:
            path = outside.lend(piece.name, data)
        except OSError as error:
            self.tell(f"It cannot be put in a file: {error.strerror}", "warning")
        else:
            self.run_worker(later(self._edit, str(path), None))

    def action_view(self) -> None:
        """The picture or sound in the system's viewer."""
        piece = self.piece()
        if piece is None or piece.text:
            self.tell("There is no picture or sound here to open.")
        else:
            self.run_worker(partial(self._load, piece, self._view), thread=True)

    def _view(self, piece: Piece, data: bytes) -> None:
        problem = outside.view(piece.name, data)
        self.tell(problem or "Opened in the system's viewer", "warning" if problem else "information")

    def on_sheet_clicked(self, event: Sheet.Clicked) -> None:
        """Links are copied, never followed (SF-03); paths open in the editor."""
        match event.action:
            case ("link", url):
                self.app.copy_to_clipboard(str(url))
                self.tell(f"Link copied: {url}")
            case ("open", path, line):
                self.run_worker(later(self._edit, str(path), line))
            case ("session", ref):
                self.open_session(str(ref))
            case ("lead",) if event.part.leads is not None:
                self.lead(event.part.leads)
            case ("copy", _, fence):
                self.app.copy_to_clipboard(pasteable(event.part.excerpt(fence)))
                self.tell("Copied the code")
