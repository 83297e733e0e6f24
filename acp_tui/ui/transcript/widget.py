"""The conversation of one session: what changes in the store appears, keys and clicks act on its members.

Invariants: it reads the store and changes nothing in it; what the user wants goes up as a message. Each
session keeps its own `Column`, so that switching back shows what was there: place, folds and cursor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from textual import events
from textual.geometry import Offset
from textual.message import Message
from textual.selection import Selection

from acp_tui.base import crash
from acp_tui.render.clean import pasteable
from acp_tui.render.look import act_at
from acp_tui.render.told import told
from acp_tui.render.view import View
from acp_tui.render.views import make_view
from acp_tui.store.entities import Entity, Subagent
from acp_tui.store.keys import Key, Kind
from acp_tui.store.store import Store, Subscription
from acp_tui.ui import keys
from acp_tui.ui.terminal.dragging import drag_on
from acp_tui.ui.transcript import selection as spots
from acp_tui.ui.transcript.broken import Broke
from acp_tui.ui.transcript.finding import Finding
from acp_tui.ui.transcript.grouped import GROUP, GroupedColumn
from acp_tui.ui.transcript.jumps import JUMPS, child_of, place_of
from acp_tui.ui.transcript.look import CSS, PARTS
from acp_tui.ui.transcript.scroll import FRAME, TEXT_RATE

_GROWING = frozenset({Kind.AGENT_MESSAGE, Kind.AGENT_THOUGHT, Kind.TERMINAL, Kind.TOOL_CALL})
"""What streams, a call that tells how far it is too: shown at a pace the eye can read, not chunk by chunk."""


class Transcript(Finding, inherit_bindings=False):
    """Shows one session; `show` another."""

    DEFAULT_CSS = CSS
    COMPONENT_CLASSES = PARTS
    BINDINGS = keys.bindings("transcript")

    @dataclass
    class Opened(Message):
        """The user wants the whole of an entity."""

        key: Key

    @dataclass
    class StopWanted(Message):
        """The user wants an entity to end: a tool call, a terminal, a prompt that was not accepted."""

        key: Key

    @dataclass
    class ExportWanted(Message):
        """The user wants the entries from one to another in a file."""

        first: Key
        last: Key

    @dataclass
    class SessionWanted(Message):
        """The user wants the conversation of a subagent, by its session's reference."""

        ref: str

    @dataclass
    class Link(Message):
        """A link was clicked."""

        url: str

    @dataclass
    class EditorWanted(Message):
        """The user wants an editor at a place in a file; the path is as the agent gave it."""

        path: str
        line: int | None

    def __init__(
        self,
        store: Store,
        ref: str,
        now: Callable[[], float],
        *,
        steady: bool | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(steady=steady, id=id, classes=classes)
        self.ref = ref
        """The session that is shown."""
        self._store = store
        self._now = now
        self.thoughts_open = False
        """The user wants to see new thoughts whole while they grow."""
        self._columns: dict[str, GroupedColumn] = {}
        self._watched: Subscription | None = None
        self._missed: frozenset[Key] = frozenset()
        """What changed while another screen was before the user."""
        self.broken: dict[str, Exception] = {}
        """Errors of views by their places in the code; the entities stand as one line each."""

    # Which session

    def on_mount(self) -> None:
        """Only now is there a frame to be told in."""
        self._clock = self.set_interval(1.0, self.tick, pause=True)
        self.show(self.ref)

    def show(self, ref: str) -> None:
        """Show this session, as it was left."""
        self.end_search()
        self.ref = ref
        if not self.is_attached:
            return
        self._columns = {known: c for known, c in self._columns.items() if known in self._store.sessions}
        column = GroupedColumn(self._store, ref, self._make, self._broke)
        self.column = self._columns.setdefault(ref, column)
        self.select(None)
        self._fit()
        self.column.sync()
        self.column.catch_up()
        self.unfollow()
        self._watched = self.follow(self._store, self._changed, self.column.foreign(), [ref])
        self.show_anew()

    def _make(self, entity: Entity) -> View:
        return make_view(entity, self._store, self._now, thoughts_open=self.thoughts_open)

    def _broke(self, key: Key, error: Exception) -> None:
        place = crash.place(error)
        if place not in self.broken:
            self.broken[place] = error
            self.app.post_message(Broke(key, error))

    def wake(self) -> None:
        """The screen is before the user again: what was put off meanwhile."""
        missed, self._missed = self._missed, frozenset()
        if missed:
            self._changed(missed)

    def _changed(self, changed: frozenset[Key]) -> None:
        column = self.column
        if column is None:
            return
        if not self.screen.is_current:
            self._missed |= changed
            return
        kinds = {key.kind for key in changed}
        listed = Kind.TIMELINE in kinds or column.session is not self._store.sessions.get(self.ref)
        if listed or column.concerned(changed):
            self.mark(changed)
            self.settle_in_turn(FRAME if listed or not kinds <= _GROWING else 1 / TEXT_RATE)

    def settle(self) -> None:
        """Also watch what is drawn here of other sessions, and give the cursor a place."""
        super().settle()
        column = self.column
        if column is None or self._watched is None:
            return
        drag_on(self.screen)
        (self._clock.resume if self.ticking else self._clock.pause)()
        foreign = column.foreign()
        if foreign != self._watched.keys:
            self._watched.set(foreign, [self.ref])
        if self.has_focus and self.rows and (column.cursor is None or column.place(column.cursor) is None):
            self.point(self.rows[-1 if self.following else 0].member)

    def view_of(self, key: Key) -> View | None:
        """The view of a member of the session that is shown."""
        index = self.column.place(key) if self.column is not None else None
        return self.column.views[index] if self.column is not None and index is not None else None

    # Time that runs

    @property
    def ticking(self) -> bool:
        """Something in the window shows a running time; the clock runs only then."""
        column = self.column
        return column is not None and any(
            column.ask(i, lambda view: view.ticking) for i in {row.member for row in self.rows}
        )

    def tick(self) -> None:
        """Show what time it is now; only lines with a running time are made anew."""
        if self.ticking and self.screen.is_current:
            self.show_anew()

    # The cursor

    def on_focus(self) -> None:
        """Show the cursor, on something that is seen."""
        if self._cursor() is None and self.rows:
            self.point(self.rows[-1 if self.following else 0].member)

    def _cursor(self) -> int | None:
        """The member under the cursor, if any of it is in the window."""
        column = self.column
        index = column.place(column.cursor) if column is not None and column.cursor is not None else None
        return index if index in {row.member for row in self.rows} else None

    def action_cursor(self, by: int) -> None:
        """To the next entry; within one that reaches out of the window, on in it."""
        column, index = self.column, self._cursor()
        if column is None or not self.rows:
            return
        if index is None:
            self.point(self.rows[0 if by > 0 else -1].member)
            return
        if column.step_inside(index, by):
            self.show_anew()
            return
        height = self.size.height
        start = column.heights.start(index) - column.top_line
        beyond = start + column.heights[index] - height if by > 0 else -start
        if beyond > 0:
            self.move(by * min(beyond, max(1, height // 2)))
        elif (target := column.step(index, by)) is not None:
            self.point(target, inside=by < 0)
            self._reveal(target)
        else:
            self.move(by * height)

    def _reveal(self, index: int) -> None:
        column, height = self.column, self.size.height
        assert column is not None
        start = column.heights.start(index) - column.top_line
        if start < 0:
            self.stand(index)
        else:
            over = start + len(column.lines(index, hurried=True)) - height
            if over > 0:
                self.move(min(over, start))

    def action_first(self) -> None:
        """To the beginning."""
        if self.column is not None and len(self.column):
            self.point(0 if self.column.heights[0] else self.column.step(0, 1) or 0)
            self.stand(0)

    def action_last(self) -> None:
        """To the end, and follow it."""
        if self.column is not None and len(self.column):
            self.point(self.column.step(len(self.column), -1) or 0)
            self.follow_end()

    def action_page(self, by: int) -> None:
        """A page, with two lines of the last one; the cursor comes along."""
        self.move(by * max(1, self.size.height - 2))
        self.settle()
        if self._cursor() is None and self.rows:
            self.point(self.rows[0 if by > 0 else -1].member)

    def action_jump(self, what: str, by: int) -> None:
        """To the entry of that sort before or after; after the user's last message, to the end."""
        column = self.column
        if column is None or not self.rows:
            return
        here = self._cursor()
        target = column.step(self.rows[0].member if here is None else here, by, JUMPS[what])
        if target is not None:
            self.point(target)
            self.stand(target, row=-1 if column.views[target].gap else 0)
        elif what == "message" and by > 0:
            self.action_last()
        else:
            self.notify(f"No {what} {'below' if by > 0 else 'above'}", timeout=2, markup=False)

    def action_hit(self, by: int) -> None:
        """To the next hit of the search that is open or the one before, and stay there; else open one."""
        if self.searching:
            self.next_hit(by)
            self.keep_place()
        else:
            self.action_search()

    def action_follow_end(self) -> None:
        """Follow the end."""
        self.follow_end()

    # Acting on an entry

    def action_fold(self) -> None:
        """Open or fold the entry under the cursor; one that only stands for a subagent opens that."""
        if (index := self._cursor()) is not None and self.column is not None:
            entity = self.column.views[index].entity
            if isinstance(entity, Subagent):
                self.post_message(self.SessionWanted(entity.child))
                return
            self._act(index, GROUP if self.column and self.column.on_line(index) else ("toggle",))

    def action_fold_thoughts(self) -> None:
        """Open or fold all thoughts, also those to come."""
        if self.column is not None:
            self.column.fold_thoughts()
            self.show_anew()

    def action_dim(self) -> None:
        """Dim what the agent does not know any more, or show it like the rest."""
        column = self.column
        if column is not None:
            column.dims = not column.dims
            if not column.past:
                self.notify("Nothing stands above a compaction", timeout=2, markup=False)
            self.show_anew()

    def action_layout(self) -> None:
        """Show the diff under the cursor side by side, or in one column; open it if it is folded."""
        if (index := self._cursor()) is not None:
            self._act(index, ("layout",))

    def _act(self, index: int, action: tuple[object, ...]) -> None:
        """Let a view act; its first line stays on its row."""
        column = self.column
        if column is None:
            return
        row = column.heights.start(index) - column.top_line
        if column.fold(index, action):
            self.stand(index, row=max(0, row))

    def action_copy(self) -> None:
        """Copy the source of the entry under the cursor."""
        if self.column is not None and (index := self._cursor()) is not None:
            sources = [self.column.ask(i, lambda view: view.source()) for i in self.column.members(index)]
            self._copy("\n".join(sources))

    def action_copy_told(self) -> None:
        """Copy the entry, or all entries that are selected in part, as markdown."""
        column, index, selection = self.column, self._cursor(), self.text_selection
        if column is None:
            return
        members: Iterable[int] = column.members(index) if index is not None else ()
        if selection is not None:
            members = self.members_of(selection, column)
        if said := told(column.views[i] for i in members):
            self._copy(said)

    def action_export(self) -> None:
        """Ask for a file with the entry, or with all entries that are selected in part."""
        column, index, selection = self.column, self._cursor(), self.text_selection
        if column is None:
            return
        members = list(column.members(index)) if index is not None else []
        if selection is not None:
            members = list(self.members_of(selection, column))
        if members:
            self.post_message(self.ExportWanted(column.views[members[0]].key, column.views[members[-1]].key))

    def _copy(self, text: str) -> None:
        text = pasteable(text)
        self.app.copy_to_clipboard(text)
        lines = text.count("\n") + 1
        self.notify(f"Copied {lines} line{'s' if lines > 1 else ''}", timeout=2, markup=False)

    def action_open(self) -> None:
        """Ask for the entry whole."""
        if self.column is not None and (index := self._cursor()) is not None:
            self.post_message(self.Opened(self.column.views[index].key))

    def action_stop(self) -> None:
        """Ask for the end of what the entry under the cursor runs."""
        if self.column is not None and (index := self._cursor()) is not None:
            self.post_message(self.StopWanted(self.column.views[index].key))

    def action_session(self) -> None:
        """Ask for the conversation of the subagent that the entry under the cursor names."""
        if self.column is not None and (index := self._cursor()) is not None:
            ref = child_of(self.column.views[index].entity, self._store)
            if ref is not None:
                self.post_message(self.SessionWanted(ref))
            else:
                self.notify("No subagent here", timeout=2, markup=False)

    def action_edit(self) -> None:
        """Ask for an editor where the entry points first."""
        if self.column is not None and (index := self._cursor()) is not None:
            place = place_of(self.column.views[index].entity)
            if place is not None:
                self.post_message(self.EditorWanted(*place))
            else:
                self.notify("Nothing here points to a file", timeout=2, markup=False)

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """One click acts on what is marked, two select a word, three the line's words."""
        event.prevent_default()  # the base would select everything
        if not 0 <= event.y < len(self.rows):
            return
        row = self.rows[event.y]
        if event.chain > 1:
            self._select_word(event, whole=event.chain > 2)
        elif self.text_selection is None and self.column is not None:
            self.point(row.member, inside=row.line > self.column.views[row.member].gap)
            action = act_at(row.strip, event.x)
            if action[:1] == ("link",):
                self.post_message(self.Link(str(action[1])))
            elif action[:1] == ("open",):
                self.post_message(self.EditorWanted(str(action[1]), action[2]))
            elif action[:1] == ("copy",):
                self._copy(self.column.ask(row.member, lambda view: view.excerpt(*action[1:])))
            elif action[:1] == ("session",):
                self.post_message(self.SessionWanted(str(action[1])))
            elif action[:1] == ("stop",):
                self.post_message(self.StopWanted(self.column.views[row.member].key))
            elif action[:1] == ("content",):
                self.post_message(self.Opened(self.column.views[row.member].key))
            elif action:
                self._act(row.member, action)

    def _select_word(self, event: events.Click, whole: bool) -> None:
        row = self.rows[event.y]
        text = row.strip.text
        words = (0, len(text.rstrip())) if whole else spots.word_at(text, spots.character_at(text, event.x))
        if words is not None:
            y = spots.spot(row.member, row.line)
            self.select(Selection(Offset(words[0], y), Offset(words[1], y)))
