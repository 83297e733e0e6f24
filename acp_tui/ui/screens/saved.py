"""A saved session, to be read: as it looked, without its agent; live while another acp-tui writes it.

Invariants: nothing is sent and nothing is kept from here; what could not be read stands at the top, the rest
is shown; while it is read in, the user sees how far that is and can leave.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import ClassVar

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.timer import Timer
from textual.widgets import Static

from acp_tui.client.intents import Intent
from acp_tui.render.clean import one_line
from acp_tui.render.words import count
from acp_tui.store.keys import Key, Kind
from acp_tui.ui import keys
from acp_tui.ui.detail.around import Around
from acp_tui.ui.detail.bars import Bar
from acp_tui.ui.detail.facts import moment
from acp_tui.ui.reader import Reader, Spot
from acp_tui.ui.screens.reading import ReadingScreen
from acp_tui.ui.standing import Hint, Status
from acp_tui.ui.transcript.aiming import aim, session_of
from acp_tui.ui.transcript.widget import Transcript
from acp_tui.ui.widgets.header import short_folder
from acp_tui.ui.widgets.plan_line import PlanLine
from acp_tui.ui.widgets.search_bar import TYPING, WALKING, Field, SearchBar
from acp_tui.ui.widgets.status_line import StatusLine
from acp_tui.ui.workers import later

LOOK = 0.5
"""Seconds between two looks at what another acp-tui writes."""
PROGRESS = 0.2
AT_ONCE = 3
"""Problems said at the top; all of them are among the notices."""
_READING: tuple[Hint, ...] = (
    ("saved.close", "back"),
    ("transcript.up transcript.down", "move"),
    ("transcript.fold", "open"),
    ("transcript.search", "search"),
)


class SavedScreen(ReadingScreen):
    """See the module."""

    BINDINGS: ClassVar[list[BindingType]] = keys.bindings("saved")
    DEFAULT_CSS = """
    SavedScreen #saved-problems { height: auto; max-height: 6; padding: 0 1; color: $warning; display: none; }
    SavedScreen #saved-empty { height: 1fr; padding: 1 1 0 1; color: $text-muted; }
    """

    def __init__(
        self,
        reader: Reader,
        now: Callable[[], float],
        resume: Callable[[SavedScreen], None],
        spot: Spot | None = None,
        shown: Callable[[SavedScreen], None] | None = None,
    ) -> None:
        super().__init__()
        self.reader = reader
        self.spot = spot
        self._now = now
        self._go_on = resume
        self._shown = shown
        """Called as soon as it is read."""
        self._clock: Timer | None = None
        self._looking = False

    @property
    def around(self) -> Around:
        """No agent: a wish is answered with a word."""
        folded, session = self.reader.folded, self.reader.session
        assert folded is not None
        cwd = session.cwd if session is not None else ""
        paths = (*folded.paths, *self.reader.above)
        return Around(
            store=folded.store,
            now=self._now,
            cwd=cwd,
            journals=lambda: paths,
            do=self._no,
            standing=self._standing,
        )

    def _no(self, _: Intent) -> None:
        self.tell("It is read only here", severity="warning")

    def compose(self) -> ComposeResult:
        yield Bar("saved-title")
        yield Static("", id="saved-problems", markup=False)
        yield Static("Reading …", id="saved-empty", markup=False)
        yield StatusLine(self._now, id="status")

    def on_mount(self) -> None:
        """Read it, unless somebody has."""
        self._clock = self.set_interval(LOOK, self._look, pause=True)
        self._tell_state()
        self.run_worker(later(self._load))

    def on_unmount(self) -> None:
        """Nobody wants it any more."""
        self.reader.closed = True

    # Reading it in

    async def _load(self) -> None:
        if not self.reader.loaded:
            clock = self.set_interval(PROGRESS, self._tell_progress)
            problem = await _read(self.reader)
            clock.stop()
            if problem:
                self._say(problem)
                return
        await self.show()
        if self._shown is not None:
            self._shown(self)

    def _tell_progress(self) -> None:
        if self.reader.done:
            self._say(f"Reading … {self.reader.done} %")

    def _say(self, text: str) -> None:
        self.query_one("#saved-empty", Static).update(text)

    async def show(self) -> None:
        """It was read."""
        session, store = self.reader.session, self.reader.store
        self._tell_title(frozenset())
        if session is None or store is None:
            self._say(f"Nothing of it is saved here. {keys.hint('saved.resume')} asks its agent for it.")
            self.tell_keys()
            return
        self.query_one("#saved-empty").display = not session.timeline
        self._say("Nothing was said in it.")
        plan = PlanLine()
        plan.look = lambda: self.transcript.look
        await self.mount(Transcript(store, session.ref, self._now), plan, before="#status")
        await self.mount(SearchBar(), before="#status")
        plan.show(store, session.ref)
        for name in ("following", "unseen", "searching"):
            self.watch(self.transcript, name, self.tell_keys, init=False)
        self.transcript.display = bool(session.timeline)
        told = (Key(session.ref, kind) for kind in (Kind.INFO, Kind.TIMELINE))
        self.follow(store, self._tell_title, keys=told)
        self.transcript.focus()
        self._tell_state()
        self.call_after_refresh(self._aim)

    def _aim(self) -> None:
        """To the place it was opened for; in a subagent's conversation on top of this one."""
        spot, store = self.spot, self.reader.store
        if spot is None or store is None:
            return
        ref = session_of(store, spot) or self.transcript.ref
        if ref == self.transcript.ref:
            aim(self.transcript, self.query_one(SearchBar), store, spot)
        else:
            from acp_tui.ui.screens.child import ChildScreen

            self.app.push_screen(ChildScreen(ref, self.around, spot))

    # Words

    def on_resize(self) -> None:
        """More or less room."""
        if self.query("#saved-title"):
            self._tell_title(frozenset())

    def _tell_title(self, _: frozenset[Key]) -> None:
        """Who, when, where; live, for title and length may change."""
        entry, session = self.reader.entry, self.reader.session
        if entry is None:
            return
        title = session.info.title if session is not None and not entry.named else ""
        name = one_line(title or entry.title, 200) or "without a title"
        folded = self.reader.folded
        agent = folded.store.connection.agent_name if folded is not None else entry.agent
        at = folded.at if folded is not None else entry.active
        when = moment(at)[:16] if at else ""
        many = (one_line(agent, 24), one_line(short_folder(entry.cwd), 28), when), (one_line(agent, 24), when)
        lines = [" · ".join(filter(None, parts)) for parts in many]
        most = (
            self.size.width - min(cell_len(name), self.size.width // 3) - 4
        )  # the title is what one looks for
        facts = next((line for line in lines if cell_len(line) <= most), when)
        self.query_one("#saved-title", Bar).say([(name, "strong")], [("  " + facts, "dim")])
        if session is not None and session.timeline and self.query(Transcript):
            self.query_one("#saved-empty").display = False
            self.transcript.display = True

    def _standing(self) -> Status:
        owner = self.reader.owner
        if owner is None:
            return Status("calm", "saved · read only")
        return Status("busy", f"open in another acp-tui, pid {owner.pid}: read only, live")

    def _tell_state(self) -> None:
        self.query_one(StatusLine).status = self._standing()
        if self._clock is not None:
            (self._clock.pause if self.reader.owner is None else self._clock.resume)()
        self._tell_problems()
        self.tell_keys()

    def _tell_problems(self) -> None:
        problems = self.reader.problems
        more = len(problems) - AT_ONCE
        lines = [f"! {problem}" for problem in problems[:AT_ONCE]]
        lines += [f"! {count(more, 'more problem')}: {keys.hint('saved.notices')}"] if more > 0 else []
        said = self.query_one("#saved-problems", Static)
        said.update("\n".join(lines))
        said.display = bool(lines)

    # Following another acp-tui

    def heed(self) -> None:
        """Somebody else has it open now: follow him."""
        self._tell_state()
        self._look()

    def _look(self) -> None:
        if not self._looking:
            self._looking = True
            self.run_worker(later(self._take_news))

    async def _take_news(self) -> None:
        before = self.reader.owner
        try:
            await self.reader.take_in(await asyncio.to_thread(self.reader.news))
        except OSError as error:
            self.reader.problems.insert(0, f"It cannot be followed any more: {error.strerror or error}.")
            self.reader.owner = None
        finally:
            self._looking = False
        if self.reader.owner != before and self.is_attached:
            if self.reader.owner is None and before is not None:
                self.tell(f"The acp-tui with pid {before.pid} has left this session")
            self._tell_state()

    # Keys

    def on_descendant_focus(self) -> None:
        """The keys that matter are those of what has the focus."""
        self.tell_keys()

    def tell_keys(self) -> None:
        """Say what the next key does here."""
        status = self.query_one(StatusLine)
        resume: tuple[Hint, ...] = (("saved.resume", "resume"),) if self.reader.owner is None else ()
        status.hints = (*resume, *_READING)
        if not self.query(Transcript):
            return
        if self.transcript.searching:
            status.hints = TYPING if isinstance(self.focused, Field) else WALKING
        self.tell_below()

    def action_close(self) -> None:
        """The nearest open thing, else back."""
        if not self.close_nearest():
            self.dismiss(None)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)

    def action_resume(self) -> None:
        """Go on with it, where nobody else does."""
        owner = self.reader.owner
        if owner is not None:
            self.tell(f"It is open in another acp-tui, pid {owner.pid}: go on with it there, or end that one")
        elif self.reader.loaded:
            self._go_on(self)

    def action_plan(self) -> None:
        """The whole plan, the next one, or its line."""
        if not (self.query(PlanLine) and self.query_one(PlanLine).turn()):
            self.tell("There is no plan")

    def action_notices(self) -> None:
        """What was told beside it, and what could not be read."""
        from acp_tui.ui.screens.notices import NoticesScreen

        if self.reader.session is not None:
            self.app.push_screen(NoticesScreen(self.reader.session, self.around))


async def _read(reader: Reader) -> str:
    """In a thread; what is in the way, in a sentence."""
    try:
        await asyncio.to_thread(reader.load)
    except LookupError as error:
        return str(error.args[0]) if error.args else "There is no such session."
    except OSError as error:
        return f"It cannot be read: {(error.strerror or str(error)).lower()} ({error.filename})."
    return ""
