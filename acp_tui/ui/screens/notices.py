"""F2: what the agent told beside the conversation: notices, updates this version does not know, lines that
were no messages, and what it says on stderr (NT-06, EX-05, TR-14).

Invariants: live; everything as it came, cleaned, never markup; a notice that comes again and again is one
entry with a count; unknown updates are shown raw. What acp-tui itself told about the agent stands among the
agent's notices, marked as its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from acp_tui.render import words
from acp_tui.render.clean import clean, one_line
from acp_tui.render.code import highlight
from acp_tui.render.look import Look, act
from acp_tui.render.wrap import Lines, Run, cut, spread, wrap
from acp_tui.store.entities import NoticeRecord, UnknownUpdate
from acp_tui.store.keys import Key, Kind
from acp_tui.store.session import Session
from acp_tui.store.store import CONNECTION
from acp_tui.ui.detail.around import Around
from acp_tui.ui.detail.bars import Said
from acp_tui.ui.detail.facts import moment
from acp_tui.ui.detail.marked import encoded
from acp_tui.ui.detail.parts import Blank, Folding, Head, Part, Words, as_json
from acp_tui.ui.detail.pieces import Piece, file_name
from acp_tui.ui.screens.detail import PACE
from acp_tui.ui.screens.tabbed import Tab, Tabbed

_MOVE = ("detail.previous detail.next", "move")
SHOWN = 4000
"""Lines of one unknown update; saved, it is whole."""
_STYLES = {"warning": "status_waiting", "error": "status_failed"}
WIDEST = 12
"""Cells of the severity at most; agents may have their own."""
_GLYPHS = {"info": "i", "success": "✓", "warning": "!", "error": "✗"}


@dataclass(slots=True)
class Told:
    """A notice, and how often it came in a row."""

    notice: NoticeRecord
    first: float
    times: int = 1
    ours: bool = False
    """acp-tui said it, not the agent."""
    column: int = len("warning")
    """Cells of the severity in all of them."""


def coalesced(notices: Iterable[NoticeRecord], ours: Iterable[NoticeRecord] = ()) -> list[Told]:
    """Notices and what acp-tui said itself, in the order of their times; neighbours that say the same are
    one, with the time of the last."""
    made: list[Told] = []
    known = [*((notice, False) for notice in notices), *((notice, True) for notice in ours)]
    for notice, own in sorted(known, key=lambda one: one[0].at):
        last = made[-1] if made else None
        if last is not None and (_said(last.notice), last.ours) == (_said(notice), own):
            last.notice, last.times = notice, last.times + 1
        else:
            made.append(Told(notice, notice.at, ours=own))
    column = max((len(_severity(one.notice)) for one in made), default=0)
    for one in made:
        one.column = max(one.column, column)
    return made


def _severity(notice: NoticeRecord) -> str:
    return one_line(notice.severity, WIDEST)


def _said(notice: NoticeRecord) -> tuple[str, str, str | None]:
    return notice.severity, notice.title, notice.description


class Entry(Part):
    """One notice."""

    stop: ClassVar[bool] = True

    def __init__(self, told: Told) -> None:
        notice = told.notice
        text = "\n".join(filter(None, (notice.title, notice.description)))
        super().__init__(
            Piece("the notice", file_name(notice.title, "notice", ".txt"), lambda: encoded(text))
        )
        self.told = told

    def draw(self, width: int, look: Look) -> Lines:
        told, notice = self.told, self.told.notice
        style = getattr(look, _STYLES.get(notice.severity, "accent"))
        column: list[Run] = [
            (f" {moment(notice.at)[11:19]}  ", look.time),
            (f"{_GLYPHS.get(notice.severity, '·')} {_severity(notice):<{told.column}}  ", style),
        ]
        rest: list[Run] = [(" " * (told.column + 15), look.base)]
        runs: list[Run] = [(one_line(notice.title), look.strong)]
        if told.ours:
            runs.append(("  by acp-tui", look.dim))
        if told.times > 1:
            runs.append((f"  {told.times} times since {moment(told.first)[11:19]}", look.dim))
        made = wrap(runs, width, look.base, first=column, rest=rest)
        if notice.description:
            text = clean(notice.description).strip("\n")
            made.extend(wrap([(text, look.base)], width, look.base, first=rest))
        return made


class Strange(Folding):
    """An update of a kind we do not know, raw; folded to a line."""

    stop: ClassVar[bool] = True

    def __init__(self, update: UnknownUpdate) -> None:
        raw = update.raw
        super().__init__(Piece("the update", "update.json", lambda: encoded(as_json(raw) + "\n")))
        self.update = update
        self._opened = False

    def draw(self, width: int, look: Look) -> Lines:
        raw, toggle = self.update.raw, act("toggle")
        left: list[Run] = [
            (" ▾ " if self._opened else " ▸ ", look.dim + toggle),
            (moment(self.update.at)[11:19] + "  ", look.time + toggle),
            (one_line(str(raw.get("sessionUpdate", "?")), 60), look.subheading + toggle),
        ]
        if not self._opened:
            rest = {name: value for name, value in raw.items() if name != "sessionUpdate"}
            left.append(("  " + one_line(json.dumps(rest, ensure_ascii=False)[:400]), look.dim + toggle))
        made = Lines()
        made.add(spread(cut(left, width - 1), [(" ", look.base)], width, look.base), 3)
        if self._opened:
            lines = as_json(raw).split("\n")
            for runs in highlight([clean(line) for line in lines[:SHOWN]], "json", look):
                first = [("   ", look.base), (" ", look.code)]
                made.extend(wrap(runs, width, look.code, first=first, words=False))
        return made


class NoticesScreen(Tabbed):
    """The log of one session and its agent: newest first."""

    def __init__(self, session: Session, around: Around) -> None:
        super().__init__(around.env, session.cwd)
        self.shown = session
        self.store = around.store
        self.entries: list[Entry] = []
        self.strange: dict[int, Strange] = {}
        self.due = False
        self.all = [
            Tab("Notices", self._notices, lambda: f"{self._counts()[0]:,}"),
            Tab("Unknown updates", self._unknown, lambda: f"{len(self.shown.unknown_updates):,}"),
            Tab("Agent's output", self._output, self._lines, self._words),
        ]

    def tabs(self) -> list[Tab]:
        """Always the same three: nothing is as good to know as something."""
        return self.all

    def about(self) -> Key:
        return Key(self.shown.ref, Kind.NOTICES)

    def heading(self) -> tuple[Sequence[Said], Sequence[Said]]:
        """Whose log it is."""
        dropped = self.shown.dropped
        right = f"{words.count(dropped, 'update')} left out as invalid" if dropped else ""
        name = one_line(self.store.connection.agent_name, 60)
        return [("Notices", "strong"), (f"  {name}", "dim")], [(right, "wait")]

    def extra_keys(self) -> Sequence[tuple[str, str]]:
        """Unknown updates open."""
        return [_MOVE, ("detail.fold", "open"), ("detail.fold_all", "all")] if self.tab is self.all[1] else []

    def on_mount(self) -> None:
        """Follow what comes."""
        ref = self.shown.ref
        keys = [Key(ref, Kind.NOTICES), Key(ref, Kind.UNKNOWN_UPDATES), CONNECTION]
        self.follow(self.store, self.changed, keys)
        first = next((tab for tab, count in zip(self.all, self._counts(), strict=True) if count), self.all[0])
        self.call_later(self.show, first)

    def _counts(self) -> tuple[int, int, int]:
        connection = self.store.connection
        return (
            len(self.shown.notices) + len(connection.told),
            len(self.shown.unknown_updates),
            connection.garbage + len(connection.stderr_tail),
        )

    def changed(self, _: frozenset[Key]) -> None:
        """Show it, at a pace the eye can read."""
        if not self.due:
            self.due = True
            self.set_timer(PACE, self._settle)

    def _settle(self) -> None:
        self.due = False
        if self.is_attached:
            session = self.store.sessions.get(self.shown.ref)
            self.shown = session if session is not None else self.shown
            self.again()

    # What stands in the tabs

    def _notices(self) -> list[Part]:
        told = coalesced(self.shown.notices, self.store.connection.told)
        del self.entries[len(told) :]
        for index, one in enumerate(told[: len(self.entries)]):
            if self.entries[index].told != one:
                self.entries[index] = Entry(one)
        self.entries += [Entry(one) for one in told[len(self.entries) :]]
        return [*reversed(self.entries)] or [Words("No notices.", "dim")]

    def _unknown(self) -> list[Part]:
        updates = self.shown.unknown_updates
        self.strange = {id(one): self.strange.get(id(one)) or Strange(one) for one in updates}
        made: list[Part] = [*reversed(self.strange.values())]
        return made or [Words("Nothing came that this version does not know.", "dim")]

    def _output(self) -> list[Part]:
        connection = self.store.connection
        made: list[Part] = []
        if connection.garbage:
            count = words.count(connection.garbage, "line")
            made += [
                Head("stray output", lambda: f"{count} on stdout that were no messages"),
                Words("the last of them:", "dim", left=3),
            ]
            made += [Words(connection.last_garbage[:4000], left=3), Blank()]
        made.append(Head("stderr", self._lines))
        tail = [Words(line, left=3) for line in connection.stderr_tail]
        return [*made, *(tail or [Words("nothing", "dim", left=3)])]

    def _lines(self) -> str:
        count = len(self.store.connection.stderr_tail)
        return words.count(count, "line") if count else ""

    def _words(self) -> Piece | None:
        lines = self.store.connection.stderr_tail
        return Piece("what it said on stderr", "stderr.log", lambda: encoded("\n".join(lines) + "\n"))
