"""Entries as a list shows them: what the catalog has, the user's marks, who writes now.

Pure, but that branches are read where none was kept. Invariants: an entry is made only for what is returned;
what an agent told adds an entry only where nothing is saved under that id, and a title where the session got
none itself; pinned ones go first in every order; the user's name wins over the agent's; a session in which
nothing was ever said is no line, but can be had by its id.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any

from acp_tui.journal.branches import branch
from acp_tui.journal.catalog import Told
from acp_tui.journal.entry import Badge, Entry, Query
from acp_tui.journal.indexed import Row
from acp_tui.journal.marks import NONE, Mark
from acp_tui.journal.writers import Writers
from acp_tui.services.fuzzy import Haystack

MATCHES = 500
"""Best matches of a fuzzy search that are told apart from the others."""
_HIDDEN = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")


_SAID = ("messages", "tool_calls", "turns", "subagents")
"""Counts of what may be in a session."""

Whole = Callable[[str], Row | None]
"""A row with what a list leaves out."""


class Line:
    """One session before an entry is made of it."""

    __slots__ = ("active", "agent", "created", "cwd", "id", "mark", "row", "running", "title", "told")

    def __init__(self, row: Row | None, told: Told | None, mark: Mark, id: str, running: bool) -> None:
        self.row, self.told, self.mark, self.id, self.running = row, told, mark, id, running
        if row is not None:
            self.agent, self.cwd, self.title = row.agent, row.cwd, mark.name or row.title
            self.active, self.created = row.active, row.created
            if told is not None and told.title and not (mark.name or (row.titled and row.title)):
                self.title = told.title
        else:
            assert told is not None
            self.agent, self.cwd, self.title = told.agent, told.cwd, mark.name or told.title
            self.active, self.created = _moment(told.updated_at), 0.0

    @property
    def badges(self) -> frozenset[Badge]:
        return _badges(self.row, self.told, self.running)

    def entry(self, root: Path, whole: Whole, matched: tuple[int, ...] = ()) -> Entry:
        """What is shown of it."""
        row = self.row
        if row is not None and not row.rest:
            row = whole(self.id) or row
        rest = json.loads(row.rest) if row is not None and row.rest else None
        kept = rest.get("branch") if rest is not None else None
        return Entry(
            id=self.id,
            agent=self.agent,
            session_id=self._session_id,
            cwd=self.cwd,
            branch=kept if kept is not None else branch(self.cwd) or (row.branch if row is not None else ""),
            branch_kept=kept is not None,
            title=self.title,
            named=bool(self.mark.name),
            created=self.created,
            active=self.active,
            badges=self.badges,
            pinned=self.mark.pinned,
            trashed_at=self.mark.trashed_at,
            matched=matched,
            exact=self.row is None or bool(self.row.exact),
            **(_rest(rest, root) if rest is not None else {}),
        )

    @property
    def _session_id(self) -> str:
        if self.row is not None:
            return self.row.session_id
        return self.told.session_id if self.told is not None else ""


class Listing:
    """All of them at one moment."""

    def __init__(
        self,
        rows: Iterable[Row],  # the one active last first
        told: Iterable[Told],
        marks: Mapping[str, Mark],
        writing: Writers,
        root: Path,
        whole: Whole,
    ) -> None:
        self._root = root
        self._whole = whole
        said = {(one.agent, one.session_id): one for one in told}
        self._lines: list[Line] = []
        """The one active last first."""
        saved: set[tuple[str, str]] = set()
        for row in rows:
            who = row.agent, row.session_id
            running = row.broken_off and writing.write(root / row.path, row.pid, row.started)
            mine = said.get(who) if who not in saved else None  # the agent means the newest of that id
            saved.add(who)
            self._lines.append(Line(row, mine, marks.get(row.id, NONE), row.id, running))
        for who, one in said.items():
            if one.there and who not in saved:
                id = listed_id(one.agent, one.session_id)
                self._lines.append(Line(None, one, marks.get(id, NONE), id, False))
        self._lines.sort(key=_activity)

    def page(self, query: Query) -> list[Entry]:
        """One page."""
        found = self._found(query)
        shown = found[query.offset : query.offset + max(0, query.limit)]
        return [line.entry(self._root, self._whole, places) for line, places in shown]

    def place(self, query: Query, id: str) -> int | None:
        """Where one stands among all of them, from 0."""
        found = enumerate(self._found(query))
        return next((place for place, (line, _) in found if line.id == id), None)

    def count(self, query: Query) -> int:
        """All pages."""
        return len(self._found(query) if query.words.strip() else self._shown(query))

    def agents(self) -> list[str]:
        """Their names, the one used last first."""
        return list(dict.fromkeys(line.agent for line in self._lines))

    def beginning(self, prefix: str) -> list[Entry]:
        """Those whose ids begin so."""
        return [
            line.entry(self._root, self._whole)
            for line in self._lines
            if prefix and line.id.startswith(prefix)
        ]

    def newest(self, folder: str) -> Entry | None:
        """Saved, of exactly this folder; one in which nothing was said only where there is no other."""
        query = Query(folder=folder, badges=frozenset({Badge.SAVED}))
        lines = [line for line in _fitting(self._lines, query) if line.cwd.rstrip("/") == folder.rstrip("/")]
        found = next((line for line in lines if line.title or not self._blank(line)), next(iter(lines), None))
        return found.entry(self._root, self._whole) if found is not None else None

    def _found(self, query: Query) -> list[tuple[Line, tuple[int, ...]]]:
        lines = self._shown(query)
        if query.words.strip():
            return _matching(lines, query.words)
        return [(line, ()) for line in _ordered(lines, query.order)]

    def _shown(self, query: Query) -> list[Line]:
        return [line for line in _fitting(self._lines, query) if line.title or not self._blank(line)]

    def _blank(self, line: Line) -> bool:
        """Opened and left: nothing in it was said by anybody, and nobody has marked it."""
        row = line.row
        if row is None or line.title or line.running or line.mark != NONE or not row.exact:
            return False
        row = row if row.rest else self._whole(line.id)
        return row is not None and not any(map(json.loads(row.rest).get, _SAID))


def listed_id(agent: str, session_id: str) -> str:
    """Of a session that is only listed."""
    name = "\0".join(("listed", agent, session_id))
    return blake2b(name.encode(errors="replace"), digest_size=6).hexdigest()


def _activity(line: Line) -> float:
    return -line.active


_ORDERS: dict[str, Callable[[Line], Any]] = {
    "active": lambda line: not line.mark.pinned,  # so they come
    "created": lambda line: (not line.mark.pinned, -line.created, -line.active),
    "title": lambda line: (not line.mark.pinned, line.title.casefold(), -line.active),
}


def _ordered(lines: list[Line], order: str) -> list[Line]:
    if order != "active" or any(line.mark.pinned for line in lines):
        lines.sort(key=_ORDERS[order])
    return lines


def _fitting(lines: list[Line], query: Query) -> list[Line]:
    """In the order in which they come; what most queries do not ask costs nothing."""
    trashed = query.trashed
    found = [line for line in lines if (line.mark.trashed_at is not None) is trashed]
    if query.folder is not None:
        folder = query.folder.rstrip("/")
        below = folder + "/"
        found = [line for line in found if line.cwd == folder or line.cwd.startswith(below)]
    if query.agent is not None:
        found = [line for line in found if line.agent == query.agent]
    if query.badges:
        found = [line for line in found if query.badges <= line.badges]
    return found


def _matching(lines: list[Line], words: str) -> list[tuple[Line, tuple[int, ...]]]:
    """Those whose titles have the letters, the best first, the one active last first among equals."""
    named: dict[str, list[Line]] = {}
    for line in lines:
        named.setdefault("".join(" " if c in _HIDDEN else c for c in line.title), []).append(line)
    matches = Haystack(list(named)).best(words, limit=MATCHES)
    found = [(line, match.positions) for match in matches for line in named[match.path]]
    return sorted(found, key=lambda one: not one[0].mark.pinned)


def _badges(row: Row | None, told: Told | None, running: bool) -> frozenset[Badge]:
    if row is None:
        return frozenset({Badge.LISTED, Badge.RESUMABLE})
    badges = {Badge.SAVED}
    if row.broken_off:
        badges.add(Badge.RUNNING if running else Badge.INTERRUPTED)
    listed_at = told.at if told is not None and told.there else 0.0
    deleted = told is not None and told.deleted_at > max(told.at, row.active)
    if deleted or (row.refused_at is not None and row.refused_at >= listed_at):
        badges.add(Badge.NOT_RESUMABLE)
    elif listed_at or row.resumed:
        badges.add(Badge.RESUMABLE)
    return frozenset(badges)


def _rest(rest: dict[str, Any], root: Path) -> dict[str, Any]:
    cost = rest["cost"]
    return {
        "command": tuple(rest["command"]),
        "messages": rest["messages"],
        "tool_calls": rest["tool_calls"],
        "turns": rest["turns"],
        "cost": (cost[0], cost[1]) if cost is not None else None,
        "refused": rest["refused"],
        "uncertain": rest["uncertain"],
        "newer": rest["newer"],
        "journals": tuple(root / path for path in rest["journals"]),
    }


def _moment(updated_at: str) -> float:
    """Seconds since the epoch of what an agent wrote; 0: it cannot be read."""
    try:
        return datetime.fromisoformat(updated_at).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0
