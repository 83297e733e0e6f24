"""The library: every session there is, to be found, read, gone on with, and put in order.

Invariants: what is done to a session is done in the librarian's thread and said when it is done; nothing is
removed but out of the trash and after asking, on the agent only after it was chosen in so many words; a
session that is open anywhere is neither deleted nor changed by anybody but who has it open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Input

from acp_tui.client.intents import DeleteSession
from acp_tui.journal.entry import Badge, Entry
from acp_tui.journal.library import Library
from acp_tui.render.clean import one_line
from acp_tui.ui import keys
from acp_tui.ui.conversation import Conversation, Link
from acp_tui.ui.library import wording
from acp_tui.ui.library.deleting import Way, ways
from acp_tui.ui.library.looking import WIDE, LookingScreen
from acp_tui.ui.library.removing import Removing
from acp_tui.ui.library.rows import Found
from acp_tui.ui.standing import Hint
from acp_tui.ui.told import Told
from acp_tui.ui.widgets.shelf import Shelf
from acp_tui.ui.workers import later

if TYPE_CHECKING:
    from acp_tui.ui.reader import Spot

LISTED: tuple[Hint, ...] = (
    ("list.choose", "open"),
    ("library.resume", "resume"),
    ("library.search", "search"),
    ("library.turn", "folders"),
    ("library.delete", "delete"),
    ("library.close", "back"),
)
MORE: tuple[Hint, ...] = (
    *LISTED,
    ("library.rename", "rename"),
    ("library.pin", "pin"),
    ("library.export", "export"),
    ("library.trash", "trash"),
)
"""Where there is room."""
IN_TRASH: tuple[Hint, ...] = (
    ("list.choose", "read"),
    ("library.undo", "restore"),
    ("library.delete", "remove"),
    ("library.empty", "empty the trash"),
    ("library.trash", "out of it"),
    ("library.close", "back"),
)


class LibraryScreen(LookingScreen):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("library")

    @property
    def asks(self) -> Removing:
        """Who asks before something is removed for good."""
        return Removing(self)

    @dataclass
    class ReadWanted(Message):
        """Show it, as it was."""

        entry: Entry
        spot: Spot | None

    @dataclass
    class ResumeWanted(Message):
        """Go on with it; by an agent that runs, where nothing of it is saved here."""

        entry: Entry
        link: Link | None

    @dataclass
    class EndWanted(Message):
        """It is open in this window, and is to be ended."""

        conversation: Conversation

    def deeds(self) -> tuple[Hint, ...]:
        if self.query_one("#library-name").display:
            return (("list.choose", "call it so"), ("library.close", "leave its name"))
        if self.view.trash:
            return IN_TRASH
        marked = self.marked
        hints = MORE if self.size.width >= WIDE else LISTED
        if marked is not None and self.holder(marked.id) is not None:
            return (("list.choose", "show"), ("library.close_session", "close it"), *hints[2:])
        if marked is not None and Badge.SAVED not in marked.badges:
            return tuple(one for one in hints if one[0] not in ("list.choose", "library.export"))
        return (*hints, ("everywhere.help", "help")) if hints is LISTED else hints

    # Reading and going on

    def on_shelf_chosen(self, event: Shelf.Chosen) -> None:
        """Read it, at the hit that is marked."""
        event.stop()
        entry, hit = self.marked, self.hit
        if entry is None:
            return
        if Badge.SAVED not in entry.badges:
            self.say(f"Nothing of it is saved here; {keys.hint('library.resume')} asks its agent for it")
            return
        from acp_tui.ui.reader import Spot

        spot = Spot(hit.kind, hit.id, hit.session_id, hit.found) if hit is not None else None
        self.post_message(self.ReadWanted(entry, spot))

    def action_resume(self) -> None:
        """Go on with the marked one."""
        entry = self.marked
        if entry is None:
            return
        if entry.trashed_at is not None:
            self.say(f"It is in the trash; {keys.hint('library.undo')} restores it")
        else:
            listed = Badge.SAVED not in entry.badges
            self.post_message(self.ResumeWanted(entry, self.lists.link(entry) if listed else None))

    # Its name, pins

    def action_rename(self) -> None:
        """Write another name for it, where it stands."""
        entry, field = self.marked, self.query_one("#library-name", Input)
        if entry is not None:
            field.display = True
            field.value = one_line(entry.title, 300) if entry.title else ""
            field.placeholder = "its name; empty: as its agent calls it"
            field.focus()
            field.action_end()
            self.tell_keys()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Call it so; or to what was found."""
        event.stop()
        if event.input is self.field:
            self.action_down()
            return
        entry = self.marked
        self._close_name()
        if entry is not None and (event.value.strip() != entry.title or entry.named):
            name, at = event.value, self.now()
            told = partial(self._tell_name, entry.id, name.strip())
            self._do(lambda library: library.marks.rename(entry.id, name, at), "", told)

    def _tell_name(self, id: str, name: str) -> None:
        """Who has it open in this window, calls it so, too."""
        if (conversation := self.holder(id)) is not None:
            for ref, known in conversation.agent.saved_as.items():
                if known.id == id:
                    conversation.store.name(ref, name)

    def _close_name(self) -> None:
        self.query_one("#library-name").display = False
        self.shelf.focus()
        self.tell_keys()

    def action_pin(self) -> None:
        """To the top, or back to its place."""
        entry, at = self.marked, self.now()
        if entry is not None:
            pinned = entry.pinned
            self._do(lambda library: (library.marks.unpin if pinned else library.marks.pin)(entry.id, at), "")

    # Deleting

    def action_delete(self) -> None:
        """Ask where."""
        entry = self.marked
        if entry is None:
            return
        if entry.trashed_at is not None:
            self.run_worker(later(self.asks.one, entry), group="library-deed")
            return
        if self.holder(entry.id) is not None:
            self.say(f"It is open in this window: {keys.hint('library.close_session')} closes it first")
            return
        if Badge.RUNNING in entry.badges:
            self.say("It is open in another acp-tui: close it there first")
            return
        from acp_tui.ui.screens.setting_choice import ChoiceScreen

        link = self.lists.link(entry)
        offered, why_not = ways(entry, link)
        title = f"Delete “{one_line(wording.title(entry), 50)}”?"
        if not offered:
            self.say(f"It cannot be deleted. {why_not}")
            return
        if not offered[0].here:
            offered.insert(0, Way("Leave it as it is"))
        screen = ChoiceScreen(title, why_not, [way.words for way in offered], 0)
        self.app.push_screen(screen, partial(self._delete, entry, link, offered))

    def _delete(self, entry: Entry, link: Link | None, offered: list[Way], chosen: int | None) -> None:
        if chosen is None:
            return
        way, at = offered[chosen], self.now()
        if way.agent and link is not None:
            link.agent.do(DeleteSession(entry.session_id))
        if way.here:
            undo = f"In the trash; {keys.hint('library.undo')} brings it back"
            kept = partial(self.trashed.append, entry.id)
            self._do(lambda library: library.marks.trash(entry.id, at), undo, kept)

    def action_undo(self) -> None:
        """Bring the one that was deleted last back; in the trash the marked one."""
        entry, at = self.marked, self.now()
        if self.view.trash and entry is not None:
            id = entry.id
        elif self.trashed and not self.view.trash:
            id = self.trashed[-1]
        else:
            self.say(f"Nothing was deleted here meanwhile; {keys.hint('library.trash')} shows the trash")
            return
        self._do(lambda library: library.marks.restore(id, at), "Restored", partial(self._restored, id))

    def _restored(self, id: str) -> None:
        self.trashed = [one for one in self.trashed if one != id]
        self.aim = "" if self.view.trash else id

    def action_empty(self) -> None:
        """Ask whether all of the trash is to go."""
        if self.view.trash:
            self.run_worker(later(self.asks.all), group="library-deed")
        else:
            self.say(f"{keys.hint('library.trash')} shows the trash")

    # Closing, giving away

    def action_close_session(self) -> None:
        """End one that is open."""
        entry = self.marked
        if entry is None:
            return
        conversation = self.holder(entry.id)
        if conversation is None:
            other = Badge.RUNNING in entry.badges
            self.say("It is open in another acp-tui: close it there" if other else "It is not open")
            return
        from acp_tui.ui.screens.quit import QuitScreen
        from acp_tui.ui.status import running_in

        session = conversation.session
        ends = running_in(session) if session is not None else []
        if not ends:
            self._end(conversation, True)
            return
        question = QuitScreen(ends, "Close this session? This ends:", "close it", "keep it")
        self.app.push_screen(question, partial(self._end, conversation))

    def _end(self, conversation: Conversation, sure: bool | None) -> None:
        if sure:
            self.post_message(self.EndWanted(conversation))

    def action_export(self) -> None:
        """Ask for a file."""
        entry = self.marked
        if entry is None:
            return
        if Badge.SAVED not in entry.badges:
            self.say("Nothing of it is saved here: there is nothing to export")
            return
        from acp_tui.ui.exporting import session
        from acp_tui.ui.screens.export import ExportScreen

        self.app.push_screen(ExportScreen(session(self.librarian, entry.id, entry.title), self.folder))

    def action_close(self) -> None:
        """The nearest open thing, else back."""
        if self.query_one("#library-name").display:
            self._close_name()
        elif not self.clear():
            self.dismiss(None)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)

    # Doing it

    def say(self, text: str, severity: str = "info") -> None:
        """In passing."""
        self.post_message(Told(text, severity=severity))

    def _do(
        self, deed: Callable[[Library], object], told: str, then: Callable[[], object] = lambda: None
    ) -> None:
        self.run_worker(later(self._done, deed, told, then), group="library-deed")

    async def _done(self, deed: Callable[[Library], object], told: str, then: Callable[[], object]) -> None:
        try:
            await self.librarian.ask(deed)
        except OSError as error:
            self.say(f"It could not be kept: {error.strerror or error}", "warning")
            return
        then()
        if told:
            self.say(told)
        if self.gone:
            return
        self.reload(top=isinstance(self.shelf.rows, Found))
