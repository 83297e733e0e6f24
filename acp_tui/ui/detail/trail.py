"""The messages an entity was made of, as they came, a line each; read from the journal in a thread.

Invariants: a message is loaded from its file when it is unfolded and let go when far out of sight; what
cannot be read says why; the first few are open, many are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from acp_tui.journal.history import Found, History, Subject
from acp_tui.render import words
from acp_tui.render.clean import clean, one_line
from acp_tui.render.code import highlight
from acp_tui.render.look import Look, act
from acp_tui.render.wrap import Lines, Run, cut, spread, wrap
from acp_tui.store.entities import AgentRequest, Entity, Message, Submission, Turn
from acp_tui.store.keys import Kind
from acp_tui.store.store import Store
from acp_tui.ui import keys
from acp_tui.ui.detail.facts import moment
from acp_tui.ui.detail.marked import encoded
from acp_tui.ui.detail.parts import Folding, Part, Words, as_json
from acp_tui.ui.detail.pieces import Piece

OPEN = 12
"""Messages that are open at first, if there are not more."""
SHOWN = 4000
"""Lines of one message; saved, it is whole."""


def subject(entity: Entity, store: Store) -> Subject:
    """Whose history the journal is asked for."""
    key = entity.key
    session = store.sessions.get(key.session)
    session_id = session.session_id if session is not None else None
    if isinstance(entity, AgentRequest):
        return Subject(
            kind=key.kind, session_id=session_id, request_id=entity.request_id, generation=entity.generation
        )
    if isinstance(entity, Turn):
        since = entity.started_at if entity.started_at is not None else entity.created_at
        return Subject(kind=key.kind, session_id=session_id, since=since, until=entity.created_at)
    asked = entity if isinstance(entity, Submission) else None
    if isinstance(entity, Message) and entity.submission is not None:
        found = store.entity(key._replace(kind=Kind.SUBMISSION, id=str(entity.submission)))
        asked = found if isinstance(found, Submission) else None
    request_id = asked.request_id if asked is not None else None
    return Subject(kind=key.kind, session_id=session_id, id=key.id, request_id=request_id)


class Kept(Folding):
    """One message: when, who, what; unfolded, all of it."""

    stop: ClassVar[bool] = True

    def __init__(self, found: Found, first: float, opened: bool) -> None:
        super().__init__()
        self._found, self._first, self._opened = found, first, opened
        name = f"{found.what.replace('/', '-')}.json"
        self.piece = Piece("the message", name, lambda: encoded(as_json(found.load()) + "\n"))

    def text(self) -> str | None:
        return None if self._opened else self._head()

    def _head(self) -> str:
        found = self._found
        return f"{found.what}  {one_line(found.changed, 300)}"

    def estimate(self, width: int) -> int:
        return 1 + (self._found.length // 24 if self._opened else 0)

    def draw(self, width: int, look: Look) -> Lines:
        found, toggle = self._found, act("toggle")
        whose = {"<": "agent", ">": "you"}.get(found.direction, "note")
        after = f"+{found.at - self._first:.3f}" if found.at >= self._first else ""
        left: list[Run] = [
            (" ▾ " if self._opened else " ▸ ", look.dim + toggle),
            (moment(found.at)[11:], look.time + toggle),
            (f"  {whose:<5}  ", look.dim + toggle),
            (one_line(found.what, 60), look.subheading + toggle),
        ]
        right: list[Run] = [(f"  {after:>9} s  {words.size(found.length):>7} ", look.time)]
        if not self._opened:
            left.append(("  " + one_line(found.changed, 300), look.dim + toggle))
        made = Lines()
        made.add(spread(cut(left, width), right if width >= 60 else [], width, look.base), 3)
        if self._opened:
            made.extend(self._inside(width, look))
        return made

    def _inside(self, width: int, look: Look) -> Lines:
        first = [("   ", look.base), (" ", look.code)]
        try:
            lines = as_json(self._found.load()).split("\n")
        except (OSError, ValueError) as error:
            said = f"It cannot be read any more: {one_line(str(error))}"
            return wrap([(said, look.status_failed)], width, look.base, first=first)
        made = Lines()
        for runs in highlight([clean(line) for line in lines[:SHOWN]], "json", look):
            made.extend(wrap(runs, width, look.code, first=first, words=False))
        if len(lines) > SHOWN:
            save = keys.hint("detail.save")
            said = f"… {words.count(len(lines) - SHOWN, 'more line')}; {save} saves all of it"
            made.extend(wrap([(said, look.dim)], width, look.base, first=first))
        return made


class TrailTab:
    """What was found so far, and the reading of more. `more` belongs to a thread, the rest to the loop."""

    def __init__(self, of: Subject) -> None:
        self.history = History(of)
        self.found: list[Found] = []
        self.problem = ""
        self.reading = False
        self.begun = False
        self._parts: list[Part] = []
        self._opened: bool | None = None
        self._note: Part = Words("reading the journal …", "dim")

    def add(self, found: Sequence[Found]) -> None:
        """More was found."""
        self.begun = True
        self.found += found
        first = self.found[0].at if self.found else 0.0
        if self._opened is None and len(self.found) > OPEN:
            self._opened, self._parts = False, []
        opened = self._opened is not False if not self._parts else not self._parts[-1].folded
        self._parts += [Kept(one, first, opened) for one in self.found[len(self._parts) :]]

    def parts(self) -> list[Part]:
        """What there is to show now."""
        made = list(self._parts)
        if self.problem:
            made.append(Words(self.problem, "status_failed"))
        elif self.reading:
            made.append(self._note)
        elif not made:
            made.append(Words("The journal has no message about this.", "dim"))
        return made


def why(error: OSError, paths: Sequence[Path]) -> str:
    """Why there is no history, in words."""
    if not paths:
        return "There is no journal of this conversation."
    reason = (
        "it was never begun"
        if isinstance(error, IsADirectoryError)
        else (error.strerror or str(error)).lower()
    )
    return f"The journal of this conversation cannot be read: {reason} ({error.filename or paths[-1]})."
