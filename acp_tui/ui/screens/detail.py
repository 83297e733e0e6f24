"""`o`: one entity whole, in tabs: its content, its facts, raw values, and the messages it was made of (SF-04,
S18).

Invariants: what changes in the store is shown while it is read, and the reader keeps his place; long output
is read, and the journal searched, beside the keys; it changes nothing, but may ask the agent to stop it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

from textual.timer import Timer

from acp_tui.render import words
from acp_tui.render.clean import one_line
from acp_tui.render.diff import other_layout
from acp_tui.store.entities import (
    AgentRequest,
    Compaction,
    Entity,
    Message,
    Subagent,
    Submission,
    Terminal,
    ToolCall,
    Turn,
)
from acp_tui.store.holding import Handle, is_diff, loaded
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import Subscription
from acp_tui.ui.detail.around import Around
from acp_tui.ui.detail.bars import Said
from acp_tui.ui.detail.changes import DiffLayout
from acp_tui.ui.detail.content import Whole
from acp_tui.ui.detail.facts import fact_parts, kept
from acp_tui.ui.detail.marked import encoded
from acp_tui.ui.detail.parts import SLICE, Part, Words, as_json, json_parts
from acp_tui.ui.detail.pieces import Piece
from acp_tui.ui.detail.trail import TrailTab, subject, why
from acp_tui.ui.screens.tabbed import Tab, Tabbed
from acp_tui.ui.stopping import stoppable, why_not

PACE = 1 / 15
"""Seconds between two frames of what streams."""


class DetailScreen(Tabbed):
    """One entity, whole."""

    def __init__(self, key: Key, around: Around) -> None:
        self.key = key
        self.around = around
        self.store = around.store
        session = self.store.sessions.get(key.session)
        super().__init__(around.env, session.cwd if session is not None else around.cwd)
        self.how = DiffLayout()
        self.whole = Whole(key, self.store, around.now, self.how, self.aside)
        self.trail = TrailTab(subject(self.entity, self.store))
        self.watching: Subscription | None = None
        self.clock: Timer | None = None
        self.due = False
        self.known: dict[str, Tab] = {
            "Content": Tab("Content", self.whole.parts, whole=self._whole),
            "Facts": Tab("Facts", self._facts),
            "Input": Tab("Input", partial(self._value, "raw_input"), whole=partial(self._raw, "raw_input")),
            "Output": Tab(
                "Output", partial(self._value, "raw_output"), whole=partial(self._raw, "raw_output")
            ),
            "History": Tab("History", self.trail.parts, self._count),
        }
        self.values: dict[str, tuple[Any, list[Part]]] = {}

    @property
    def entity(self) -> Entity:
        """As it is now; the last one known where it is gone."""
        found = self.store.entity(self.key)
        if found is not None:
            self._last = found
        return self._last

    @property
    def session(self) -> Session | None:
        """The session it belongs to."""
        return self.store.sessions.get(self.key.session)

    # Tabs

    def tabs(self) -> list[Tab]:
        """Those that hold something."""
        entity = self.entity
        names = ["Content", "Facts"]
        if isinstance(entity, ToolCall):
            names += ["Input"] if entity.raw_input is not None else []
            names += ["Output"] if entity.raw_output is not None else []
        return [self.known[name] for name in [*names, "History"]]

    def _whole(self) -> Piece | None:
        entity = self.entity
        name = f"{entity.key.kind}.json"
        return Piece("all that is kept of it", name, lambda: encoded(as_json(kept(entity))))

    def _facts(self) -> list[Part]:
        return fact_parts(self.entity, self.session)

    def _value(self, name: str) -> list[Part]:
        """A big one is written out in a thread."""
        value = getattr(self.entity, name, None)
        known = self.values.get(name)
        if known is None or known[0] is not value:
            known = self.values[name] = (value, [Words("reading …", "dim")])
            if not isinstance(value, Handle):
                known[1][:] = json_parts(value)
            else:
                self.aside(lambda: json_parts(value.loaded()), partial(self._written_out, name, value))
        return known[1]

    def _written_out(self, name: str, value: Handle, parts: list[Part]) -> None:
        if self.values[name][0] is value:
            self.values[name] = (value, parts)

    def aside(self, make: Callable[[], list[Part]], done: Callable[[list[Part]], object]) -> None:
        """Make parts in a thread, and show what came of it."""
        self.run_worker(partial(self._make, make, done), thread=True)

    def _make(self, make: Callable[[], list[Part]], done: Callable[[list[Part]], object]) -> None:
        try:
            parts = make()
        except Exception as error:  # of whatever kind: the rest can still be read
            self.broke(error)
            parts = [Words("This could not be shown. The other tabs may have it.", "status_failed")]
        if self.is_attached:
            self.app.call_from_thread(self._came, done, parts)

    def _came(self, done: Callable[[list[Part]], object], parts: list[Part]) -> None:
        done(parts)
        self.again()

    def _raw(self, name: str) -> Piece:
        what = name.removeprefix("raw_")
        value = getattr(self.entity, name, None)
        return Piece(f"the {what}", f"{what}.json", lambda: encoded(as_json(loaded(value)) + "\n"))

    def _count(self) -> str:
        return f"{len(self.trail.found):,}" if self.trail.begun else ""

    def show(self, tab: Tab) -> None:
        """Reads the journal when its tab is looked at, not before."""
        super().show(tab)
        if tab is self.known["History"]:
            self.read_journal()

    # What it is

    def about(self) -> Key:
        return self.key

    def heading(self) -> tuple[Sequence[Said], Sequence[Said]]:
        """What it is and how it stands."""
        glyph, title = title_of(self.entity)
        words_, style = status_of(self.entity, self.around.now())
        return [(f"{glyph} " if glyph else "", "dim"), (title, "strong")], [(f"  {words_}", style)]

    def extra_keys(self) -> Sequence[tuple[str, str]]:
        """What can be done here and not everywhere."""
        parts = self.sheet.pile.parts
        stops = [("detail.previous detail.next", "move")] if any(part.stop for part in parts) else []
        told = self.tab is self.known["History"]
        folds = [("detail.fold", "open"), ("detail.fold_all", "all")] if told else []
        if any(part.leads for part in parts):
            folds = [("detail.fold", "open")]
        if any(part.piece is not None and not part.piece.text for part in parts):
            folds = [*folds, ("detail.view", "view")]
        both = self.tab is self.known["Content"] and self._has_diff()
        stop = [("detail.stop", "stop it")] if stoppable(self.store, self.key) is not None else []
        return [*stop, *stops, *folds, *([("detail.layout", "layout")] if both else [])]

    def _has_diff(self) -> bool:
        entity = self.entity
        return isinstance(entity, ToolCall) and any(map(is_diff, entity.content))

    def action_layout(self) -> None:
        """Diffs side by side, or in one column."""
        self.how.layout = other_layout(self.how.layout, self.sheet.pile.width)
        self.sheet.settle()

    def action_stop(self) -> None:
        """Ask for the end of what runs here."""
        intent = stoppable(self.store, self.key)
        if intent is None:
            self.tell(why_not(self.store, self.key))
        else:
            self.around.do(intent)

    def lead(self, key: Key) -> None:
        """Another entity on top of this one; a subagent as its conversation."""
        entity = self.store.entity(key)
        if isinstance(entity, Subagent):
            self.open_session(entity.child)
        elif entity is not None:
            self.app.push_screen(DetailScreen(key, self.around))

    def open_session(self, ref: str) -> None:
        """The conversation of a subagent on top of this."""
        from acp_tui.ui.screens.child import ChildScreen

        if ref in self.store.sessions:
            self.app.push_screen(ChildScreen(ref, self.around))

    # Living

    def on_mount(self) -> None:
        """Follow what changes; follow the end of what runs."""
        entity = self.entity
        running = (isinstance(entity, ToolCall) and entity.running) or (
            isinstance(entity, Terminal) and not entity.exited
        )
        self.known["Content"].pile.following = running
        self.watching = self.follow(self.store, self.changed, self._keys())
        self.clock = self.set_interval(1.0, self.tick, pause=not running)
        self.set_timer(SLICE / 2, self.read_on)  # the first picture of the screen takes a turn of its own

    def _keys(self) -> set[Key]:
        return {self.key, *self.whole.related()}

    def changed(self, _: frozenset[Key]) -> None:
        """Show it, at a pace the eye can read."""
        if not self.due:
            self.due = True
            self.set_timer(PACE, self.settle)

    def settle(self) -> None:
        """Show what is there now."""
        self.due = False
        if not self.is_attached:
            return
        if self.watching is not None and self._keys() != self.watching.keys:
            self.watching.set(self._keys())
        if self.tab is self.known["History"]:
            self.read_journal()
        self.read_on()

    def read_on(self) -> None:
        """A little more of long output; the rest after the keys that wait."""
        if not self.is_attached:
            return
        end = monotonic() + SLICE
        try:
            through = self.whole.step(lambda: monotonic() > end)
        except Exception as error:  # of whatever kind: what was read can be seen
            self.broke(error)
            through = True
        if self.tab is not self.known["History"]:
            self.again()
        if not through:
            self.set_timer(SLICE / 2, self.read_on)

    def tick(self) -> None:
        """A second has passed while it runs."""
        entity = self.entity
        if not (isinstance(entity, ToolCall) and entity.running) and not (
            isinstance(entity, Terminal) and not entity.exited
        ):
            assert self.clock is not None
            self.clock.pause()
        self.sheet.settle()
        self.say()

    # The journal

    def read_journal(self) -> None:
        """What came since, in a thread."""
        if not self.trail.reading:
            self.trail.reading = True
            self.run_worker(partial(self._read, tuple(self.around.journals())), thread=True)

    def _read(self, paths: Sequence[Path]) -> None:
        problem = "" if paths else why(OSError(), paths)
        try:
            for batch in self.trail.history.read(paths):
                if not self.is_attached:
                    return
                self.app.call_from_thread(self._took, batch, "", True)
        except OSError as error:
            problem = why(error, paths)
        if self.is_attached:
            self.app.call_from_thread(self._took, [], problem, False)

    def _took(self, batch: Sequence[Any], problem: str, reading: bool) -> None:
        self.trail.add(batch)
        self.trail.problem, self.trail.reading = problem, reading
        if self.tab is self.known["History"]:
            self.again()


def title_of(entity: Entity) -> tuple[str, str]:
    """A glyph and the name of an entity, on one line."""
    kind = entity.key.kind
    match entity:
        case ToolCall():
            return words.KIND_GLYPHS.get(entity.kind, ""), one_line(
                entity.title or entity.name or entity.kind, 300
            )
        case Terminal():
            return "$", one_line(entity.command or "terminal", 300)
        case AgentRequest():
            return "?", one_line(getattr(entity.params, "title", None) or entity.method, 300)
    names = {
        Kind.USER_MESSAGE: "Your message",
        Kind.AGENT_MESSAGE: "The agent's message",
        Kind.AGENT_THOUGHT: "A thought",
        Kind.TURN: "The end of a turn",
        Kind.SUBMISSION: "Your message",
    }
    title = getattr(entity, "title", None)
    said = names.get(kind, kind.replace("_", " ").capitalize())
    return "", one_line(f"{said} · {title}" if title else said, 300)


def status_of(entity: Entity, at: float) -> tuple[str, str]:
    """How it stands, in words, and the style of them."""
    match entity:
        case ToolCall():
            return _status_of_call(entity, at)
        case Terminal():
            wish = words.CANCELS[entity.cancel.status] if entity.cancel is not None else ""
            if entity.exit_status is None:
                return words.NO_FINAL.get(entity.no_final) or wish or "running", "dim"
            status = entity.exit_status
            said = words.exit_status(status.exit_code, status.signal)
            return f"{said} · {wish}" if wish else said, "bad" if status.exit_code else "dim"
        case Compaction():
            return one_line(entity.status, 30), "bad" if entity.status == "failed" else "dim"
        case Turn():
            return words.stop_reason(entity.stop_reason), "bad" if entity.stop_reason == "error" else "dim"
        case AgentRequest():
            return ("waits for you", "wait") if entity.status == "pending" else (entity.status, "dim")
        case Submission():
            return words.SUBMISSIONS.get(entity.status) or entity.status, "dim"
        case Message():
            return ("complete" if entity.closed_at is not None else "growing"), "dim"
    return "", ""


def _status_of_call(call: ToolCall, at: float) -> tuple[str, str]:
    status = call.display_status
    said = words.NO_FINAL[call.no_final] if call.no_final and not call.final else words.status(status)
    time = ""
    if call.started_at is not None:
        if call.ended_at is not None:
            took = call.ended_at - call.started_at
            time = words.duration(took) if took >= 0.05 else ""
        elif call.running:
            time = words.running(at - call.started_at)
    glyph = words.status_glyph(status)
    if call.no_final and not call.final:
        glyph = words.no_final_glyph(call.no_final)
    if call.cancel is not None:
        said += f" · {words.CANCELS[call.cancel.status]}"
    return f"{glyph} {said}" + (f" · {time}" if time else ""), "bad" if status == "failed" else "dim"
